import type { EntityKind } from '../../../contract/vocabularies.ts'
import type { DeviceTable, Topology } from './tables.ts'
import { deviceKind, idOf } from './tables.ts'
import type { WorldView } from '../state.ts'
import type { FaultTarget } from './fault-target.ts'
import { targetKinds } from './fault-target.ts'

/** The row of an entity of the topology; for a customer, its id. */
export const rowOf = (target: FaultTarget): number => (target.kind === 'Customer' ? target.id : target.row)

/** A unique number for each target. */
export const targetKey = (target: FaultTarget): number =>
  targetKinds.indexOf(target.kind) * 2 ** 32 + rowOf(target)

export const sameTarget = (a: FaultTarget, b: FaultTarget): boolean =>
  a.kind === b.kind && rowOf(a) === rowOf(b)

/** The id of the target in the records. */
export const targetId = (target: FaultTarget): number =>
  target.kind === 'Customer' ? target.id : idOf(target.row)

/** The entity of an event about the target: the device of a port, otherwise the target itself. */
export function entityOf(topology: Topology, target: FaultTarget): { kind: EntityKind; id: number | null } {
  if (target.kind === 'Port') {
    const kind = deviceOfPort(topology, target.row)
    return kind === null ? { kind: 'World', id: null } : { kind: kind.kind, id: idOf(kind.row) }
  }
  return { kind: target.kind, id: targetId(target) }
}

type Device = { readonly kind: 'Host' | 'Switch' | 'Gateway' | 'Appliance'; readonly row: number }

/** The device of a port; null for ports of carriers and panels. */
export function deviceOfPort(topology: Topology, port: number): Device | null {
  const row = topology.ports.device[port]
  switch (topology.ports.deviceKind[port]) {
    case deviceKind.Host:
      return { kind: 'Host', row }
    case deviceKind.Switch:
      return { kind: 'Switch', row }
    case deviceKind.Gateway:
      return { kind: 'Gateway', row }
    case deviceKind.Appliance:
      return { kind: 'Appliance', row }
    default:
      return null
  }
}

function tableOf(topology: Topology, kind: Device['kind']): DeviceTable {
  if (kind === 'Host') return topology.hosts
  if (kind === 'Switch') return topology.switches
  return kind === 'Gateway' ? topology.gateways : topology.appliances
}

const isDevice = (target: FaultTarget): target is FaultTarget & Device =>
  target.kind === 'Host' ||
  target.kind === 'Switch' ||
  target.kind === 'Gateway' ||
  target.kind === 'Appliance'

/** The ports at both ends of a cable. */
export const endsOf = (topology: Topology, cable: number): readonly [number, number] => [
  topology.cables.a[cable],
  topology.cables.b[cable],
]

/** Row of the target's rack; null for a target outside of racks or in two. */
export function rackOf(topology: Topology, target: FaultTarget): number | null {
  const device = target.kind === 'Port' ? deviceOfPort(topology, target.row) : target
  if (device === null || !isDevice(device)) return null
  const rack = tableOf(topology, device.kind).rack[device.row]
  return rack < 0 ? null : rack
}

/** The world with the names and hosts of customers, which are not part of the topology. */
type NamedWorld = Pick<WorldView, 'topology' | 'tenants'>

/** Rows of the target's zones, ascending. Customers, pools and cables may be in several zones. */
export function zonesOf(state: NamedWorld, target: FaultTarget): number[] {
  const { topology } = state
  if (isDevice(target)) return [tableOf(topology, target.kind).zone[target.row]]
  if (target.kind === 'PowerFeed') return [topology.feeds.zone[target.row]]
  if (target.kind === 'CoolingUnit') return [topology.coolingUnits.zone[target.row]]
  if (target.kind === 'Port') return zonesOfPort(topology, target.row)
  if (target.kind === 'Cable')
    return distinct(endsOf(topology, target.row).flatMap((port) => zonesOfPort(topology, port)))
  if (target.kind === 'Customer') {
    const hosts = state.tenants.byId.get(target.id)?.hosts ?? []
    return distinct(Array.from(hosts, (host) => topology.hosts.zone[host]))
  }
  const inPool = (host: number): boolean => topology.hosts.pool[host] === target.row
  return topology.zones.flatMap((zone, row) => (zone.hosts.some(inPool) ? [row] : []))
}

