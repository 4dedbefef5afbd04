import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fillWords } from '../../src/store/archive/word-index.ts'
import { addRow, setFault } from '../../src/store/game-day-rows.ts'
import { salvagedTables } from '../../src/store/schema.ts'
import { openSession, ownSessionFile } from '../../src/store/session-file.ts'
import { saveState } from '../../src/store/world-state.ts'
import { WorldLog } from '../../src/store/world-log.ts'
import { RecordedSession } from '../recording/recorded.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { headOfSave, sectionsOfSave, worldId } from './saved-by-process.ts'
import { ArchiveHere, eventAt, FeedSource } from '../archive/archived-world.ts'
import { eraseRoot } from '../fixtures/erased-root.ts'
import { isPosix } from '../fixtures/tools.ts'

const program = join(import.meta.dirname, 'owning-process.ts')
const eventCount = 1_000

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dcsim-mending-'))
  path = join(folder, 'archive.db')
  writeDamaged()
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A closed archive, of which an index is lost: all of its rows can be read. */
function writeDamaged(): void {
  const archive = new ArchiveHere(path)
  const events = Array.from({ length: eventCount }, (_, index) => eventAt(index))
  archive.tell(new FeedSource().at(eventCount, { events }))
  archive.close()
  eraseRoot(path, 'record_by_age')
}

/** Starts on the file: all rows are in the new one, and the damaged one is kept. */
function expectMended(damaged: Buffer): void {
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([expect.stringMatching(/is damaged: .*; the new one has the \d+ rows/)])
  expect(archive.minutes({ text: 'customer', limit: 1e6, world: 1 })).toHaveLength(eventCount)
  archive.close()
  const names = readdirSync(folder)
  expect(names).toEqual(['archive.db', expect.stringMatching(/^archive\.db\.\d{4}.*Z$/)])
  expect(readFileSync(join(folder, names[1])).equals(damaged)).toBe(true)
}

test.runIf(isPosix)('a full disk leaves the damaged file in place, and the next start mends it', () => {
  const damaged = readFileSync(path)
  // A file of at most half the size stands for the disk.
  const limited = `trap '' XFSZ; ulimit -f ${Math.floor(statSync(path).size / 2 / 512)}; exec "$0" "$@"`
  const { stdout } = spawnSync('dash', ['-c', limited, process.execPath, program, path], { encoding: 'utf8' })
  expect(stdout).toMatch(/^The file \S+ cannot be used: the disk .+\.\n$/)
  expect(readdirSync(folder)).toEqual(['archive.db'])
  expect(readFileSync(path).equals(damaged)).toBe(true)
  expectMended(damaged)
})

test('a kill while a file is mended leaves it in place, and the next start mends it', () => {
  const damaged = readFileSync(path)
  const { status, signal } = spawnSync(process.execPath, [program, path, 'killed'])
  expect([status, signal]).toEqual(isPosix ? [null, 'SIGKILL'] : [1, null])
  rmSync(`${path}-lock`, { force: true })
  expect(readFileSync(path).equals(damaged)).toBe(true)
  expectMended(damaged)
})

/** Rows by table. */
function rowsIn(file: string): Record<string, number> {
  const database = openSession(file)
  const counted = salvagedTables.map((table) => {
    const { rows } = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }
    return [table, rows] as const
  })
  database.close()
  return Object.fromEntries(counted)
}

const indexes =
  'record_by_end record_by_simulated_end record_by_age record_by_incident sqlite_autoindex_record_1 ' +
  'word_data word_idx word_docsize word_config'

test.each([...salvagedTables, ...indexes.split(' ')])('a flipped byte costs %s alone', async (damaged) => {
  const file = join(folder, 'all.dcsim')
  ownSessionFile(file, fillWords).release()
  const archive = new ArchiveHere(file)
  archive.tell(new FeedSource().at(5, { events: [eventAt(1), eventAt(2)] }))
  archive.close()
  const database = openSession(file)
  database.exec(`INSERT INTO entity VALUES (1, 'hosts', 1, '{}', 0, 0)`)
  await saveState(database, headOfSave(1), sectionsOfSave(1))
  new WorldLog(database, worldId).published({ publishSeq: 1, simTimeNs: 1n })
  new WorldLog(database, worldId).took({ taken: 1, at: 1, label: 'line 1', text: '{}' })
  new RecordedSession(database).record(snapshotWith({}, { simTimeNs: 1n }))
  for (const table of ['game_day_log', 'answer'] as const) addRow(database, table, { text: 'by the team' })
  setFault(database, { world: worldId, fault: 1, isOver: false }, {})
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(damaged)!
  database.close()
  const before = rowsIn(file)
  expect(Object.values(before)).not.toContain(0)
  const bytes = readFileSync(file)
  // The kind of the page.
  bytes[(Number(rootpage) - 1) * 4_096] ^= 0x40
  writeFileSync(file, bytes)
  const { problem, release } = ownSessionFile(file, fillWords)
  release()
  expect(problem).toMatch(/^The file \S+ is damaged: .+\. It is kept as \S+; the new one has the \d+ rows /)
  expect(rowsIn(file)).toEqual({ ...before, ...(damaged in before && { [damaged]: 0 }) })
})
