import { defineRecord } from '../contract/fields.ts'
import type { Field, Int64, RecordType } from '../contract/fields.ts'
import type { TableWorld } from './table-world.ts'
import { NotReady } from './turns.ts'

/** A cell of a row. Null means "does not apply", "not yet" or, of a record that is not whole, "unknown". */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>

/** A column: its type and meaning, and how its cells are made. */
export interface TableColumn<Item> {
  readonly field: Field
  readonly cell: (item: Item, world: TableWorld) => Cell
}

export type Columns<Item> = Readonly<Record<string, TableColumn<Item>>>

/** The fields of an item that have a type. */
type KeyOf<Item, T> = { [K in keyof Item]: Item[K] extends T ? K : never }[keyof Item]

/** Cells are made by a function, or are a field of the item as it is. */
export const column = <Item, T extends Cell>(
  field: Field<T>,
  cell: ((item: Item, world: TableWorld) => NoInfer<T>) | KeyOf<Item, NoInfer<T>>,
): TableColumn<Item> => ({
  field,
  cell: typeof cell === 'function' ? cell : (item) => item[cell] as Cell,
})

/** What an item can be asked for by: ids and names. Null and undefined match nothing. */
export type FilterValues = readonly (Int64 | string | null | undefined)[]

/** The values that a request gives for each filter. */
export type FilterChoices = ReadonlyMap<string, readonly string[]>

interface Filter<Item> {
  readonly meaning: string
  readonly values: (item: Item, world: TableWorld) => FilterValues
}

export type Filters<Item> = Readonly<Record<string, Filter<Item>>>

/** Where the items of a table come from: each thing makes none, one or several. */
export interface Origin<Item, Thing = Item> {
  /** The things in their usual order. */
  readonly things: (world: TableWorld) => readonly Thing[]
  /** Finds the thing that a filter names by its id without reading all. */
  readonly byId?: {
    readonly filter: string
    readonly find: (id: bigint, world: TableWorld) => Thing | undefined
  }
  /** Takes the place of `things` where they are read from elsewhere. */
  readonly fetch?: (filters: FilterChoices, world: TableWorld) => Promise<readonly Thing[]>
  readonly itemsOf: (thing: Thing, world: TableWorld) => readonly Item[]
}

interface TableText {
  readonly name: string
  readonly meaning: string
  /** The name and the meaning of the type of its rows. */
  readonly row: readonly [name: string, meaning: string]
}

/** A table: flat rows in words, one an item. */
interface Table<Item, Thing = Item> extends TableText, Origin<Item, Thing> {
  /** In their order. */
  readonly columns: Columns<Item>
  readonly filters: Filters<Item>
}

/** A table of which the types of things and items are forgotten. */
export interface AnyTable extends Omit<Table<unknown>, 'row'> {
  readonly row: RecordType
}

export const defineTable = <Item, Thing = Item>(table: Table<Item, Thing>): AnyTable => {
  const fields = Object.entries(table.columns).map(([name, { field }]) => [name, field])
  return {
    ...(table as unknown as Table<unknown>),
    row: defineRecord(...table.row, Object.fromEntries(fields) as Record<string, Field>),
  }
}

/** A table of what it reads: one row a thing. */
export const each = <Item>(things: (world: TableWorld) => readonly Item[]): Origin<Item> => ({
  things,
  itemsOf: (item) => [item],
})

/**
 * What an upstream has left out or damaged in a record costs the cell, the fact or the match that needs it, and no
 * other.
 */
export function unlessUnknown<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotReady) throw error
    return null
  }
}

/** A number that is not finite is unknown, as null is. */
export function cellOf({ columns }: AnyTable, name: string, item: unknown, world: TableWorld): Cell {
  const cell = unlessUnknown(() => columns[name].cell(item, world)) ?? null
  return typeof cell === 'number' && !Number.isFinite(cell) ? null : cell
}

export function rowOfItem(table: AnyTable, item: unknown, world: TableWorld): Row {
  const row: Record<string, Cell> = {}
  for (const name of Object.keys(table.columns)) row[name] = cellOf(table, name, item, world)
  return row
}

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
