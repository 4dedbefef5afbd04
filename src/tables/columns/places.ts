/** Filters and columns for the zone and the rack of an entity. */
import type { ZoneRecord } from '../../contract/collections.ts'
import { nullable, str } from '../../contract/fields.ts'
import type { Int64 } from '../../contract/fields.ts'
import { nameOfZone, rackWords } from '../../words/places.ts'
import { idOrNone } from '../engine/columns.ts'
import { idOrNull } from '../engine/table-world.ts'
import type { PlacedRack, TableWorld } from '../engine/table-world.ts'
import { column } from '../engine/table.ts'
import type { Columns, Filters, FilterValues } from '../engine/table.ts'

/** A place as in records. */
export interface Place {
  readonly az_id?: Int64
  readonly rack_id: Int64 | null
}

export const nowhere: Place = { rack_id: null }

/** All zones and racks of something that may be at several places. */
export interface Places {
  readonly zones: readonly ZoneRecord[]
  readonly racks: readonly PlacedRack[]
}

/** The zone of a place, or of its rack. */
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

export const zoneFilter = <Item>(zone: (item: Item, world: TableWorld) => ZoneRecord | undefined) => ({
  zone: {
    meaning: 'Id or name of a zone.',
    values: (item: Item, world: TableWorld) => zoneValues(zone(item, world)),
  },
})

/** The places of several, each once. */
export const merged = (all: readonly Places[]): Places => ({
  zones: [...new Set(all.flatMap(({ zones }) => zones))],
  racks: [...new Set(all.flatMap(({ racks }) => racks))],
})

export const placesOf = (place: Place, world: TableWorld): Places => {
  const [zone, rack] = [zoneOf(place, world), world.rack(place.rack_id)]
  return { zones: zone === undefined ? [] : [zone], racks: rack === undefined ? [] : [rack] }
}

export const placesFilters = <Item>(
  placesOfItem: (item: Item, world: TableWorld) => Places,
): Filters<Item> => ({
  zone: {
    meaning: 'Id or name of a zone.',
    values: (item, world) => [...new Set(placesOfItem(item, world).zones.flatMap(zoneValues))],
  },
  rack: {
    meaning: 'Id or name of a rack.',
    values: (item, world) => [...new Set(placesOfItem(item, world).racks.flatMap(rackValues))],
  },
})

export const placeFilters = <Item>(placeOf: (item: Item, world: TableWorld) => Place): Filters<Item> =>
  placesFilters((item: Item, world) => placesOf(placeOf(item, world), world))

export const zoneColumns = <Item>(
  zone: (item: Item, world: TableWorld) => ZoneRecord | undefined,
): Columns<Item> => ({
  zone_id: column(idOrNone('zone'), (item, world) => idOrNull(zone(item, world)?.id)),
  zone: column(nullable(str('Name of the zone.')), (item, world) => {
    const found = zone(item, world)
    return found === undefined ? null : nameOfZone(found)
  }),
})

export const rackColumns = <Item>(placeOf: (item: Item, world: TableWorld) => Place): Columns<Item> => ({
  rack_id: column(idOrNone('rack'), (item, world) => idOrNull(placeOf(item, world).rack_id)),
  rack: column(nullable(str('Name of the rack.')), (item, world) =>
    world.rackName(placeOf(item, world).rack_id),
  ),
})

/** The zone and the rack of an entity. */
export const placeColumns = <Item>(placeOf: (item: Item, world: TableWorld) => Place): Columns<Item> => ({
  ...zoneColumns((item: Item, world) => zoneOf(placeOf(item, world), world)),
  ...rackColumns(placeOf),
})

/** `Tallisford A, rack B-03, U12`. */
export function placeText(place: Place & { readonly start_u: number | null }, world: TableWorld): string {
  const zone = zoneOf(place, world)
  const rack = world.rackName(place.rack_id)
  return [
    zone === undefined ? '' : nameOfZone(zone),
    rack === null ? '' : rackWords(rack),
    Number.isInteger(place.start_u) ? `U${place.start_u}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
