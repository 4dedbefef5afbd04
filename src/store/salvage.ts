import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { openReadOnly } from './open-read-only.ts'
import { salvagedTables } from './schema.ts'
import { isConstraint, isSqliteError } from './sqlite-error.ts'

/** Fills the index of words from the records. */
export type FillWords = (database: DatabaseSync) => void

type Row = Readonly<Record<string, SQLInputValue>>

/** Copies what can be read of a damaged file into a new one. Returns the number of rows. */
export function salvage(from: string, to: DatabaseSync, fillWords: FillWords): number {
  let count = 0
  const damaged = openReadOnly(from, { defensive: false })
  try {
    // Lets it be read although a part of its schema cannot.
    damaged.exec('PRAGMA writable_schema = ON')
    for (const table of salvagedTables) count += copyTable(damaged, to, table)
  } finally {
    damaged.close()
  }
  fillWords(to)
  return count
}

/** A damaged page ends a reading: from both ends, all is found but what lies between the first and the last such page. */
function copyTable(from: DatabaseSync, to: DatabaseSync, table: string): number {
  const columns = to
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name))
  const key = to.prepare(`SELECT group_concat(name) AS names FROM pragma_table_info('${table}') WHERE pk > 0`)
  const names = String(key.get()!['names'])
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  )
  const inOrder = (order: 'ASC' | 'DESC') => {
    const by = names
      .split(',')
      .map((name) => `${name} ${order}`)
      .join()
    const statement = from.prepare(`SELECT ${columns.join()} FROM ${table} NOT INDEXED ORDER BY ${by}`)
    statement.setReadBigInts(true)
    return statement.iterate() as Iterable<Row>
  }
  let count = 0
  /** Returns whether all rows could be read. */
  const copy = (order: 'ASC' | 'DESC'): boolean => {
    let isWhole = true
    const rows = readable(
      () => inOrder(order),
      () => {
        isWhole = false
      },
    )
    for (const row of rows) count += inserted(insert, columns, row)
    return isWhole
  }
  to.exec('BEGIN')
  if (!copy('ASC')) copy('DESC')
  to.exec('COMMIT')
  return count
}

/** The rows up to one that cannot be read. An error of writing, which the loop over the rows throws, is none of reading. */
function* readable(read: () => Iterable<Row>, onDamage: () => void): Iterable<Row> {
  try {
    yield* read()
  } catch (error) {
    if (!isSqliteError(error)) throw error
    onDamage()
  }
}

/** A row whose values do not fit its columns is left out. */
function inserted(insert: StatementSync, columns: readonly string[], row: Row): number {
  try {
    return Number(insert.run(...columns.map((name) => row[name])).changes)
  } catch (error) {
    if (isConstraint(error)) return 0
    throw error
  }
}
