import { closeSync, realpathSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openRegularFile } from '../files/regular-file.ts'
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
  readonly #path: string
  readonly #database: DatabaseSync

  /** Throws a `FileHeldError`, or the error of the system where the file beside cannot be created. */
  constructor(path: string) {
    this.#path = `${resolved(path)}-lock`
    closeSync(openRegularFile(this.#path, 'append'))
    const inode = inodeOf(this.#path)
    this.#database = new DatabaseSync(this.#path)
    try {
      this.#database.exec(
        'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE',
      )
      this.#database.exec('BEGIN EXCLUSIVE')
      // An owner that ends just now has removed the file that is locked here.
      if (inode !== null && inode === inodeOf(this.#path)) return
    } catch (error) {
      this.#database.close()
      if (!isBusy(error)) throw error
    }
    if (this.#database.isOpen) this.#database.close()
    throw new FileHeldError(`${path} is in use by another process. End that one, or name another file.`)
  }

  release(): void {
    if (!this.#database.isOpen) return
    // Still locked: another process that opens it now finds it removed. Windows removes no file that is open.
    if (process.platform === 'win32') this.#database.close()
    try {
      rmSync(this.#path, { force: true })
    } catch {
      // On Windows, another process may have it open.
    }
    if (this.#database.isOpen) this.#database.close()
  }
}

const inodeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.ino ?? null

/** Two names of one file share a lock. */
function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
