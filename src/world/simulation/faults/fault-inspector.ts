import type { CauseKind } from '../../../contract/vocabularies.ts'
import { hostWarningCelsius } from '../facility/limits.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import { presentReach } from '../incidents/correlation/blast-radius.ts'
import { hasStoppedIn, isFacility, isFelt } from '../incidents/correlation/path.ts'
import { isAtPart, isBeingDrained, isPeer, shareZone } from '../incidents/correlation/subjects.ts'
import { isReached, similarityMin } from '../incidents/correlation/similarity.ts'
import { findCause, isAbout } from '../incidents/diagnosis/confidence.ts'
import type { FaultInspector } from '../incidents/diagnosis/inspection.ts'
import type { Incident, RootCause } from '../incidents/model.ts'
import { fruitlessInspections } from '../incidents/writers/timeline.ts'
import type { SignalName, Subject } from '../incidents/monitors/signals.ts'
import {
  isCustomerImpairment,
  isHostile,
  isOfLostHosts,
  signalNames,
  signals,
} from '../incidents/monitors/signals.ts'
import type { WorldView } from '../state.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { minute } from '../time.ts'
import type { FaultKind } from './fault-kind.ts'
import type { FaultsPart } from './faults.ts'
import type { Fault } from './model.ts'

/**
 * Attribution of faults to incidents: the ground truth that an inspection reveals. No record shows it before the
 * cause is confirmed.
 */

/** Minimum tie of an incident to an unattributed fault. */
const tieMin = 1
/** Minimum tie to a fault that is attributed to another incident. */
const sharedTieMin = 1.4
/** Maximum time from a symptom to its fault: a fault may aggravate an existing incident. */
const precedenceMax = minute
/** After this many inspections without a finding, a dormant fault attributed to the incident is found too. */
const fruitlessMax = 3
/** Advantage of a fault that an incident names: by its title a part that many others depend on, by a symptom an attack. */
const namedBonus = 1.5
/** Ended faults that an inspection can still find. */
const inspectedEndedMax = 50
/**
 * Discount on the tie of a shortage, often a consequence of another fault, unless the incident is named after it; less
 * than the weight of full confidence.
 */
const shortageDiscount = 0.9

interface FaultInspectorPorts {
  readonly kinds: Readonly<Record<CauseKind, FaultKind>>
  readonly faults: FaultsPart
  readonly blastRadius: BlastRadius
}

function isShowing(world: WorldView, incident: Incident, fault: Fault): boolean {
  if (!fault.isDormant) return true
  const isPersistent = fruitlessInspections(incident) >= fruitlessMax
  return fault.incidentId === incident.id && (isPersistent || hasJustShown(world, incident, fault))
}

export function createFaultInspector(world: WorldView, ports: FaultInspectorPorts): FaultInspector {
  const { kinds, faults, blastRadius } = ports
  const tie: Tie = (incident, fault) => tieBetween(world, blastRadius, incident, fault)
  const isShortage = ({ kind }: Pick<Fault, 'kind'>): boolean => kinds[kind].origin.type === 'shortage'
  const shortageBehind = (incident: Incident): Fault | null => {
    for (const { kind, target, cleared } of incident.causes) {
      if (cleared || !isShortage({ kind }) || !canCause({ kind, target }, incident)) continue
      if (!isBehind(world, blastRadius, incident, target)) continue
      const stopping = faults.active.find((fault) => hasStopped(world, blastRadius, fault, target))
      if (stopping !== undefined)
        return world.incidents.get(stopping.incidentId ?? 0)?.confirmed ? stopping : null
      const shortage = faults.claimShortage(target)
      if (shortage !== null) return shortage
    }
    return null
  }
  const strongestTied = (incident: Incident, candidates: readonly Fault[]): Fault | null =>
    strongestTiedOf(incident, candidates, (fault) => {
      const isTitle = isNamedByTitle(world, incident, fault)
      const discount = isShortage(fault) && !isTitle ? shortageDiscount : 0
      const isWide = kinds[fault.kind].hasWideReach ?? false
      const isNamed = fault.attack === null ? isWide && isTitle : showsItself(world, incident, fault)
      const bonus = isNamed ? namedBonus : 0
      return tie(incident, fault) + confidenceIn(incident, fault) / 100 + bonus - discount
    })
  const findEnded = (incident: Incident): Fault | null =>
    strongestTied(incident, faults.ended.slice(-inspectedEndedMax))
  return {
    attribute(incidents) {
      for (const fault of faults.active) {
        const current = fault.incidentId === null ? undefined : incidents.get(fault.incidentId)
        if (current === undefined) fault.incidentId = closestIncident(incidents, (each) => tie(each, fault))
        else if (current.root?.id !== fault.id && !showsItself(world, current, fault))
          fault.incidentId = incidentAt(world, incidents, fault) ?? current.id
      }
    },
    inspect(incident) {
      const showing = faults.active.filter((fault) => isShowing(world, incident, fault))
      const isOfLoss = hasStrandedUnits(incident)
      const shared = isOfLoss ? showing.filter(({ target }) => target.kind !== 'Customer') : showing
      return (
        strongestTied(incident, showing) ??
        (isOfLoss ? strongestTiedShared(incident, shared, tie) : null) ??
        (isFromDormantFault(incident, faults.active) ? null : findEnded(incident)) ??
        shortageBehind(incident) ??
        strongestTiedShared(incident, shared, tie)
      )
    },
    attach(root, incidentId) {
      const fault = [...faults.active, ...faults.ended].find(({ id }) => id === root.id)
      if (fault !== undefined) fault.incidentId = incidentId
    },
    endOf(incident) {
      const { root } = incident
      if (root === null || root.ended === null) return null
      const isAgain = (fault: Fault): boolean =>
        fault.incidentId === incident.id && isConfirmed(world, incident, root, fault)
      return faults.active.some(isAgain) ? null : (faults.ended.findLast(isAgain)?.ended ?? root.ended)
    },
    hasActive: (incidentId) => faults.active.some((fault) => fault.incidentId === incidentId),
    endedOf: (incidentId) => faults.ended.filter((fault) => fault.incidentId === incidentId),
    release(incidentId) {
      for (const fault of faults.active) if (fault.incidentId === incidentId) fault.incidentId = null
    },
  }
}

