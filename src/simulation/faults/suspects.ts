import type { RootKind } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { Symptom } from './board.ts'
import type { SignalName, Subject } from './signals.ts'
import { deviceOfPort, endsOf, tightestPool, zonesOf } from './targets.ts'

/** A cause that a symptom makes one think of, and how readily. */
export interface Suspicion {
  readonly kind: RootKind
  readonly target: FaultTarget
  readonly weight: number
}

type DeviceKind = 'Host' | 'Switch' | 'Gateway' | 'Appliance'

/** What experience says about a device: kind of cause by weight, always with the device itself as the culprit. */
const atDevice: Partial<Readonly<Record<SignalName, readonly (readonly [RootKind, number])[]>>> = {
  'host-silent': [
    ['HostFailure', 0.5],
    ['PowerSupplyFailure', 0.2],
    ['FanFailure', 0.08],
  ],
  'host-hot': [
    ['FanFailure', 0.6],
    ['HostFailure', 0.1],
  ],
  'host-fan': [
    ['FanFailure', 0.7],
    ['PowerSupplyFailure', 0.12],
  ],
  'host-disk': [
    ['DiskFailure', 0.7],
    ['HostFailure', 0.2],
  ],
  'host-supply': [
    ['PowerSupplyFailure', 0.65],
    ['HostFailure', 0.08],
  ],
  'switch-silent': [
    ['SwitchFailure', 0.5],
    ['PowerSupplyFailure', 0.2],
    ['FirmwareFault', 0.2],
  ],
  'switch-supply': [
    ['PowerSupplyFailure', 0.65],
    ['SwitchFailure', 0.08],
  ],
  'switch-degraded': [
    ['FirmwareFault', 0.55],
    ['SwitchFailure', 0.25],
  ],
  'switch-dropping': [
    ['FabricSaturation', 0.3],
    ['FirmwareFault', 0.25],
    ['BroadcastStorm', 0.2],
  ],
  'switch-storm': [
    ['BroadcastStorm', 0.6],
    ['FirmwareFault', 0.2],
  ],
  'gateway-silent': [
    ['GatewayFailure', 0.6],
    ['Misconfiguration', 0.2],
  ],
  'gateway-withdrawn': [
    ['Misconfiguration', 0.55],
    ['GatewayFailure', 0.25],
  ],
  'gateway-throttled': [
    ['AddonThrottling', 0.6],
    ['FabricSaturation', 0.15],
    ['Misconfiguration', 0.12],
  ],
  'gateway-dropping': [
    ['FabricSaturation', 0.3],
    ['AddonThrottling', 0.3],
  ],
  'appliance-silent': [
    ['ApplianceFailure', 0.6],
    ['Misconfiguration', 0.2],
  ],
  'appliance-dropping': [
    ['FabricSaturation', 0.3],
    ['Misconfiguration', 0.25],
  ],
}

/** Causes to consider for a symptom, by what hangs on what. */
export function suspicionsOf(state: WorldState, symptom: Symptom): Suspicion[] {
  const { subject, signal } = symptom
  if (subject.kind === 'Zone') return cooling(state, subject.row, 0.6)
  if (subject.kind === 'Customer') return ofCustomer(state, signal, subject.id)
  if (subject.kind === 'Cable') return ofLink(state, signal, subject.row)
  if (subject.kind === 'PowerFeed') return [{ kind: 'PowerFeedLoss', target: subject, weight: 0.9 }]
  if (subject.kind === 'CoolingUnit') {
    const feed = feeds(state, state.plant.coolingUnits.zone[subject.row], 0.1)
    return [{ kind: 'CoolingFailure', target: subject, weight: 0.8 }, ...feed]
  }
  return subject.kind === 'Port' || subject.kind === 'Pool'
    ? []
    : ofDevice(state, signal, subject.kind, subject.row)
}

