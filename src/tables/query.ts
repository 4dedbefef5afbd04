import { cellOf, unlessUnknown } from './table.ts'
import type { AnyTable, Cell, FilterChoices, FilterValues } from './table.ts'
import type { TableWorld } from './table-world.ts'
import { sortedInSteps, whenReady } from './turns.ts'
import type { Steps } from './turns.ts'

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

/** A value may be a list, separated by commas, as Grafana formats multiple choices. */
const wantedOf = (values: readonly string[]): ReadonlySet<string> =>
  new Set(values.flatMap((value) => [value, ...value.split(',')]).map((value) => value.trim().toLowerCase()))

type IsWanted = (values: FilterValues) => boolean

/** Whether a choice contains one of the values that an item has; null for a choice of all. */
function testOf(chosen: readonly string[]): IsWanted | null {
  if (chosen.some((value) => matchesAll.has(value))) return null
  const wanted = wantedOf(chosen)
  return (values) =>
    values.some((value) => value !== null && value !== undefined && wanted.has(String(value).toLowerCase()))
}

function laterThan(chosen: readonly string[]): IsWanted {
  const cursor = Math.max(...chosen.map((value) => Date.parse(value)))
  return (values) => values.some((value) => Date.parse(String(value)) > cursor)
}

/** Whether a filter, if it is given, chooses an item with these values. */
export const isChosen = (filters: FilterChoices, name: string, values: FilterValues): boolean =>
  testOf(filters.get(name) ?? ['.*'])?.(values) ?? true

/** The first value that is not in the closed set of a filter; null if there is none. Grafana sends an empty one for none. */
export function refusedValue({ filters }: AnyTable, name: string, values: readonly string[]): string | null {
  const { allowed, isCursor = false } = filters[name]
  if (isCursor) return values.find((value) => Number.isNaN(Date.parse(value))) ?? null
  if (allowed === undefined || values.some((value) => matchesAll.has(value))) return null
  const known = new Set(['', ...allowed.map((value) => value.toLowerCase())])
  const single = values.flatMap((value) => value.split(',')).map((value) => value.trim())
  return single.find((value) => !known.has(value.toLowerCase())) ?? null
}

type Matches = (item: unknown) => boolean

/** The tests of entities, or those of their items. */
function matcher(table: AnyTable, filters: FilterChoices, world: TableWorld, areOfThings: boolean): Matches {
  const tests = [...filters].flatMap(([name, chosen]): readonly Matches[] => {
    const { values, isCursor = false, isOfThing = false } = table.filters[name]
    const isWanted = isCursor ? laterThan(chosen) : testOf(chosen)
    if (isWanted === null || values === undefined || isOfThing !== areOfThings) return []
    return [(item) => isWanted(unlessUnknown(() => values(item, world)) ?? [])]
  })
  return (item) => tests.every((test) => test(item))
}

const idPattern = /^\d{1,19}$/

/** The entities with the ids in a filter; null for any other filter, or a value that is not an id. */
function namedThings(
  { byId }: AnyTable,
  filters: FilterChoices,
  world: TableWorld,
): readonly unknown[] | null {
  const values = byId === undefined ? undefined : filters.get(byId.filter)
  if (byId === undefined || values === undefined) return null
  const ids = new Set(values.flatMap((value) => value.split(',')).map((value) => value.trim()))
  const things: unknown[] = []
  for (const id of ids) {
    const thing = idPattern.test(id) ? byId.find(BigInt(id), world) : undefined
    if (thing === undefined) return null
    things.push(thing)
  }
  return things
}

/** The items of a table that match filters, found on demand and shared by several requests. */
export class MatchedItems {
  readonly items: unknown[] = []
  readonly #table: AnyTable
  readonly #world: TableWorld
  readonly #thingMatches: Matches
  readonly #matches: Matches
  readonly #findThings: () => readonly unknown[]
  /** The number of entities examined so far. */
  #position = 0

  constructor(
    table: AnyTable,
    filters: FilterChoices,
    world: TableWorld,
    fetched: readonly unknown[] | undefined,
  ) {
    this.#table = table
    this.#world = world
    this.#thingMatches = matcher(table, filters, world, true)
    this.#matches = matcher(table, filters, world, false)
    this.#findThings = () => fetched ?? namedThings(table, filters, world) ?? table.things(world)
  }

  #itemsOf(thing: unknown): readonly unknown[] {
    return this.#thingMatches(thing) ? this.#table.itemsOf(thing, this.#world).filter(this.#matches) : []
  }

  /** Finds a number of items, or all if there are fewer. */
  *find(count: number): Steps<undefined> {
    const things = yield* whenReady(this.#findThings)
    while (this.items.length < count && this.#position < things.length) {
      const position = this.#position
      const matched = yield* whenReady(() => this.#itemsOf(things[position]))
      // Another request may have matched this entity meanwhile.
      if (position === this.#position) {
        this.#position++
        for (const item of matched) this.items.push(item)
      }
      yield
    }
  }
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

/** All matching items in the order of a column's cells. */
export function* sortedItems(
  table: AnyTable,
  matched: MatchedItems,
  { column, descending }: SortOrder,
  world: TableWorld,
): Steps<readonly unknown[]> {
  yield* matched.find(Infinity)
  const keyed: { readonly item: unknown; readonly cell: Cell }[] = []
  for (const item of matched.items) {
    keyed.push({ item, cell: yield* whenReady(() => cellOf(table, column, item, world)) })
    yield
  }
  const sorted = yield* sortedInSteps(keyed, (one, other) => compareCells(one.cell, other.cell, descending))
  return sorted.map(({ item }) => item)
}
