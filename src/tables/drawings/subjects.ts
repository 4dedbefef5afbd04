/** The subject of a picture, chosen by the filters of tables. */
import type { ZoneRecord } from '../../contract/collections.ts'
import type { Size } from '../../pictures/svg.ts'
import { rackValues, zoneValues } from '../columns/places.ts'
import { isChosen } from '../engine/query.ts'
import type { FilterChoices } from '../engine/table.ts'
import type { PlacedRack, TableWorld } from '../engine/table-world.ts'

/** How a picture is drawn for a request. */
export interface PictureRequest {
  readonly filters: FilterChoices
  /** The size that it fills; null for the one that suits it. */
  readonly size: Size | null
  /** Whether entities in it lead to tables; useless where a picture is only a background. */
  readonly isLinked: boolean
  /** Ids of the hosts that it is about, before which the others recede. */
  readonly emphasized?: ReadonlySet<string>
}

export const chosenZones = ({ filters }: PictureRequest, world: TableWorld): readonly ZoneRecord[] =>
  world.zones.filter((zone) => isChosen(filters, 'zone', zoneValues(zone)))

export const chosenRacks = ({ filters }: PictureRequest, world: TableWorld): readonly PlacedRack[] =>
  world.racks.filter(
    (placed) =>
      isChosen(filters, 'rack', rackValues(placed)) && isChosen(filters, 'zone', zoneValues(placed.zone)),
  )

/** The address of a table's rows about an entity, relative to that of a picture: a proxy may have both below a prefix. */
export const tableAddress = (table: string, filter: string, value: string): string =>
  `../tables/${table}?${filter}=${encodeURIComponent(value.toWellFormed())}`
