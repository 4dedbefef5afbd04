/** The SQLite database of an archive: its schema, how it is opened, and what becomes of a file that is not usable. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { irregularTypeAt } from '../files/regular-file.ts'
import { writeErrorText } from '../files/system-error.ts'

/** Marks the files of this program: "DCSA". */
const applicationId = 0x44435341
/** The version of the schema. A file of a later version is not touched. */
const schemaVersion = 1

const schema = `
CREATE TABLE world (
  number INTEGER PRIMARY KEY,
  -- The id of a world that its source knows again; null for one that is known by its figures and its time.
  id TEXT UNIQUE,
  session TEXT NOT NULL,
  seed TEXT NOT NULL,
  scale TEXT NOT NULL,
  scenario TEXT NOT NULL,
  sim_ns INTEGER NOT NULL,
  event_ns INTEGER NOT NULL,
  gaps INTEGER NOT NULL
) STRICT;
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  world INTEGER NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- The incident that a work order serves.
  incident INTEGER,
  -- Simulated times. An incident that is open has no end.
  from_ns INTEGER NOT NULL,
  to_ns INTEGER,
  -- Wall times; null until the first publish of a world that warms up.
  from_ms INTEGER,
  to_ms INTEGER,
  -- The record's own JSON, compressed, with a checksum.
  body BLOB NOT NULL,
  UNIQUE (world, kind, number)
) STRICT;
CREATE INDEX record_by_end ON record (world, kind, to_ms, from_ms);
CREATE INDEX record_by_simulated_end ON record (world, kind, to_ns, from_ns);
CREATE INDEX record_by_age ON record (to_ms);
CREATE INDEX record_by_incident ON record (world, incident) WHERE incident IS NOT NULL;
-- The words of a record, by its id.
CREATE VIRTUAL TABLE word USING fts5(
  text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
CREATE TABLE entity (
  world INTEGER NOT NULL,
  collection TEXT NOT NULL,
  number INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (world, collection, number)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`

/** `to_ms` of an open incident. */
export const openMs = 9_000_000_000_000_000

/** Codes of SQLite. */
const codes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notDatabase: 26,
}

export const sqliteCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

/**
 * The content of the file cannot be read, or not be added to: another file has to take its place. All writes replace
 * what is there, so that only damage, to the index of words, violates a constraint.
 */
export const isDamage = (error: unknown): boolean =>
  [codes.corrupt, codes.notDatabase, codes.constraint].includes(sqliteCode(error))

const reasons: Readonly<Record<number, string>> = {
  [codes.busy]: 'another process has it open',
  [codes.readOnly]: 'it cannot be written',
  [codes.ioError]: 'the disk has an error',
  [codes.full]: 'the disk is full',
  [codes.cannotOpen]: 'it cannot be opened',
}

export const sqliteErrorText = (error: unknown): string =>
  reasons[sqliteCode(error)] ?? (error instanceof Error ? error.message : String(error))

export interface OpenedArchive {
  readonly database: DatabaseSync
  /** The path of the file; null in memory. */
  readonly path: string | null
  /** A sentence for the operator; null if there is nothing to report. */
  readonly problem: string | null
}

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0])

/** The file is of another program, or of another version of this one. */
class ForeignFile extends Error {}

function prepareFile(database: DatabaseSync): void {
  // The operating system releases the lock, however the process ends.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0')
  const isNew = numberOf(database, 'page_count') === 0
  const [id, version] = [numberOf(database, 'application_id'), numberOf(database, 'user_version')]
  if (!isNew && id !== applicationId) throw new ForeignFile('it is a database of another program')
  if (!isNew && version !== schemaVersion)
    throw new ForeignFile(`it is of version ${version}, expected ${schemaVersion}`)
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  if (isNew) database.exec(`BEGIN; ${schema} COMMIT`)
  // Takes the lock, so that a second process is noticed now.
  database.exec('BEGIN IMMEDIATE; COMMIT')
  checkContent(database)
  if (schemaOf(database) !== expectedSchema()) throw new DamagedFile('its schema differs')
}

/** The first finding of SQLite's own check; "ok" for none. */
const findingIn = (database: DatabaseSync): string =>
  String(Object.values(database.prepare('PRAGMA integrity_check(1)').get()!)[0])

/** An index is made again from the records: in a damaged one, newer records may not be found. */
function checkContent(database: DatabaseSync): void {
  if (findingIn(database) === 'ok') return
  try {
    database.exec('REINDEX')
  } catch {
    // The finding stands.
  }
  const finding = findingIn(database)
  if (finding !== 'ok') throw new DamagedFile(finding)
}

/** SQLite checks pages, not the text of the schema, in which a flipped bit renames a column or a tokenizer. */
const schemaOf = (database: DatabaseSync): string =>
  JSON.stringify(database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all())

function expectedSchema(): string {
  const database = openInMemory()
  try {
    return schemaOf(database)
  } finally {
    database.close()
  }
}

class DamagedFile extends Error {}

function openFile(path: string): DatabaseSync {
  const type = irregularTypeAt(path)
  if (type !== null) throw new ForeignFile(`it is ${type}`)
  const database = new DatabaseSync(path)
  try {
    prepareFile(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function openInMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec(schema)
  return database
}

/** The files of a database: the log of changes belongs to it. */
const parts = ['', '-wal', '-shm']

/** Renames the files of a database that cannot be read, and returns the new path. */
function setArchiveAside(path: string): string {
  const written = statSync(path).mtime.toISOString().replaceAll(':', '-').replace(/\..*/, '')
  let aside = `${path}.${written}Z`
  for (let copy = 2; existsSync(aside); copy++) aside = `${path}.${written}Z.${copy}`
  for (const part of parts) if (existsSync(path + part)) renameSync(path + part, aside + part)
  return aside
}

/** Opens an archive. What cannot be used is set aside or left as it is, and the archive is kept in memory instead. */
export function openArchive(path: string | null): OpenedArchive {
  if (path === null) return { database: openInMemory(), path, problem: null }
  try {
    return { database: openFile(path), path, problem: null }
  } catch (error) {
    if (isDamage(error) || error instanceof DamagedFile) return replaceArchive(path, error as Error)
    const reason = error instanceof ForeignFile ? error.message : sqliteErrorText(error)
    return inMemoryInstead(`The archive ${path} is not used: ${reason}.`)
  }
}

const inMemoryInstead = (reason: string): OpenedArchive => ({
  database: openInMemory(),
  path: null,
  problem: `${reason} What happens is kept in memory until the mirror ends.`,
})

/** Sets a damaged file aside and begins a new one. */
export function replaceArchive(path: string, damage: Error): OpenedArchive {
  const opening = `The archive ${path} is damaged: ${damage.message}.`
  try {
    const aside = setArchiveAside(path)
    const problem = `${opening} It is kept as ${aside}, and a new archive begins.`
    return { database: openFile(path), path, problem }
  } catch (error) {
    return inMemoryInstead(`${opening} It cannot be replaced: ${writeErrorText(path, error)}.`)
  }
}
