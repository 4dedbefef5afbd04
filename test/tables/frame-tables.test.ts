import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ArchivedWorld, ArchiveQuery } from '../../src/contract/archive.ts'
import { ArchiveUnavailable } from '../../src/contract/archive.ts'
import { num, str } from '../../src/contract/fields.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { FrameTables, requestKey } from '../../src/tables/frame-tables.ts'
import type { TableRequest } from '../../src/tables/frame-tables.ts'
import { everything } from '../../src/tables/past-range.ts'
import type { Past } from '../../src/tables/past-range.ts'
import { column, defineTable } from '../../src/tables/table.ts'
import type { AnyTable } from '../../src/tables/table.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf } from './framed-worlds.ts'

interface Thing {
  readonly id: number
  readonly name: string
}

const named = (...names: readonly string[]): Thing[] => names.map((name, index) => ({ id: index + 1, name }))

/** How often the table below made a row, matched a thing and fetched. */
const counts = { rows: 0, matches: 0, fetches: 0 }
beforeEach(() => Object.assign(counts, { rows: 0, matches: 0, fetches: 0 }))

const tableOf = (things: readonly Thing[], given: Partial<AnyTable> = {}): AnyTable => ({
  ...defineTable<Thing>({
    name: 'things',
    meaning: 'Things.',
    row: ['ThingRow', 'A thing.'],
    things: () => things,
    itemsOf: (thing) => [thing],
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
    columns: {
      id: column(num('Id.', 'none'), 'id'),
      name: column(str('Name.'), ({ name }) => {
        counts.rows++
        return name
      }),
    },
  }),
  ...given,
})

const request = (given: Partial<TableRequest> = {}): TableRequest => ({
  table: tableOf(named('b', 'c', 'a', 'd')),
  format: 'csv',
  filters: new Map(),
  sort: null,
  offset: 0,
  limit: 100,
  ...given,
})

const frame = frameOf(snapshotWith({}))
const at = (publishSeq: number): Frame => ({ ...frame, publishSeq })
const tablesWith = (past: Past | null = null): FrameTables =>
  new FrameTables(
    async () => null,
    () => 0,
    past,
  )

async function namesIn(frameTables: FrameTables, given: Partial<TableRequest>): Promise<string> {
  const text = String(await frameTables.encoded(frame, request(given)))
  return Array.from(text.matchAll(/^\d+,(\w+)/gm), ([, name]) => name).join('')
}

describe('a request', () => {
  const up = { column: 'name', descending: false }
  const down = { column: 'name', descending: true }
  test.each<[string, Partial<TableRequest>, string]>([
    ['all', {}, 'bcad'],
    ['from the second', { offset: 1 }, 'cad'],
    ['two from the second', { offset: 1, limit: 2 }, 'ca'],
    ['none', { limit: 0 }, ''],
    ['from beyond the end', { offset: 4 }, ''],
    ['in order', { sort: up }, 'abcd'],
    ['in the other order, two from the second', { sort: down, offset: 1, limit: 2 }, 'cb'],
    ['filtered', { filters: new Map([['name', ['a', 'b']]]) }, 'ba'],
  ])('%s', async (_, given, names) => {
    expect(await namesIn(tablesWith(), given)).toBe(names)
  })

  test('for a document has that of its first item', async () => {
    const asked = request({ format: 'document', offset: 1 })
    expect(String(await tablesWith().encoded(frame, asked))).toBe('document of c')
  })

  test('in both orders of one column, one after the other', async () => {
    const frameTables = tablesWith()
    expect(await namesIn(frameTables, { sort: up })).toBe('abcd')
    expect(await namesIn(frameTables, { sort: down })).toBe('dcba')
    expect(await namesIn(frameTables, { sort: up, limit: 2 })).toBe('ab')
  })
})

