import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eraseRoot } from '../fixtures/erased-root.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { ArchiveHere, eventAt, incidentOf, FeedSource } from './archived-world.ts'

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
  const source = new FeedSource()
  const events = Array.from({ length: eventCount }, (_, index) => eventAt(index))
  const resolved = Array.from({ length: 40 }, (_, index) => incidentOf(index + 1, index, index + 5))
  archive.tell(source.at(eventCount, { events, resolved }))
  archive.close()
}

const changesAfter = (minute: number) => new FeedSource().at(minute, { events: [eventAt(minute - 1)] })

/** Serves: it accepts what happens, and has it. */
function expectServing(archive: ArchiveHere): void {
  archive.tell(changesAfter(1_000))
  expect(archive.minutes()).toContain(999)
}

const asideIn = (): string[] => readdirSync(folder).filter((name) => /\.db\.\d{4}.*Z(?:\.\d+)?$/.test(name))

/** Counts the records that are left, once another batch has come. */
function leftOf(archive: ArchiveHere): { events: number; incidents: number; found: number } {
  archive.tell(changesAfter(1_000))
  return {
    events: archive.minutes().length - 1,
    incidents: archive.ids().length,
    found: archive.minutes({ text: 'customer' }).length - 1,
  }
}

test('200 flipped bytes: each time the archive serves, and keeps the rest', () => {
  writeArchive()
  const sound = readFileSync(path)
  const random = new SeededRandom(36)
  const outcomes = { whole: 0, lacking: 0, mended: 0 }
  const [notes, left, kept]: [string[], number[], number[]] = [[], [], []]
  for (let flip = 0; flip < 200; flip++) {
    const bytes = Buffer.from(sound)
    // Beyond the bytes by which a file is known.
    bytes[100 + random.below(bytes.length - 100)] ^= 1 << random.below(8)
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    writeFileSync(path, bytes)
    const archive = new ArchiveHere(path)
    const { events, incidents } = leftOf(archive)
    const isMended = asideIn().length > 0
    const isWhole = events === eventCount && incidents === 40
    outcomes[isMended ? 'mended' : isWhole ? 'whole' : 'lacking']++
    left.push(events + incidents)
    notes.push(...archive.notes().filter(() => isMended))
    kept.push(...asideIn().map((name) => readFileSync(join(folder, name)).length))
    archive.close()
  }
  for (const note of notes)
    expect(note).toMatch(/^The file \S+ is damaged: .+ It is kept as \S+; the new one has the \d+ rows that/)
  expect(notes).toHaveLength(outcomes.mended)
  expect(kept.every((length) => length === sound.length)).toBe(true)
  // Few bytes name a table, or lead to its first page.
  expect(left.filter((count) => count > 250).length).toBeGreaterThan(190)
  expect(outcomes.mended).toBeGreaterThan(20)
  expect(outcomes.lacking).toBeGreaterThan(0)
})

const all = { events: eventCount, incidents: 40, found: eventCount }

test('entries of an index that have other values are noticed, and no record is lost', () => {
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
  // As if bits of them had flipped.
  define('kind, to_ms → kind, -to_ms', 'REINDEX record_by_end')
  define('kind, -to_ms → kind, to_ms', '')
  const archive = new ArchiveHere(path)
  expect(leftOf(archive)).toEqual(all)
  expect(archive.notes()).toHaveLength(1)
  archive.close()
})

test.each([
  ['a column', 'json TEXT', 'jsof TEXT'],
  ['the tokenizer', 'unicode61', 'unicoee61'],
])('a schema with a damaged name of %s is mended', (_, found, damaged) => {
  writeArchive()
  const bytes = readFileSync(path)
  // Some are in space that is not used.
  for (let at = bytes.indexOf(found); at >= 0; at = bytes.indexOf(found)) bytes.write(damaged, at)
  writeFileSync(path, bytes)
  const archive = new ArchiveHere(path)
  expect(leftOf(archive)).toEqual(all)
  expect(archive.notes()).toEqual([expect.stringContaining('is damaged: ')])
  archive.close()
})

