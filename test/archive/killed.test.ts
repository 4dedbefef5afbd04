import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { ArchiveHere } from './archived-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-archive-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = new URL('telling-process.ts', import.meta.url).pathname
const kills = 30

/** Lines of a process that tells an archive; `until` ends it. */
async function linesOf(child: ChildProcess, until: (lines: readonly string[]) => void): Promise<string[]> {
  const lines: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line)
    until(lines)
  })
  await once(child, 'close')
  return lines
}

/** The minutes of the events in a file, which has to be whole. */
function minutesIn(path: string): number[] {
  const archive = new ArchiveHere(path)
  const minutes = archive.minutes({ limit: 1e6, world: 1 })
  expect(archive.notes()).toEqual([])
  expect(archive.worlds()).toMatchObject([{ number: 1, gaps: 0 }])
  archive.close()
  return minutes
}

test(`${kills} kills lose nothing that was stored, and the next process continues`, {
  timeout: 300_000,
}, async () => {
  const path = join(folder, 'killed.db')
  const random = new SeededRandom(30)
  let stored = -1
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [program, path, String(stored + 1)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const linesMax = 1 + random.below(60)
    const lines = await linesOf(child, ({ length }) => length >= linesMax && child.kill('SIGKILL'))
    const told = lines.filter((line) => /^\d+$/.test(line)).map(Number)
    expect(told.length).toBeGreaterThan(0)
    const minutes = minutesIn(path)
    expect(minutes).toEqual(Array.from({ length: minutes.length }, (_, index) => index))
    // The last line may be lost in the pipe, and its story be stored all the same.
    expect(minutes.length).toBeGreaterThan(told.at(-1)!)
    stored = minutes.at(-1)!
  }
  expect(stored).toBeGreaterThan(kills)
})

test('a full disk: what was kept stays, and the process runs on', { timeout: 120_000 }, async () => {
  const path = join(folder, 'full.db')
  // A file of at most 256 KiB stands for the disk.
  const limited = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`
  const words = ['-c', limited, process.execPath, program, path, '0', '400']
  const child = spawn('dash', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = await linesOf(child, () => {})
  const note = lines.find((line) => !/^\d+$/.test(line))
  expect(note).toMatch(
    /^The archive cannot be written: the disk .+\. It is tried again; what it has is kept\.$/,
  )
  expect(child.exitCode).toBe(0)
  const archive = new ArchiveHere(path)
  expect(archive.notes()).toEqual([])
  const stored = archive.minutes({ limit: 1e6, world: 1 })
  expect(stored.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, index) => index))
  archive.close()
})
