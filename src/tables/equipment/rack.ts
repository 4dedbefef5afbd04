import { bool, defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { entityWords } from '../../words/vocabulary.ts'
import { amountOrNone, idColumn, idOrNone, percentOf, severityColumn } from '../columns.ts'
import { idOrNull, idText, nameOfZone, ownDeviceKinds } from '../table-world.ts'
import type { DeviceRecord, OwnDeviceKind, PlacedRack, TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import { applianceCondition, gatewayCondition, switchCondition } from './devices.ts'
import { hostCondition } from './hosts.ts'
import type { RowState } from './hosts.ts'
import { rackFilters } from './racks.ts'

/** What stands in a rack unit. */
interface Occupant {
  readonly kind: OwnDeviceKind
  readonly device: DeviceRecord
}

interface RackUnit {
  readonly placed: PlacedRack
  /** Whether a rack of the zone has something at this height. */
  readonly level: 'taken' | 'free'
  readonly unit: number
  readonly occupant: Occupant | null
}

/** A rack higher than this is a mistake of an upstream. */
const rackUnitsMax = 100

function conditionOf({ device }: Occupant): RowState {
  if ('visual' in device) return hostCondition(device)
  if ('role' in device) return switchCondition(device)
  if ('wan_policy' in device) return gatewayCondition(device)
  if ('appliance_kind' in device) return applianceCondition(device)
  return { state: 'in order', severity: 0 }
}

function occupantsByRack(world: TableWorld): Map<string, Map<number, Occupant>> {
  const byRack = new Map<string, Map<number, Occupant>>()
  for (const kind of ownDeviceKinds) {
    for (const device of world.devices(kind)) {
      if (device.rack_id === null || device.start_u === null) continue
      const rack = idText(device.rack_id)
      const units = byRack.get(rack) ?? new Map<number, Occupant>()
      byRack.set(rack, units)
      const height = Math.min(device.u_size, rackUnitsMax)
      for (let unit = device.start_u; unit < device.start_u + height; unit++)
        units.set(unit, { kind, device })
    }
  }
  return byRack
}

/** Every unit of every rack, from the top down. */
function unitsOf(world: TableWorld): readonly RackUnit[] {
  const byRack = occupantsByRack(world)
  const takenByZone = levelsTaken(world, byRack)
  return world.racks.flatMap((placed) => {
    const units = byRack.get(idText(placed.rack.id))
    const taken = takenByZone.get(idText(placed.zone.id))
    const height = Math.min(placed.rack.u_size, rackUnitsMax)
    return Array.from({ length: height }, (_, index) => {
      const unit = height - index
      const level = taken?.has(unit) === true ? 'taken' : 'free'
      return { placed, level, unit, occupant: units?.get(unit) ?? null }
    })
  })
}

/** The heights at which anything stands, zone by zone. */
function levelsTaken(
  { racks }: TableWorld,
  byRack: ReadonlyMap<string, ReadonlyMap<number, Occupant>>,
): Map<string, Set<number>> {
  const byZone = new Map<string, Set<number>>()
  for (const { rack: one, zone } of racks) {
    const id = idText(zone.id)
    const known = byZone.get(id) ?? new Set<number>()
    byZone.set(id, known.union(new Set(byRack.get(idText(one.id))?.keys() ?? [])))
  }
  return byZone
}

/** How loaded a device is, in percent; null of what has no load. */
function loadOf({ device }: Occupant): number | null {
  if ('visual' in device)
    return device.online ? percentOf(device.used_millivcpu / 1000, device.physical_vcpu) : null
  if ('fabric_load_gbps' in device) return percentOf(device.fabric_load_gbps, device.fabric_capacity_gbps)
  return null
}

const isTop = (unit: number, { device }: Occupant): boolean =>
  unit === (device.start_u ?? 0) + device.u_size - 1

function placeOf({ start_u, u_size }: DeviceRecord): string {
  const low = start_u ?? 0
  return u_size > 1 ? `U${low}–${low + u_size - 1}` : `U${low}`
}

const subjects: Readonly<Partial<Record<OwnDeviceKind, 'device' | 'host'>>> = {
  Host: 'host',
  Gateway: 'device',
  Switch: 'device',
  Appliance: 'device',
}

export const rack = defineTable({
  name: 'rack',
  meaning: 'The elevation of racks: one row a rack unit, from the top down.',
  row: defineRecord('RackUnitRow', 'A rack unit and what stands in it.', {
    rack_id: idColumn('rack'),
    rack: str('Name of the rack.'),
    zone: str('Name of the zone.'),
    u: int('Number of the rack unit, counted from the bottom.', 'rack_units'),
    severity: severityColumn,
    state: str('How the device is doing, in words; "free" where there is none.'),
    device_kind: nullable(str('What kind of device, in words.')),
    device_id: idOrNone('device among its kind'),
    host_id: idOrNone('host, if it is one'),
    device: nullable(str('Name of the device.')),
    top: bool('Whether this is the highest unit that the device takes.'),
    size_u: int('Rack units that the device takes; 0 where there is none.', 'rack_units'),
    place: str('Rack units that the device takes, such as U12–13; of a free unit its own.'),
    leads_to: oneOf(['device', 'host', 'rack'], 'What shows more of it.'),
    load_pct: amountOrNone('CPU used of a host, traffic of a network device, of what it can.', 'pct'),
    tile: str('Severity, kind, and on the top unit name and load, separated by |; empty where it is free.'),
  }),
  reads: ['azs', 'gateways', 'switches', 'appliances', 'patchPanels', 'hosts'],
  items: unitsOf,
  filters: {
    ...filtersVia(rackFilters, ({ placed }: RackUnit) => placed),
    top: {
      meaning: 'yes for one row a device, its highest unit.',
      values: ({ unit, occupant }) => [occupant !== null && isTop(unit, occupant) ? 'yes' : 'no'],
    },
    level: {
      meaning: 'taken, for the heights at which a rack of the zone has something, or free.',
      values: ({ level }) => [level],
    },
  },
  toRow({ placed, unit, occupant }, world) {
    const place = { rack_id: idText(placed.rack.id), rack: placed.rack.name, zone: nameOfZone(placed.zone) }
    if (occupant === null) {
      const free = { severity: 0, state: 'free', device_kind: null, device_id: null, host_id: null }
      const empty = { size_u: 0, place: `U${unit}`, leads_to: 'rack' as const, load_pct: null, tile: '' }
      return { ...place, u: unit, ...free, device: null, top: false, ...empty }
    }
    const { kind, device } = occupant
    const { severity, state } = conditionOf(occupant)
    const name = world.nameOfDevice(device)
    const top = isTop(unit, occupant)
    const load = loadOf(occupant)
    const label = load === null ? name : `${name} ${Math.round(load)} %`
    return {
      ...place,
      u: unit,
      severity,
      state,
      device_kind: entityWords(kind),
      device_id: idText(device.id),
      host_id: kind === 'Host' ? idOrNull(device.id) : null,
      device: name,
      top,
      size_u: device.u_size,
      place: placeOf(device),
      leads_to: subjects[kind] ?? ('rack' as const),
      load_pct: load,
      tile: [severity, entityWords(kind), top ? label : ''].join('|'),
    }
  },
})
