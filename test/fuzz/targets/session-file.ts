/** Damaged and foreign files of a session: refused, mended or read as far as they can be, with a sentence, never a crash. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { SessionReport } from '../../../src/contract/session-report.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { openSimulation } from '../../../src/sources/built-in/open-simulation.ts'
import { findState } from '../../../src/sources/built-in/saved-session.ts'
import type { SessionFileSpec } from '../../../src/sources/built-in/simulation-spec.ts'
import { FrameCursor } from '../../../src/store/recording/frame-cursor.ts'
import { RecordedFrames } from '../../../src/store/recording/recorded-frames.ts'
import { RecordingError } from '../../../src/store/recording/recording-error.ts'
import { readSessionFile } from '../../../src/store/read-session-file.ts'
import { ForeignFileError, openSession } from '../../../src/store/session-file.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { ArchiveHere, eventAt, FeedSource } from '../../archive/archived-world.ts'
import { savedIn, saveIn, stateIn } from '../../fixtures/session-file.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { RecordedSession } from '../../recording/recorded.ts'
import { damages, flip, largeNumbers, randomBytes } from '../damaged-bytes.ts'
import { stackTraces } from '../target.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The intervals of files that the command `inspect` reads too, that are opened as a world, and by a process. */
const [inspectEvery, worldEvery, processEvery] = [100, 200, 10_000]
/** Of the frames of some hundred kB. Processor time. */
const readMaxMs = 2_000
const inspectMaxMs = 120_000
const frameCount = 8
const mirrorOptions = ['--scale=4', '--seed=3', '--warmup=10m', '--speed=60']

function withDatabase(path: string, write: (database: DatabaseSync) => void): void {
  const database = openSession(path)
  write(database)
  database.close()
}

/** Adds a recording of a small world. */
function addFrames(database: DatabaseSync): void {
  const sim = createSimulation({ seed: 1n, scale: 4, warmUp: 0, scenario: null, speed: 60 })
  const session = new RecordedSession(database)
  for (let frame = 0; frame < frameCount; frame++) {
    for (let step = 0; step < 6; step++) sim.step()
    session.record(sim.snapshot())
  }
}

type Saved = NonNullable<ReturnType<typeof savedIn>>

interface Damage {
  readonly name: string
  readonly apply: (random: SeededRandom, path: string, saved: Saved) => Promise<void> | void
}

const ofRows = (name: string, apply: (random: SeededRandom, database: DatabaseSync) => unknown): Damage => ({
  name,
  apply: (random, path) => withDatabase(path, (database) => void apply(random, database)),
})

/** Changes the body of a frame, under a checksum that is valid. */
function changeBody(random: SeededRandom, database: DatabaseSync, change: (body: Buffer) => void): void {
  const number = random.below(frameCount)
  const row = database.prepare('SELECT body FROM frame WHERE number = ?').get(number)!
  const body = Buffer.from(row['body'] as Uint8Array)
  change(body)
  database.prepare('UPDATE frame SET body = ?, sum = ? WHERE number = ?').run(body, crc32(body), number)
}

const columns = ['number', 'recording', 'key', 'sim_ns', 'elapsed_ns', 'wall_ms', 'publish_seq', 'is_join']
const lists: readonly SQLInputValue[] = ['', '{}', '[1]', '["hosts"]', `[${'"a",'.repeat(300)}"b"]`]

const frameDamages: readonly Damage[] = [
  ofRows('a frame of changed content', (random, database) =>
    changeBody(random, database, (body) => {
      for (let count = 1 + random.below(20); count > 0; count--) flip(random, body)
    }),
  ),
  ofRows('a large number in a frame', (random, database) =>
    changeBody(random, database, (body) =>
      body.writeUInt32LE(random.pick(largeNumbers), random.below(Math.min(200, body.length - 4))),
    ),
  ),
  ofRows('another number in a column', (random, database) =>
    database
      .prepare(`UPDATE OR REPLACE frame SET ${random.pick(columns)} = ? WHERE number = ?`)
      .run(random.pick(largeNumbers), random.below(frameCount)),
  ),
  ofRows('frames in another order', (_random, database) =>
    database.exec('UPDATE frame SET number = -number'),
  ),
  ofRows('other lists', (random, database) =>
    database.prepare('UPDATE recording SET lists = ?').run(random.pick(lists)),
  ),
]

