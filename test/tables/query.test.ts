import { describe, expect, test } from 'vitest'
import { nullable, num, str } from '../../src/contract/fields.ts'
import { choiceOf, isChosen, matchedItems, refusedValue, sortedItems } from '../../src/tables/engine/query.ts'
import { column, defineTable } from '../../src/tables/engine/table.ts'
import type { Asked, Cell, FilterChoices } from '../../src/tables/engine/table.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'

interface Entity {
  readonly id: number
  readonly cell: Cell
  readonly at?: string
}

const asked: bigint[] = []
const entities: readonly Entity[] = [
  { id: 1, cell: 'Web', at: '2025-05-05T00:00:01.000Z' },
  { id: 2, cell: 'Web', at: '2025-05-05T00:00:02.000Z' },
  { id: 3, cell: 'Mail, old', at: '2025-05-05T00:00:03.000Z' },
]

const tableOf = (all: readonly Entity[]) =>
  defineTable<Entity>({
    name: 'entities',
    meaning: 'Things.',
    row: ['ThingRow', 'A entity.'],
    worldParts: [],
    entities: () => all,
    byId: {
      filter: 'thing',
      find: (id) => {
        asked.push(id)
        return all.find((one) => BigInt(one.id) === id)
      },
    },
    itemsOf: (entity) => (entity.cell === 'none' ? [] : [entity]),
    filters: {
      thing: { meaning: 'Id.', values: ({ id, cell }) => [id, String(cell)] },
      cell: { meaning: 'Cell.', values: ({ cell }) => [cell === null ? null : String(cell), undefined] },
      since: { meaning: 'Moment.', isCursor: true, values: ({ at }) => [at] },
      kind: { meaning: 'Kind.', allowed: ['Up', 'Down'], values: () => ['Up'] },
      drawn: { meaning: 'Excludes nothing.' },
      damaged: {
        meaning: 'Throws.',
        values: () => {
          throw new TypeError('a field is missing')
        },
      },
    },
    columns: {
      cell: column(nullable(str('Cell.')), 'cell' as never),
      size: column(num('Id.', 'none'), 'id'),
    },
  })

const world = {} as TableWorld
const filtersOf = (given: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(given))

const askedFor = (filters: FilterChoices): Asked => ({ filters, range: null, histories: [] })
const all = askedFor(new Map())

function idsMatching(given: Readonly<Record<string, readonly string[]>>, count = Infinity): number[] {
  const items = matchedItems(tableOf(entities), askedFor(filtersOf(given)), world, count)
  return items.map((item) => (item as Entity).id)
}

describe('a filter', () => {
  test.each<[Readonly<Record<string, readonly string[]>>, number[]]>([
    [{}, [1, 2, 3]],
    [{ cell: ['web'] }, [1, 2]],
    [{ cell: [' WEB '] }, [1, 2]],
    [{ cell: ['Mail, old'] }, [3]],
    [{ cell: ['nothing', 'web'] }, [1, 2]],
    [{ cell: ['nothing,web'] }, [1, 2]],
    [{ cell: ['null'] }, []],
    [{ cell: ['undefined'] }, []],
    [{ cell: [] }, []],
    [{ cell: ['web'], thing: ['2'] }, [2]],
    [{ cell: ['mail, old'], thing: ['2'] }, []],
    [{ thing: ['3', '1'] }, [3, 1]],
    [{ thing: ['3, 1,3'] }, [3, 1]],
    [{ thing: ['3', 'web'] }, [1, 2, 3]],
    [{ thing: ['4'] }, []],
    [{ thing: ['-1'] }, []],
    [{ thing: ['00000000000000000001'] }, []],
    [{ since: ['2025-05-05T00:00:02.000Z'] }, [3]],
    [{ since: ['2025-05-05T00:00:01.999Z'] }, [2, 3]],
    [{ since: ['2025-05-05T00:00:01.000Z', '2025-05-05T00:00:02.000Z'] }, [3]],
    [{ since: ['no time'] }, []],
    [{ drawn: ['web'] }, [1, 2, 3]],
    [{ damaged: ['web'] }, []],
  ])('%j', (given, ids) => {
    expect(idsMatching(given)).toEqual(ids)
  })

  test('of ids looks up those alone, each once', () => {
    asked.length = 0
    expect(idsMatching({ thing: ['2,3', '2'] })).toEqual([2, 3])
    expect(asked).toEqual([2n, 3n])
    asked.length = 0
    expect(idsMatching({ cell: ['web'] })).toEqual([1, 2])
    expect(asked).toEqual([])
  })

  test('applies to entities that follow from the request as well', () => {
    const table = { ...tableOf(entities), entitiesFor: () => [entities[2], entities[1]] }
    expect(matchedItems(table, askedFor(filtersOf({ cell: ['web'] })), world)).toEqual([entities[1]])
  })
})

