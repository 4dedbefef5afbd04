import type { ObservedWorld } from '../../state.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import type { Micros } from '../../time.ts'
import { hour, minute } from '../../time.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { RootCause, Symptom } from '../model.ts'
import type { SignalName } from '../monitors/signals.ts'
import { isCustomerSignal, isHostile, isOfLostHosts, signals } from '../monitors/signals.ts'
import type { BlastRadius } from './blast-radius.ts'
import { lacksCooling, presentReach } from './blast-radius.ts'
import {
  areCutTogether,
  isCongested,
  isCrowded,
  isDetoured,
  isFacility,
  isFelt,
  isUnpowered,
  lostThrough,
  mayCongest,
  networkKinds,
  shareDependents,
  suffersBeside,
  suffersDetour,
} from './path.ts'
import { isAtPart, isBeingDrained, isPeer, isPluggedInto, isSameSubject, shareZone } from './subjects.ts'

/** Likelihood that two symptoms have one cause, from 0 to 1, as judged by an operator. */
export interface Similarity {
  /**
   * Symmetric: one symptom explains the other through cabling, power and cooling, or two customers of one place begin
   * to suffer at the same time.
   */
  readonly between: (a: Symptom, b: Symptom) => number
  /** Likelihood that the first symptom explains the second. */
  readonly explains: (cause: Symptom, effect: Symptom) => number
}

/** Minimum similarity within an incident. */
export const similarityMin = 0.3

/** Customers of a zone that begin to suffer within this time have one cause. */
export const coincidenceMax: Micros = 4 * minute
/** Maximum delay of a cause's symptom after the effect's. */
const causeLagMax: Micros = 10 * minute

export function createSimilarity(world: ObservedWorld, blastRadius: BlastRadius): Similarity {
  const explains = (cause: Symptom, effect: Symptom): number => {
    const { harm, causes } = signals[cause.signal]
    if (isHostile(effect.signal)) return 0
    if (isCustomerSignal(effect.signal)) {
      if (harm === 0 || effect.subject.kind !== 'Customer') return 0
      const tenant = world.tenants.byId.get(effect.subject.id)
      if (tenant === undefined) return 0
      const isLoss = isOfLostHosts(effect.signal)
      if (isLoss && (cause.subject.kind === 'Customer' || isBeingDrained(world, tenant))) return 0
      const share = overlap(world, blastRadius, cause, tenant, effect.signal)
      const age = timeliness(cause, effect)
      if (cause.signal !== 'link-errors' || effect.signal !== 'customer-failing' || age === 0)
        return harmOf(world, cause) * share * age
      // A lossy link explains what is lost on it, there and back, however long it has been lossy.
      const failing = (2 * lostThrough(world, blastRadius, cause)) / effect.reading
      return harmOf(world, cause) * share * Math.min(1, failing)
    }
    // A failing feed takes its devices down at once: an earlier failure has another cause.
    if (cause.signal === 'feed-dead' && effect.worsenedAt < cause.since) return 0
    if (!causes.includes(effect.signal)) return 0
    if (shareZone(world, cause.subject, effect.subject)) return proximity(world, blastRadius, cause, effect)
    const isAway = effect.since >= cause.since && isCongested(world, effect.subject, effect.signal)
    return isAway && isDetoured(world, cause.subject) ? 0.45 : 0
  }
  return {
    explains,
    between(a, b) {
      if (isAttackBesideLoss(a, b) || isAttackBesideLoss(b, a)) return 0
      if (isSameSubject(a.subject, b.subject) || areCutTogether(world, a.subject, b.subject)) return 0.8
      const explained = Math.max(explains(a, b), explains(b, a))
      return explained > 0 ? explained : coincidence(world, a, b)
    },
  }
}

/** A lost feed harms no customer while the zone's other feed is live; the loss of both takes the zone down. */
function harmOf({ topology, facility }: ObservedWorld, { signal, subject }: Symptom): number {
  const { harm } = signals[signal]
  if (signal !== 'feed-dead' || subject.kind !== 'PowerFeed') return harm
  const { feeds } = topology.zones[topology.feeds.zone[subject.row]]
  return feeds.some((feed) => facility.feedLive[feed] > 0) ? harm : darkZoneHarm
}
const darkZoneHarm = 0.95

/** An attack and a loss of hosts can coincide for one customer; neither explains the other. */
const isAttackBesideLoss = (a: Symptom, b: Symptom): boolean => isHostile(a.signal) && isOfLostHosts(b.signal)

/** An old, harmless symptom is a poor explanation of a new one, and a new symptom cannot explain an old one. */
function timeliness(cause: Symptom, effect: Symptom): number {
  const causeAge = effect.worsenedAt - cause.since
  if (causeAge < -causeLagMax) return 0
  if (causeAge < causeLagMax) return 1
  return causeAge < hour ? 0.55 : 0.35
}

/** Share of a customer's hosts within reach of a symptom's subject. */
function overlap(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  { subject }: Symptom,
  tenant: Tenant,
  effect: SignalName,
): number {
  if (subject.kind === 'Customer') {
    if (subject.id === tenant.id) return 1
    return suffersBeside(world, subject, tenant) ? 0.5 : 0
  }
  if (subject.kind !== 'Zone' && !isFelt(world, blastRadius, subject, tenant, effect)) return 0
  const reaches =
    subject.kind === 'Zone'
      ? (host: number) => world.topology.hosts.zone[host] === subject.row && lacksCooling(world, host)
      : presentReach(world, blastRadius, subject)
  let within = 0
  for (const host of tenant.hosts) if (reaches(host)) within++
  return within === 0 ? 0 : 0.5 + (0.5 * within) / tenant.hosts.length
}

