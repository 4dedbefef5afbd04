import type { DatabaseSync } from 'node:sqlite'

export interface Retention {
  /** Wall time after which records go; the chronicle stays. */
  readonly daysMax: number
  /** The size of the database; the chronicle goes last. */
  readonly bytesMax: number
}

/** Records that go at a time: a turn of the archive takes some milliseconds. */
const goneAtOnce = 500
const pagesAtOnce = 256
const msPerDay = 86_400_000

/** Bytes of the database that are in use. */
export function usedBytes(database: DatabaseSync): number {
  const read = (pragma: string): number =>
    Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0])
  return (read('page_count') - read('freelist_count')) * read('page_size')
}

/** Removes up to a bounded number of records. Returns whether more have to go. */
export function expire(database: DatabaseSync, { daysMax, bytesMax }: Retention, wallMs: number): boolean {
  const old = oldest(database, `to_ms < ? AND kind <> 'day'`, wallMs - daysMax * msPerDay)
  const gone = old.length > 0 || usedBytes(database) <= bytesMax ? old : oldestOfAll(database)
  if (gone.length === 0) return false
  database.exec('BEGIN IMMEDIATE')
  try {
    const [words, records] = [
      database.prepare('DELETE FROM word WHERE rowid = ?'),
      database.prepare('DELETE FROM record WHERE id = ?'),
    ]
    // The index of words leaves a row id beyond 2^53 behind, which `run` reports and Node 26 refuses as a number.
    for (const statement of [words, records]) statement.setReadBigInts(true)
    for (const id of gone) {
      words.run(id)
      records.run(id)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
  database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
  return gone.length === goneAtOnce || usedBytes(database) > bytesMax
}

function oldest(database: DatabaseSync, condition: string, ...values: number[]): number[] {
  const rows = database
    .prepare(`SELECT id FROM record WHERE ${condition} ORDER BY to_ms LIMIT ${goneAtOnce}`)
    .all(...values) as { id: number }[]
  return rows.map(({ id }) => id)
}

/** Records without a wall time, of worlds that were never published, come first. */
function oldestOfAll(database: DatabaseSync): number[] {
  const records = oldest(database, `kind <> 'day'`)
  return records.length > 0 ? records : oldest(database, `kind = 'day'`)
}
