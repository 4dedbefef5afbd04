import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { ArchiveHere, eventAt, incidentOf, TellingSource } from './archived-world.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dcsim-archive-damage-'))
  path = join(folder, 'archive.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const eventCount = 300

/** A closed archive with some hundred records. */
function writeArchive(): void {
  const archive = new ArchiveHere(path)
  const source = new TellingSource()
  const events = Array.from({ length: eventCount }, (_, index) => eventAt(index))
  const resolved = Array.from({ length: 40 }, (_, index) => incidentOf(index + 1, index, index + 5))
  archive.tell(source.at(eventCount, { events, resolved }))
  archive.close()
}

const storyAfter = (minute: number) => new TellingSource().at(minute, { events: [eventAt(minute - 1)] })

/** Serves: it accepts what happens, and has it. */
function expectServing(archive: ArchiveHere): void {
  archive.tell(storyAfter(1_000))
  expect(archive.minutes()).toContain(999)
}

test('200 flipped bytes: each time the archive serves, and keeps the rest or is set aside', () => {
  writeArchive()
  const sound = readFileSync(path)
  const random = new SeededRandom(36)
  const outcomes = { whole: 0, lacking: 0, aside: 0 }
  const [notes, kept]: [string[], number[]] = [[], []]
  for (let flip = 0; flip < 200; flip++) {
    const bytes = Buffer.from(sound)
    bytes[random.below(bytes.length)] ^= 1 << random.below(8)
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    writeFileSync(path, bytes)
    const archive = new ArchiveHere(path)
    expectServing(archive)
    const aside = readdirSync(folder).filter((name) => /\.db\.\d{4}.*Z(?:\.\d+)?$/.test(name))
    const isWhole = archive.minutes().length === eventCount + 1 && archive.ids().length === 40
    outcomes[aside.length > 0 ? 'aside' : isWhole ? 'whole' : 'lacking']++
    notes.push(...archive.notes().filter(() => aside.length > 0))
    kept.push(...aside.map((name) => readFileSync(join(folder, name)).length))
    archive.close()
  }
  for (const note of notes)
    expect(note).toMatch(/^The archive \S+ is damaged: .+ It is kept as \S+, and a new archive begins\.$/s)
  expect(notes).toHaveLength(outcomes.aside)
  expect(Math.min(...kept)).toBeGreaterThanOrEqual(sound.length)
  expect(outcomes.whole + outcomes.lacking + outcomes.aside).toBe(200)
  expect(outcomes.aside).toBeGreaterThan(0)
  expect(outcomes.lacking).toBeGreaterThan(0)
})

test('a damaged index is made again, and no record is lost', () => {
  writeArchive()
  const define = (sql: string, then: string): void => {
    const database = new DatabaseSync(path)
    database.enableDefensive(false)
    const [column, other] = sql.split(' → ')
    database.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '${column}', '${other}') WHERE name = 'record_by_end'`)
    database.close()
    const next = new DatabaseSync(path)
    next.exec(then)
    next.close()
  }
  // Its entries have other values, as if bits of them had flipped.
  define('kind, to_ms → kind, -to_ms', 'REINDEX record_by_end')
  define('kind, -to_ms → kind, to_ms', '')
  const archive = new ArchiveHere(path)
  expectServing(archive)
  expect(archive.minutes({ fromMs: 0 })).toHaveLength(eventCount + 1)
  expect(archive.notes()).toEqual([])
  archive.close()
})

/** Replaces a piece of the schema by another of the same length, which SQLite's check of pages does not notice. */
function damageSchema(found: string, damaged: string): void {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(found)
  expect(at).toBeGreaterThan(0)
  bytes.write(damaged, at)
  writeFileSync(path, bytes)
}

test.each([
  ['a column', 'json TEXT', 'jsof TEXT'],
  ['the tokenizer', 'unicode61', 'unicoee61'],
])('a schema with a damaged name of %s is set aside', (_, found, damaged) => {
  writeArchive()
  damageSchema(found, damaged)
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([expect.stringContaining('is damaged: ')])
  expectServing(archive)
  expect(archive.minutes({ text: 'customer' })).toEqual([999])
  archive.close()
})

test('the tables of the index of words: a file of another SQLite, in which they differ, would be set aside', () => {
  writeArchive()
  const database = new DatabaseSync(path)
  const rows = database.prepare("SELECT sql FROM sqlite_schema WHERE name GLOB 'word_*' ORDER BY name").all()
  database.close()
  expect(rows.map(({ sql }) => sql)).toEqual([
    "CREATE TABLE 'word_config'(k PRIMARY KEY, v) WITHOUT ROWID",
    "CREATE TABLE 'word_data'(id INTEGER PRIMARY KEY, block BLOB)",
    "CREATE TABLE 'word_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)",
    "CREATE TABLE 'word_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
  ])
})

test('a file that is no database is set aside', () => {
  writeFileSync(path, 'PK\u0003\u0004 a zip file '.repeat(100))
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([
    expect.stringMatching(
      /^The archive \S+ is damaged: file is not a database\. It is kept as \S+Z, and a new archive begins\.$/,
    ),
  ])
  expectServing(archive)
  archive.close()
})

test.each([
  ['PRAGMA user_version = 2', 'it is of version 2, expected 1'],
  ['PRAGMA user_version = 0', 'it is of version 0, expected 1'],
  ['PRAGMA application_id = 7', 'it is a database of another program'],
])('a file with %s is left alone', (pragma, reason) => {
  writeArchive()
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = DELETE; ${pragma}`)
  database.close()
  const before = readFileSync(path)
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([
    `The archive ${path} is not used: ${reason}. What happens is kept in memory until the mirror ends.`,
  ])
  expectServing(archive)
  archive.close()
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a second process leaves the file to the first', () => {
  const first = new ArchiveHere(path)
  const second = new ArchiveHere(path)
  expect(second.notes()).toEqual([
    `The archive ${path} is not used: another process has it open. What happens is kept in memory until the mirror ends.`,
  ])
  expectServing(second)
  expectServing(first)
  expect(first.notes()).toEqual([])
  second.close()
  first.close()
})

