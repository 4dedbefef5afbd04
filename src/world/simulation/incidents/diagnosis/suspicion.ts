import { showsStopped } from '../../facility/cooling.ts'
import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../../state.ts'
import { deviceOfPort, endsOf, mostContendedPool } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import { hasTransceiver, isCarrierLine, isOptical } from '../../topology/optics.ts'
import { zonesOfSubject } from '../correlation/subjects.ts'
import type { SignalName, Subject } from '../monitors/signals.ts'
import { signalNames } from '../monitors/signals.ts'

/** A possible target of the fault, with its share of the suspicion's weight. */
interface Candidate {
  readonly target: FaultTarget
  readonly share: number
}

/** Finds the possible fault targets of a symptom at a subject. */
interface CandidateSearch {
  /** Whether it finds the subject itself or its terminations, rather than infrastructure shared with others. */
  readonly isDirect: boolean
  find(world: ObservedWorld, subject: Subject): readonly Candidate[]
}

/** Symptoms that suggest a cause, with the prior likelihood from each. */
export interface Suspicion {
  readonly search: CandidateSearch
  readonly weights: Readonly<Partial<Record<SignalName, number>>>
}

export const suspicion = (search: CandidateSearch, weights: Suspicion['weights']): Suspicion => ({
  search,
  weights,
})

type SuspicionsByCause = Readonly<Record<CauseKind, { readonly suspicions: readonly Suspicion[] }>>

interface Suspect {
  readonly kind: CauseKind
  readonly target: FaultTarget
  readonly weight: number
}

interface SuspectGroup {
  readonly search: CandidateSearch
  readonly causes: { readonly kind: CauseKind; readonly weight: number }[]
}

export type SuspectsBySignal = Readonly<Record<SignalName, readonly SuspectGroup[]>>

/**
 * Indexes the suspicions of all causes by signal: direct ones first, in descending order of likelihood, then shared
 * ones in the order of the catalog. Causes of the same search are adjacent.
 */
export function indexSuspicions(catalog: SuspicionsByCause): SuspectsBySignal {
  return Object.fromEntries(signalNames.map((signal) => [signal, groupsOf(catalog, signal)])) as Record<
    SignalName,
    SuspectGroup[]
  >
}

function groupsOf(catalog: SuspicionsByCause, signal: SignalName): SuspectGroup[] {
  const direct: SuspectGroup[] = []
  const shared: SuspectGroup[] = []
  for (const [name, { suspicions }] of Object.entries(catalog)) {
    const kind = name as CauseKind
    for (const { search, weights } of suspicions) {
      const weight = weights[signal]
      if (weight === undefined) continue
      const group = shared.find((other) => other.search === search)
      if (group !== undefined) group.causes.push({ kind, weight })
      else (search.isDirect ? direct : shared).push({ search, causes: [{ kind, weight }] })
    }
  }
  return [...direct.toSorted((a, b) => b.causes[0].weight - a.causes[0].weight), ...shared]
}

export const suspectsOf = (
  world: ObservedWorld,
  suspects: SuspectsBySignal,
  signal: SignalName,
  subject: Subject,
): Suspect[] =>
  suspects[signal].flatMap(({ search, causes }) =>
    search
      .find(world, subject)
      .flatMap(({ target, share }) =>
        causes.map(({ kind, weight }) => ({ kind, target, weight: weight * share })),
      ),
  )

const direct = (find: CandidateSearch['find']): CandidateSearch => ({ isDirect: true, find })
const shared = (find: CandidateSearch['find']): CandidateSearch => ({ isDirect: false, find })

const evenly = (targets: readonly FaultTarget[]): Candidate[] =>
  targets.map((target) => ({ target, share: 1 / targets.length }))

/** The subject of the symptom. */
export const subjectItself = direct((_, subject) =>
  subject.kind === 'Zone' ? [] : [{ target: subject, share: 1 }],
)

/** The ports at both ends of a link, the first slightly likelier. */
export const portsOfLink = direct((world, subject) =>
  portsAtEnds(world, subject).map((row, end) => ({
    target: { kind: 'Port', row },
    share: end === 0 ? 1 : 0.9,
  })),
)

/** The transceivers at both ends of a link, the first slightly likelier; none for an electrical link. */
export const transceiversOfLink = direct((world, subject) =>
  portsOfLink
    .find(world, subject)
    .filter(({ target }) => target.kind === 'Port' && hasTransceiver(world.topology, target.row)),
)

/** A cable with permanently attached connectors. */
export const electricalCable = direct(({ topology }, subject) =>
  subject.kind === 'Cable' && !isOptical(topology, subject.row) ? [{ target: subject, share: 1 }] : [],
)

/** A line of a carrier. */
export const carrierLine = direct(({ topology }, subject) =>
  subject.kind === 'Cable' && isCarrierLine(topology, subject.row) ? [{ target: subject, share: 1 }] : [],
)

export const switchesOfLink = direct((world, subject) =>
  portsAtEnds(world, subject)
    .flatMap((port) => deviceOfPort(world.topology, port) ?? [])
    .filter(({ kind }) => kind === 'Switch')
    .map((target) => ({ target, share: 1 })),
)

/** Ports of a link on a device, without those of carriers and patch panels. */
const portsAtEnds = ({ topology }: ObservedWorld, subject: Subject): number[] =>
  subject.kind === 'Cable'
    ? endsOf(topology, subject.row).filter((port) => deviceOfPort(topology, port) !== null)
    : []

/** The first port of a host; null if it is not cabled. */
function firstPort({ topology }: ObservedWorld, subject: Subject): number | null {
  if (subject.kind !== 'Host') return null
  const port = topology.hosts.firstPort[subject.row]
  return topology.ports.cable[port] < 0 ? null : port
}