/** Similarity of customers of the same zones that begin to suffer at the same time. */
function coincidence(world: ObservedWorld, a: Symptom, b: Symptom): number {
  if (a.subject.kind !== 'Customer' || b.subject.kind !== 'Customer') return 0
  if (Math.abs(a.since - b.since) > coincidenceMax) return 0
  if (signals[a.signal].harm > 0 || signals[b.signal].harm > 0) return 0
  return shareZone(world, a.subject, b.subject) ? 0.45 : 0
}

/** In one zone: 1 for a link and its devices, less within reach, and least for the others. */
function proximity(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  { subject: cause, signal: causeSignal }: Symptom,
  { subject: effect, signal }: Symptom,
): number {
  if (cause.kind === 'Zone' && effect.kind === 'Host') return lacksCooling(world, effect.row) ? 0.8 : 0
  if (cause.kind === 'Zone' || effect.kind === 'Zone') return 0.8
  if (isPluggedInto(world, cause, effect) || isPluggedInto(world, effect, cause)) return 1
  if (effect.kind === 'Host') return isReached(world, blastRadius, cause, effect, signal) ? 0.8 : 0
  if (isDead(causeSignal) && isDead(signal)) return isPeer(world, cause, effect) ? 0.45 : 0
  if (causeSignal === 'switch-storm') return 0.45
  if (cause.kind === 'PowerFeed') return signal === 'switch-supply' || isUnpowered(world, effect) ? 0.45 : 0
  const isFlooded = isCongested(world, effect, signal) || isHostile(causeSignal)
  return isFlooded && shareDependents(blastRadius, cause, effect) ? 0.45 : 0
}

/** Whether a network device does not respond. */
const isDead = (signal: SignalName): boolean =>
  signal === 'switch-silent' || signal === 'gateway-silent' || signal === 'appliance-silent'

/** Whether a confirmed cause can explain a new symptom, which then joins its incident. */
export function canExplain(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  root: RootCause,
  symptom: Symptom,
): boolean {
  const { subject, signal } = symptom
  const { target } = root
  if (subject.kind === 'Customer') {
    const isVictim = target.kind === 'Customer' && target.id === subject.id
    if (isHostile(signal)) return isVictim && root.kind === 'Attack'
    const tenant = world.tenants.byId.get(subject.id)
    const isDrained = isBeingDrained(world, tenant)
    // One campaign drains several hosts.
    if (root.kind === 'HostDrained') return isDrained
    if (isOfLostHosts(signal) && (target.kind === 'Customer' || isDrained)) return false
    if (isVictim) return true
    if (tenant === undefined) return false
    if (root.kind === 'Attack') return suffersBeside(world, target, tenant)
    if (!isOfLostHosts(signal) && suffersDetour(world, target, tenant)) return true
    if (isFelt(world, blastRadius, target, tenant, signal)) return true
    return signal !== 'customer-stranded' && isCrowded(world, blastRadius, target, tenant)
  }
  if (subject.kind === 'Host') return isReached(world, blastRadius, target, subject, signal)
  if (subject.kind === 'Zone') return isFacility(target) && shareZone(world, target, subject)
  if (isAdjacent(world, target, subject, signal) || areCutTogether(world, target, subject)) return true
  if (!shareZone(world, target, subject))
    return isCongested(world, subject, signal) && isDetoured(world, target)
  if (target.kind === 'PowerFeed') return isUnpowered(world, subject) || signal === 'switch-supply'
  if (root.kind === 'SwitchFailure' && isDead(signal)) return isPeer(world, target, subject)
  if (root.kind === 'BroadcastStorm' && signals['switch-storm'].causes.includes(signal)) return true
  const isFlood = root.kind === 'Attack' && signal === 'gateway-throttled'
  if (!isFlood && !(isCongested(world, subject, signal) && mayCongest(root))) return false
  return shareDependents(blastRadius, target, subject)
}

/**
 * Whether a cause explains a signal of a host within its reach. A host reported as stopped by its management port was not
 * cut off by the network, and one with power did not lose a feed.
 */
export function isReached(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  cause: FaultTarget,
  { row }: { readonly row: number },
  signal: SignalName,
): boolean {
  if (cause.kind === 'Customer' || cause.kind === 'Pool') return false
  if (!presentReach(world, blastRadius, cause)(row)) return false
  if (networkKinds.has(cause.kind)) return signal === 'host-silent' && world.facility.hostRunning[row] > 0
  const isOfPower = signal === 'host-supply' || world.facility.hostPowered[row] === 0
  return cause.kind !== 'PowerFeed' || isOfPower || lacksCooling(world, row)
}

/** A lost link may fill the devices at its ends, and does not wear them. */
const isAdjacent = (
  world: ObservedWorld,
  target: FaultTarget,
  subject: FaultTarget,
  signal: SignalName,
): boolean =>
  isAtPart(world, subject, target) ||
  isPluggedInto(world, subject, target) ||
  (isPluggedInto(world, target, subject) && signals['link-down'].causes.includes(signal))
