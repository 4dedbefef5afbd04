import { nameOfZone } from '../../../words/places.ts'
import { int, nullable, oneOf, str } from '../../../contract/fields.ts'
import { isFalse } from '../../../contract/records/unknown.ts'
import { knownOr } from '../../../words/vocabulary.ts'
import { amountOrNone, idColumn, idOrNone, percentOf, stateColumns } from '../../engine/columns.ts'
import { deviceParts, idText, ownDeviceKinds } from '../../engine/table-world.ts'
import type { DeviceRecord, OwnDeviceKind, PlacedRack, TableWorld } from '../../engine/table-world.ts'
import { column, defineTable } from '../../engine/table.ts'
import { deviceCondition } from './devices.ts'
import { cpuUsedPct } from './hosts.ts'
import { subjectOfKind } from './ports.ts'
import { rackFilters } from './racks.ts'

/** The device in a rack unit. */
export interface Occupant {
  readonly kind: OwnDeviceKind
  readonly device: DeviceRecord
}

interface RackUnit {
  readonly placed: PlacedRack
  readonly unit: number
  readonly occupant: Occupant | null
}

/** A higher rack is an upstream's error. */
export const rackUnitsMax = 100

/** Devices by rack, then by unit. */
export function occupantsByRack(world: TableWorld): ReadonlyMap<string, ReadonlyMap<number, Occupant>> {
  const byRack = new Map<string, Map<number, Occupant>>()
  for (const kind of ownDeviceKinds) {
    for (const device of world.devices(kind)) {
      if (device.rack_id === null || device.start_u === null) continue
      // An upstream's absurd unit, at which counting by one stands still.
      if (!(Math.abs(device.start_u) <= rackUnitsMax)) continue
      const rack = String(device.rack_id)
      const units = byRack.get(rack) ?? new Map<number, Occupant>()
      byRack.set(rack, units)
      const height = Math.min(device.u_size, rackUnitsMax)
      for (let unit = device.start_u; unit < device.start_u + height; unit++)
        units.set(unit, { kind, device })
    }
  }
  return byRack
}

/** Every unit of a rack, from the top down. */
function unitsOf(placed: PlacedRack, world: TableWorld): readonly RackUnit[] {
  const units = world.derived(occupantsByRack).get(String(placed.rack.id))
  const height = Math.min(placed.rack.u_size || 0, rackUnitsMax)
  return Array.from({ length: height }, (_, index) => {
    const unit = height - index
    return { placed, unit, occupant: units?.get(unit) ?? null }
  })
}

/** The load of a device in percent; null for a device without one. */
export function occupantLoad({ device }: Occupant): number | null {
  if ('visual' in device) return isFalse(device.online) ? null : cpuUsedPct(device)
  if ('fabric_load_gbps' in device) return percentOf(device.fabric_load_gbps, device.fabric_capacity_gbps)
  return null
}

const isTop = ({ unit, occupant }: RackUnit): boolean =>
  occupant !== null && unit === (occupant.device.start_u ?? 0) + occupant.device.u_size - 1

function placeOf({ start_u, u_size }: DeviceRecord): string {
  const low = start_u ?? 0
  return u_size > 1 ? `U${low}–${low + u_size - 1}` : `U${low}`
}

export const rack = defineTable<RackUnit, PlacedRack>({
  name: 'rack',
  meaning: 'The elevation of racks: one row a rack unit, from the top down.',
  row: ['RackUnitRow', 'A rack unit and what stands in it.'],
  worldParts: deviceParts,
  entities: (world) => world.racks,
  itemsOf: unitsOf,
  entityFilters: rackFilters,
  filters: {
    top: {
      meaning: 'yes for one row a device, its highest unit.',
      values: (unit) => [isTop(unit) ? 'yes' : 'no'],
    },
  },
  columns: {
    rack_id: column(idColumn('rack'), ({ placed }) => idText(placed.rack.id)),
    rack: column(str('Name of the rack.'), ({ placed }) => placed.rack.name),
    zone: column(str('Name of the zone.'), ({ placed }) => nameOfZone(placed.zone)),
    u: column(int('Number of the rack unit, counted from the bottom.', 'rack_units'), 'unit'),
    ...stateColumns<RackUnit>(
      ({ occupant }) =>
        occupant === null ? { state: 'free', severity: 0 } : deviceCondition(occupant.device),
      'How the device is doing, in words; "free" where there is none.',
    ),
    device_id: column(idOrNone('device among its kind'), ({ occupant }) =>
      occupant === null ? null : idText(occupant.device.id),
    ),
    device: column(nullable(str('Name of the device.')), ({ occupant }, world) =>
      occupant === null ? null : world.nameOfDevice(occupant.device),
    ),
    place: column(
      str('Rack units that the device takes, such as U12–13; of a free unit its own.'),
      ({ occupant, unit }) => (occupant === null ? `U${unit}` : placeOf(occupant.device)),
    ),
    leads_to: column(oneOf(['device', 'host', 'rack'], 'What shows more of it.'), ({ occupant }) =>
      knownOr<'device' | 'host' | 'rack'>(subjectOfKind, occupant?.kind ?? '', 'rack'),
    ),
    load_pct: column(
      amountOrNone('CPU used of a host, traffic of a network device, of what it can.', 'pct'),
      ({ occupant }) => (occupant === null ? null : occupantLoad(occupant)),
    ),
  },
})
