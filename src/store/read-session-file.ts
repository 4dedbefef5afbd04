import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openReadOnly } from './open-read-only.ts'
import { ForeignFileError, refuseForeignFile, refuseOtherVersion } from './session-file.ts'

/**
 * Reads a file that another process may own, and that stays as it is, also in a folder that cannot be written. Throws an
 * error whose message says why it cannot be read.
 */
export function readSessionFile<T>(path: string, read: (database: DatabaseSync) => T): T {
  if (!existsSync(path)) throw new ForeignFileError(`there is no file ${path}`)
  refuseForeignFile(path)
  const database = openReadOnly(path)
  try {
    refuseOtherVersion(database, path)
    return read(database)
  } finally {
    database.close()
  }
}
