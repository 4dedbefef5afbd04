/** The question to the archive, and the records that its answer and the frame make together. */
import { describe, expect, test } from 'vitest'
import type { ArchiveAnswer, ArchivedWorld, ArchiveQuery } from '../../src/contract/archive.ts'
import type { IncidentRecord } from '../../src/contract/collections.ts'
import { CustomerSchema } from '../../src/contract/records/customers.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { EngineEventSchema, IncidentSchema, WorkOrderSchema } from '../../src/contract/records/operations.ts'
import { FrameRecords } from '../../src/tables/engine/frame-records.ts'
import { everything } from '../../src/tables/engine/past-range.ts'
import type { PastRange } from '../../src/tables/engine/past-range.ts'
import { ArchivedRecords, pastQueryOf } from '../../src/tables/engine/archived-records.ts'
import type { AnyTable } from '../../src/tables/engine/table.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { archivedWorld as world, frameOf } from './framed-worlds.ts'

const incident = (id: number, hint: string): IncidentRecord => emptyRecord(IncidentSchema, { id, hint })
const order = (id: number, label: string) => emptyRecord(WorkOrderSchema, { id, kind_label: label })
const event = (at: number, key: string) => emptyRecord(EngineEventSchema, { at_ns: at, msg_key: key })

/** The incidents 5 and 6 are open in the frame, 3 and 4 resolved. */
const live = new FrameRecords(
  frameOf(
    snapshotWith(
      {
        azs: [emptyRecord(ZoneSchema, { id: 1, name: 'za' })],
        customers: [emptyRecord(CustomerSchema, { id: 1, name: 'Anvil' })],
        incidents: [incident(5, 'now'), incident(6, 'now')],
        resolvedIncidents: [incident(3, 'now'), incident(4, 'now')],
        workOrders: [order(8, 'now'), order(9, 'now')],
      },
      { simTimeNs: 1000n, events: [event(20, 'now'), event(30, 'now')] },
    ),
  ),
)

const tableOf = (past: AnyTable['past'], isEach = true) => ({ past, isEach }) as AnyTable
const page = { filters: new Map<string, string[]>(), sort: null, offset: 20, limit: 10 }
const ofIncident = (...values: string[]) => ({ ...page, filters: new Map([['incident', values]]) })
const since5: PastRange = { ...everything, fromMs: 5 }
const searched = 50_000

describe('the question to the archive', () => {
  type Asked = Pick<ArchiveQuery, 'incidents' | 'limit'> | null
  test.each<[string, AnyTable['past'], object, Asked]>([
    ['without a past', undefined, { ...page, past: since5 }, null],
    ['of days', 'day', { ...page, past: since5 }, null],
    ['without a span', 'incident', page, null],
    ['with the span null', 'incident', { ...page, past: null }, null],
    ['with a span', 'incident', { ...page, past: since5 }, { incidents: null, limit: 30 }],
    ['of events', 'event', { ...page, past: since5 }, { incidents: null, limit: 30 }],
    ['in an order', 'event', { ...page, past: since5, sort: {} }, { incidents: null, limit: searched }],
    [
      'with another filter',
      'event',
      { ...page, past: since5, filters: new Map([['kind', ['x']]]) },
      { incidents: null, limit: searched },
    ],
    ['of the first open incident', 'incident', ofIncident('5'), null],
    ['of the first resolved incident', 'incident', ofIncident('3'), null],
    ['of the last ones', 'order', ofIncident('6', ' 4'), null],
    ['of an earlier incident', 'incident', ofIncident('2'), { incidents: [2n], limit: 30 }],
    ['of a later one', 'incident', ofIncident('7'), { incidents: [7n], limit: 30 }],
    ['of one of both', 'order', ofIncident('5,2 '), { incidents: [5n, 2n], limit: 30 }],
    ['of one of both, in turn', 'order', ofIncident('2', '5'), { incidents: [2n, 5n], limit: 30 }],
    ['of an incident by name', 'incident', ofIncident('all'), null],
    ['of one by id and one by name', 'incident', ofIncident('2', 'all'), null],
    ['of an incident of twenty digits', 'incident', ofIncident('12345678901234567890'), null],
    [
      'of one by name, with a span',
      'incident',
      { ...ofIncident('all'), past: since5 },
      { incidents: null, limit: searched },
    ],
    ['of events of an earlier incident', 'event', ofIncident('2'), null],
    [
      'of events of an incident, with a span',
      'event',
      { ...ofIncident('2'), past: since5 },
      { incidents: null, limit: searched },
    ],
    [
      'of an incident and another filter',
      'order',
      {
        ...page,
        filters: new Map([
          ['incident', ['2']],
          ['kind', ['x']],
        ]),
      },
      { incidents: [2n], limit: searched },
    ],
    [
      'of an incident in an order',
      'order',
      { ...ofIncident('2'), sort: {} },
      { incidents: [2n], limit: searched },
    ],
  ])('%s', (_, past, request, asked) => {
    const query = pastQueryOf(tableOf(past), request as never, live)
    const range = 'past' in request && request.past === since5 ? since5 : everything
    expect(query).toEqual(asked === null ? null : { ...range, kind: past, ...asked })
  })

  test('where an entity has several rows, is for all that may have them', () => {
    const query = pastQueryOf(tableOf('incident', false), { ...page, past: since5 }, live)
    expect(query!.limit).toBe(searched)
  })
})

