import { closeSync, realpathSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openRegularFile } from '../files/regular-file.ts'
import { isBusy } from './sqlite-error.ts'

/** Another process owns the file. The message is a sentence for the operator. */
export class FileHeldError extends Error {
  override readonly name = 'FileHeldError'
}

/** A file that is removed while it is being opened is tried again. */
const attemptsMax = 10

/**
 * Makes this process the only one that writes to a file, until it ends, however: the operating system takes the lock
 * back. It is one of SQLite on an empty file beside, as a lock on the file itself would keep readers out.
 */
export class OwnerLock {
  readonly #path: string
  #database: DatabaseSync | null = null

  /** Throws a `FileHeldError`, or the error of the system where the file beside cannot be created. */
  constructor(path: string) {
    this.#path = `${resolved(path)}-lock`
    for (let attempt = 0; this.#database === null && attempt < attemptsMax; attempt++) {
      const found = lockedFile(this.#path)
      if (found === 'busy') break
      this.#database = found
    }
    if (this.#database === null)
      throw new FileHeldError(`${path} is in use by another process. End that one, or name another file.`)
  }

  release(): void {
    if (this.#database?.isOpen !== true) return
    if (process.platform === 'win32') return this.#releaseOnWindows(this.#database)
    // Still locked: another process that opens it now finds it removed once it has the lock.
    rmSync(this.#path, { force: true })
    this.#database.close()
  }

  /** Windows removes no file that SQLite has open: this process, or another that has locked it since. */
  #releaseOnWindows(database: DatabaseSync): void {
    database.close()
    try {
      rmSync(this.#path, { force: true })
    } catch {
      // It is of the other process now.
    }
  }
}

/** Null if another process has removed it meanwhile. */
function lockedFile(path: string): DatabaseSync | 'busy' | null {
  closeSync(openRegularFile(path, 'append'))
  const before = statSync(path, { throwIfNoEntry: false })
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
    if (before !== undefined && before.ino === statSync(path, { throwIfNoEntry: false })?.ino) return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return 'busy'
    throw error
  }
  database.close()
  return null
}

/** Two names of one file share a lock. */
function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