function ofDevice(state: WorldState, signal: SignalName, kind: DeviceKind, row: number): Suspicion[] {
  const target: FaultTarget = { kind, row }
  const [zone] = zonesOf(state, target)
  const found: Suspicion[] = (atDevice[signal] ?? []).map(([cause, weight]) => ({
    kind: cause,
    target,
    weight,
  }))
  if (zone === undefined) return found
  if (signal === 'host-silent') found.push(...links(state, row))
  if (signal === 'host-hot') found.push(...cooling(state, zone, 0.3))
  if (signal.endsWith('-supply') || signal.endsWith('-silent')) found.push(...feeds(state, zone, 0.14))
  if (signal.endsWith('-dropping')) found.push(...crowds(state, zone, 0.3))
  return found
}

/** The first link of a host. */
function links({ plant }: WorldState, host: number): Suspicion[] {
  const port = plant.hosts.firstPort[host]
  const cable = plant.ports.cable[port]
  if (cable < 0) return []
  return [
    { kind: 'CableCut', target: { kind: 'Cable', row: cable }, weight: 0.1 },
    { kind: 'TransceiverFailure', target: { kind: 'Port', row: port }, weight: 0.08 },
  ]
}

function ofLink(state: WorldState, signal: SignalName, cable: number): Suspicion[] {
  const { plant } = state
  const target: FaultTarget = { kind: 'Cable', row: cable }
  const ports = endsOf(plant, cable).filter((port) => deviceOfPort(plant, port) !== null)
  const atPorts = (kind: RootKind, weight: number): Suspicion[] =>
    ports.map((row, end) => ({ kind, target: { kind: 'Port', row }, weight: weight * (end === 0 ? 1 : 0.9) }))
  const cut: Suspicion = { kind: 'CableCut', target, weight: signal === 'link-down' ? 0.45 : 0.1 }
  if (signal === 'link-down') return [cut, ...atPorts('TransceiverFailure', 0.2)]
  if (signal === 'link-flapping')
    return [...atPorts('PortFlap', 0.35), ...atPorts('TransceiverFailure', 0.15)]
  if (signal === 'link-errors')
    return [...atPorts('TransceiverFailure', 0.35), ...atPorts('PortFlap', 0.1), cut]
  const switches = ports
    .flatMap((port) => deviceOfPort(plant, port) ?? [])
    .filter(({ kind }) => kind === 'Switch')
  return [
    { kind: 'LinkSaturation', target, weight: 0.4 },
    ...switches.map((device): Suspicion => ({ kind: 'BroadcastStorm', target: device, weight: 0.08 })),
    ...zonesOf(state, target)
      .slice(0, 1)
      .flatMap((zone) => crowds(state, zone, 0.3)),
  ]
}

const feeds = ({ plant }: WorldState, zone: number, weight: number): Suspicion[] =>
  plant.zones[zone].feeds.map((row) => ({
    kind: 'PowerFeedLoss',
    target: { kind: 'PowerFeed', row },
    weight: weight / 2,
  }))

function cooling({ plant, condition }: WorldState, zone: number, weight: number): Suspicion[] {
  const units = plant.zones[zone].coolingUnits
  const stopped = units.filter((row) => condition.coolingBroken[row] > 0)
  const named = stopped.length > 0 ? stopped : units.slice(0, 3)
  return named.map((row) => ({
    kind: 'CoolingFailure',
    target: { kind: 'CoolingUnit', row },
    weight: weight / named.length,
  }))
}

/** The customers with most traffic in a zone: whoever fills a link is among them. */
const crowdsNamed = 2

function crowds(state: WorldState, zone: number, weight: number): Suspicion[] {
  const there = state.tenants.active
    .filter((tenant) => tenant.hosts.some((host) => state.plant.hosts.zone[host] === zone))
    .map((tenant) => ({
      id: tenant.id,
      gbps: tenant.servedInGbps + tenant.servedOutGbps + hostileGbps(state, tenant.id),
    }))
    .toSorted((a, b) => b.gbps - a.gbps || a.id - b.id)
    .slice(0, crowdsNamed)
  return there.flatMap(({ id }) => [
    { kind: 'DemandSurge', target: { kind: 'Customer', id }, weight: weight / 3 },
    { kind: 'Attack', target: { kind: 'Customer', id }, weight: weight / 4 },
  ])
}

