import type { DatabaseSync, StatementSync } from 'node:sqlite'

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/**
 * A statement that is prepared once, and whose integers are bigints: the index of words leaves a row id beyond 2^53
 * behind, which `run` reports and Node 26 refuses as a number.
 */
export function statementOf(database: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(database) ?? new Map<string, StatementSync>()
  prepared.set(database, known)
  const statement = known.get(sql) ?? database.prepare(sql)
  statement.setReadBigInts(true)
  known.set(sql, statement)
  return statement
}

/** Writes in one transaction, or nothing. */
export function inTransaction(database: DatabaseSync, write: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    write()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The value of a pragma that is a number. */
export const pragmaNumber = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0])
