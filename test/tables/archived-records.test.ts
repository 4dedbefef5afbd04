/** The question to the archive, and the records that its answer and the frame make together. */
import { describe, expect, test } from 'vitest'
import type { ArchiveAnswer, ArchiveQuery } from '../../src/contract/archive.ts'
import type { IncidentRecord } from '../../src/contract/collections.ts'
import { CustomerSchema } from '../../src/contract/records/customers.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { EngineEventSchema, IncidentSchema, WorkOrderSchema } from '../../src/contract/records/operations.ts'
import { FrameRecords } from '../../src/tables/engine/frame-records.ts'
import { everything } from '../../src/tables/engine/archive-range.ts'
import type { ArchiveRange } from '../../src/tables/engine/archive-range.ts'
import { ArchivedRecords, archiveQueryOf } from '../../src/tables/engine/archived-records.ts'
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

const tableOf = (archived: AnyTable['archived'], isEach = true) => ({ archived, isEach }) as AnyTable
const page = { filters: new Map<string, string[]>(), sort: null, offset: 20, limit: 10 }
const ofIncident = (...values: string[]) => ({ ...page, filters: new Map([['incident', values]]) })
const since5: ArchiveRange = { ...everything, fromMs: 5 }
const searched = 50_000

describe('the question to the archive', () => {
  type Asked = Pick<ArchiveQuery, 'incidents' | 'limit'> | null
  test.each<[string, AnyTable['archived'], object, Asked]>([
    ['without an archive', undefined, { ...page, range: since5 }, null],
    ['of days', 'day', { ...page, range: since5 }, null],
    ['without a span', 'incident', page, null],
    ['with the span null', 'incident', { ...page, range: null }, null],
    ['with a span', 'incident', { ...page, range: since5 }, { incidents: null, limit: 30 }],
    ['of events', 'event', { ...page, range: since5 }, { incidents: null, limit: 30 }],
    ['in an order', 'event', { ...page, range: since5, sort: {} }, { incidents: null, limit: searched }],
    [
      'with another filter',
      'event',
      { ...page, range: since5, filters: new Map([['kind', ['x']]]) },
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
      { ...ofIncident('all'), range: since5 },
      { incidents: null, limit: searched },
    ],
    ['of events of an earlier incident', 'event', ofIncident('2'), null],
    [
      'of events of an incident, with a span',
      'event',
      { ...ofIncident('2'), range: since5 },
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
  ])('%s', (_, archived, request, asked) => {
    const query = archiveQueryOf(tableOf(archived), request as never, live)
    const range = 'range' in request && request.range === since5 ? since5 : everything
    expect(query).toEqual(asked === null ? null : { ...range, kind: archived, ...asked })
  })

  test('where an entity has several rows, is for all that may have them', () => {
    const query = archiveQueryOf(tableOf('incident', false), { ...page, range: since5 }, live)
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
const queryOf = (kind: ArchiveQuery['kind']): ArchiveQuery => ({
  ...everything,
  kind,
  incidents: null,
  limit: 100,
})

const recordsOf = (query: ArchiveQuery, answer: Partial<ArchiveAnswer>): ArchivedRecords =>
  new ArchivedRecords(query, answerOf(answer), live)

const shown = (records: ArchivedRecords) =>
  (['incidents', 'resolvedIncidents'] as const).map((name) =>
    records.all(name).map(({ id, hint }) => `${id} ${hint}`),
  )

test.each([true, false])('incidents are those that were found, of the current world: %s', (isCurrent) => {
  const stored = found([incident(1, 'then'), incident(3, 'then'), incident(5, 'then')], 1, 5)
  const records = recordsOf(queryOf('incident'), { world: { ...world, isCurrent }, found: stored })
  expect(shown(records)).toEqual([['1 then', '5 then'], ['3 then']])
  expect(records.get('incidents', 6)).toBeUndefined()
  expect([records.count('incidents'), records.count('hosts')]).toEqual([2, 0])
})

test('orders that the archive found have the incidents to which they refer', () => {
  const incidents = found([incident(1, 'then'), incident(6, 'then')], 6)
  const stored = found([order(7, 'then'), order(8, 'then')])
  const records = recordsOf(queryOf('order'), { found: stored, incidents })
  expect(records.all('workOrders').map(({ id, kind_label: label }) => `${id} ${label}`)).toEqual([
    '7 then',
    '8 then',
  ])
  expect(shown(records)).toEqual([['6 then'], ['1 then']])
})

test.each<[ArchiveQuery['kind'], boolean, string[]]>([
  ['event', true, ['10 then', '20 then']],
  ['event', false, ['10 then', '20 then']],
  ['order', true, ['20 now', '30 now']],
  ['order', false, []],
])('for a question about kind %s, of the current world: %s, events are %j', (kind, isCurrent, keys) => {
  const stored = found([event(10, 'then'), event(20, 'then')])
  const records = recordsOf(queryOf(kind), { world: { ...world, isCurrent }, found: stored })
  expect(records.events.map(({ at_ns: at, msg_key: key }) => `${at} ${key}`)).toEqual(keys)
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