const idOf = (record: { readonly id?: unknown; readonly at_ns?: unknown }): bigint =>
  BigInt((record.id ?? record.at_ns) as number)
/** Records of the archive; the numbers of those that are open follow. */
const found = <R extends object>(records: readonly R[], ...open: readonly number[]) =>
  records.map((record) => ({ id: idOf(record), record, isOpen: open.includes(Number(idOf(record))) }))

const answerOf = (given: Partial<ArchiveAnswer>): ArchiveAnswer => ({
  world,
  found: [],
  incidents: [],
  entities: [],
  ...given,
})
const queryOf = (kind: ArchiveQuery['kind'], given: Partial<ArchiveQuery> = {}): ArchiveQuery => ({
  ...everything,
  kind,
  incidents: null,
  limit: 100,
  ...given,
})

const recordsOf = (query: ArchiveQuery, answer: Partial<ArchiveAnswer>): ArchivedRecords =>
  new ArchivedRecords(query, answerOf(answer), live)

const shown = (records: ArchivedRecords) =>
  (['incidents', 'resolvedIncidents'] as const).map((name) =>
    records.all(name).map(({ id, hint }) => `${id} ${hint}`),
  )

test('of an open incident have the band that it had at its worst', () => {
  const graver = { ...incident(5, 'then'), band: 'Critical' as const }
  const records = recordsOf(queryOf('incident'), { found: found([graver, incident(3, 'then')], 5) })
  expect([records.get('incidents', 5), records.get('incidents', 6)]).toMatchObject([
    { hint: 'now', band: 'Critical' },
    { hint: 'now', band: 'Watch' },
  ])
})

describe('incidents', () => {
  const stored = found(
    [1, 2, 3, 5].map((id) => incident(id, 'then')),
    1,
    3,
    5,
  )
  const old = { ...world, isCurrent: false }
  test.each<[string, Partial<ArchiveQuery>, ArchivedWorld, string[], string[]]>([
    ['found and new ones', {}, world, ['1 then', '5 now', '6 now'], ['2 then', '3 now']],
    ['of words', { text: 'hot' }, world, ['1 then', '5 now'], ['2 then', '3 now']],
    [
      'of the numbers 5 and 6',
      { incidents: [5n, 6n] },
      world,
      ['1 then', '5 now', '6 now'],
      ['2 then', '3 now'],
    ],
    ['of the number 5', { incidents: [5n] }, world, ['1 then', '5 now'], ['2 then', '3 now']],
    ['up to the last record', { toMs: 500 }, world, ['1 then', '5 now', '6 now'], ['2 then', '3 now']],
    ['up to before it', { toMs: 499 }, world, ['1 then', '5 now'], ['2 then', '3 now']],
    [
      'of a world without records',
      { toMs: 1 },
      { ...world, lastMs: null },
      ['1 then', '5 now', '6 now'],
      ['2 then', '3 now'],
    ],
    ['of another world', {}, old, ['1 then', '3 then', '5 then'], ['2 then']],
  ])('%s', (_, query, from, open, resolved) => {
    const records = recordsOf(queryOf('incident', query), { world: from, found: stored })
    expect(shown(records)).toEqual([open, resolved])
  })

  test('to which orders refer are beside those of the frame', () => {
    const incidents = found([1, 3, 6].map((id) => incident(id, 'then')))
    expect(shown(recordsOf(queryOf('order'), { incidents }))).toEqual([
      ['5 now', '6 now'],
      ['1 then', '3 now', '4 now'],
    ])
    expect(shown(recordsOf(queryOf('order'), { incidents, world: old }))).toEqual([
      [],
      ['1 then', '3 then', '6 then'],
    ])
  })
})

