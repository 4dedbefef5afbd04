import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import { FrameCursor } from '../../src/store/recording/frame-cursor.ts'
import { RecordedFrames } from '../../src/store/recording/recorded-frames.ts'
import { readSessionFile } from '../../src/store/read-session-file.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { worldOfFrame } from './killed-world.ts'
import { framesOf } from './recorded.ts'

const writer = fileURLToPath(new URL('killed-writer.ts', import.meta.url))
/** The number of recorders to kill, and the longest delay. */
const kills = Number(process.env['DCSIM_TEST_KILLS'] ?? 4)
const longestMs = 400

const folder = mkdtempSync(join(tmpdir(), 'dcsim-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Kills a recorder some time after its first frame. Returns the last frame that it reported as written. */
async function recordAndKill(path: string, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  child.kill('SIGKILL')
  await ended
  return Number(/(\d+)\n[^\n]*$/.exec(output)![1])
}

const seed = Number(process.env['DCSIM_TEST_SEED'] ?? Date.now() % 1_000_000)

test(`a recorder that is killed loses at most the frame that it was writing, and the next one continues (${kills} times, seed ${seed})`, {
  timeout: 60_000 + 10_000 * kills,
}, async () => {
  const chance = new SeededRandom(seed)
  const quests = collectionNames.indexOf('quests')
  const path = join(folder, 'killed.dcsim')
  let [before, checked] = [0, 0]
  for (let kill = 0; kill < kills; kill++) {
    const acknowledged = await recordAndKill(path, chance.below(longestMs))
    readSessionFile(path, (database) => {
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      const frames = new RecordedFrames(() => database)
      const rows = [...frames.rows()]
      expect(rows.map(({ number }) => number)).toEqual(rows.keys().toArray())
      const written = rows.length - before
      expect(written === acknowledged + 1 || written === acknowledged + 2).toBe(true)
      const [frameOf, cursor] = [framesOf(), new FrameCursor(frames)]
      for (let frame = 0; frame < written; frame++, checked++) {
        const { number, key } = rows[before + frame]
        const recorded = cursor.read(number, key).lists[quests].bytes
        const expected = frameOf(worldOfFrame(frame)).collections.quests.bytes
        expect(Buffer.compare(recorded, expected), `frame ${frame}`).toBe(0)
      }
      before = rows.length
    })
  }
  expect(checked).toBe(before)
})
