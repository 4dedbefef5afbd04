/** Damaged recordings: the damage is found in time, and said in a sentence. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { FrameCursor } from '../../../src/store/recording/frame-cursor.ts'
import { readableRows, RecordedFrames } from '../../../src/store/recording/recorded-frames.ts'
import { RecordingError } from '../../../src/store/recording/recording-error.ts'
import { readSessionFile } from '../../../src/store/read-session-file.ts'
import { openSession, ownSessionFile, removeSessionFile } from '../../../src/store/session-file.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { RecordedSession } from '../../recording/recorded.ts'
import { damages, flip, largeNumbers } from '../damaged-bytes.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The interval of files that the command `inspect` reads, too. */
const inspectEvery = 100
/** These files have some hundred kB. Processor time. */
const readMaxMs = 2_000
const inspectMaxMs = 120_000
const frameCount = 8

/** A recording of a small world. */
function recordWorld(path: string): void {
  const sim = createSimulation({ seed: 1n, scale: 4, warmUp: 0, scenario: null, speed: 60 })
  const { release } = ownSessionFile(path, () => {})
  const session = new RecordedSession(openSession(path))
  for (let frame = 0; frame < frameCount; frame++) {
    for (let step = 0; step < 6; step++) sim.step()
    session.record(sim.snapshot())
  }
  session.database.close()
  release()
}

interface RowDamage {
  readonly name: string
  readonly apply: (random: SeededRandom, database: DatabaseSync) => void
}

/** Changes the body of a frame, under a checksum that is valid. */
function changeBody(random: SeededRandom, database: DatabaseSync, change: (body: Buffer) => void): void {
  const number = random.below(frameCount)
  const row = database.prepare('SELECT body FROM frame WHERE number = ?').get(number)!
  const body = Buffer.from(row['body'] as Uint8Array)
  change(body)
  database.prepare('UPDATE frame SET body = ?, sum = ? WHERE number = ?').run(body, crc32(body), number)
}

const columns = ['number', 'recording', 'key', 'sim_ns', 'elapsed_ns', 'wall_ms', 'publish_seq', 'is_join']
const lists: readonly SQLInputValue[] = [
  '',
  '{}',
  'null',
  '[]',
  '[1]',
  '["hosts"]',
  `[${'"a",'.repeat(300)}"b"]`,
]

const rowDamages: readonly RowDamage[] = [
  {
    name: 'changed content under valid checksums',
    apply: (random, database) =>
      changeBody(random, database, (body) => {
        for (let count = 1 + random.below(20); count > 0; count--) flip(random, body)
      }),
  },
  {
    name: 'a large number in valid content',
    apply: (random, database) =>
      changeBody(random, database, (body) =>
        body.writeUInt32LE(random.pick(largeNumbers), random.below(Math.min(200, body.length - 4))),
      ),
  },
  {
    name: 'another number in a column',
    apply: (random, database) =>
      database
        .prepare(`UPDATE OR REPLACE frame SET ${random.pick(columns)} = ? WHERE number = ?`)
        .run(random.pick(largeNumbers), random.below(frameCount)),
  },
  {
    name: 'frames in another order',
    apply: (_random, database) => database.exec('UPDATE frame SET number = -number'),
  },
  {
    name: 'other lists',
    apply: (random, database) => database.prepare('UPDATE recording SET lists = ?').run(random.pick(lists)),
  },
]

const isSentence = /^[^\p{C}]{10,}$/u

/** Reads all frames, as replay does. Only a `RecordingError` with a text that can be printed may come of damage. */
function readAll(path: string, observe: Observe): string[] {
  const found: string[] = []
  const told = ({ message }: Error): void => {
    const text = observe(message)
    if (!isSentence.test(text)) found.push(`no sentence: ${JSON.stringify(text)}`)
  }
  const reading = (read: () => void): void => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      told(error)
    }
  }
  readSessionFile(path, (database) => {
    const frames = new RecordedFrames(() => database)
    reading(() => {
      const rows = [...readableRows(frames, told)]
      const cursor = new FrameCursor(frames)
      for (const { number, key } of rows) reading(() => void cursor.read(number, key))
    })
  })
  return found
}

/** `inspect` as operators run it: it ends with a documented status and without a stack trace. */
async function inspectFaults(path: string): Promise<string[]> {
  const child = spawn(process.execPath, ['src/main.ts', 'inspect', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const deadline = setTimeout(() => child.kill('SIGKILL'), inspectMaxMs)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(deadline)
  if (code === null) return [`inspect took longer than ${inspectMaxMs} ms`]
  if (/^\s+at /m.test(text)) return [`inspect printed a stack trace:\n${text.slice(0, 1500)}`]
  return code <= 2 ? [] : [`inspect exited with ${code}`]
}

function applyToRows({ apply }: RowDamage, random: SeededRandom, path: string): void {
  const database = openSession(path)
  apply(random, database)
  database.close()
}

export const openRecording: OpenTarget = async (_seed, observe) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-recording-'))
  const path = join(folder, 'damaged.dcsim')
  recordWorld(path)
  const whole = readFileSync(path)
  return {
    lanes: 1,
    async run({ number, random }) {
      removeSessionFile(path)
      const ofRows = random.oneIn(2) ? random.pick(rowDamages) : null
      const { name, apply } = ofRows === null ? random.pick(damages) : { name: ofRows.name, apply: null }
      writeFileSync(path, apply === null ? whole : apply(random, Buffer.from(whole)))
      if (ofRows !== null) applyToRows(ofRows, random, path)
      const began = process.cpuUsage()
      const found = readable(path, observe).map((fault) => `${name}: ${fault}`)
      const { user, system } = process.cpuUsage(began)
      if ((user + system) / 1000 > readMaxMs) found.push(`${name}: reading takes longer than ${readMaxMs} ms`)
      return number % inspectEvery > 0 ? found : [...found, ...(await inspectFaults(path))]
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}

/** A file whose head is damaged is refused before a frame is read. */
function readable(path: string, observe: Observe): string[] {
  try {
    return readAll(path, observe)
  } catch (error) {
    const message = observe(error instanceof Error ? error.message : String(error))
    return message.includes(path) && isSentence.test(message) ? [] : [`no sentence: ${message}`]
  }
}
