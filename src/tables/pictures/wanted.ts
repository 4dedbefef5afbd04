/** The subject of a picture, chosen by the filters of tables. */
import type { ZoneRecord } from '../../contract/collections.ts'
import { zoneValues } from '../places.ts'
import { isChosen } from '../query.ts'
import type { FilterChoices } from '../table.ts'
import type { TableWorld } from '../table-world.ts'

/** How a picture is drawn for a request. */
export interface PictureRequest {
  readonly filters: FilterChoices
  /** Whether things in it lead to tables; useless where a picture is only a background. */
  readonly isLinked: boolean
}

export const wantedZones = ({ filters }: PictureRequest, world: TableWorld): readonly ZoneRecord[] =>
  world.zones.filter((zone) => isChosen(filters, 'zone', zoneValues(zone)))

/** The address of a table's rows about a thing. */
export const tableAddress = (table: string, filter: string, value: string): string =>
  `/tables/${table}?${filter}=${encodeURIComponent(value.toWellFormed())}`
