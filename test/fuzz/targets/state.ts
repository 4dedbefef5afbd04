/** Damaged and foreign state files: refused or set aside with a sentence, never a crash. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { openSimulation } from '../../../src/sources/built-in/open-simulation.ts'
import { findState } from '../../../src/sources/built-in/saved-session.ts'
import { readStateFile } from '../../../src/state-file/state-file.ts'
import type { StateReport } from '../../../src/contract/state-report.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { damages, flip, largeNumbers, randomBytes } from '../damaged-bytes.ts'
import type { Damage } from '../damaged-bytes.ts'
import { stackTraces } from '../target.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The intervals of files that are opened as a world, and by a process. */
const worldEvery = 200
const processEvery = 10_000
const mirrorOptions = ['--scale=4', '--seed=3', '--warmup=10m', '--speed=60']
const headAt = 12
const sentence = /^[^\n]+ (?:A new world begins\.|is continued at day \d+, hour \d+, after publish \d+\.)/

/** Writes the checksum of a file that was changed, so that its content is believed. */
function reseal(bytes: Buffer): Buffer {
  if (bytes.length > 4) bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}

type Head = Record<string, unknown>

const headOf = (bytes: Buffer): Head =>
  JSON.parse(bytes.toString('utf8', headAt, headAt + bytes.readUInt32LE(8))) as Head

/** A file with another head, or other sections. */
function rebuilt(bytes: Buffer, head: unknown, sections: readonly Buffer[] | null): Buffer {
  const json = Buffer.from(JSON.stringify(head) ?? '')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  const content = sections ?? [bytes.subarray(headAt + bytes.readUInt32LE(8), -4)]
  return reseal(Buffer.concat([bytes.subarray(0, 8), length, json, ...content, Buffer.alloc(4)]))
}

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

const stateDamages: readonly Damage[] = [
  ...damages,
  {
    name: 'another value in the head',
    apply(random, bytes) {
      const head = headOf(bytes)
      return rebuilt(bytes, { ...head, [random.pick(Object.keys(head))]: random.pick(headValues) }, null)
    },
  },
  { name: 'another head', apply: (random, bytes) => rebuilt(bytes, random.pick(headValues), null) },
  {
    name: 'a large number before the head',
    apply(random, bytes) {
      bytes.writeUInt32LE(random.pick(largeNumbers), 8)
      return reseal(bytes)
    },
  },
  {
    name: 'a section of something else',
    apply(random, bytes) {
      const sections = sectionsOf(bytes)
      sections[random.below(sections.length)] = random.oneIn(3)
        ? randomBytes(random, random.below(200))
        : serialize(random.pick(foreignValues))
      return withSections(random, bytes, sections)
    },
  },
  {
    name: 'a damaged section',
    apply(random, bytes) {
      const sections = sectionsOf(bytes)
      const which = random.below(sections.length)
      const section = Buffer.from(sections[which])
      for (let count = 1 + random.below(4); count > 0; count--) flip(random, section, 0, 2_000)
      sections[which] = random.oneIn(3) ? section.subarray(0, random.below(section.length)) : section
      return withSections(random, bytes, sections)
    },
  },
]

function sectionsOf(bytes: Buffer): Buffer[] {
  let at = headAt + bytes.readUInt32LE(8)
  return (headOf(bytes)['sections'] as number[]).map((length) => bytes.subarray(at, (at += length)))
}

/** Perhaps in another order, one too many or too few. */
function withSections(random: SeededRandom, bytes: Buffer, sections: Buffer[]): Buffer {
  if (random.oneIn(4)) sections.reverse()
  if (random.oneIn(6)) sections.pop()
  if (random.oneIn(6)) sections.push(Buffer.from('more'))
  return withLengths(bytes, sections)
}

const withLengths = (bytes: Buffer, sections: readonly Buffer[]): Buffer =>
  rebuilt(bytes, { ...headOf(bytes), sections: sections.map(({ length }) => length) }, sections)

function sentenceFaults(message: string | null, observe: Observe): string[] {
  const text = observe(message ?? '')
  return sentence.test(text) ? [] : [`no sentence of what became of the file: ${JSON.stringify(text)}`]
}

export const openState: OpenTarget = async (_seed, observe) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-state-'))
  const path = join(folder, 'world.state')
  const start = () => MirrorProcess.start([...mirrorOptions, '--state', path])
  await (await start()).stop()
  const whole = readFileSync(path)
  const { head } = readStateFile(path)!
  const { version, seed, scale, scenario } = head
  const identity = { version, seed, scale, scenario }

  // Whether a section is of a world is found when it is opened, and the history takes most of a file.
  const light = withLengths(whole, [serialize({}), serialize({}), Buffer.alloc(100)])

  /** Opens a world from the file, or another in its place. */
  const openWorld = async (): Promise<string | null> => {
    const reports: StateReport[] = []
    const source = openSimulation(
      {
        kind: 'simulation',
        seed: BigInt(seed),
        scale: Number(scale),
        speed: 60,
        warmupNs: 0n,
        scenario: null,
        state: { path, identity },
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
      writeFileSync(path, damage.apply(random, Buffer.from(isOpened ? whole : light)))
      const message = (): string | null => findState(path, identity).message
      const found =
        number % processEvery === processEvery - 1
          ? await startProcess()
          : sentenceFaults(isOpened ? await openWorld() : message(), observe)
      return found.map((fault) => `${damage.name}: ${fault}`)
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}