export const firstCableOfHost = shared((world, subject) => {
  const port = firstPort(world, subject)
  return port === null ? [] : [{ target: { kind: 'Cable', row: world.topology.ports.cable[port] }, share: 1 }]
})

export const firstElectricalCableOfHost = shared((world, subject) =>
  firstCableOfHost
    .find(world, subject)
    .filter(({ target }) => target.kind === 'Cable' && !isOptical(world.topology, target.row)),
)

export const firstTransceiverOfHost = shared((world, subject) => {
  const port = firstPort(world, subject)
  return port === null || !hasTransceiver(world.topology, port)
    ? []
    : [{ target: { kind: 'Port', row: port }, share: 1 }]
})

const zoneOf = (world: ObservedWorld, subject: Subject) =>
  world.topology.zones[zonesOfSubject(world, subject)[0] ?? -1]

export const feedsOfZone = shared((world, subject) =>
  evenly((zoneOf(world, subject)?.feeds ?? []).map((row) => ({ kind: 'PowerFeed', row }))),
)

const coolingUnitsMax = 3

/** The stopped cooling units of a zone; otherwise its first few. */
export const coolingUnitsOfZone = shared((world, subject) => {
  const units = zoneOf(world, subject)?.coolingUnits ?? []
  const stopped = units.filter((row) => showsStopped(world, row))
  const candidates = stopped.length > 0 ? stopped : units.slice(0, coolingUnitsMax)
  return evenly(candidates.map((row) => ({ kind: 'CoolingUnit', row })))
})

/** A few cooling units of a zone that none of them explains: all show that they run. */
export const runningUnitsOfZone = shared((world, subject) => {
  const units = zoneOf(world, subject)?.coolingUnits ?? []
  const isExplained = units.some((row) => showsStopped(world, row))
  return evenly(
    units.slice(0, isExplained ? 0 : coolingUnitsMax).map((row) => ({ kind: 'CoolingUnit', row })),
  )
})

const heaviestCustomersMax = 2
/** Hostile traffic makes a customer suspicious at a small fraction of legitimate traffic. */
const hostileTrafficFactor = 1_000

/** The customers with most traffic in a zone, among them probably the one that saturates a link. */
export const heaviestCustomersOfZone = shared((world, subject) => {
  const zone = zonesOfSubject(world, subject)[0]
  return world.tenants.active
    .filter(({ hosts }) => hosts.some((host) => world.topology.hosts.zone[host] === zone))
    .map(({ id, servedInGbps, servedOutGbps }) => {
      const hostileGbps = world.threats.remainders.get(id)?.gbps ?? 0
      return { id, gbps: servedInGbps + servedOutGbps + hostileTrafficFactor * hostileGbps }
    })
    .toSorted((a, b) => b.gbps - a.gbps || a.id - b.id)
    .slice(0, heaviestCustomersMax)
    .map(({ id }) => ({ target: { kind: 'Customer', id }, share: 1 }))
})

export const mostContendedPoolOfCustomer = shared((world, subject) => {
  const row = subject.kind === 'Customer' ? mostContendedPool(world, subject.id) : -1
  return row < 0 ? [] : [{ target: { kind: 'Pool', row }, share: 1 }]
})

const stoppedHostsMax = 3

const hostsOfCustomer = ({ tenants }: ObservedWorld, subject: Subject): readonly number[] =>
  subject.kind === 'Customer' ? Array.from(tenants.byId.get(subject.id)?.hosts ?? []) : []

/** Hosts of a customer that a campaign took out of service before their units had moved. */
export const drainedHostsOfCustomer = shared((world, subject) =>
  hostsOfCustomer(world, subject)
    .filter((row) => world.condition.hostCampaigns[row] > 0)
    .slice(0, stoppedHostsMax)
    .map((row) => ({ target: { kind: 'Host', row }, share: 1 })),
)

/** Hosts of a customer that stopped while in service, in descending likelihood. */
export const stoppedHostsOfCustomer = shared((world, subject) => {
  const { facility, condition } = world
  return hostsOfCustomer(world, subject)
    .filter((row) => facility.hostRunning[row] === 0 && condition.hostMaintenance[row] === 0)
    .slice(0, stoppedHostsMax)
    .map((row, index) => ({ target: { kind: 'Host', row }, share: 1 / (index + 1) }))
})

/** The zone of the customer's host with the worst delivery; undefined without hosts. */
function worstServedZone({ topology, network, tenants }: ObservedWorld, subject: Subject) {
  if (subject.kind !== 'Customer') return undefined
  let worst = -1
  let leastDelivered = Infinity
  for (const host of tenants.byId.get(subject.id)?.hosts ?? []) {
    const delivered = network.hostDeliveredIn[host] + network.hostDeliveredOut[host]
    if (delivered < leastDelivered) {
      leastDelivered = delivered
      worst = topology.hosts.zone[host]
    }
  }
  return topology.zones[worst]
}

export const gatewaysOfCustomer = shared((world, subject) =>
  evenly((worstServedZone(world, subject)?.gateways ?? []).map((row) => ({ kind: 'Gateway', row }))),
)

/** Appliances on a customer's path: all its traffic passes a firewall, some passes other appliances. */
export const appliancesOfCustomer = shared((world, subject) => {
  const zone = worstServedZone(world, subject)
  if (zone === undefined) return []
  const { firewalls, appliances } = zone
  const others = appliances.filter((row) => !firewalls.includes(row))
  const share = 1 / (firewalls.length + others.length / 2)
  const candidates = (rows: readonly number[], share: number): Candidate[] =>
    rows.map((row) => ({ target: { kind: 'Appliance', row }, share }))
  return [...candidates(firewalls, share), ...candidates(others, share / 2)]
})
