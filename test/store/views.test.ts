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

/** The values of a row, null as nothing. */
const shown = (row: object): string => Object.values(row).join('|')

test.each<[view: string, columns: string, rows: readonly string[]]>([
  [
    'events',
    'world at_ns at_ms kind severity message arguments entity_kind entity',
    [
      '1|420000000000|1767225607000|PartFailed|Warning|event.customer-reconciled|' +
        '[{"key":"customer","text":"Customer of minute 7","number":0,"is_number":false}]|World|',
    ],
  ],
  // The records of incidents are compressed.
  [
    'incidents',
    'world incident title band cause customers opened_ns resolved_ns opened_ms resolved_ms',
    [
      '1|1|Major incident 1: high latency (2 customers)|Major|Unknown|2|300000000000|3000000000000|1767225605000|1767225650000',
      '1|2|Critical incident 2: high latency|Critical|Unknown|0|3600000000000||1767225660000|',
    ],
  ],
  [
    'days',
    'world day began_ms ended_ms critical major minor watch worst troubled_minutes at_risk_dollars credited_dollars ' +
      'spent_dollars events orders_done',
    ['1|0|1767225607000|1767225607000|1|1|0|0|Critical incident 2: high latency|1425|0|0|0|1|0'],
  ],
  [
    'truth',
    'world fault is_over kind origin entity_kind entity place began_sim_s began_wall_s ended_sim_s ended_wall_s ' +
      'ended_by customers incidents dollars',
    ['w|3|0|DiskFailure|injected|Host|h1|rack A-01|60|1800000001||||1|0|40.5'],
  ],
  [
    'answers',
    'id wall_s by text hint_fault hint_level',
    ['1|1800000050.5|ann|disk failure at h1||', '2|1800000060||Hint 2|3|2'],
  ],
])('the view %s has the columns %s', (view, columns, rows) => {
  const found = rowsOf(`SELECT * FROM ${view} ORDER BY 2`)
  expect(Object.keys(found[0]).join(' ')).toBe(columns)
  expect(found.map(shown)).toEqual(rows)
})

test.each(['truth', 'answers', 'fault', 'game_day_log', 'answer'])(
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
