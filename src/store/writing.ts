import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * A statement that writes. The index of words leaves a row id beyond 2^53 behind, which `run` reports and Node 26 refuses
 * as a number.
 */
export function writing(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}
