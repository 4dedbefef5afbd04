/** Filters and columns of what stands in a zone, and mostly in a rack. */
import type { ZoneRecord } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { idOrNull } from './table-world.ts'
import type { PlacedRack, TableWorld } from './table-world.ts'
import type { Filters, FilterValues } from './table.ts'

/** Where something stands, as records say it. */
export interface Place {
  readonly az_id?: Int64
  readonly rack_id: Int64 | null
}

/** The zone that a place names, or that its rack stands in. */
export const zoneOf = ({ az_id, rack_id }: Place, world: TableWorld): ZoneRecord | undefined =>
  world.records.get('azs', az_id ?? null) ?? world.rack(rack_id)?.zone

export const zoneValues = (zone: ZoneRecord | undefined): FilterValues => [
  zone?.id,
  zone?.name,
  zone?.display_name,
]

export const rackValues = (placed: PlacedRack | undefined): FilterValues => [
  placed?.rack.id,
  placed?.rack.name,
]

export const placeFilters = <Item>(placeOf: (item: Item) => Place): Filters<Item> => ({
  zone: {
    meaning: 'Id or name of a zone.',
    values: (item, world) => zoneValues(zoneOf(placeOf(item), world)),
  },
  rack: {
    meaning: 'Id or name of a rack.',
    values: (item, world) => rackValues(world.rack(placeOf(item).rack_id)),
  },
})

/** The cells of `placeColumns`. */
export function placeCells(place: Place, world: TableWorld) {
  const zone = zoneOf(place, world)
  return {
    zone_id: idOrNull(zone?.id),
    zone: world.zoneName(zone?.id ?? null),
    rack_id: idOrNull(place.rack_id),
    rack: world.rackName(place.rack_id),
  }
}
