import type { CollectionName } from '../contract/collections.ts'
import type { Fields, Int64, RecordType, RecordValue } from '../contract/fields.ts'
import type { TableWorld } from './table-world.ts'

/** A cell of a row. Null means "does not apply" or "not yet". */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>

/** What an item can be asked for by: ids and names. Null and undefined match nothing. */
export type FilterValues = readonly (Int64 | string | null | undefined)[]

/** The values that a request gives for each filter. */
export type FilterChoices = ReadonlyMap<string, readonly string[]>

export interface Filter<Item> {
  readonly meaning: string
  readonly values: (item: Item, world: TableWorld) => FilterValues
}

/** A table: flat rows in words, one an item. */
interface Table<F extends Fields = Fields, Item = unknown> {
  readonly name: string
  readonly meaning: string
  /** The columns in their order. Every field is a scalar. */
  readonly row: RecordType<F>
  /** Collections of which more than a few records are read. */
  readonly reads: readonly CollectionName[]
  /** The items in their usual order. */
  readonly items: (world: TableWorld) => readonly Item[]
  /** Finds the items of one thing without reading all; null if there is no such thing. */
  readonly byId?: {
    readonly filter: string
    readonly items: (id: bigint, world: TableWorld) => readonly NoInfer<Item>[] | null
  }
  /** Takes the place of `items` where they are read from elsewhere. */
  readonly fetch?: (filters: FilterChoices, world: TableWorld) => Promise<readonly NoInfer<Item>[]>
  readonly toRow: (item: Item, world: TableWorld) => RecordValue<RecordType<F>>
  readonly filters: Readonly<Record<string, Filter<NoInfer<Item>>>>
}

/** A table of which the types of rows and items are forgotten. */
export interface AnyTable extends Omit<Table, 'items' | 'byId' | 'fetch' | 'toRow' | 'filters'> {
  readonly fetch?: (filters: FilterChoices, world: TableWorld) => Promise<readonly unknown[]>
  readonly byId?: {
    readonly filter: string
    readonly items: (id: bigint, world: TableWorld) => readonly unknown[] | null
  }
  readonly items: (world: TableWorld) => readonly unknown[]
  readonly toRow: (item: unknown, world: TableWorld) => Row
  readonly filters: Readonly<Record<string, Filter<unknown>>>
}

export const defineTable = <F extends Fields, Item>(table: Table<F, Item>): AnyTable =>
  table as unknown as AnyTable

export type Filters<Item> = Readonly<Record<string, Filter<Item>>>

/** The filters of a thing, for something that belongs to it. */
export const filtersVia = <Outer, Inner>(
  filters: Filters<Inner>,
  innerOf: (outer: Outer) => Inner,
): Filters<Outer> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, { meaning, values }]) => [
      name,
      { meaning, values: (outer: Outer, world: TableWorld) => values(innerOf(outer), world) },
    ]),
  )