describe('the answer to an equal request', () => {
  const table = tableOf(named('b', 'a'))

  test('is the same one while the frame is', async () => {
    const frameTables = tablesWith()
    const first = await frameTables.encoded(frame, request({ table }))
    expect(await frameTables.encoded(frame, request({ table }))).toBe(first)
    expect(counts.rows).toBe(2)
    expect(await frameTables.encoded(at(2), request({ table }))).not.toBe(first)
    expect(counts.rows).toBe(4)
  })

  test('is kept for the newest frame only', async () => {
    const frameTables = tablesWith()
    const [old, current, other] = [at(5), at(6), at(6)]
    const first = await frameTables.encoded(current, request({ table }))
    for (const late of [old, other]) {
      expect(await frameTables.encoded(late, request({ table }))).toEqual(first)
      expect(await frameTables.encoded(late, request({ table }))).not.toBe(first)
    }
    expect(await frameTables.encoded(current, request({ table }))).toBe(first)
    const next = await frameTables.encoded(at(7), request({ table }))
    expect(await frameTables.encoded(current, request({ table }))).not.toBe(first)
    expect(next).toEqual(first)
  })

  test.each([
    [199, 1],
    [200, 2],
  ])('beside %d others is made %d times', async (others, times) => {
    const frameTables = tablesWith()
    const first = request({ table, limit: 1 })
    await frameTables.encoded(frame, first)
    for (let offset = 10; offset < 10 + others; offset++)
      await frameTables.encoded(frame, request({ table, offset, limit: 1 }))
    await frameTables.encoded(frame, first)
    expect(counts.rows).toBe(times)
  })

  test.each([
    [64, 0, 1],
    [64, 1, 2],
  ])('after %d MiB and %d bytes of others is made %d times', async (mebibytes, bytes, times) => {
    const frameTables = tablesWith()
    const big = (length: number): AnyTable => ({
      ...tableOf(named('x')),
      name: `big ${length}`,
      // Not a text, which would be copied.
      documentOf: () => new ArrayBuffer(length) as never,
    })
    const first = request({ table, limit: 1 })
    const own = (await frameTables.encoded(frame, first)).length
    for (const length of [2 ** 25, (mebibytes - 32) * 2 ** 20 + bytes - own])
      await frameTables.encoded(frame, request({ table: big(length), format: 'document' }))
    await frameTables.encoded(frame, request({ table, offset: 5 }))
    await frameTables.encoded(frame, first)
    expect(counts.rows).toBe(times)
    // The bound is that of what was made since.
    await frameTables.encoded(frame, request({ table, offset: 6 }))
    await frameTables.encoded(frame, first)
    expect(counts.rows).toBe(2)
  })

  test('is made again after a failure', async () => {
    const frameTables = tablesWith()
    const failing: AnyTable = {
      ...table,
      things: () => {
        if (counts.fetches++ === 0) throw new Error('once')
        return named('x')
      },
    }
    await expect(frameTables.encoded(frame, request({ table: failing }))).rejects.toThrow('once')
    await expect(frameTables.encoded(frame, request({ table: failing }))).resolves.toEqual(
      Buffer.from('id,name\r\n1,x\r\n'),
    )
  })
})

describe('pages of one selection', () => {
  const table = tableOf(named('b', 'a', 'b'))
  const filters = new Map([['name', ['b']]])

  test('are matched and put in order once', async () => {
    const frameTables = tablesWith()
    const sort = { column: 'id', descending: false }
    for (const offset of [0, 1])
      await frameTables.encoded(frame, request({ table, filters, offset, limit: 1 }))
    expect(counts.matches).toBe(3)
    await frameTables.encoded(frame, request({ table, filters, sort }))
    expect(counts.matches).toBe(3)
  })

  test('stop at the end of the page', async () => {
    const frameTables = tablesWith()
    expect(await namesIn(frameTables, { table, filters, limit: 1 })).toBe('b')
    expect(counts.matches).toBe(1)
  })

  test.each([
    [99, 3],
    [100, 6],
  ])('beside %d other selections are matched %d times', async (others, matches) => {
    const frameTables = tablesWith()
    await frameTables.encoded(frame, request({ table, filters }))
    for (let index = 0; index < others; index++)
      await frameTables.encoded(
        frame,
        request({ table: tableOf([]), filters: new Map([['name', [`${index}`]]]) }),
      )
    await frameTables.encoded(frame, request({ table, filters, limit: 50 }))
    expect(counts.matches).toBe(matches)
  })
})