const foreignValues = [
  null,
  undefined,
  1,
  'x',
  [],
  {},
  { world: {} },
  new Map([[1, 2]]),
  new Float64Array(9),
  1n,
]

/** Of what is saved of a world, under right checksums. */
const worldDamages: readonly Damage[] = [
  ofRows('another text in the head', (random, database) =>
    database
      .prepare(`UPDATE save SET ${random.pick(['version', 'seed', 'scale', 'scenario', 'world'])} = ?`)
      .run(random.pick(['', '-1', '9'.repeat(20), 'x'.repeat(5_000)])),
  ),
  ofRows('another number in the head', (random, database) => {
    database.exec('PRAGMA ignore_check_constraints = ON')
    database
      .prepare(`UPDATE save SET ${random.pick(['number', 'publish_seq', 'sim_ns', 'bytes'])} = ?`)
      .run(random.pick([-1, ...largeNumbers, 2 ** 53, 2n ** 63n - 1n]))
  }),
  {
    name: 'a section of something else',
    apply(random, path, { head, sections }) {
      const bytes = random.oneIn(3)
        ? randomBytes(random, random.below(200))
        : serialize(random.pick(foreignValues))
      return saveIn(path, head, { ...sections, [random.pick(Object.keys(sections))]: bytes })
    },
  },
  {
    name: 'a damaged section',
    apply(random, path, { head, sections }) {
      const which = random.pick(Object.keys(sections)) as keyof Saved['sections']
      const section = Buffer.from(sections[which])
      for (let count = 1 + random.below(4); count > 0; count--) flip(random, section, 0, 2_000)
      const bytes = random.oneIn(3) ? section.subarray(0, random.below(section.length)) : section
      return saveIn(path, head, { ...sections, [which]: bytes })
    },
  },
]

const byteDamages: readonly Damage[] = damages.map(({ name, apply }) => ({
  name,
  apply: (random, path) => writeFileSync(path, apply(random, readFileSync(path))),
}))

const isSentence = /^[^\p{C}]{10,}$/u

/** Reads all frames, as a replay does, of a file that may be refused. Only an error with a sentence may come of it. */
function readFrames(path: string, observe: Observe): string[] {
  const found: string[] = []
  const told = ({ message }: Error): void => {
    const text = observe(message)
    if (!isSentence.test(text)) found.push(`no sentence: ${JSON.stringify(text)}`)
  }
  const began = process.cpuUsage()
  try {
    readSessionFile(path, (database) => {
      const frames = new RecordedFrames(() => database)
      const cursor = new FrameCursor(frames)
      const rows = [...frames.rows(told)]
      for (const { number, key } of rows) {
        try {
          cursor.read(number, key)
        } catch (error) {
          if (!(error instanceof RecordingError)) throw error
          told(error)
        }
      }
    })
  } catch (error) {
    if (!(error instanceof RecordingError || String(error).includes(path))) throw error
    told(error as Error)
  }
  const { user, system } = process.cpuUsage(began)
  if ((user + system) / 1000 > readMaxMs) found.push(`reading takes longer than ${readMaxMs} ms`)
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
  return [...stackTraces(text), ...(code <= 2 ? [] : [`inspect exited with ${code}`])]
}

/** The sentence about the world of a file. */
function messageOf({ path, identity, isMended }: SessionFileSpec): string | null {
  const database = openSession(path)
  try {
    return findState({ path: path!, database }, identity, isMended).message
  } finally {
    database.close()
  }
}

