import type { Fault, FaultTarget, Tenant, WorldState } from '../state.ts'
import { minute } from '../time.ts'
import type { Case } from './case.ts'
import type { Domains } from './domain.ts'
import { isEmergent } from './emergent.ts'
import type { FaultsPart } from './faults.ts'
import { isPortOf } from './kinship.ts'
import { isFelt, isHostile, type Subject } from './signals.ts'
import { sameTarget, zonesOf } from './targets.ts'

/**
 * Which incident a fault has led to. This is the world's own knowledge, on which diagnosis draws; nothing of it
 * shows in a record before the cause is confirmed.
 */

const enough = 1
/** Symptoms may be seen so long before the fault that brings the incident to a head. */
const slack = minute

/** Ties faults that have no incident yet to the one that shows their consequences. */
export function attribute(state: WorldState, faults: FaultsPart, cases: ReadonlyMap<number, Case>): void {
  for (const fault of faults.active) {
    const known = fault.incidentId === null ? undefined : cases.get(fault.incidentId)
    if (known !== undefined) {
      if (known.root !== fault && !shows(state, known, fault))
        fault.incidentId = plainlyShownBy(state, cases, fault) ?? known.id
      continue
    }
    let best: Case | null = null
    let most = 0
    for (const at of cases.values()) {
      const weight = ties(state, faults, at, fault)
      if (weight >= enough && weight > most) {
        best = at
        most = weight
      }
    }
    fault.incidentId = best?.id ?? null
  }
}

/** Whether something is seen at the very thing that is at fault: of an attack, the attack itself. */
const shows = (state: WorldState, at: Case, fault: Fault): boolean =>
  at.symptoms
    .values()
    .some(
      ({ subject, signal }) => isSame(state, subject, fault) && (fault.attack === null || isHostile(signal)),
    )

/** What was taken for another incident's consequences may come to show where it comes from. */
function plainlyShownBy(state: WorldState, cases: ReadonlyMap<number, Case>, fault: Fault): number | null {
  for (const at of cases.values()) if (shows(state, at, fault)) return at.id
  return null
}

/** How plainly an incident shows a fault's consequences. */
function ties(state: WorldState, faults: FaultsPart, at: Case, fault: Fault): number {
  let weight = at.causes.some((cause) => cause.kind === fault.kind && sameTarget(cause.target, fault.target))
    ? 3
    : 0
  const reaches = faults.domains.reachOf(fault.target)
  for (const { subject, signal, since } of at.symptoms) {
    if (isSame(state, subject, fault)) weight = Math.max(weight, 2.5)
    if (since < fault.began - slack) continue
    if (subject.kind === 'Customer' && isFelt(signal)) {
      const share = shareWithin(reaches, state.tenants.byId.get(subject.id))
      if (share > 0) weight = Math.max(weight, 1 + share)
    } else if (subject.kind === 'Host' && reaches(subject.row)) weight = Math.max(weight, 1.2)
  }
  return weight
}

/** Share of a customer's hosts that lie within reach. */
function shareWithin(reaches: (host: number) => boolean, tenant: Tenant | undefined): number {
  if (tenant === undefined || tenant.hosts.length === 0) return 0
  let inside = 0
  for (const host of tenant.hosts) if (reaches(host)) inside++
  return inside / tenant.hosts.length
}

/** Whether whoever inspects one thing, and what hangs on it, comes upon another. */
export function isInSight(
  state: WorldState,
  domains: Domains,
  from: FaultTarget,
  target: FaultTarget,
): boolean {
  if (from.kind === 'Customer' || sameTarget(from, target)) return true
  if (from.kind === 'Host') return domains.reachOf(target)(from.row)
  if (from.kind === 'Pool') {
    return (
      (target.kind === 'Host' || target.kind === 'Customer') &&
      Array.from(domains.hostsOf(target)).some(domains.reachOf(from))
    )
  }
  const isFacility = from.kind === 'PowerFeed' || from.kind === 'CoolingUnit'
  if (isFacility && target.kind !== 'PowerFeed' && target.kind !== 'CoolingUnit') return false
  const zones = zonesOf(state, target)
  return zonesOf(state, from).some((zone) => zones.includes(zone))
}

const isSame = (state: WorldState, subject: Subject, { target }: Fault): boolean =>
  subject.kind !== 'Zone' && (sameTarget(subject, target) || isPortOf(state, target, subject))

/**
 * What an inspection finds behind an incident: the fault that its symptoms show most plainly, one that has ended
 * where none is left, a shortage where nothing was broken, or what is behind another incident too; null where there
 * is nothing to find.
 */
export function inspect(state: WorldState, faults: FaultsPart, at: Case): Fault | null {
  return (
    plainest(state, faults, at, faults.active) ??
    (isStranding(at) ? behindOthers(state, faults, at) : null) ??
    plainest(state, faults, at, faults.ended.slice(-endedLookedAt)) ??
    shortageBehind(faults, at) ??
    behindOthers(state, faults, at)
  )
}

/** Units do not lie on lost hosts for want of room alone. */
const isStranding = (at: Case): boolean =>
  at.symptoms.values().some(({ signal }) => signal === 'customer-stranded')

/** The fault that the incident shows most plainly of those that have an incident of their own. */
function behindOthers(state: WorldState, faults: FaultsPart, at: Case): Fault | null {
  let best: Fault | null = null
  let most = shared
  for (const fault of faults.active) {
    const weight = ties(state, faults, at, fault)
    if (weight > most || (weight === most && best === null)) {
      best = fault
      most = weight
    }
  }
  return best
}

/** How plainly an incident must show a fault that has an incident of its own. */
const shared = 1.4
/** Faults that ended lately and may still be found out. */
const endedLookedAt = 50

/**
 * Where something happened and something is short, it is mostly the first that hurts, and often it makes the second.
 * Less than a confidence can tell them apart by.
 */
const comesOfOthers = 0.9

function plainest(state: WorldState, faults: FaultsPart, at: Case, among: readonly Fault[]): Fault | null {
  let best: Fault | null = null
  let most = enough
  for (const fault of among) {
    if (fault.incidentId !== null && fault.incidentId !== at.id) continue
    if (fault.ended !== null && fault.incidentId !== at.id) continue
    const cause = at.causes.find(
      ({ kind, target }) => kind === fault.kind && sameTarget(target, fault.target),
    )
    const own = fault.incidentId === at.id ? enough : 0
    const weight =
      ties(state, faults, at, fault) +
      (cause?.confidence ?? 0) / 100 +
      own -
      (isEmergent(fault.kind) ? comesOfOthers : 0)
    if (weight > most) {
      best = fault
      most = weight
    }
  }
  return best
}

function shortageBehind(faults: FaultsPart, at: Case): Fault | null {
  for (const { kind, target, cleared } of at.causes) {
    const shortage = isEmergent(kind) && !cleared ? faults.claimShortage(target) : null
    if (shortage !== null) return shortage
  }
  return null
}