test.each(['/proc/archive.db', '/dev/full'])('a place that cannot be written: %s', (place) => {
  const archive = new ArchiveHere(place)
  expect(archive.notes()).toEqual([expect.stringContaining('What happens is kept in memory')])
  expectServing(archive)
  archive.close()
})

test('an index of words that takes no more is set aside, although SQLite finds nothing wrong', () => {
  writeArchive()
  const database = new DatabaseSync(path, { defensive: false })
  // Where the next parts of the index would begin.
  for (let part = 1; part < 50; part++)
    database.exec(`INSERT OR IGNORE INTO word_idx (segid, term, pgno) VALUES (${part}, x'', 2)`)
  database.close()
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([])
  expectServing(archive)
  expect(archive.notes()).toEqual([
    expect.stringMatching(/is damaged: constraint failed\. It is kept as \S+Z, and a new archive begins\.$/),
  ])
  archive.close()
})

test('damage that is noticed while it runs sets the file aside, and the archive continues', () => {
  writeArchive()
  const bytes = readFileSync(path)
  const archive = new ArchiveHere(path)
  archive.tell(storyAfter(500))
  archive.close()
  expect(existsSync(path)).toBe(true)
  // Pages beyond the first, by which the file is still known.
  for (let at = 8_192; at < bytes.length; at++) bytes[at] = 0x5a
  cpSync(path, `${path}.sound`)
  writeFileSync(path, bytes)
  const damaged = new ArchiveHere(path)
  expect(damaged.notes()).toEqual([expect.stringContaining('is damaged')])
  expectServing(damaged)
  damaged.close()
})

test('a damaged name of an entity is left out, and counts as an error', () => {
  const archive = new ArchiveHere(path)
  const told = { resolved: [incidentOf(1, 5, 10, { affected_customer_ids: [5, 6] })] }
  archive.tell(new TellingSource().at(20, told))
  for (const id of [5n, 6n])
    archive.learn([{ collection: 'customers', id, json: `{"id":${id},"name":"Clover ${id}"}` }])
  archive.close()
  const database = new DatabaseSync(path)
  database.exec(`UPDATE entity SET json = '{"id":5,"nam' WHERE number = 5`)
  database.close()
  const again = new ArchiveHere(path)
  again.tell(new TellingSource().at(30, told))
  expect(again.ask().entities).toEqual([
    { collection: 'customers', id: 6n, record: { id: 6, name: 'Clover 6' } },
  ])
  again.tell(new TellingSource().at(40))
  expect(again.posted.findLast(({ kind }) => kind === 'told')).toMatchObject({ figures: { errors: 1 } })
  again.close()
})
