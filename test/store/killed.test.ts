import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openSession } from '../../src/store/session-file.ts'
import { WorldLog } from '../../src/store/world-log.ts'
import { ArchiveHere } from '../archive/archived-world.ts'
import { savedIn } from '../fixtures/session-file.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { actionEvery, headOfSave, sectionsOfSave, worldId } from './saved-by-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-store-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = join(import.meta.dirname, 'saving-process.ts')
/** `DCSIM_TEST_KILLS=1000` for a long run. */
const kills = Number(process.env['DCSIM_TEST_KILLS'] ?? 25)
/** Every so many of them are at the end of a transaction. */
const transactionEvery = 5

interface Kill {
  readonly linesMax: number
  readonly transactionsMax: number
}

/** The greatest number of each kind of line that a process printed before it was killed. */
async function acknowledged(
  path: string,
  from: number,
  { linesMax, transactionsMax }: Kill,
): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [program, path, String(from), String(transactionsMax)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const last = new Map<string, number>()
  let count = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [kind, number] = line.split(' ')
    last.set(kind, Number(number))
    if (++count >= linesMax) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return last
}

const isCounted = (numbers: readonly number[], step: number): boolean =>
  numbers.every((number, index) => number === step * index)

/** The number of the saved world, if it is one, whole; -1 for none. */
function wholeSave(path: string): number {
  const saved = savedIn(path)
  if (saved === null) return -1
  const { publishSeq } = saved.head
  const sections = Object.entries(sectionsOfSave(publishSeq))
  const isWhole = sections.every(
    ([name, bytes]) => Buffer.compare(bytes, saved.sections[name as 'world']) === 0,
  )
  return isWhole && isDeepStrictEqual(headOfSave(publishSeq), saved.head) ? publishSeq : Number.NaN
}

/** The content of a file after a kill, in the terms of the lines that were printed. */
function contentOf(path: string) {
  const archive = new ArchiveHere(path)
  const notes = archive.notes()
  const events = archive.minutes({ limit: 1e6, world: 1 })
  archive.close()
  const database = openSession(path)
  const { lastPublish, actions } = new WorldLog(database, worldId)
  const check = Object.values(database.prepare('PRAGMA integrity_check').get()!)[0]
  database.close()
  return {
    notes,
    check,
    publish: lastPublish!.publishSeq,
    isOnce:
      isCounted(events, 1) &&
      isCounted(
        actions.map(({ taken }) => taken),
        actionEvery,
      ),
    last: {
      p: lastPublish!.publishSeq,
      e: events.length - 1,
      a: actionEvery * (actions.length - 1),
      s: wholeSave(path),
    },
  }
}

test(`${kills} kills amid saves, publishes, actions and events lose nothing that was done, and leave nothing twice`, {
  timeout: 60_000 + 10_000 * kills,
}, async () => {
  const path = join(folder, 'killed.dcsim')
  const random = new SeededRandom(50)
  let [next, savedMax] = [0, -1]
  for (let kill = 0; kill < kills; kill++) {
    const isInTransaction = kill % transactionEvery === 0
    const told = await acknowledged(path, next, {
      linesMax: isInTransaction ? Infinity : 1 + random.below(150),
      transactionsMax: isInTransaction ? 1 + random.below(40) : Infinity,
    })
    const { publish, last, ...found } = contentOf(path)
    expect(found).toEqual({ notes: [], check: 'ok', isOnce: true })
    savedMax = Math.max(savedMax, told.get('s') ?? -1)
    const lost = [...told, ['s', savedMax] as const].filter(
      ([kind, number]) => !(last[kind as 'p'] >= number),
    )
    expect(lost).toEqual([])
    // As a world does, it repeats the last step.
    next = publish
  }
  expect(savedMax).toBeGreaterThan(0)
})
