import { int, num, str } from '../../../contract/fields.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import { counted } from '../../../words/phrases.ts'
import { nameOfZone } from '../../../words/places.ts'
import { amountOrNone, asPercent, idColumn, inOrder, percentOf, stateColumns } from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { rackValues, zoneFilter } from '../places.ts'
import { idText } from '../../engine/table-world.ts'
import type { PlacedRack } from '../../engine/table-world.ts'
import { column, defineTable, each } from '../../engine/table.ts'
import type { Filters } from '../../engine/table.ts'

const { inletHotCelsius, inletWarmCelsius, rackPowerHigh } = thresholds

const powerPct = ({ rack }: PlacedRack): number | null =>
  percentOf(rack.power_draw_kw, rack.power_capacity_kw)

export function rackCondition(placed: PlacedRack): RowState {
  const { rack } = placed
  const offline = rack.host_count - rack.hosts_online
  if (rack.power_feeds === 0) return { state: 'no power', severity: 4 }
  if (rack.inlet_celsius >= inletHotCelsius) return { state: 'too hot', severity: 4 }
  if (offline > 0 && rack.hosts_online === 0) return { state: 'all hosts offline', severity: 4 }
  if (rack.power_feeds === 1) return { state: 'on one power feed', severity: 3 }
  if (offline > 0) return { state: `${counted(offline, 'host')} offline`, severity: 2 }
  if (rack.inlet_celsius > inletWarmCelsius) return { state: 'hot', severity: 2 }
  return (powerPct(placed) ?? 0) >= asPercent(rackPowerHigh)
    ? { state: 'power nearly full', severity: 2 }
    : inOrder
}

/** `B-03` is the third position of row B. */
export function rowAndPosition(name: string): { readonly row: string; readonly position: string } {
  const at = name.lastIndexOf('-')
  return at < 0 ? { row: '', position: name } : { row: name.slice(0, at), position: name.slice(at + 1) }
}

export const rackFilters: Filters<PlacedRack> = {
  rack: { meaning: 'Id or name of a rack.', values: rackValues },
  ...zoneFilter(({ zone }: PlacedRack) => zone),
  row: { meaning: 'Row that it stands in.', values: ({ rack }) => [rowAndPosition(rack.name).row] },
}

export const racks = defineTable<PlacedRack>({
  name: 'racks',
  meaning: 'Racks, zone by zone.',
  row: ['RackRow', 'A rack.'],
  worldParts: ['azs'],
  ...each((world) => world.racks),
  filters: rackFilters,
  columns: {
    rack_id: column(idColumn('rack'), ({ rack }) => idText(rack.id)),
    rack: column(str('Name: row and position.'), ({ rack }) => rack.name),
    zone_id: column(idColumn('zone'), ({ zone }) => idText(zone.id)),
    zone: column(str('Name of the zone.'), ({ zone }) => nameOfZone(zone)),
    ...stateColumns(rackCondition),
    hosts: column(int('Hosts in it.'), ({ rack }) => rack.host_count),
    hosts_online: column(int('Hosts of it that serve.'), ({ rack }) => rack.hosts_online),
    free_u: column(int('Rack units that are free.', 'rack_units'), ({ rack }) => rack.u_size - rack.used_u),
    power_feeds: column(int('Power feeds that are live.'), ({ rack }) => rack.power_feeds),
    power_pct: column(amountOrNone('Power drawn, of what it may draw.', 'pct'), powerPct),
    inlet_celsius: column(
      num('Temperature of the air going in.', 'celsius'),
      ({ rack }) => rack.inlet_celsius,
    ),
  },
})
