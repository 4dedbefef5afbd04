import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { ArchiveHere } from './archived-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-archive-full-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = new URL('telling-process.ts', import.meta.url).pathname

/** Lines of a process that tells an archive. */
async function linesOf(child: ChildProcess): Promise<string[]> {
  const lines: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  await once(child, 'close')
  return lines
}

test('a full disk: what was kept stays, and the process runs on', { timeout: 120_000 }, async () => {
  const path = join(folder, 'full.db')
  // A file of at most 256 KiB stands for the disk.
  const limited = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`
  const words = ['-c', limited, process.execPath, program, path, '400']
  const child = spawn('dash', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = await linesOf(child)
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
