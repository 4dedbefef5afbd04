import type { DatabaseSync } from 'node:sqlite'
import { nsPerDay } from '../../contract/time-units.ts'
import { inTransaction, pragmaNumber, statementOf } from '../statements.ts'

/** Records that go in one transaction, during which tables wait. */
const goneAtOnce = 500
const pagesAtOnce = 256

/** Bytes of the database that are in use, apart from the saved world. */
export function usedBytes(database: DatabaseSync): number {
  const read = (pragma: string): number => pragmaNumber(database, pragma)
  const { saved } = database.prepare('SELECT coalesce(sum(length(bytes)), 0) AS saved FROM piece').get()!
  return (read('page_count') - read('freelist_count')) * read('page_size') - Number(saved)
}

/** Bytes of recorded frames, which no mirror adds. All pages are read where there are any. */
export function recordedBytes(database: DatabaseSync): number {
  if (database.prepare('SELECT 1 FROM frame LIMIT 1').get() === undefined) return 0
  return Number(
    database.prepare(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE name = 'frame'`).get()!['bytes'],
  )
}

/** Removes up to a bounded number of records, the oldest first, if they take more than these bytes. */
export function expire(
  database: DatabaseSync,
  bytesMax: number,
  currentWorld: number,
): { readonly isAny: boolean; readonly isMore: boolean } {
  const gone = usedBytes(database) <= bytesMax ? [] : oldestOfAll(database)
  const worlds = endedWorlds(database, currentWorld)
  if (gone.length + worlds.length === 0) return { isAny: false, isMore: false }
  inTransaction(database, () => {
    removeRecords(database, gone)
    for (const world of new Set(gone.map((one) => one.world))) removeUnmentioned(database, world)
    removeWorlds(database, worlds)
  })
  database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
  return { isAny: true, isMore: gone.length === goneAtOnce || usedBytes(database) > bytesMax }
}

interface OldRecord {
  readonly id: number
  readonly world: number
}

function removeRecords(database: DatabaseSync, gone: readonly OldRecord[]): void {
  for (const { id } of gone) {
    statementOf(database, 'DELETE FROM word WHERE rowid = ?').run(id)
    statementOf(database, 'DELETE FROM record WHERE id = ?').run(id)
  }
}

/** Names go with the last record that may mention them. Zones name the racks of any record. */
function removeUnmentioned(database: DatabaseSync, world: number): void {
  const { day } = database
    .prepare(`
      SELECT min(from_ns) / ${nsPerDay} AS day FROM record
      WHERE world = ? AND kind IN ('event', 'incident', 'order')`)
    .get(world) as { day: number | null }
  if (day === null) statementOf(database, 'DELETE FROM entity WHERE world = ?').run(world)
  else
    statementOf(database, `DELETE FROM entity WHERE world = ? AND day < ? AND collection <> 'azs'`).run(
      world,
      day,
    )
}

/** Worlds of which nothing is left, not even a day of the chronicle. */
function endedWorlds(database: DatabaseSync, currentWorld: number): number[] {
  const rows = database
    .prepare(`
      SELECT number FROM world WHERE number <> ?
        AND NOT EXISTS (SELECT 1 FROM record WHERE record.world = world.number) LIMIT ${goneAtOnce}`)
    .all(currentWorld) as { number: number }[]
  return rows.map(({ number }) => number)
}

function removeWorlds(database: DatabaseSync, worlds: readonly number[]): void {
  for (const world of worlds) {
    statementOf(database, 'DELETE FROM entity WHERE world = ?').run(world)
    statementOf(database, 'DELETE FROM world WHERE number = ?').run(world)
  }
}

const oldest = (database: DatabaseSync, condition: string): OldRecord[] =>
  database
    .prepare(`SELECT id, world FROM record WHERE ${condition} ORDER BY to_ms LIMIT ${goneAtOnce}`)
    .all() as unknown as OldRecord[]

/** Records without a wall time, of worlds that were never published, come first; the chronicle goes last. */
function oldestOfAll(database: DatabaseSync): OldRecord[] {
  const records = oldest(database, `kind <> 'day'`)
  return records.length > 0 ? records : oldest(database, `kind = 'day'`)
}
