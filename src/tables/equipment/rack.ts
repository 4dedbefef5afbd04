import { bool, defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { entityWords } from '../../words/vocabulary.ts'
import { idColumn, idOrNone, severityColumn } from '../columns.ts'
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
  return world.racks.flatMap((placed) => {
    const units = byRack.get(idText(placed.rack.id))
    const height = Math.min(placed.rack.u_size, rackUnitsMax)
    return Array.from({ length: height }, (_, index) => {
      const unit = height - index
      return { placed, unit, occupant: units?.get(unit) ?? null }
    })
  })
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
    tile: str('Severity, kind, and on the top unit the name, separated by |; empty where it is free.'),
  }),
  reads: ['azs', 'gateways', 'switches', 'appliances', 'patchPanels', 'hosts'],
  items: unitsOf,
  filters: {
    ...filtersVia(rackFilters, ({ placed }: RackUnit) => placed),
    top: {
      meaning: 'yes for one row a device, its highest unit.',
      values: ({ unit, occupant }) => [occupant !== null && isTop(unit, occupant) ? 'yes' : 'no'],
    },
  },
  toRow({ placed, unit, occupant }, world) {
    const place = { rack_id: idText(placed.rack.id), rack: placed.rack.name, zone: nameOfZone(placed.zone) }
    if (occupant === null) {
      const free = { severity: 0, state: 'free', device_kind: null, device_id: null, host_id: null }
      const empty = { size_u: 0, place: `U${unit}`, leads_to: 'rack' as const, tile: '' }
      return { ...place, u: unit, ...free, device: null, top: false, ...empty }
    }
    const { kind, device } = occupant
    const { severity, state } = conditionOf(occupant)
    const name = world.nameOfDevice(device)
    const top = isTop(unit, occupant)
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
      tile: [severity, entityWords(kind), top ? name : ''].join('|'),
    }
  },
})
