import { defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { counted } from '../../words/phrases.ts'
import { amount, amountOrNone, idColumn, idOrNone, asPercent, percentOf, severityColumn } from '../columns.ts'
import { rackValues, zoneValues } from '../places.ts'
import { idOrNull, idText, nameOfZone } from '../table-world.ts'
import type { PlacedRack, TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { Filters } from '../table.ts'
import type { RowState } from './hosts.ts'

const { inletHotCelsius, inletWarmCelsius, rackPowerHigh } = thresholds

export function rackCondition({ rack }: PlacedRack): RowState {
  const offline = rack.host_count - rack.hosts_online
  const powerPct = percentOf(rack.power_draw_kw, rack.power_capacity_kw) ?? 0
  if (rack.power_feeds === 0) return { state: 'no power', severity: 4 }
  if (rack.inlet_celsius >= inletHotCelsius) return { state: 'too hot', severity: 4 }
  if (offline > 0 && rack.hosts_online === 0) return { state: 'all hosts offline', severity: 4 }
  if (rack.power_feeds === 1) return { state: 'on one power feed', severity: 3 }
  if (offline > 0) return { state: `${counted(offline, 'host')} offline`, severity: 2 }
  if (rack.inlet_celsius > inletWarmCelsius) return { state: 'hot', severity: 2 }
  return powerPct >= asPercent(rackPowerHigh)
    ? { state: 'power nearly full', severity: 2 }
    : { state: 'in order', severity: 0 }
}

/** `B-03` is the third place of row B. */
export function rowAndPosition(name: string): { readonly row: string; readonly position: string } {
  const at = name.lastIndexOf('-')
  return at < 0 ? { row: '', position: name } : { row: name.slice(0, at), position: name.slice(at + 1) }
}

export const rackFilters: Filters<PlacedRack> = {
  rack: { meaning: 'Id or name of a rack.', values: rackValues },
  zone: { meaning: 'Id or name of a zone.', values: ({ zone }) => zoneValues(zone) },
  row: { meaning: 'Row that it stands in.', values: ({ rack }) => [rowAndPosition(rack.name).row] },
}

export const racks = defineTable({
  name: 'racks',
  meaning: 'Racks, zone by zone.',
  row: defineRecord('RackRow', 'A rack.', {
    rack_id: idColumn('rack'),
    rack: str('Name: row and position.'),
    zone_id: idColumn('zone'),
    zone: str('Name of the zone.'),
    row: str('Row that it stands in.'),
    position: str('Position in the row.'),
    severity: severityColumn,
    state: str('The worst that can be said of it, in words.'),
    tile: str('Severity, name, state, inlet temperature and power in one text, separated by |.'),
    hosts: int('Hosts in it.'),
    hosts_online: int('Hosts of it that serve.'),
    used_u: int('Rack units taken.', 'rack_units'),
    free_u: int('Rack units that are free.', 'rack_units'),
    size_u: int('Height.', 'rack_units'),
    power_feeds: int('Power feeds that are live.'),
    power_draw_kw: amount('Power drawn.', 'kw'),
    power_capacity_kw: amount('Power that it may draw.', 'kw'),
    power_pct: amountOrNone('Power drawn, of what it may draw.', 'pct'),
    inlet_celsius: amount('Temperature of the air going in.', 'celsius'),
    incidents: int('Active incidents in it.'),
    incident_id: idOrNone('gravest active incident in it'),
    band: nullable(str('Band of that incident.')),
  }),
  reads: ['azs', 'incidents'],
  items: (world: TableWorld) => world.racks,
  filters: rackFilters,
  toRow(placed, world) {
    const { rack, zone } = placed
    const { state, severity } = rackCondition(placed)
    const active = world.activeIncidentsOf('rack', rack.id)
    const powerPct = percentOf(rack.power_draw_kw, rack.power_capacity_kw)
    const degrees = Math.round(rack.inlet_celsius)
    return {
      rack_id: idText(rack.id),
      rack: rack.name,
      zone_id: idText(zone.id),
      zone: nameOfZone(zone),
      ...rowAndPosition(rack.name),
      severity,
      state,
      tile: [severity, rack.name, state, `${degrees} °C`, `${Math.round(powerPct ?? 0)} %`].join('|'),
      hosts: rack.host_count,
      hosts_online: rack.hosts_online,
      used_u: rack.used_u,
      free_u: rack.u_size - rack.used_u,
      size_u: rack.u_size,
      power_feeds: rack.power_feeds,
      power_draw_kw: rack.power_draw_kw,
      power_capacity_kw: rack.power_capacity_kw,
      power_pct: powerPct,
      inlet_celsius: rack.inlet_celsius,
      incidents: active.length,
      incident_id: idOrNull(active[0]?.id),
      band: active[0]?.band ?? null,
    }
  },
})
