/** The index of words, by which records are found. */
import type { DatabaseSync } from 'node:sqlite'
import type { ArchivedKind } from '../../contract/archive.ts'
import { isSqliteError } from '../sqlite-error.ts'
import { readEvent, readIncident, readOrder, unpacked } from './record-body.ts'
import { wordsOfEvent, wordsOfIncident, wordsOfOrder } from './record-words.ts'
import { inTransaction, statementOf } from '../statements.ts'

/** Sets the words of a record. */
export const setWords = (database: DatabaseSync, id: number | bigint, text: string): void =>
  void statementOf(database, 'INSERT OR REPLACE INTO word (rowid, text) VALUES (?, ?)').run(id, text)

const wordsOf: Readonly<Record<ArchivedKind, (json: Uint8Array) => string | null>> = {
  event: (json) => wordsOfEvent(readEvent(json)),
  incident: (json) => wordsOfIncident(readIncident(json)),
  order: (json) => wordsOfOrder(readOrder(json)),
  day: () => null,
}

/** Makes the index of words again from the records. */
export function fillWords(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(`INSERT INTO word (word) VALUES ('delete-all')`)
    for (const row of database.prepare('SELECT id, kind, body FROM record').iterate()) {
      const text = textOf(row['kind'] as ArchivedKind, row['body'] as Uint8Array)
      if (text !== null) setWords(database, row['id'] as number, text)
    }
  })
}

/** Null for a damaged record. */
function textOf(kind: ArchivedKind, body: Uint8Array): string | null {
  try {
    return wordsOf[kind](unpacked(body))
  } catch (error) {
    if (isSqliteError(error)) throw error
    return null
  }
}
