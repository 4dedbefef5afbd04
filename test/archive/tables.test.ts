import { describe, expect, test } from 'vitest'
import { CustomerSchema } from '../../src/contract/records/customers.ts'
import { TableMaker } from '../../src/tables/thread/table-maker.ts'
import type { TableRequest } from '../../src/tables/thread/table-maker.ts'
import { everything } from '../../src/tables/engine/archive-range.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf } from '../tables/framed-worlds.ts'
import { ArchiveHere, beganMs, eventAt, incidentOf, minuteNs, orderOf, FeedSource } from './archived-world.ts'

const at = (minute: number): number => beganMs + minute * 1_000

/** The snapshot has the customer 6 and the incident 3 alone; the archive also knows what was before. */
const archive = new ArchiveHere()
const source = new FeedSource('w1')
const old = incidentOf(1, 10, 60, {
  affected_customer_ids: [5],
  timeline: [{ at_ns: 10n * minuteNs, kind: 'Opened', detail: 'noticed at the edge' }],
})
archive.tell(new FeedSource('w0').at(50, { resolved: [incidentOf(1, 20, 30, { hint: 'of another world' })] }))
archive.tell(
  source.at(200, {
    events: [eventAt(10), eventAt(190)],
    incidents: [incidentOf(3, 150, null, { hint: 'as archived' })],
    resolved: [old, incidentOf(2, 90, 110, { band: 'Critical', affected_customer_ids: [6] })],
    orders: [orderOf(7, 1, 20, 'Replace a fan')],
  }),
)
archive.learn([{ collection: 'customers', id: 5n, json: '{"id":5,"name":"Clover Vale"}' }])

const frame = frameOf(
  snapshotWith(
    {
      incidents: [
        incidentOf(3, 150, null, { hint: 'as it is now', band: 'Minor' }),
        incidentOf(4, 205, null),
      ],
      customers: [emptyRecord(CustomerSchema, { id: 6, name: 'Anvil & Hook' })],
    },
    { simTimeNs: 210n * minuteNs, events: [eventAt(190), eventAt(208)] },
  ),
)
type Rows = readonly Readonly<Record<string, unknown>>[]

function rowsOf(table: string, given: Partial<TableRequest> = {}): Rows {
  const maker = new TableMaker({ archive: archive.archive })
  maker.show(frame)
  const request = { table, format: 'json', filters: new Map(), sort: null, offset: 0, limit: 100 } as const
  return JSON.parse(maker.make({ ...request, ...given }).toString()) as Rows
}

const named = (name: string, value: string) => ({ filters: new Map([[name, [value]]]) })
const ids = (rows: Rows) => rows.map((row) => row['incident_id'])

describe('with a span of time, a table', () => {
  test('has what was so in it, as archived', () => {
    const rows = rowsOf('incidents', { range: { ...everything, fromMs: at(100) } })
    expect(ids(rows)).toEqual(['3', '2'])
    expect(rows[0]).toMatchObject({ hint: 'as archived', state: 'active' })
  })

  test('has the band that an open incident had at its worst', () => {
    const range = { range: everything }
    expect(ids(rowsOf('incidents', { ...range, ...named('band', 'Major') }))).toEqual(['3', '1'])
    const [headline] = rowsOf('incident', { ...range, ...named('incident', '3') })
    expect(headline).toMatchObject({ value: 'Major incident 3: high latency', severity: 3 })
    expect(rowsOf('incidents', named('incident', '3'))).toMatchObject([{ band: 'Minor' }])
  })

  test('that ends before now has nothing newer', () => {
    expect(ids(rowsOf('incidents', { range: { ...everything, toMs: at(100) } }))).toEqual(['2', '1'])
  })

  test('takes filters and orders as ever', () => {
    const range = { range: everything }
    expect(ids(rowsOf('incidents', { ...range, ...named('band', 'Critical') }))).toEqual(['2'])
    expect(ids(rowsOf('incidents', { ...range, ...named('customer', 'Clover Vale') }))).toEqual(['1'])
    const sort = { column: 'opened_at', descending: false }
    expect(ids(rowsOf('incidents', { ...range, sort, offset: 1, limit: 2 }))).toEqual(['2', '3'])
    expect(ids(rowsOf('incidents', { ...range, offset: 1, limit: 1 }))).toEqual(['2'])
  })

  test('of events has those of the archive', () => {
    const rows = rowsOf('events', { range: { ...everything, fromMs: at(100) } })
    expect(rows.map((row) => row['clock'])).toEqual(['day 0, 03:10'])
  })

  test('finds words', () => {
    const rows = rowsOf('timeline', { range: { ...everything, text: 'noticed edge' } })
    expect(rows).toMatchObject([{ incident_id: '1', what: 'Noticed at the edge' }])
  })

  test('names a customer that has gone', () => {
    const [row] = rowsOf('incidents', { range: everything, ...named('incident', '1') })
    expect(row).toMatchObject({ customer_names: 'Clover Vale', state: 'resolved', lasted: '50 min' })
  })

  test('of another world has its records', () => {
    const [row] = rowsOf('incidents', { range: { ...everything, world: 1 } })
    expect(row).toMatchObject({ incident_id: '1', hint: 'of another world', resolved: '20 min ago' })
  })
})

test.each([
  ['incident', '1', 'Incident'],
  ['timeline', '1', undefined],
])('/tables/%s answers for an incident that the world no longer shows', (name, incident, fact) => {
  const [row] = rowsOf(name, named('incident', incident))
  expect(row).toMatchObject({ incident_id: incident, ...(fact === undefined ? {} : { fact }) })
})

test('work finds the orders of such an incident', () => {
  expect(rowsOf('work', named('incident', '1'))).toMatchObject([{ order_id: '7', state: 'done' }])
})

test('a page far beyond the end is empty, also beyond the integers of the database', () => {
  for (const offset of [10, 2 ** 53, 2 ** 63])
    for (const table of ['incidents', 'work', 'events', 'timeline'])
      expect(rowsOf(table, { range: everything, offset })).toEqual([])
})

test('days and worlds come from the archive', () => {
  expect(rowsOf('days')).toMatchObject([{ day: 0, major: 2, critical: 1, over: false, worst_id: '2' }])
  expect(rowsOf('worlds')).toMatchObject([
    { world: 2, current: true },
    { world: 1, current: false },
  ])
})
