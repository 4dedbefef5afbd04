/** The index of words, by which records are found. */
import type { DatabaseSync } from 'node:sqlite'
import type { ArchiveQuery } from '../../contract/archive.ts'
import { isSqliteError } from '../sqlite-error.ts'
import { unpacked } from './record-body.ts'
import { recordKinds } from './record-kinds.ts'
import { inTransaction, statementOf } from '../statements.ts'

/** Sets the words of a record. */
export const setWords = (database: DatabaseSync, id: number | bigint, text: string): void =>
  void statementOf(database, 'INSERT OR REPLACE INTO word (rowid, text) VALUES (?, ?)').run(id, text)

/** Makes the index of words again from the records. */
export function fillWords(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(`INSERT INTO word (word) VALUES ('delete-all')`)
    for (const row of database.prepare(`SELECT id, kind, body FROM record WHERE kind <> 'day'`).iterate()) {
      const text = textOf(row['kind'] as ArchiveQuery['kind'], row['body'] as Uint8Array)
      if (text !== null) setWords(database, row['id'] as number, text)
    }
  })
}

/** Null for a damaged record. */
function textOf(kind: ArchiveQuery['kind'], body: Uint8Array): string | null {
  try {
    return recordKinds[kind].words(recordKinds[kind].read(unpacked(body)))
  } catch (error) {
    if (isSqliteError(error)) throw error
    return null
  }
}
