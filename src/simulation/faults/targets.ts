import type { EntityKind } from '../../contract/vocabularies.ts'
import { type DeviceTable, deviceKind, idOf, type Plant } from '../plant/tables.ts'
import type { FaultTarget, WorldState } from '../state.ts'

/** What a target is called, where it stands, and by which id the records know it. */

export type TargetKind = FaultTarget['kind']

const targetKinds: readonly TargetKind[] = [
  'Host',
  'Switch',
  'Gateway',
  'Appliance',
  'Cable',
  'Port',
  'PowerFeed',
  'CoolingUnit',
  'Customer',
  'Pool',
]

/** The row of what the plant or the pools list; the id of a customer. */
export const rowOf = (target: FaultTarget): number => (target.kind === 'Customer' ? target.id : target.row)

/** A number for each target, the same for equal targets only. */
export const targetKey = (target: FaultTarget): number =>
  targetKinds.indexOf(target.kind) * 2 ** 32 + rowOf(target)

export const sameTarget = (a: FaultTarget, b: FaultTarget): boolean =>
  a.kind === b.kind && rowOf(a) === rowOf(b)

/** The id by which records name the target: a port by its port id, all else by its own. */
export const targetId = (target: FaultTarget): number =>
  target.kind === 'Customer' ? target.id : idOf(target.row)

/** What an event about the target is about: a port's device, else the target itself. */
export function entityOf(plant: Plant, target: FaultTarget): { kind: EntityKind; id: number | null } {
  if (target.kind === 'Port') {
    const kind = deviceOfPort(plant, target.row)
    return kind === null ? { kind: 'World', id: null } : { kind: kind.kind, id: idOf(kind.row) }
  }
  return { kind: target.kind, id: targetId(target) }
}

type Device = { readonly kind: 'Host' | 'Switch' | 'Gateway' | 'Appliance'; readonly row: number }

/** The device that a port belongs to; null for a carrier's and a panel's. */
export function deviceOfPort(plant: Plant, port: number): Device | null {
  const row = plant.ports.device[port]
  switch (plant.ports.deviceKind[port]) {
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

function tableOf(plant: Plant, kind: Device['kind']): DeviceTable {
  if (kind === 'Host') return plant.hosts
  if (kind === 'Switch') return plant.switches
  return kind === 'Gateway' ? plant.gateways : plant.appliances
}

const isDevice = (target: FaultTarget): target is FaultTarget & Device =>
  target.kind === 'Host' ||
  target.kind === 'Switch' ||
  target.kind === 'Gateway' ||
  target.kind === 'Appliance'

/** The ports at both ends of a cable. */
export const endsOf = (plant: Plant, cable: number): readonly [number, number] => [
  plant.cables.a[cable],
  plant.cables.b[cable],
]

/** Row of the rack that the target stands in; null for what stands in none, or in two. */
export function rackOf(plant: Plant, target: FaultTarget): number | null {
  const device = target.kind === 'Port' ? deviceOfPort(plant, target.row) : target
  if (device === null || !isDevice(device)) return null
  const rack = tableOf(plant, device.kind).rack[device.row]
  return rack < 0 ? null : rack
}

/** Rows of the zones in which the target stands, ascending: none for a pool, several for a customer. */
export function zonesOf(state: WorldState, target: FaultTarget): number[] {
  const { plant } = state
  if (isDevice(target)) return [tableOf(plant, target.kind).zone[target.row]]
  if (target.kind === 'PowerFeed') return [plant.feeds.zone[target.row]]
  if (target.kind === 'CoolingUnit') return [plant.coolingUnits.zone[target.row]]
  if (target.kind === 'Port') return zonesOfPort(plant, target.row)
  if (target.kind === 'Cable')
    return distinct(endsOf(plant, target.row).flatMap((port) => zonesOfPort(plant, port)))
  if (target.kind === 'Customer') {
    const hosts = state.tenants.byId.get(target.id)?.hosts ?? []
    return distinct(Array.from(hosts, (host) => plant.hosts.zone[host]))
  }
  const inPool = (host: number): boolean => plant.hosts.pool[host] === target.row
  return plant.zones.flatMap((zone, row) => (zone.hosts.some(inPool) ? [row] : []))
}

function zonesOfPort(plant: Plant, port: number): number[] {
  const device = deviceOfPort(plant, port) ?? deviceOfPort(plant, plant.ports.peer[port])
  return device === null ? [] : [tableOf(plant, device.kind).zone[device.row]]
}

const distinct = (rows: readonly number[]): number[] => [...new Set(rows)].toSorted((a, b) => a - b)

/** The name of a target in a sentence. */
export function nameOf(state: WorldState, target: FaultTarget): string {
  const { plant } = state
  if (isDevice(target)) return tableOf(plant, target.kind).name[target.row]
  if (target.kind === 'PowerFeed') {
    const zone = plant.zones[plant.feeds.zone[target.row]]
    return `power feed ${plant.feeds.side[target.row] === 0 ? 'A' : 'B'} of ${zone.name}`
  }
  if (target.kind === 'CoolingUnit') return `cooling unit ${plant.coolingUnits.name[target.row]}`
  if (target.kind === 'Cable') return `cable ${cableName(plant, target.row)}`
  if (target.kind === 'Port') return portName(plant, target.row)
  if (target.kind === 'Customer') return state.tenants.byId.get(target.id)?.name ?? `customer ${target.id}`
  return `pool ${plant.pools[target.row].name}`
}

/** A cable is called by what it joins. */
export const cableName = (plant: Plant, cable: number): string =>
  endsOf(plant, cable)
    .map((port) => portOwner(plant, port))
    .join('–')

function portOwner(plant: Plant, port: number): string {
  const device = deviceOfPort(plant, port)
  if (device !== null) return tableOf(plant, device.kind).name[device.row]
  return plant.ports.deviceKind[port] === deviceKind.Upstream
    ? plant.carriers[plant.ports.device[port]]
    : plant.panels.name[plant.ports.device[port]]
}

export const portName = (plant: Plant, port: number): string =>
  `${portOwner(plant, port)} port ${plant.ports.label[port]}`

/** Where a target stands, in a few words. */
export function placeOf(state: WorldState, target: FaultTarget): string {
  const { plant } = state
  const rack = rackOf(plant, target)
  const zones = zonesOf(state, target).map((zone) => plant.zones[zone].name)
  const zone = zones.length === 0 ? 'the fleet' : zones.slice(0, 3).join(', ')
  return rack === null ? zone : `rack ${plant.racks.name[rack]} in ${zone}`
}

/** The most contended host of a customer; -1 where it has none. */
export function tightestHost({ load, tenants }: WorldState, customerId: number): number {
  let worst = -1
  for (const host of tenants.byId.get(customerId)?.hosts ?? []) {
    if (worst < 0 || load.contention[host] > load.contention[worst]) worst = host
  }
  return worst
}

/** The pool of that host; -1 where there is none. */
export function tightestPool(state: WorldState, customerId: number): number {
  const host = tightestHost(state, customerId)
  return host < 0 ? -1 : state.plant.hosts.pool[host]
}
