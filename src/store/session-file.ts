/** The file of a session: an SQLite database. One process owns it, and others may read it at the same time. */
import { closeSync, existsSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { irregularTypeAt, openRegularFile } from '../files/regular-file.ts'
import { writeErrorText } from '../files/system-error.ts'
import { FileHeldError, OwnerLock } from './owner-lock.ts'
import { salvage } from './salvage.ts'
import type { FillWords } from './salvage.ts'
import { applicationId, schema, schemaOf, schemaVersion } from './schema.ts'
import { isDamage, sqliteErrorText } from './sqlite-error.ts'
import { pragmaNumber } from './statements.ts'

/** The file is of another program, or of another version of this one: it is left as it is. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError'
}

/** The content cannot be read, though the file is one of this program. */
class DamagedFileError extends Error {}

/** A file that this process owns. */
export interface OwnedFile {
  /** Null where the file cannot be used. */
  readonly path: string | null
  /** A sentence for the operator; null if there is nothing to report. */
  readonly problem: string | null
  /** Whether it was damaged: a part of it may be lost. */
  readonly isMended: boolean
  readonly release: () => void
}

const magic = 'SQLite format 3\0'
const [applicationIdAt, headBytes] = [68, 72]

/** Files of this program from before a file held a session. */
const formerFiles: Readonly<Record<string, string>> = {
  DCSIMST2: 'a state file of an earlier version',
  'dcsim-mirror recording': 'a recording of an earlier version',
}

function headOf(path: string): Buffer {
  const head = Buffer.alloc(headBytes)
  const file = openRegularFile(path, 'read')
  try {
    return head.subarray(0, readSync(file, head, 0, headBytes, 0))
  } finally {
    closeSync(file)
  }
}

/** The type of a file that is not one of this program; null for one that may be, an empty and a missing one. */
function foreignTypeOf(path: string): string | null {
  const type = irregularTypeAt(path)
  if (type !== null) return type
  if (!existsSync(path)) return null
  const head = headOf(path)
  // A crash of the machine may leave zeros.
  if (head.every((byte) => byte === 0)) return null
  const text = head.toString('latin1')
  if (!text.startsWith(magic)) {
    const former = Object.keys(formerFiles).find((one) => text.startsWith(one))
    return former === undefined
      ? `a file that begins with ${JSON.stringify(text.slice(0, magic.length)).replaceAll(/[^ -~]/g, '?')}`
      : formerFiles[former]
  }
  const id = head.length < headBytes ? 0 : head.readUInt32BE(applicationIdAt)
  // It is 0 in a database whose first transaction is still in the log of changes.
  return id === 0 || id === applicationId ? null : 'a database of another program'
}

/** Throws a `ForeignFileError` for a file that is not one of this program. It is not opened. */
export function refuseForeignFile(path: string): void {
  const type = foreignTypeOf(path)
  if (type !== null)
    throw new ForeignFileError(`${path} is ${type}, expected a file of this program or a new one`)
}

/** A new one in memory if the path is null. Temporary data is too, as a container has no place for its files. */
export function openSession(path: string | null): DatabaseSync {
  const database = new DatabaseSync(path ?? ':memory:')
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY')
  if (path === null) database.exec(`PRAGMA auto_vacuum = INCREMENTAL; ${schema}`)
  return database
}

/** The size of the file, its log of changes included. */
export const fileBytes = (database: DatabaseSync): number =>
  pragmaNumber(database, 'page_count') * pragmaNumber(database, 'page_size')

/** Throws a `ForeignFileError` for a database of another program, or of another version of this one. */
export function refuseOtherVersion(database: DatabaseSync, path: string): void {
  const [id, version] = [pragmaNumber(database, 'application_id'), pragmaNumber(database, 'user_version')]
  if (pragmaNumber(database, 'page_count') === 0) throw new ForeignFileError(`${path} is empty`)
  if (id !== applicationId) throw new ForeignFileError(`${path} is a database of another program`)
  if (version !== schemaVersion)
    throw new ForeignFileError(`${path} is of version ${version}, expected ${schemaVersion}`)
}

/** Throws for a file that cannot be used. */
function prepare(path: string): void {
  const database = openSession(path)
  try {
    // A process may have been killed before its first transaction.
    const isNew =
      pragmaNumber(database, 'application_id') === 0 &&
      database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
    if (!isNew) refuseOtherVersion(database, path)
    else database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; BEGIN; ${schema} COMMIT`)
    const finding = String(Object.values(database.prepare('PRAGMA integrity_check(1)').get()!)[0])
    if (finding !== 'ok') throw new DamagedFileError(finding)
    if (schemaOf(database) !== expectedSchema()) throw new DamagedFileError('its schema differs')
  } finally {
    database.close()
  }
}

function expectedSchema(): string {
  const database = openSession(null)
  try {
    return schemaOf(database)
  } finally {
    database.close()
  }
}

/** The log of changes belongs to a database. */
const parts = ['', '-wal', '-shm']

/** An unused path that tells when the file was written. */
function asidePath(path: string): string {
  const written = statSync(path).mtime.toISOString().replaceAll(':', '-').replace(/\..*/, '')
  let aside = `${path}.${written}Z`
  for (let copy = 2; existsSync(aside); copy++) aside = `${path}.${written}Z.${copy}`
  return aside
}

/** Copies a file that is in use, and returns the path of the copy. */
export function copySession(database: DatabaseSync, path: string): string {
  const aside = asidePath(path)
  return writeWhole(aside, () => {
    database.prepare('VACUUM INTO ?').run(aside)
    return aside
  })
}

/** Renames a file that cannot be read, and returns the new path. */
function setAside(path: string): string {
  const aside = asidePath(path)
  for (const part of parts) if (existsSync(path + part)) renameSync(path + part, aside + part)
  return aside
}

/** Writes a database under a name of its own, of which nothing is left if that fails. */
function writeWhole<T>(path: string, write: () => T): T {
  removeSessionFile(path)
  try {
    return write()
  } catch (error) {
    removeSessionFile(path)
    throw error
  }
}

export const removeSessionFile = (path: string): void =>
  parts.forEach((part) => rmSync(path + part, { force: true }))

/** Makes a new file with what can be read of a damaged one. Returns the number of rows. */
function salvageInto(path: string, damaged: string, fillWords: FillWords): number {
  prepare(path)
  const database = openSession(path)
  try {
    return salvage(damaged, database, fillWords)
  } finally {
    database.close()
  }
}

/**
 * Replaces a damaged file, which is kept, by a new one with what can be read of it. Returns a sentence for the operator.
 * The damaged one stays in place until the new one is complete: the next start tries again.
 */
function mend(path: string, damage: Error, fillWords: FillWords): string {
  const mending = `${path}.mending`
  const rows = writeWhole(mending, () => salvageInto(mending, path, fillWords))
  const aside = setAside(path)
  renameSync(mending, path)
  const saved = rows === 0 ? 'nothing of it can be read' : `the new one has the ${rows} rows that can be read`
  return `The file ${path} is damaged: ${sqliteErrorText(damage)}. It is kept as ${aside}; ${saved}.`
}

/**
 * Takes a file for this process, and mends it if it is damaged. Throws a `ForeignFileError` or a `FileHeldError` for one
 * that has to be left alone; where the file cannot be written, the session is kept in memory.
 */
export function ownSessionFile(path: string, fillWords: FillWords): OwnedFile {
  refuseForeignFile(path)
  let lock: OwnerLock | null = null
  try {
    lock = new OwnerLock(path)
    const problem = checkedOrMended(path, fillWords)
    return { path, problem, isMended: problem !== null, release: () => lock?.release() }
  } catch (error) {
    lock?.release()
    if (error instanceof ForeignFileError || error instanceof FileHeldError) throw error
    const reason = isSystemError(error) ? writeErrorText(path, error) : sqliteErrorText(error)
    const problem = `The file ${path} cannot be used: ${reason}.`
    return { path: null, problem, isMended: false, release: () => {} }
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error

function checkedOrMended(path: string, fillWords: FillWords): string | null {
  try {
    prepare(path)
    return null
  } catch (error) {
    if (!isDamage(error) && !(error instanceof DamagedFileError)) throw error
    return mend(path, error as Error, fillWords)
  }
}
