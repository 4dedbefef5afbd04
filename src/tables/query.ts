import { setImmediate } from 'node:timers/promises'
import type { AnyTable, Cell, FilterChoices, Row } from './table.ts'
import type { TableWorld } from './table-world.ts'

/** Which rows of a table are asked for, in which order. */
export interface TableQuery {
  /** Values by filter; a row must match one value of each. Filters that the table does not have are left out. */
  readonly filters: FilterChoices
  readonly sort: { readonly column: string; readonly descending: boolean } | null
  readonly offset: number
  readonly limit: number
}

/** How many items are made into rows before other requests get their turn. */
const itemsPerTurn = 100

/** What Grafana sends for the choice "All" of a variable. It does not encode the plus, which then means a blank. */
const matchesAll = new Set(['.+', '. ', '.*', '$__all'])

type Wanted = ReadonlySet<string>

/** A value may name several, separated by commas, as Grafana writes several choices. */
const wantedOf = (values: readonly string[]): Wanted =>
  new Set(values.flatMap((value) => [value, ...value.split(',')]).map((value) => value.trim().toLowerCase()))

type Matches = (item: unknown) => boolean

function matcher(table: AnyTable, filters: FilterChoices, world: TableWorld): Matches {
  const tests: Matches[] = []
  for (const [name, values] of filters) {
    if (values.some((value) => matchesAll.has(value))) continue
    const wanted = wantedOf(values)
    const filter = table.filters[name]
    tests.push((item) =>
      filter
        .values(item, world)
        .some((value) => value !== null && value !== undefined && wanted.has(String(value).toLowerCase())),
    )
  }
  return (item) => tests.every((test) => test(item))
}

/** Rows without a value come last in either order. */
function compareCells(one: Cell, other: Cell, descending: boolean): number {
  if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other))
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true })
  return descending ? -order : order
}

const isEmpty = (cell: Cell): boolean => cell === null || cell === '' || Number.isNaN(cell)

const idPattern = /^\d{1,19}$/

/** The items that a filter names by their ids; null if it names others, or something that is no id. */
function namedItems(
  { byId }: AnyTable,
  filters: FilterChoices,
  world: TableWorld,
): readonly unknown[] | null {
  const values = byId === undefined ? undefined : filters.get(byId.filter)
  if (byId === undefined || values === undefined) return null
  const ids = new Set(values.flatMap((value) => value.split(',')).map((value) => value.trim()))
  const items: unknown[] = []
  for (const id of ids) {
    const found = idPattern.test(id) ? byId.items(BigInt(id), world) : null
    if (found === null) return null
    items.push(...found)
  }
  return items
}

/** The rows that a query asks for. Only the items that match are made into rows. */
export async function tableRows(
  table: AnyTable,
  { filters, sort, offset, limit }: TableQuery,
  world: TableWorld,
): Promise<readonly Row[]> {
  const named =
    table.fetch === undefined ? namedItems(table, filters, world) : await table.fetch(filters, world)
  if (named === null) await world.records.load(table.reads)
  const matches = matcher(table, filters, world)
  const rows: Row[] = []
  // In the usual order of the items, rows beyond the limit need not be made.
  const needed = sort === null ? offset + limit : Infinity
  let visited = 0
  for (const item of named ?? table.items(world)) {
    if (rows.length >= needed) break
    if (++visited % itemsPerTurn === 0) await setImmediate()
    if (matches(item)) rows.push(table.toRow(item, world))
  }
  if (sort !== null) {
    const { column, descending } = sort
    rows.sort((one, other) => compareCells(one[column], other[column], descending))
  }
  return rows.slice(offset, offset + limit)
}
