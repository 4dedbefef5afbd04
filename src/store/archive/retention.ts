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

/** Bytes of recorded frames, which no mirror adds. */
export const recordedBytes = (database: DatabaseSync): number =>
  Number(database.prepare('SELECT coalesce(sum(length(body)), 0) AS bytes FROM frame').get()!['bytes'])

/**
 * Removes up to a bounded number of records, and worlds of which nothing is left, not even a day of the chronicle. Returns
 * whether more have to go.
 */
export function expire(database: DatabaseSync, bytesMax: number, currentWorld: number): boolean {
  let gone: number[] = []
  let hasEnded = false
  inTransaction(database, () => {
    if (usedBytes(database) > bytesMax) {
      // Records without a wall time, of worlds that were never published, come first; the chronicle goes last.
      gone = removeOldest(database, `kind <> 'day'`)
      if (gone.length === 0) gone = removeOldest(database, `kind = 'day'`)
    }
    for (const world of new Set(gone)) removeUnmentioned(database, world)
    const ended = statementOf(
      database,
      `DELETE FROM world WHERE number <> ?
         AND NOT EXISTS (SELECT 1 FROM record WHERE record.world = world.number)`,
    ).run(currentWorld)
    hasEnded = Number(ended.changes) > 0
  })
  if (gone.length === 0 && !hasEnded) return false
  database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
  return gone.length === goneAtOnce || usedBytes(database) > bytesMax
}

/** Returns the world of each. */
function removeOldest(database: DatabaseSync, condition: string): number[] {
  const rows = database
    .prepare(`
      DELETE FROM record WHERE id IN (SELECT id FROM record WHERE ${condition} ORDER BY to_ms LIMIT ${goneAtOnce})
      RETURNING world`)
    .all()
  return rows.map(({ world }) => Number(world))
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