test.each([
  [0, []],
  [1, [1]],
  [2, [1, 3]],
  [3, [1, 3]],
])('%d items are found, and no more are looked at', (count, ids) => {
  const read: number[] = []
  const watched = [1, 2, 3].map((id) => ({
    id,
    get cell() {
      read.push(id)
      return id === 2 ? 'none' : 'some'
    },
  }))
  const items = matchedItems(tableOf(watched), all, world, count)
  expect(items).toEqual(ids.map((id) => watched[id - 1]))
  expect(Math.max(0, ...read)).toBe(count === 0 ? 0 : count === 1 ? 1 : 3)
})

describe('order', () => {
  const cellsIn = (cells: readonly Cell[], descending: boolean): Cell[] => {
    const table = tableOf(cells.map((cell, index) => ({ id: index, cell })))
    const items = sortedItems(table, matchedItems(table, all, world), { column: 'cell', descending }, world)
    return items.map((item) => (item as Entity).cell)
  }

  test.each([
    ['[10,9,1]', '[1,9,10]', '[10,9,1]'],
    ['[0.5,-3,0]', '[-3,0,0.5]', '[0.5,0,-3]'],
    ['["B10","B9","a"]', '["a","B9","B10"]', '["B10","B9","a"]'],
    ['["b",null,"a"]', '["a","b",null]', '["b","a",null]'],
    ['[null,2,"",1]', '[1,2,null,""]', '[2,1,null,""]'],
    ['["","x"]', '["x",""]', '["x",""]'],
    ['[true,false]', '[false,true]', '[true,false]'],
    ['[9,"10"]', '[9,"10"]', '["10",9]'],
  ])('of %s', (cells, ...orders) => {
    const sorted = [false, true].map((descending) => cellsIn(JSON.parse(cells) as Cell[], descending))
    expect(sorted.map((order) => JSON.stringify(order))).toEqual(orders)
  })

  test('keeps that of the table where cells are equal', () => {
    const same = [3, 1, 2].map((id) => ({ id, cell: 'same' }))
    for (const descending of [false, true])
      expect(sortedItems(tableOf(same), same, { column: 'cell', descending }, world)).toEqual(same)
  })
})

test.each<[string, readonly string[], readonly string[] | null]>([
  ['cell', ['web'], ['web']],
  ['cell', ['web', ''], ['web', '']],
  ['cell', [''], ['']],
  ['cell', ['.+'], null],
  ['cell', ['. '], null],
  ['cell', ['.*'], null],
  ['kind', ['sideways', '$__all'], null],
  ['since', ['soon', '.+'], null],
  ['since', [''], null],
  ['since', ['2025-05-05', ''], ['2025-05-05']],
  ['since', ['soon'], ['soon']],
])('%s=%j chooses %j', (name, values, choice) => {
  expect(choiceOf(tableOf(entities), name, values)).toEqual(choice)
})

test.each<[string, readonly string[], string | null]>([
  ['kind', ['up'], null],
  ['kind', ['Up', 'DOWN'], null],
  ['kind', ['up, down'], null],
  ['kind', ['up,sideways,back'], 'sideways'],
  ['kind', ['', 'up'], null],
  ['cell', ['anything'], null],
  ['since', ['2025-05-05'], null],
  ['since', ['2025-05-05', 'soon'], 'soon'],
])('of %s=%j the refused value is %j', (name, values, refused) => {
  expect(refusedValue(tableOf(entities), name, values)).toBe(refused)
})

test.each<[readonly string[] | undefined, boolean]>([
  [undefined, true],
  [['a'], true],
  [['A,b'], true],
  [['b'], false],
])('a choice of %j has the value a: %j', (chosen, has) => {
  expect(isChosen(chosen === undefined ? new Map() : filtersOf({ one: chosen }), 'one', ['a'])).toBe(has)
})