describe('the key of a request', () => {
  const key = (given: Partial<TableRequest>): string => requestKey(request(given))
  test('is the same in whichever order filters are given', () => {
    expect(
      key({
        filters: new Map([
          ['b', ['1']],
          ['a', ['2']],
        ]),
      }),
    ).toBe(
      key({
        filters: new Map([
          ['a', ['2']],
          ['b', ['1']],
        ]),
      }),
    )
    expect(key({ past: null })).toBe(key({}))
  })

  test.each<[string, Partial<TableRequest>]>([
    ['table', { table: { ...tableOf([]), name: 'others' } }],
    ['format', { format: 'json' }],
    ['order', { sort: { column: 'id', descending: true } }],
    ['start', { offset: 1 }],
    ['length', { limit: 1 }],
    ['filter', { filters: new Map([['a', ['2']]]) }],
    ['span', { past: everything }],
  ])('tells another %s', (_, given) => {
    expect(key(given)).not.toBe(key({}))
  })
})

describe('of the archive', () => {
  const worlds = [
    { number: 1, session: 'blue' },
    { number: 3, session: 'blue' },
    { number: 2, session: 'blue' },
    { number: 4, session: 'red' },
  ] as unknown as readonly ArchivedWorld[]
  const past: Past = { read: async () => null, worlds: async () => worlds }

  test.each([
    ['blue', past, 3],
    ['red', past, 4],
    ['green', past, null],
    ['blue', null, null],
  ])('the last world of the session %s', async (session, archive, number) => {
    expect(await tablesWith(archive).worldOfSession(session)).toBe(number)
  })

  const incidents = { ...tableOf(named('a')), past: 'incident' } as const
  test('a world that it does not have has no rows, and nothing is fetched', async () => {
    const asked: ArchiveQuery[] = []
    const reading: Past = {
      ...past,
      read: async (query) => {
        asked.push(query)
        return null
      },
    }
    const fetch = async () => {
      counts.fetches++
      return named('x')
    }
    const table = { ...incidents, fetch }
    const range = { ...everything, world: 9 }
    expect(await namesIn(tablesWith(reading), { table, past: range })).toBe('')
    expect(asked).toEqual([{ ...range, kind: 'incident', incidents: null, limit: 50_000 }])
    expect(counts.fetches).toBe(0)
    expect(await namesIn(tablesWith(reading), { table })).toBe('x')
    expect(asked).toHaveLength(1)
  })

  test('without one a span is refused, and a number that the frame lacks has no rows', async () => {
    await expect(namesIn(tablesWith(), { table: incidents, past: everything })).rejects.toThrow(
      new ArchiveUnavailable('This mirror has no archive.'),
    )
    const filters = { incident: { meaning: 'Id.', values: () => [1] } }
    const seven = new Map([['incident', ['7']]])
    expect(await namesIn(tablesWith(), { table: { ...incidents, filters }, filters: seven })).toBe('')
  })
})

test('a connection that arrives puts off a table by a round of the event loop', async () => {
  const roundsUntilDone = async (isPutOff: boolean): Promise<number> => {
    const frameTables = tablesWith()
    const state = { isDone: false }
    const answer = frameTables.encoded(frame, request()).then(() => (state.isDone = true))
    if (isPutOff) frameTables.putOff()
    let rounds = 0
    for (; !state.isDone; rounds++) await setImmediate()
    await answer
    return rounds
  }
  const usual = await roundsUntilDone(false)
  expect(await roundsUntilDone(true)).toBe(usual + 1)
})
