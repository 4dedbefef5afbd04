/** Damaged and foreign files of a session: refused or mended with a sentence, never a crash. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { SessionFileSpec } from '../../../src/sources/built-in/simulation-spec.ts'
import { openSimulation } from '../../../src/sources/built-in/open-simulation.ts'
import { findState } from '../../../src/sources/built-in/saved-session.ts'
import { ForeignFileError, openSession } from '../../../src/store/session-file.ts'
import type { SessionReport } from '../../../src/contract/session-report.ts'
import { savedIn, saveIn, stateIn } from '../../fixtures/session-file.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { damages, flip, randomBytes } from '../damaged-bytes.ts'
import { stackTraces } from '../target.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The intervals of files that are opened as a world, and by a process. */
const worldEvery = 200
const processEvery = 10_000
const mirrorOptions = ['--scale=4', '--seed=3', '--warmup=10m', '--speed=60']
const sentence = /^[^\n]+ (?:A new world begins\.|is continued at day \d+, hour \d+, after publish \d+\.)/

const headValues = [
  null,
  '',
  '9'.repeat(19),
  '9'.repeat(20),
  '-1',
  -1,
  1.5,
  1e15,
  2 ** 53,
  [],
  {},
  [1, 2],
  [0, 0, 0],
  'x'.repeat(5000),
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

/** A file with another head, under its name. */
async function withHead(path: string, head: unknown): Promise<void> {
  const database = openSession(path)
  database.prepare('UPDATE save SET head = ?').run(JSON.stringify(head) ?? '')
  database.close()
}

type Saved = NonNullable<ReturnType<typeof savedIn>>

interface StateDamage {
  readonly name: string
  readonly apply: (random: SeededRandom, path: string, saved: Saved) => Promise<void>
}

/** Of the bytes of the file, and of what is saved in it under right checksums. */
const stateDamages: readonly StateDamage[] = [
  ...damages.map(({ name, apply }) => ({
    name,
    apply: async (random: SeededRandom, path: string) =>
      writeFileSync(path, apply(random, readFileSync(path))),
  })),
  {
    name: 'another value in the head',
    apply: (random, path, { head }) =>
      withHead(path, { ...head, [random.pick(Object.keys(head))]: random.pick(headValues) }),
  },
  { name: 'another head', apply: (random, path) => withHead(path, random.pick(headValues)) },
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

function sentenceFaults(message: string | null, observe: Observe): string[] {
  const text = observe(message ?? '')
  return sentence.test(text) ? [] : [`no sentence of what became of the file: ${JSON.stringify(text)}`]
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
      chance: () => 0,
      report: (report) => reports.push(report),
    },
  )
  await source.close()
  const opened = reports.find(({ kind }) => kind === 'opened')
  return opened?.kind === 'opened' ? opened.message : null
}

export const openState: OpenTarget = async (_seed, observe) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-state-'))
  const path = join(folder, 'world.dcsim')
  const start = () => MirrorProcess.start([...mirrorOptions, '--session-file', path])
  await (await start()).stop()
  const whole = readFileSync(path)
  const saved = savedIn(path)!
  const { version, seed, scale, scenario } = saved.head
  const identity = { version, seed, scale, scenario }

  // Whether a section is of a world is found when it is opened, and the history takes most of a file.
  await saveIn(path, saved.head, { world: serialize({}), rings: serialize({}), memory: Buffer.alloc(100) })
  const database = openSession(path)
  database.exec('VACUUM')
  database.close()
  const light = readFileSync(path)

  const startProcess = async (): Promise<string[]> => {
    const mirror = await start()
    await mirror.stop()
    const lines = mirror.log.split('\n').filter((line) => line.includes(path))
    return [...(lines.length > 0 ? [] : ['the log does not name the file']), ...stackTraces(mirror.log)]
  }
  return {
    lanes: 1,
    async run({ number, random }) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      const damage = random.pick(stateDamages)
      const isOpened = number % worldEvery === worldEvery - 1
      writeFileSync(path, isOpened ? whole : light)
      await damage.apply(random, path, isOpened ? saved : savedIn(path)!)
      let state
      try {
        state = stateIn(path, identity)
      } catch (error) {
        if (error instanceof ForeignFileError) return []
        throw error
      }
      const found =
        number % processEvery === processEvery - 1
          ? await startProcess()
          : sentenceFaults(isOpened ? await openWorld(state) : messageOf(state), observe)
      return found.map((fault) => `${damage.name}: ${fault}`)
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}
