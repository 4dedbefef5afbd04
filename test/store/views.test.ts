import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addRow, hideGameDays, setFault } from '../../src/store/game-day-rows.ts'
import { openSession } from '../../src/store/session-file.ts'
import { ArchiveHere, eventAt, incidentOf, FeedSource } from '../archive/archived-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-views-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'evening.dcsim')
const fault = {
  kind: 'DiskFailure',
  origin: 'injected',
  entity: { kind: 'Host', id: 1, name: 'h1', place: 'rack A-01' },
  begin: { sim_s: 60, wall_s: 1_800_000_001 },
  end: null,
  ended_by: null,
  customers: [{ id: 1, name: 'Clover Vale' }],
  incidents: [],
  revenue_hurt_dollars: 40.5,
}

beforeAll(() => {
  const archive = new ArchiveHere(path)
  const long = { hint: 'x'.repeat(2_000), affected_customer_ids: [1, 2] }
  const incidents = [incidentOf(1, 5, 50, long), incidentOf(2, 60, null, { band: 'Critical' })]
  const source = new FeedSource()
  archive.tell(source.at(100, { events: [eventAt(7)], resolved: [incidents[0]], incidents: [incidents[1]] }))
  archive.tell(source.at(1_500, { events: [], resolved: [incidents[0]], incidents: [incidents[1]] }))
  archive.close()
  const database = openSession(path)
  setFault(database, { world: 'w', fault: 3, isOver: false }, fault)
  addRow(database, 'answer', { wall_s: 1_800_000_050.5, by: 'ann', text: 'disk failure at h1', hint: null })
  addRow(database, 'answer', { wall_s: 1_800_000_060, by: '', text: 'Hint 2', hint: { fault: 3, level: 2 } })
  database.close()
})

/** As any program reads the file. */
function rowsOf(sql: string): readonly object[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

test('events', () => {
  expect(rowsOf('SELECT * FROM events')).toEqual([
    {
      world: 1,
      at_ns: 420_000_000_000,
      at_ms: expect.any(Number) as number,
      kind: 'PartFailed',
      severity: 'Warning',
      message: 'event.customer-reconciled',
      arguments: '[{"key":"customer","text":"Customer of minute 7","number":0,"is_number":false}]',
      entity_kind: expect.any(String) as string,
      entity: null,
    },
  ])
})

test('incidents, whose records are compressed', () => {
  const sql = 'SELECT incident, title, band, cause, customers, opened_ns / 60000000000 AS opened'
  expect(rowsOf(`${sql}, resolved_ms IS NULL AS is_open FROM incidents ORDER BY incident`)).toEqual([
    {
      incident: 1,
      title: 'Major incident 1: high latency (2 customers)',
      band: 'Major',
      cause: 'Unknown',
      customers: 2,
      opened: 5,
      is_open: 0,
    },
    {
      incident: 2,
      title: 'Critical incident 2: high latency',
      band: 'Critical',
      cause: 'Unknown',
      customers: 0,
      opened: 60,
      is_open: 1,
    },
  ])
})

test('days', () => {
  const sql = 'SELECT world, day, critical, major, minor, watch, worst, events FROM days'
  expect(rowsOf(`${sql} WHERE ended_ms IS NOT NULL`)).toEqual([
    {
      world: 1,
      day: 0,
      critical: 1,
      major: 1,
      minor: 0,
      watch: 0,
      worst: 'Critical incident 2: high latency',
      events: 1,
    },
  ])
})

test('truth', () => {
  expect(rowsOf('SELECT * FROM truth')).toEqual([
    {
      world: 'w',
      fault: 3,
      is_over: 0,
      kind: 'DiskFailure',
      origin: 'injected',
      entity_kind: 'Host',
      entity: 'h1',
      place: 'rack A-01',
      began_sim_s: 60,
      began_wall_s: 1_800_000_001,
      ended_sim_s: null,
      ended_wall_s: null,
      ended_by: null,
      customers: 1,
      incidents: 0,
      dollars: 40.5,
    },
  ])
})

test('answers', () => {
  expect(rowsOf('SELECT * FROM answers')).toEqual([
    {
      id: 1,
      wall_s: 1_800_000_050.5,
      by: 'ann',
      text: 'disk failure at h1',
      hint_fault: null,
      hint_level: null,
    },
    { id: 2, wall_s: 1_800_000_060, by: '', text: 'Hint 2', hint_fault: 3, hint_level: 2 },
  ])
})

test.each(['truth', 'answers', 'fault', 'evening', 'answer'])(
  '%s cannot be read where requests are answered',
  (name) => {
    const database = openSession(path)
    hideGameDays(database)
    expect(database.prepare('SELECT count(*) AS count FROM incidents').get()).toEqual({ count: 2 })
    for (const columns of ['*', 'count(*)'])
      expect(() => database.prepare(`SELECT ${columns} FROM ${name}`)).toThrow(/prohibited|not authorized/)
    database.close()
  },
)

test('the archive, which answers requests, can read none of them', () => {
  const hides = vi.spyOn(DatabaseSync.prototype, 'setAuthorizer')
  new ArchiveHere(path).close()
  expect(hides).toHaveBeenCalledOnce()
})

test('a large batch needs no temporary file, for which a container has no place', () => {
  const database = openSession(path)
  expect(database.prepare('PRAGMA temp_store').get()).toEqual({ temp_store: 2 })
  database.close()
})
