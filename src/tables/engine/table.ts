import type { WorldPart } from '../../contract/collections.ts'
import type { ArchivedKind } from '../../contract/archive.ts'
import { defineRecord } from '../../contract/fields.ts'
import type { Field, FieldValue, Fields, Int64, RecordType, RecordValue } from '../../contract/fields.ts'
import type { PathHistory } from './history.ts'
import type { ArchiveRange } from './archive-range.ts'
import type { TableWorld } from './table-world.ts'

/** A cell of a row. Null means "does not apply", "not yet" or, for an incomplete record, "unknown". */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>

/** A column: its type and meaning, and the source of its cells. */
export interface TableColumn<Item> {
  readonly field: Field
  readonly cell: (item: Item, world: TableWorld) => Cell
}

export type Columns<Item> = Readonly<Record<string, TableColumn<Item>>>

/** The fields of an item whose values have a type. */
type KeyOf<Item, T> = { [K in keyof Item]: Item[K] extends T ? K : never }[keyof Item]

/** The cells are the results of a function, or a field of the item. */
export const column = <Item, T extends Cell>(
  field: Field<T>,
  cell: ((item: Item, world: TableWorld) => NoInfer<T>) | KeyOf<Item, NoInfer<T>>,
): TableColumn<Item> => ({
  field,
  cell: typeof cell === 'function' ? cell : (item) => item[cell] as Cell,
})

/** The fields of a record that can be cells. */
type CellField<F extends Fields> = { [K in keyof F]: FieldValue<F[K]> extends Cell ? K : never }[keyof F] &
  string

/** Columns of a record's fields, with their types, units and meanings. */
export const columnsOf =
  <F extends Fields>({ fields }: RecordType<F>) =>
  (name: CellField<F>): TableColumn<RecordValue<RecordType<F>>> => ({
    field: fields[name],
    cell: (record) => record[name] as Cell,
  })

/** The ids and names by which an item can be requested. Null and undefined match nothing. */
export type FilterValues = readonly (Int64 | string | null | undefined)[]

/** The values of each filter in a request. */
export type FilterChoices = ReadonlyMap<string, readonly string[]>

interface Filter<Item> {
  readonly meaning: string
  /** The values of a closed set, in any case: others are refused. */
  readonly allowed?: readonly string[]
  /** Whether the values are moments: the filter takes one, and later ones match. */
  readonly isCursor?: boolean
  /** The values of an item, one of which has to be wanted; left out by a filter that excludes nothing. */
  readonly values?: (item: Item, world: TableWorld) => FilterValues
  /** Whether the values are those of an entity, not of its items. */
  readonly isOfEntity?: true
}

export type Filters<Item> = Readonly<Record<string, Filter<Item>>>

/** The filters and the range of a request, and the histories of the metric paths that its table needs. */
export interface Asked {
  readonly filters: FilterChoices
  readonly range: ArchiveRange | null
  readonly histories: readonly PathHistory[]
}

/** The source of a table's items: each entity yields none, one or several. */
export interface Origin<Item, Entity = Item> {
  /** The entities in their default order. */
  readonly entities: (world: TableWorld) => readonly Entity[]
  /** Finds the entity with the id in a filter without reading all of them. */
  readonly byId?: {
    readonly filter: string
    readonly find: (id: bigint, world: TableWorld) => Entity | undefined
  }
  /** Replaces `entities` if they follow from what is asked for. */
  readonly entitiesFor?: (asked: Asked, world: TableWorld) => readonly Entity[]
  /** The metric paths whose history it needs. */
  readonly paths?: (filters: FilterChoices) => readonly string[]
  /** The records of the archive that its items are made from, if it can reach into it. */
  readonly archived?: ArchivedKind
  /** Whether each entity yields one item. */
  readonly isEach?: boolean
  readonly itemsOf: (entity: Entity, world: TableWorld) => readonly Item[]
}

interface TableText {
  readonly name: string
  readonly meaning: string
  /** The name and the meaning of the row's type. */
  readonly row: readonly [name: string, meaning: string]
  /**
   * The parts of a world that its rows are of: where all of them are unknown, it has no row. Other parts add columns,
   * which are null without them.
   */
  readonly worldParts: readonly WorldPart[]
}

/** A table: flat rows in words, one per item. */
interface Table<Item, Entity = Item> extends TableText, Origin<Item, Entity> {
  /** In display order. */
  readonly columns: Columns<Item>
  readonly filters?: Filters<Item>
  /** By what entities have: of one that does not match, no items are made. */
  readonly entityFilters?: Filters<Entity>
  /** An item as a whole document, such as a picture, where it is served as one too. */
  readonly documentOf?: (item: Item) => string
}

/** A table without the static types of its entities and items. */
export interface AnyTable extends Omit<Table<unknown>, 'row' | 'filters' | 'entityFilters'> {
  readonly row: RecordType
  readonly filters: Filters<unknown>
}

export const defineTable = <Item, Entity = Item>({
  entityFilters = {},
  filters = {},
  ...table
}: Table<Item, Entity>): AnyTable => {
  const fields = Object.entries(table.columns).map(([name, { field }]) => [name, field])
  const ofEntities = Object.entries(entityFilters).map(([name, filter]) => [
    name,
    { ...filter, isOfEntity: true },
  ])
  return {
    ...(table as unknown as Table<unknown>),
    filters: { ...(Object.fromEntries(ofEntities) as Filters<unknown>), ...(filters as Filters<unknown>) },
    row: defineRecord(...table.row, Object.fromEntries(fields) as Record<string, Field>),
  }
}

/** One item per entity. */
export const each = <Item>(entities: (world: TableWorld) => readonly Item[]): Origin<Item> => ({
  entities,
  isEach: true,
  itemsOf: (item) => [item],
})

/** A value that an upstream left out or damaged invalidates only the cell, the fact or the match that needs it. */
export function unlessUnknown<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** A number that is not finite, or a count that is not exact, is unknown, as null is. */
export function cellOf({ columns, row }: AnyTable, name: string, item: unknown, world: TableWorld): Cell {
  const cell = unlessUnknown(() => columns[name].cell(item, world)) ?? null
  if (typeof cell !== 'number') return cell
  const isKnown = row.fields[name].kind === 'int' ? Number.isSafeInteger : Number.isFinite
  return isKnown(cell) ? cell : null
}

export function rowOfItem(table: AnyTable, item: unknown, world: TableWorld): Row {
  const row: Record<string, Cell> = {}
  for (const name of Object.keys(table.columns)) row[name] = cellOf(table, name, item, world)
  return row
}

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** A filter by one of a closed set of values. */
export const oneOfFilter = <Item>(
  allowed: readonly string[],
  values: NonNullable<Filter<Item>['values']>,
): Filter<Item> => ({
  meaning: `${alternatives.format(allowed)}.`,
  allowed,
  values,
})