test('orders that the archive found are as the frame has them, if it does', () => {
  const stored = found([order(7, 'then'), order(8, 'then')])
  const labels = (kind: ArchiveQuery['kind']): string[] => {
    const records = recordsOf(queryOf(kind), { found: stored })
    return records.all('workOrders').map(({ id, kind_label: label }) => `${id} ${label}`)
  }
  expect(labels('order')).toEqual(['7 then', '8 now'])
  expect(labels('incident')).toEqual(['8 now', '9 now'])
})

describe('events', () => {
  const stored = found([event(10, 'then'), event(20, 'then')])
  const keysOf = (query: Partial<ArchiveQuery>, answer: Partial<ArchiveAnswer>): string[] => {
    const records = recordsOf(queryOf('event', query), { found: stored, ...answer })
    return records.events.map(({ at_ns: at, msg_key: key }) => `${at} ${key}`)
  }
  test.each<[string, Partial<ArchiveQuery>, Partial<ArchiveAnswer>, string[]]>([
    ['found, and newer ones', {}, {}, ['10 then', '20 then', '30 now']],
    ['where none was found', {}, { found: [] }, ['20 now', '30 now']],
    ['of words', { text: 'hot' }, {}, ['10 then', '20 then']],
    ['up to the last record', { toMs: 500 }, {}, ['10 then', '20 then', '30 now']],
    ['up to before it', { toMs: 499 }, {}, ['10 then', '20 then']],
    ['of another world', {}, { world: { ...world, isCurrent: false } }, ['10 then', '20 then']],
  ])('%s', (_, query, answer, keys) => {
    expect(keysOf(query, answer)).toEqual(keys)
  })

  test('without a time are not newer than those that were found', () => {
    class Untimed extends FrameRecords {
      override get events() {
        return [...super.events, { ...event(40, 'now'), at_ns: null as never }]
      }
    }
    const records = new ArchivedRecords(
      queryOf('event'),
      answerOf({ found: stored }),
      new Untimed(live.frame),
    )
    expect(records.events.map(({ at_ns: at }) => Number(at))).toEqual([10, 20, 30])
  })

  test('are those of the frame for a question about others', () => {
    const records = recordsOf(queryOf('order'), { found: found([order(7, 'then')]) })
    expect(records.events.map(({ at_ns: at }) => Number(at))).toEqual([20, 30])
  })
})

test('the time is that of the world, and what records mention is known by name', () => {
  const entities = [
    { collection: 'customers', id: 1n, record: { id: 1, name: 'Clover' } },
    { collection: 'customers', id: 2n, record: { id: 2, name: 'Vale' } },
    { collection: 'azs', id: 7n, record: { id: 7, name: 'zg' } },
  ] as const
  const shownOf = (isCurrent: boolean) => {
    const records = recordsOf(queryOf('incident'), { world: { ...world, isCurrent }, entities })
    return {
      now: records.nowNs,
      customers: [1, 2, 3, null].map((id) => records.get('customers', id)?.name),
      all: records.all('customers').map(({ name }) => name),
      zones: records.all('azs').map(({ name }) => name),
    }
  }
  expect(shownOf(true)).toEqual({
    now: 1000n,
    customers: ['Anvil', 'Vale', undefined, undefined],
    all: ['Anvil'],
    zones: ['za'],
  })
  expect(shownOf(false)).toEqual({
    now: 700n,
    customers: ['Clover', 'Vale', undefined, undefined],
    all: [],
    zones: ['zg'],
  })
})
