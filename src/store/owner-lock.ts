import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-error.ts'

/** Another process owns the file. The message is a sentence for the operator. */
export class FileHeldError extends Error {
  override readonly name = 'FileHeldError'
}

/**
 * Makes this process the only one that writes to a file, until it ends, however: the operating system takes the lock
 * back. It is one of SQLite on an empty file beside, as a lock on the file itself would keep readers out.
 */
export class OwnerLock {
  readonly #database: DatabaseSync

  /** Throws a `FileHeldError`, or the error of SQLite where the file beside cannot be created. */
  constructor(path: string) {
    const beside = `${resolved(path)}-lock`
    const database = new DatabaseSync(beside)
    try {
      database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE')
      database.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      throw isBusy(error)
        ? new FileHeldError(`${path} is in use by another process. End that one, or name another file.`)
        : error
    }
    this.#database = database
  }

  /** The empty file stays: removing it could take it away under a process that has just opened it. */
  release(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}

/** Two names of one file share a lock. */
function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
