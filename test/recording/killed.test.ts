import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import { FrameCursor } from '../../src/recording/frame-cursor.ts'
import { FileBytes } from '../../src/recording/recording-file.ts'
import { RecordingIndex } from '../../src/recording/recording-index.ts'
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

test(`a recording that is killed holds all that was written before (${kills} times, seed ${seed})`, async () => {
  const chance = new SeededRandom(seed)
  const quests = collectionNames.indexOf('quests')
  for (let kill = 0; kill < kills; kill++) {
    const path = join(folder, `${kill}.rec`)
    const lastReported = await recordAndKill(path, chance.below(longestMs))
    expect(existsSync(path)).toBe(true)
    const bytes = new FileBytes(path)
    const index = new RecordingIndex(bytes).scan()
    expect(['end', 'unfinished']).toContain(index.ending!.is)
    expect(index.frames.length).toBeGreaterThan(lastReported)
    const frameOf = framesOf()
    const cursor = new FrameCursor(index)
    for (let frame = 0; frame < index.frames.length; frame++) {
      const recorded = cursor.read(frame).lists[quests].bytes
      const expected = frameOf(worldOfFrame(frame)).collections.quests.bytes
      expect(Buffer.compare(recorded, expected), `frame ${frame}`).toBe(0)
    }
    bytes.close()
  }
}, 300_000)