/** Whether a fault that has an incident of its own has stopped hosts of a pool. */
const hasStopped = (
  world: WorldView,
  blastRadius: BlastRadius,
  { target }: Fault,
  pool: Fault['target'],
): boolean =>
  pool.kind === 'Pool' &&
  (isFacility(target) || target.kind === 'Host') &&
  hasStoppedIn(world, presentReach(world, blastRadius, target), pool.row)

/** Whether a fault is the cause of an incident again, or another that was confirmed. */
function isConfirmed(world: WorldView, { causes }: Incident, root: RootCause, fault: Fault): boolean {
  const { kind, target } = fault
  if (isAbout(root, kind, target)) return target.kind !== 'Customer'
  const isFound = causes.some((cause) => cause.confirmed && isAbout(cause, kind, target))
  return isFound || (kind === root.kind && areRedundant(world, target, root.target))
}

/** Whether parts are feeds, cooling units or redundant switches of one zone, which lacks them until all are back. */
const areRedundant = (world: WorldView, a: Fault['target'], b: Fault['target']): boolean =>
  (isFacility(a) ? isFacility(b) : a.kind === 'Switch' && isPeer(world, a, b)) && shareZone(world, a, b)

/** Whether a customer of an incident suffers from a lack of room in a pool; other shortages are at what shows them. */
const isBehind = (
  world: WorldView,
  blastRadius: BlastRadius,
  { symptoms }: Incident,
  target: Fault['target'],
): boolean =>
  target.kind !== 'Pool' ||
  symptoms.values().some(({ subject }) => {
    const tenant = subject.kind === 'Customer' ? world.tenants.byId.get(subject.id) : undefined
    return tenant !== undefined && isFelt(world, blastRadius, target, tenant)
  })

/** Whether an incident comes from an intermittent fault that is dormant now: no other suspect is broken either. */
const isFromDormantFault = ({ id }: Incident, active: readonly Fault[]): boolean =>
  active.some(({ isDormant, incidentId }) => isDormant && incidentId === id)

type Tie = (incident: Incident, fault: Fault) => number

const confidenceIn = (incident: Incident, { kind, target }: Fault): number =>
  findCause(incident, kind, target)?.confidence ?? 0

/** The fault with the strongest tie to an incident, among those attributed to it or to no incident. */
function strongestTiedOf(
  incident: Incident,
  candidates: readonly Fault[],
  weigh: (fault: Fault) => number,
): Fault | null {
  let best: Fault | null = null
  let highest = tieMin
  for (const fault of candidates) {
    if (!canCause(fault, incident)) continue
    const isOwn = fault.incidentId === incident.id
    if (!isOwn && (fault.incidentId !== null || fault.ended !== null)) continue
    const weight = weigh(fault) + (isOwn ? tieMin : 0)
    if (weight > highest) {
      best = fault
      highest = weight
    }
  }
  return best
}

/** The active fault with the strongest tie to an incident, even if it is attributed to another incident. */
function strongestTiedShared(incident: Incident, active: readonly Fault[], tie: Tie): Fault | null {
  let best: Fault | null = null
  let highest = sharedTieMin
  for (const fault of active) {
    const weight = tie(incident, fault)
    if (weight > highest || (weight === highest && best === null)) {
      best = fault
      highest = weight
    }
  }
  return best
}

function closestIncident(
  incidents: ReadonlyMap<number, Incident>,
  tie: (incident: Incident) => number,
): number | null {
  let closest: number | null = null
  let highest = 0
  for (const incident of incidents.values()) {
    const weight = tie(incident)
    if (weight >= tieMin && weight > highest) {
      closest = incident.id
      highest = weight
    }
  }
  return closest
}

/** Whether an incident has a symptom at the target of a fault itself; for an attack, a symptom of the attack. */
const showsItself = (world: WorldView, { symptoms }: Incident, fault: Fault): boolean =>
  symptoms
    .values()
    .some(
      ({ subject, signal }) =>
        isAtPart(world, subject, fault.target) && (fault.attack === null || isHostile(signal)),
    )