/** Opens a world from the file, or another in its place. */
async function openWorld(state: SessionFileSpec): Promise<string | null> {
  const { seed, scale } = state.identity
  const reports: SessionReport[] = []
  const source = openSimulation(
    {
      kind: 'simulation',
      seed: BigInt(seed),
      scale: Number(scale),
      speed: 60,
      warmupNs: 0n,
      scenario: null,
      state,
    },
    {
      exposition: createExposition({ collectors: [] }),
      clock: new FakeClock(),
      cadenceMs: 1000,
      reachNs: 0n,
      report: (report) => reports.push(report),
    },
  )
  await source.close()
  const opened = reports.find(({ kind }) => kind === 'opened')
  return opened?.kind === 'opened' ? opened.message : null
}

const worldSentence =
  /^[^\n]+ (?:A new world begins\.|is continued at day \d+, hour \d+, after publish \d+\.)/
const archiveSentence = /^The (?:archive|file|index) .+\.$/s

function worldFaults(message: string | null, observe: Observe): string[] {
  const text = observe(message ?? '')
  return worldSentence.test(text) ? [] : [`no sentence of what became of the world: ${JSON.stringify(text)}`]
}

/** A file of any damage keeps later events, and finds their words. */
function archiveFaults(path: string, observe: Observe): string[] {
  const archive = new ArchiveHere(path)
  archive.tell(new FeedSource().at(1_000, { events: [eventAt(999)] }))
  const found = archive.minutes().includes(999) ? [] : ['what happens next is not kept']
  // SQLite does not notice all damage to the index of words: a search may lack records, but it is answered.
  archive.minutes({ text: 'minute' })
  for (const note of archive.notes())
    if (!archiveSentence.test(observe(note))) found.push('no sentence of what became of the file')
  archive.close()
  return found
}

export const openSessionFile: OpenTarget = async (_seed, observe) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-session-file-'))
  const path = join(folder, 'world.dcsim')
  const start = () => MirrorProcess.start([...mirrorOptions, '--session-file', path])
  await (await start()).stop()
  withDatabase(path, addFrames)
  const whole = readFileSync(path)
  const saved = savedIn(path)!
  const { version, seed, scale, scenario } = saved.head
  const identity = { version, seed, scale, scenario }

  // Whether a section is of a world is found when it is opened, and the history takes most of a file.
  await saveIn(path, saved.head, { world: serialize({}), rings: serialize({}), memory: Buffer.alloc(100) })
  withDatabase(path, (database) => database.exec('VACUUM'))
  const light = readFileSync(path)
  const lightSaved = savedIn(path)!

  const startProcess = async (): Promise<string[]> => {
    const mirror = await start()
    await mirror.stop()
    const isNamed = mirror.log.split('\n').some((line) => line.includes(path))
    return [...(isNamed ? [] : ['the log does not name the file']), ...stackTraces(mirror.log)]
  }
  return {
    lanes: 1,
    async run({ number, random }) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      const damage = random.pick(random.pick([byteDamages, frameDamages, worldDamages]))
      const isOpened = number % worldEvery === worldEvery - 1
      writeFileSync(path, isOpened ? whole : light)
      await damage.apply(random, path, isOpened ? saved : lightSaved)
      const found = readFrames(path, observe)
      if (number % inspectEvery === 0) found.push(...(await inspectFaults(path)))
      try {
        const state = stateIn(path, identity)
        found.push(
          ...(number % processEvery === processEvery - 1
            ? await startProcess()
            : worldFaults(isOpened ? await openWorld(state) : messageOf(state), observe)),
          ...archiveFaults(path, observe),
        )
      } catch (error) {
        // Without the bytes by which it is known, it is not touched.
        if (!(error instanceof ForeignFileError)) throw error
      }
      return found.map((fault) => `${damage.name}: ${fault}`)
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}