test('the tables of the index of words: a file of another SQLite, in which they differ, would be mended', () => {
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

test('an index of words that takes no more, although SQLite finds nothing wrong, is made again', () => {
  writeArchive()
  const database = new DatabaseSync(path, { defensive: false })
  // Where the next parts of the index would begin.
  for (let part = 1; part < 50; part++)
    database.exec(`INSERT OR IGNORE INTO word_idx (segid, term, pgno) VALUES (${part}, x'', 2)`)
  database.close()
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([])
  expect(leftOf(archive)).toEqual(all)
  expect(archive.notes()).toEqual(['The index of words was damaged, and is made again from the records.'])
  expect(asideIn()).toEqual([])
  archive.close()
})

test('a name whose bytes are damaged is left out, and counts', () => {
  const archive = new ArchiveHere(path)
  const incident = incidentOf(1, 3, 9, { affected_customer_ids: [5, 6] })
  archive.tell(new FeedSource().at(10, { resolved: [incident] }))
  archive.learn([
    { collection: 'customers', id: 5n, json: '{"id":5,"name":"Clover Vale"}' },
    { collection: 'customers', id: 6n, json: '{"id":6,"name":"Pewter Hill"}' },
  ])
  archive.close()
  const database = new DatabaseSync(path)
  database.exec(`UPDATE entity SET json = replace(json, 'Pewter', 'Qewter')`)
  database.close()
  const again = new ArchiveHere(path)
  again.tell(new FeedSource().at(11, { resolved: [incident] }))
  expect(again.ask().entities.map(({ id }) => id)).toEqual([5n])
  again.tell(new FeedSource().at(12))
  expect(again.posted.findLast(({ kind }) => kind === 'stored')).toMatchObject({ figures: { errors: 1 } })
  again.close()
})

describe('is refused, and left alone', () => {
  test.each([
    ['PK\u0003\u0004 a zip file', /is a file that begins with "PK.* a zip file", expected a file of this/],
    ['notes', /is a file that begins with "notes", expected/],
    ['DCSIMST2 and so on', /is a state file of an earlier version, expected/],
    ['dcsim-mirror recording 2\n', /is a recording of an earlier version, expected/],
  ])('a file that is no database: %j', (content, reason) => {
    writeFileSync(path, content)
    expect(() => new ArchiveHere(path)).toThrow(reason)
    expect(readFileSync(path, 'utf8')).toBe(content)
    expect(readdirSync(folder)).toEqual(['archive.db'])
  })

  test.each([
    ['PRAGMA user_version = 5', 'is of version 5, expected 4'],
    ['PRAGMA user_version = 1', 'is of version 1, expected 4'],
    ['PRAGMA application_id = 7', 'is a database of another program'],
    ['PRAGMA application_id = 0', 'is a database of another program'],
  ])('a file with %s', (pragma, reason) => {
    writeArchive()
    const database = new DatabaseSync(path)
    database.exec(`PRAGMA journal_mode = DELETE; ${pragma}`)
    database.close()
    const before = readFileSync(path)
    expect(() => new ArchiveHere(path)).toThrow(reason)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(asideIn()).toEqual([])
  })

  test('a file that another process has', () => {
    const first = new ArchiveHere(path)
    expect(() => new ArchiveHere(path)).toThrow(
      `${path} is in use by another process. End that one, or name another file.`,
    )
    expectServing(first)
    first.close()
    const next = new ArchiveHere(path)
    expectServing(next)
    next.close()
  })
})

test('a file whose creation was interrupted is a new one', () => {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
  database.close()
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([])
  expectServing(archive)
  archive.close()
})

test('a file that a crash of the machine left as zeros is kept, and a new one begins', () => {
  writeFileSync(path, Buffer.alloc(8_192))
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([expect.stringMatching(/is damaged: .* nothing of it can be read\.$/)])
  expectServing(archive)
  archive.close()
})

test('a place that cannot be written', () => {
  const place = join(folder, 'missing', 'archive.db')
  const archive = new ArchiveHere(place)
  expect(archive.notes()).toEqual([
    `The file ${place} cannot be used: there is no directory ${join(folder, 'missing')}.`,
  ])
  expectServing(archive)
  archive.close()
})

test('damage that appears while it runs costs neither file nor process, and is mended at the next start', () => {
  const archive = new ArchiveHere(path)
  expectServing(archive)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  eraseRoot(path, 'record')
  for (let minute = 1_100; minute < 1_110; minute++) archive.tell(changesAfter(minute))
  expect(archive.notes()).toHaveLength(1)
  archive.close()
  expect(asideIn()).toEqual([])
  const next = new ArchiveHere(path)
  expect(next.notes()).toEqual([expect.stringContaining('is damaged')])
  next.tell(changesAfter(2_000))
  expect(next.minutes()).toEqual([1_999])
  next.close()
})
