import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ArchiveHere, eventAt, FeedSource } from '../archive/archived-world.ts'
import { eraseRoot } from '../fixtures/erased-root.ts'

const program = new URL('owning-process.ts', import.meta.url).pathname
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

test('a full disk leaves the damaged file in place, and the next start mends it', () => {
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
  const { signal } = spawnSync(process.execPath, [program, path, 'killed'])
  expect(signal).toBe('SIGKILL')
  rmSync(`${path}-lock`, { force: true })
  expect(readFileSync(path).equals(damaged)).toBe(true)
  expectMended(damaged)
})
