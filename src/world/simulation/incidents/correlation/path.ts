import type { ObservedWorld } from '../../state.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import { deviceOfPort, endsOf, zonesOf } from '../../topology/entities.ts'
import { isCarrierLine } from '../../topology/optics.ts'
import type { RootCause, Symptom } from '../model.ts'
import type { SignalName, Subject } from '../monitors/signals.ts'
import type { BlastRadius } from './blast-radius.ts'
import { lacksCooling, presentReach } from './blast-radius.ts'
import { shareZone, zonesOfSubject } from './subjects.ts'

/** The path from a part to those who depend on it: what they suffer has to be what its failure causes. */

export const networkKinds: ReadonlySet<Subject['kind']> = new Set<Subject['kind']>([
  'Cable',
  'Port',
  'Switch',
  'Gateway',
  'Appliance',
])

export const isFacility = ({ kind }: Subject): boolean => kind === 'PowerFeed' || kind === 'CoolingUnit'

/** Smallest lost share of traffic, and delay, of a host that the network impairs. */
const lostShareMin = 0.001
const delayMsMin = 3
/** Contention at which units of a pool wait for each other. */
const waitingContention = 1

/** Whether a customer with a host within reach of a part suffers at that host from such a part, or loses it. */
export function isFelt(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  part: RootCause['target'],
  tenant: Tenant,
  signal: SignalName | null = null,
): boolean {
  const { facility, network } = world
  const reaches = presentReach(world, blastRadius, part)
  const isNetwork = networkKinds.has(part.kind)
  // The network cuts off what runs, and a host that serves has not stranded its units.
  const isStranded = (host: number): boolean =>
    network.hostReachable[host] === 0 && (!isNetwork || facility.hostRunning[host] > 0)
  const isHit = signal === 'customer-stranded' ? isStranded : hitBy(world, part, tenant)
  return tenant.hosts.some((host) => reaches(host) && isHit(host))
}

/** Whether a part has stopped hosts of a pool, so that the others are short of room. */
export function hasStoppedIn(
  { topology, facility }: ObservedWorld,
  reaches: (host: number) => boolean,
  pool: number,
): boolean {
  const isStopped = (host: number): boolean => facility.hostRunning[host] === 0 && reaches(host)
  return topology.hosts.rows.some((host) => topology.hosts.pool[host] === pool && isStopped(host))
}

/** Whether units of a customer wait for each other, as a part has stopped other hosts of their pool. */
export function isCrowded(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  part: RootCause['target'],
  { hosts }: Tenant,
): boolean {
  if (!isFacility(part) && part.kind !== 'Host') return false
  const crowded = hosts.filter((host) => world.load.contention[host] > waitingContention)
  const pools = new Set(Array.from(crowded, (host) => world.topology.hosts.pool[host]))
  const reaches = presentReach(world, blastRadius, part)
  return [...pools].some((pool) => hasStoppedIn(world, reaches, pool))
}

function hitBy(world: ObservedWorld, part: RootCause['target'], tenant: Tenant): (host: number) => boolean {
  const { facility, network, load } = world
  if (networkKinds.has(part.kind))
    return (host) => facility.hostRunning[host] > 0 && isImpaired(world, part, host)
  // While the other feed is live, most hosts do not notice the loss of one.
  if (part.kind === 'PowerFeed')
    return (host) =>
      facility.hostRunning[host] === 0 || network.hostReachable[host] === 0 || lacksCooling(world, host)
  if (part.kind === 'Pool' && tenant.requestedUnits <= tenant.placedUnits)
    return (host) => load.contention[host] > waitingContention
  return () => true
}

/** Whether the network does not reach a host, loses or delays its traffic, other than by wrong rules elsewhere. */
function isImpaired({ topology, network }: ObservedWorld, part: RootCause['target'], host: number): boolean {
  const { hostReachable, hostDeliveredIn, hostDeliveredOut, applianceRefusedGbps } = network
  const delayMs = network.hostQueueMs[host] + network.hostInspectionMs[host]
  if (hostReachable[host] === 0 || delayMs > delayMsMin) return true
  if (1 - hostDeliveredIn[host] * hostDeliveredOut[host] < lostShareMin) return false
  const zone = topology.hosts.zone[host]
  let refused = 0
  for (const row of topology.zones[zone].appliances) {
    if (part.kind === 'Appliance' && part.row === row && applianceRefusedGbps[row] > 0) return true
    refused += applianceRefusedGbps[row]
  }
  return refused === 0 || network.zoneDroppedGbps[zone] - refused > lostShareMin * refused
}

/** Whether a customer loses traffic in a zone of a customer under attack, whose hostile traffic fills shared links. */
export function suffersBeside(
  world: ObservedWorld,
  attacked: RootCause['target'],
  { hosts }: Tenant,
): boolean {
  const zones = zonesOf(world, attacked)
  const isBeside = (host: number): boolean => zones.includes(world.topology.hosts.zone[host])
  return hosts.some((host) => isBeside(host) && isImpaired(world, attacked, host))
}