const hostileGbps = (state: WorldState, customerId: number): number =>
  1_000 * (state.threats.residual.get(customerId)?.gbps ?? 0)

function ofCustomer(state: WorldState, signal: SignalName, id: number): Suspicion[] {
  const target: FaultTarget = { kind: 'Customer', id }
  const byIts = (kind: RootKind, weight: number): Suspicion => ({ kind, target, weight })
  if (signal === 'customer-flood') return [byIts('Attack', 0.5), byIts('DemandSurge', 0.3)]
  if (signal === 'customer-probed' || signal === 'customer-breached') {
    return [byIts('Attack', 0.7), ...walls(state, id, 0.2)]
  }
  if (signal === 'customer-stranded' || signal === 'customer-redundancy') {
    return [...deadHosts(state, id), ...tightest(state, id, 0.25)]
  }
  const slow = signal === 'customer-slow'
  return [
    byIts('DemandSurge', 0.24),
    byIts('Attack', 0.16),
    ...tightest(state, id, slow ? 0.3 : 0.12),
    ...doors(state, id, 0.15),
    ...walls(state, id, slow ? 0.15 : 0.3),
  ]
}

/** The zone of the customer's hosts that traffic reaches worst; -1 where it has no hosts. */
function sorestZone({ plant, network, tenants }: WorldState, id: number): number {
  let worst = -1
  let least = Number.POSITIVE_INFINITY
  for (const host of tenants.byId.get(id)?.hosts ?? []) {
    const delivered = network.hostDeliveredIn[host] + network.hostDeliveredOut[host]
    if (delivered < least) {
      least = delivered
      worst = plant.hosts.zone[host]
    }
  }
  return worst
}

/** Appliances in front of a customer, any of which may have a wrong rule: firewalls pass everything. */
function walls(state: WorldState, id: number, weight: number): Suspicion[] {
  const zone = sorestZone(state, id)
  if (zone < 0) return []
  const { firewalls, appliances } = state.plant.zones[zone]
  const others = appliances.filter((row) => !firewalls.includes(row))
  const share = weight / (firewalls.length + others.length / 2)
  const suspicion = (row: number, part: number): Suspicion => ({
    kind: 'Misconfiguration',
    target: { kind: 'Appliance', row },
    weight: part,
  })
  return [...firewalls.map((row) => suspicion(row, share)), ...others.map((row) => suspicion(row, share / 2))]
}

function doors(state: WorldState, id: number, weight: number): Suspicion[] {
  const zone = sorestZone(state, id)
  const gateways = zone < 0 ? [] : state.plant.zones[zone].gateways
  return gateways.map((row) => ({
    kind: 'AddonThrottling',
    target: { kind: 'Gateway', row },
    weight: weight / gateways.length,
  }))
}

function tightest(state: WorldState, id: number, weight: number): Suspicion[] {
  const row = tightestPool(state, id)
  return row < 0 ? [] : [{ kind: 'CapacityExhaustion', target: { kind: 'Pool', row }, weight }]
}

/** Hosts of a customer that do not run, the first few. */
function deadHosts({ tenants, physical }: WorldState, id: number): Suspicion[] {
  const dead: Suspicion[] = []
  for (const row of tenants.byId.get(id)?.hosts ?? []) {
    if (physical.hostRunning[row] === 0 && dead.length < 3) {
      dead.push({ kind: 'HostFailure', target: { kind: 'Host', row }, weight: 0.4 / (dead.length + 1) })
    }
  }
  return dead
}

/** The id by which a record names a subject's customer; null for all else. */
export const customerOf = (subject: Subject): number | null =>
  subject.kind === 'Customer' ? subject.id : null
