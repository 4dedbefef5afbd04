import { beforeEach, describe, expect, test } from 'vitest'
import { ArchiveUnavailable } from '../../src/contract/archive.ts'
import type { ArchivedWorld, ArchiveQuery } from '../../src/contract/archive.ts'
import { num, str } from '../../src/contract/fields.ts'
import type { FilterChoices } from '../../src/tables/engine/table.ts'
import { everything } from '../../src/tables/engine/archive-range.ts'
import type { ArchiveAccess } from '../../src/tables/engine/archive-range.ts'
import { TableRefused } from '../../src/tables/engine/refused.ts'
import { column, defineTable } from '../../src/tables/engine/table.ts'
import type { AnyTable } from '../../src/tables/engine/table.ts'
import { TableMaker } from '../../src/tables/thread/table-maker.ts'
import type { TableRequest } from '../../src/tables/thread/table-maker.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf } from './framed-worlds.ts'

interface Entity {
  readonly id: number
  readonly name: string
}

const named = (...names: readonly string[]): Entity[] => names.map((name, index) => ({ id: index + 1, name }))

/** How often the table below matched a entity. */
const counts = { matches: 0 }
beforeEach(() => Object.assign(counts, { matches: 0 }))

const tableOf = (entities: readonly Entity[], given: Partial<AnyTable> = {}): AnyTable => ({
  ...defineTable<Entity>({
    name: 'entities',
    meaning: 'Things.',
    row: ['ThingRow', 'A entity.'],
    worldParts: [],
    entities: () => entities,
    itemsOf: (entity) => [entity],
    documentOf: ({ name }) => `document of ${name}`,
    filters: {
      name: {
        meaning: 'Name.',
        values: ({ name }) => {
          counts.matches++
          return [name]
        },
      },
    },
    columns: { id: column(num('Id.', 'none'), 'id'), name: column(str('Name.'), 'name') },
  }),
  ...given,
})

const frame = frameOf(snapshotWith({}))
const makerOf = (
  table: AnyTable = tableOf(named('b', 'c', 'a', 'd')),
  archive: ArchiveAccess | null = null,
) => {
  const maker = new TableMaker({ archive, tables: new Map([['entities', table]]) })
  maker.show(frame)
  return maker
}

const textOf = (maker: TableMaker, given: Partial<TableRequest> = {}): string => {
  const whole = {
    table: 'entities',
    format: 'csv',
    filters: new Map(),
    sort: null,
    offset: 0,
    limit: 100,
  } as const
  return maker.make({ ...whole, ...given }).toString()
}
const namesIn = (maker: TableMaker, given: Partial<TableRequest> = {}): string =>
  Array.from(textOf(maker, given).matchAll(/^\d+,(\w+)/gm), ([, name]) => name).join('')

const up = { column: 'name', descending: false }
const down = { column: 'name', descending: true }
const only = (...names: string[]): FilterChoices => new Map([['name', names]])

describe('a request', () => {
  test.each<[string, Partial<TableRequest>, string]>([
    ['all', {}, 'bcad'],
    ['from the second', { offset: 1 }, 'cad'],
    ['two from the second', { offset: 1, limit: 2 }, 'ca'],
    ['none', { limit: 0 }, ''],
    ['from beyond the end', { offset: 4 }, ''],
    ['in order', { sort: up }, 'abcd'],
    ['in the other order, two from the second', { sort: down, offset: 1, limit: 2 }, 'cb'],
    ['filtered', { filters: only('a', 'b') }, 'ba'],
  ])('%s', (_, given, names) => {
    expect(namesIn(makerOf(), given)).toBe(names)
  })

  test('for a document has that of its first item', () => {
    expect(textOf(makerOf(), { format: 'document', offset: 1 })).toBe('document of c')
  })

  test('has its bytes in memory of its own, which can be moved to another thread', () => {
    const bytes = makerOf().make({
      table: 'entities',
      format: 'json',
      filters: new Map(),
      sort: null,
      offset: 0,
      limit: 1,
    })
    expect(bytes.buffer.byteLength).toBe(bytes.length)
  })

  test('stops at the end of the page', () => {
    expect(namesIn(makerOf(tableOf(named('b', 'a', 'b'))), { filters: only('b'), limit: 1 })).toBe('b')
    expect(counts.matches).toBe(1)
  })
})

test('a table that follows from the history of metrics is given what was read', () => {
  const table = tableOf([], { entitiesFor: ({ histories }) => named(...histories.map(({ path }) => path)) })
  const history = { path: 'x', values: [], stepNs: 1, lastNs: 1n, unit: 'gbps' }
  const request = {
    table: 'entities',
    format: 'csv',
    filters: new Map(),
    sort: null,
    offset: 0,
    limit: 9,
  } as const
  expect(makerOf(table).make(request, [history]).toString()).toBe('id,name\r\n1,x\r\n')
})

describe('of the archive', () => {
  const worlds = [
    { number: 1, session: 'blue' },
    { number: 3, session: 'blue' },
    { number: 2, session: 'blue' },
    { number: 4, session: 'red' },
  ] as unknown as readonly ArchivedWorld[]
  const asked: ArchiveQuery[] = []
  beforeEach(() => {
    asked.length = 0
  })
  const access: ArchiveAccess = {
    read: (query) => {
      asked.push(query)
      return null
    },
    days: () => [],
    worlds: () => worlds,
  }
  const incidents = tableOf(named('a'), { archived: 'incident' })

  test('a world that it does not have has no rows', () => {
    const range = { ...everything, world: 9 }
    expect(namesIn(makerOf(incidents, access), { range })).toBe('')
    expect(asked).toEqual([{ ...range, kind: 'incident', incidents: null, limit: 50_000 }])
    expect(namesIn(makerOf(incidents, access))).toBe('a')
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['blue', null, 3],
    ['red', null, 4],
    ['blue', 1, 1],
    // A world of another session, and one of none.
    ['blue', 4, 0],
    ['blue', 9, 0],
  ])('the session %s with the world %j is world %j', (session, world, number) => {
    namesIn(makerOf(incidents, access), { range: { ...everything, session, world } })
    expect(asked).toMatchObject([{ world: number }])
  })

  test('a session that it does not have is refused', () => {
    const range = { ...everything, session: 'green' }
    const refusal = new TableRefused('session', 'No world had the session green.')
    for (const archive of [access, null])
      expect(() => namesIn(makerOf(incidents, archive), { range })).toThrow(refusal)
  })

  test('without one a span is refused, and a number that the frame lacks has no rows', () => {
    expect(() => namesIn(makerOf(incidents), { range: everything })).toThrow(
      new ArchiveUnavailable('This mirror has no archive.'),
    )
    const filters = { incident: { meaning: 'Id.', values: () => [1] } }
    const seven = new Map([['incident', ['7']]])
    expect(namesIn(makerOf({ ...incidents, filters }), { filters: seven })).toBe('')
  })
})