/** Whether a dormant fault was read, and monitoring has not seen the end of its symptom yet. */
const hasJustShown = (world: WorldView, incident: Incident, fault: Fault): boolean =>
  (findCause(incident, fault.kind, fault.target)?.isNoted ?? false) && showsItself(world, incident, fault)

/** Whether the title of an incident is about the target of a fault. */
const isNamedByTitle = (world: WorldView, { headline, symptoms }: Incident, fault: Fault): boolean =>
  symptoms
    .values()
    .some(({ key, subject }) => key === headline.symptomKey && isAtPart(world, subject, fault.target))

/** The incident with a symptom at the fault's own target, for one attributed to an incident of its consequences. */
function incidentAt(world: WorldView, incidents: ReadonlyMap<number, Incident>, fault: Fault): number | null {
  for (const incident of incidents.values()) if (showsItself(world, incident, fault)) return incident.id
  return null
}

const sharedKinds: ReadonlySet<Fault['target']['kind']> = new Set<Fault['target']['kind']>([
  'Gateway',
  'Appliance',
  'Pool',
  'PowerFeed',
  'CoolingUnit',
])

/** Strength of the evidence that links an incident to a fault or its consequences. */
function tieBetween(world: WorldView, blastRadius: BlastRadius, incident: Incident, fault: Fault): number {
  if (!canCause(fault, incident)) return 0
  let weight = 0
  const reaches = presentReach(world, blastRadius, fault.target)
  for (const { subject, signal, since } of incident.symptoms) {
    const tenant = subject.kind === 'Customer' ? world.tenants.byId.get(subject.id) : undefined
    if (isOfLostHosts(signal) && fault.target.kind === 'Customer') continue
    if (!isHostile(signal) && isBeingDrained(world, tenant)) continue
    if (isAtPart(world, subject, fault.target)) weight = Math.max(weight, 2.5)
    if (since < fault.began - precedenceMax) continue
    if (subject.kind === 'Customer' && isCustomerImpairment(signal)) {
      if (isTolerated(world, fault)) continue
      const isGone =
        fault.ended === null &&
        tenant !== undefined &&
        !isFelt(world, blastRadius, fault.target, tenant, signal)
      const share = isGone ? 0 : shareWithin(reaches, tenant)
      if (share > 0) weight = Math.max(weight, 1 + share)
    } else if (subject.kind === 'Host' && isReached(world, blastRadius, fault.target, subject, signal))
      weight = Math.max(weight, 1.2)
    else if (signal === 'zone-hot' && isCoolingOf(world, fault, subject)) weight = Math.max(weight, 2)
  }
  const isSuspected = findCause(incident, fault.kind, fault.target) !== undefined
  // A part that many depend on is suspected wherever one of them suffers, so the suspicion alone is no evidence.
  return isSuspected && (weight > 0 || !sharedKinds.has(fault.target.kind)) ? Math.max(weight, 3) : weight
}

/** Demand, of a customer or for a pool, is no cause of an incident of a broken part. */
const canCause = ({ kind, target }: Pick<Fault, 'kind' | 'target'>, incident: Incident): boolean =>
  (kind !== 'DemandSurge' && target.kind !== 'Pool') || !hasBrokenPart(incident)

const isOfDemand = (name: SignalName): boolean => signals['customer-flood'].causes.includes(name)

/** Whether a part of an incident harms its customers in a way that no demand causes. */
const hasBrokenPart = ({ symptoms }: Incident): boolean =>
  symptoms.values().some(({ signal }) => brokenParts.has(signal))
const brokenParts: ReadonlySet<SignalName> = new Set(
  signalNames.filter((name) => signals[name].harm >= similarityMin && !isHostile(name) && !isOfDemand(name)),
)

/** Whether a device tolerates the failure of its fan or supply, so that no customer suffers. */
function isTolerated({ facility }: WorldView, { kind, target, ended }: Fault): boolean {
  if (ended !== null || (kind !== 'FanFailure' && kind !== 'PowerSupplyFailure')) return false
  if (target.kind === 'Switch') return facility.switchUp[target.row] > 0
  if (target.kind !== 'Host') return false
  return facility.hostRunning[target.row] > 0 && facility.hostCelsius[target.row] < hostWarningCelsius
}

const isCoolingOf = ({ topology }: WorldView, { target }: Fault, subject: Subject): boolean =>
  target.kind === 'CoolingUnit' &&
  subject.kind === 'Zone' &&
  topology.coolingUnits.zone[target.row] === subject.row

/** Share of a customer's hosts within reach of a fault. */
function shareWithin(reaches: (host: number) => boolean, tenant: Tenant | undefined): number {
  if (tenant === undefined || tenant.hosts.length === 0) return 0
  let within = 0
  for (const host of tenant.hosts) if (reaches(host)) within++
  return within / tenant.hosts.length
}

/** Lost hosts strand units; a shortage or traffic does not. Other symptoms of their customers are consequences. */
const hasStrandedUnits = ({ symptoms }: Incident): boolean =>
  symptoms.values().some(({ signal }) => signal === 'customer-stranded')
