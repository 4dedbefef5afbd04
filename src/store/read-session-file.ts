/** Reads files that another process may own, and that stay as they are, also in a folder that cannot be written. */
import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { hasLog, openReadOnly } from './open-read-only.ts'
import { ForeignFileError, openSession, refuseForeignFile, refuseOtherVersion } from './session-file.ts'
import { isSqliteError, sqliteErrorText } from './sqlite-error.ts'

/** The message says why a file cannot be read. */
function opened(path: string): DatabaseSync {
  if (!existsSync(path)) throw new ForeignFileError(`${path} does not exist`)
  refuseForeignFile(path)
  const database = openReadOnly(path)
  try {
    refuseOtherVersion(database, path)
    return database
  } catch (error) {
    database.close()
    throw isSqliteError(error) ? new Error(`${path} cannot be read: ${sqliteErrorText(error)}`) : error
  }
}

/** Throws an error whose message says why the file cannot be read. */
export function readSessionFile<T>(path: string, read: (database: DatabaseSync) => T): T {
  const database = opened(path)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Adds to a file that another process may own. Throws like `readSessionFile`. */
export function addToSessionFile(path: string, add: (database: DatabaseSync) => void): void {
  opened(path).close()
  const database = openSession(path)
  try {
    add(database)
  } finally {
    database.close()
  }
}

/** Returns the database of a file for reading now: it is opened again once the file has begun to be written. */
export function readingWhileOthersWrite(path: string): () => DatabaseSync {
  let database: DatabaseSync | null = null
  let key: string | null = null
  return () => {
    const found = hasLog(path) ? 'shared' : keyOf(path)
    if (database === null || found !== key) {
      database?.close()
      database = null
      database = opened(path)
      key = found
    }
    return database
  }
}

function keyOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}