/** Percent of their traffic that the hosts behind a lossy link lose on it: a part of it crosses the link. */
export function lostThrough(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  { subject, reading }: Symptom,
): number {
  if (subject.kind !== 'Cable') return 0
  const { portTxGbps, portRxGbps } = world.network
  const [port] = endsOf(world.topology, subject.row)
  const crossing = portTxGbps[port] + portRxGbps[port]
  const total = trafficAround(world, blastRadius, subject)
  return crossing < total ? (reading * crossing) / total : reading
}

/** The traffic of the hosts behind a link; of one beyond the cores, that of their zones with users. */
function trafficAround(world: ObservedWorld, blastRadius: BlastRadius, link: RootCause['target']): number {
  const { topology, network } = world
  const { firstPort, portCount } = topology.hosts
  let total = 0
  if (partsAt(topology, link).some((part) => part?.kind === 'Gateway' || part?.kind === 'Appliance')) {
    for (const zone of zonesOf(world, link))
      total += network.zoneWanInGbps[zone] + network.zoneWanOutGbps[zone]
    return total
  }
  for (const host of Array.from(blastRadius.hostsOf(link)))
    for (let port = firstPort[host]; port < firstPort[host] + portCount[host]; port++)
      total += network.portTxGbps[port] + network.portRxGbps[port]
  return total
}

/** Whether a part is of the only gateways of a zone, none of which announces routes: other zones carry its traffic. */
export function isDetoured(world: ObservedWorld, part: Subject): boolean {
  const { topology, network } = world
  if (!partsAt(topology, part).some((each) => each?.kind === 'Gateway')) return false
  return zonesOfSubject(world, part).every((zone) =>
    topology.zones[zone].gateways.every((row) => network.gatewayAdvertising[row] === 0),
  )
}

/** Whether a customer loses traffic in another zone, which carries that of a part's zone. */
export function suffersDetour(world: ObservedWorld, part: RootCause['target'], { hosts }: Tenant): boolean {
  if (!isDetoured(world, part)) return false
  const zones = zonesOf(world, part)
  const isAway = (host: number): boolean => !zones.includes(world.topology.hosts.zone[host])
  return hosts.some((host) => isAway(host) && isImpaired(world, part, host))
}

/** Whether a signal is of traffic beyond a capacity, which may come from afar, rather than denied by a rule. */
export function isCongested({ network }: ObservedWorld, subject: Subject, signal: SignalName): boolean {
  if (subject.kind !== 'Appliance') return signal === 'link-full' || signal.endsWith('-dropping')
  const refused = network.applianceRefusedGbps[subject.row]
  return signal === 'appliance-dropping' && 2 * refused <= network.applianceDroppedGbps[subject.row]
}

/** Whether a cause moves traffic to other links and devices, or adds to it. */
export const mayCongest = ({ kind, target }: Pick<RootCause, 'kind' | 'target'>): boolean =>
  networkKinds.has(target.kind) || kind === 'Attack' || kind === 'DemandSurge'

/** Whether the traffic of a host passes both parts, or would. */
export const shareDependents = (blastRadius: BlastRadius, a: Subject, b: Subject): boolean =>
  a.kind !== 'Zone' && b.kind !== 'Zone' && Array.from(blastRadius.hostsOf(a)).some(blastRadius.reachOf(b))

/** Whether a device, the one of a port, one at an end of a link, a cooling unit or a feed has no power. */
export function isUnpowered({ topology, facility }: ObservedWorld, subject: Subject): boolean {
  if (subject.kind === 'PowerFeed') return facility.feedLive[subject.row] === 0
  if (subject.kind === 'CoolingUnit') {
    const { feeds } = topology.zones[topology.coolingUnits.zone[subject.row]]
    return feeds.every((feed) => facility.feedLive[feed] === 0)
  }
  return partsAt(topology, subject).some((part) => {
    if (part?.kind === 'Host') return facility.hostPowered[part.row] === 0
    if (part?.kind === 'Switch') return facility.switchFeeds[part.row] === 0
    if (part?.kind === 'Gateway') return facility.gatewayFeeds[part.row] === 0
    return part?.kind === 'Appliance' && facility.applianceFeeds[part.row] === 0
  })
}

/** A subject with the devices at its ends, or the device of a port. */
function partsAt(topology: ObservedWorld['topology'], subject: Subject): (Subject | null)[] {
  if (subject.kind === 'Port') return [deviceOfPort(topology, subject.row)]
  const ports = subject.kind === 'Cable' ? endsOf(topology, subject.row) : []
  return [subject, ...ports.map((port) => deviceOfPort(topology, port))]
}

/** Whether carrier lines of a zone were cut at one place: they lie in one duct. */
export function areCutTogether(world: ObservedWorld, a: Subject, b: Subject): boolean {
  if (a.kind !== 'Cable' || b.kind !== 'Cable') return false
  const { topology, condition } = world
  const { cableCut, cableUnlit, cableCutPlace } = condition
  const isCut = (row: number): boolean => cableCut[row] > cableUnlit[row] && isCarrierLine(topology, row)
  return (
    isCut(a.row) && isCut(b.row) && cableCutPlace[a.row] === cableCutPlace[b.row] && shareZone(world, a, b)
  )
}