function zonesOfPort(topology: Topology, port: number): number[] {
  const device = deviceOfPort(topology, port) ?? deviceOfPort(topology, topology.ports.peer[port])
  return device === null ? [] : [tableOf(topology, device.kind).zone[device.row]]
}

const distinct = (rows: readonly number[]): number[] => [...new Set(rows)].toSorted((a, b) => a - b)

/** The name of a target in a sentence. */
export function nameOf(state: NamedWorld, target: FaultTarget): string {
  const { topology } = state
  if (isDevice(target)) return tableOf(topology, target.kind).name[target.row]
  if (target.kind === 'PowerFeed') {
    const zone = topology.zones[topology.feeds.zone[target.row]]
    return `power feed ${topology.feeds.side[target.row] === 0 ? 'A' : 'B'} of ${zone.displayName}`
  }
  if (target.kind === 'CoolingUnit') return `cooling unit ${topology.coolingUnits.name[target.row]}`
  if (target.kind === 'Cable') return `cable ${cableName(topology, target.row)}`
  if (target.kind === 'Port') return portName(topology, target.row)
  if (target.kind === 'Customer') return state.tenants.byId.get(target.id)?.name ?? `customer ${target.id}`
  return `pool ${topology.pools[target.row].name}`
}

/** A cable is named after the devices at its ends, one of several parallel cables also after its port. */
export function cableName(topology: Topology, cable: number): string {
  const ends = endsOf(topology, cable)
  const from = ends.find((port) => deviceOfPort(topology, port) !== null)
  const isOneOfSeveral = from !== undefined && hasParallel(topology, from)
  return ends
    .map((port) => {
      const owner = portOwnerName(topology, port)
      return isOneOfSeveral && port === from ? `${owner} ${topology.ports.label[port]}` : owner
    })
    .join('–')
}

/** Whether another port of the same device leads to the same far end. */
function hasParallel(topology: Topology, port: number): boolean {
  const { ports } = topology
  const device = deviceOfPort(topology, port)
  if (device === null || ports.peer[port] < 0) return false
  const table = tableOf(topology, device.kind)
  const leadsTo = (end: number): number =>
    ports.peer[end] < 0 ? -1 : ports.deviceKind[ports.peer[end]] * 2 ** 32 + ports.device[ports.peer[end]]
  const first = table.firstPort[device.row]
  for (let other = first; other < first + table.portCount[device.row]; other++)
    if (other !== port && leadsTo(other) === leadsTo(port)) return true
  return false
}

/** The name of a port's device, panel or carrier. */
export function portOwnerName(topology: Topology, port: number): string {
  const device = deviceOfPort(topology, port)
  if (device !== null) return tableOf(topology, device.kind).name[device.row]
  return topology.ports.deviceKind[port] === deviceKind.Upstream
    ? topology.carriers[topology.ports.device[port]]
    : topology.panels.name[topology.ports.device[port]]
}

const portName = (topology: Topology, port: number): string =>
  `${portOwnerName(topology, port)} port ${topology.ports.label[port]}`

/** The location of a target in texts. */
export function placeOf(state: NamedWorld, target: FaultTarget): string {
  const { topology } = state
  const rack = rackOf(topology, target)
  const zones = zonesOf(state, target).map((zone) => topology.zones[zone].displayName)
  const zone = zones.length === 0 ? 'the fleet' : zones.slice(0, 3).join(' and ')
  return rack === null ? zone : `rack ${topology.racks.name[rack]} in ${zone}`
}

/** The most contended host of a customer; -1 without hosts. */
export function mostContendedHost(
  { load, tenants }: Pick<WorldView, 'load' | 'tenants'>,
  customerId: number,
): number {
  let worst = -1
  for (const host of tenants.byId.get(customerId)?.hosts ?? []) {
    if (worst < 0 || load.contention[host] > load.contention[worst]) worst = host
  }
  return worst
}

/** The pool of the customer's most contended host; -1 without hosts. */
export function mostContendedPool(state: NamedWorld & Pick<WorldView, 'load'>, customerId: number): number {
  const host = mostContendedHost(state, customerId)
  return host < 0 ? -1 : state.topology.hosts.pool[host]
}
