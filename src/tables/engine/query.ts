import { cellOf, unlessUnknown } from './table.ts'
import type { AnyTable, Asked, Cell, FilterChoices, FilterValues } from './table.ts'
import type { TableWorld } from './table-world.ts'

interface SortOrder {
  readonly column: string
  readonly descending: boolean
}

/** The selection of a table's rows, and their order. */
export interface TableQuery {
  /** Values by filter; a row must match one value of each. Filters that the table lacks are ignored. */
  readonly filters: FilterChoices
  readonly sort: SortOrder | null
  readonly offset: number
  readonly limit: number
}

/** Grafana's values for the choice "All" of a variable. It does not encode the plus, which then means a blank. */
const matchesAll = new Set(['.+', '. ', '.*', '$__all'])

/** The values of a request that a filter selects by; null if it filters nothing. Grafana sends an empty one for none. */
export function choiceOf(
  { filters }: AnyTable,
  name: string,
  values: readonly string[],
): readonly string[] | null {
  if (values.some((value) => matchesAll.has(value))) return null
  if (filters[name].isCursor !== true) return values
  const moments = values.filter((value) => value !== '')
  return moments.length === 0 ? null : moments
}

/** A value may be a list, separated by commas, as Grafana formats multiple choices. */
const wantedOf = (values: readonly string[]): ReadonlySet<string> =>
  new Set(values.flatMap((value) => [value, ...value.split(',')]).map((value) => value.trim().toLowerCase()))

type IsWanted = (values: FilterValues) => boolean

/** Whether a choice contains one of the values that an item has. */
function testOf(chosen: readonly string[]): IsWanted {
  const wanted = wantedOf(chosen)
  return (values) =>
    values.some((value) => value !== null && value !== undefined && wanted.has(String(value).toLowerCase()))
}

function laterThan(chosen: readonly string[]): IsWanted {
  const cursor = Math.max(...chosen.map((value) => Date.parse(value)))
  return (values) => values.some((value) => Date.parse(String(value)) > cursor)
}

/** Whether a filter, if it is given, chooses an item with these values. */
export function isChosen(filters: FilterChoices, name: string, values: FilterValues): boolean {
  const chosen = filters.get(name)
  return chosen === undefined || testOf(chosen)(values)
}

/** The first value of a choice that is not in the closed set of a filter; null if there is none. */
export function refusedValue({ filters }: AnyTable, name: string, values: readonly string[]): string | null {
  const { allowed, isCursor = false } = filters[name]
  if (isCursor) return values.find((value) => Number.isNaN(Date.parse(value))) ?? null
  if (allowed === undefined) return null
  const known = new Set(['', ...allowed.map((value) => value.toLowerCase())])
  const single = values.flatMap((value) => value.split(',')).map((value) => value.trim())
  return single.find((value) => !known.has(value.toLowerCase())) ?? null
}

type Matches = (item: unknown) => boolean

/** The tests of entities, or those of their items. */
function matcher(
  table: AnyTable,
  filters: FilterChoices,
  world: TableWorld,
  areOfEntities: boolean,
): Matches {
  const tests = [...filters].flatMap(([name, chosen]): readonly Matches[] => {
    const { values, isCursor = false, isOfEntity = false } = table.filters[name]
    const isWanted = isCursor ? laterThan(chosen) : testOf(chosen)
    if (values === undefined || isOfEntity !== areOfEntities) return []
    return [(item) => isWanted(unlessUnknown(() => values(item, world)) ?? [])]
  })
  return (item) => tests.every((test) => test(item))
}

export const idPattern = /^\d{1,19}$/

/** The entities with the ids in a filter; null for any other filter, or a value that is not an id. */
function namedEntities(
  { byId }: AnyTable,
  filters: FilterChoices,
  world: TableWorld,
): readonly unknown[] | null {
  const values = byId === undefined ? undefined : filters.get(byId.filter)
  if (byId === undefined || values === undefined) return null
  const ids = new Set(values.flatMap((value) => value.split(',')).map((value) => value.trim()))
  const entities: unknown[] = []
  for (const id of ids) {
    const entity = idPattern.test(id) ? byId.find(BigInt(id), world) : undefined
    if (entity === undefined) return null
    entities.push(entity)
  }
  return entities
}

/** The items of a table that match what is asked for: a number of them, or all if there are fewer. */
export function matchedItems(
  table: AnyTable,
  asked: Asked,
  world: TableWorld,
  count = Infinity,
): readonly unknown[] {
  const { filters } = asked
  const entityMatches = matcher(table, filters, world, true)
  const matches = matcher(table, filters, world, false)
  const entities =
    table.entitiesFor?.(asked, world) ?? namedEntities(table, filters, world) ?? table.entities(world)
  const items: unknown[] = []
  for (const entity of entities) {
    if (items.length >= count) break
    if (!entityMatches(entity)) continue
    for (const item of table.itemsOf(entity, world)) if (matches(item)) items.push(item)
  }
  return items
}

/** One collator for all comparisons: creating one takes longer than sorting a thousand texts. */
const textOrder = new Intl.Collator('en', { numeric: true })

const isEmpty = (cell: Cell): boolean => cell === null || cell === ''

/** Rows without a value come last in either order. */
function compareCells(one: Cell, other: Cell, descending: boolean): number {
  if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other))
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : textOrder.compare(String(one), String(other))
  return descending ? -order : order
}

/** Items in the order of a column's cells; equal ones stay in theirs. */
export function sortedItems(
  table: AnyTable,
  items: readonly unknown[],
  { column, descending }: SortOrder,
  world: TableWorld,
): readonly unknown[] {
  return items
    .map((item) => ({ item, cell: cellOf(table, column, item, world) }))
    .toSorted((one, other) => compareCells(one.cell, other.cell, descending))
    .map(({ item }) => item)
}
