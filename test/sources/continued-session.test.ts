import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StateReport } from '../../src/contract/state-report.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { createSeriesReader } from '../../src/metrics/history/series-reader.ts'
import type { SimulationSpec } from '../../src/sources/built-in/kind.ts'
import { openSimulation } from '../../src/sources/built-in/open-simulation.ts'
import type { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import { saveIntervalMs } from '../../src/sources/built-in/world-keeper.ts'
import { readStateFile, writeStateFile } from '../../src/state-file/state-file.ts'
import { hour, second } from '../../src/world/simulation/time.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { fingerprint } from '../world/properties/fingerprint.ts'

const root = mkdtempSync(join(tmpdir(), 'dcsim-session-'))
let folder = ''
let path = ''
let kept: SimulationSpec
/** Each test has a folder of its own: the previous test's mirror may still be writing. */
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'))
  path = join(folder, 'world.state')
  kept = { ...plain, state: { path, identity } }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const identity = { version: '1.0.0', seed: '3', scale: 'small', scenario: '' }
/** Ends within a minute, whose mean is not yet recorded. */
const warmupNs = BigInt(30 * hour + 30 * second) * 1000n
const plain: SimulationSpec = {
  kind: 'simulation',
  seed: 3n,
  scale: 'small',
  speed: 3600,
  warmupNs,
  scenario: null,
  state: null,
}

interface Opened {
  readonly source: SimulationSource
  readonly reports: StateReport[]
  readonly clock: FakeClock
}

function open(spec: SimulationSpec): Opened {
  const clock = new FakeClock()
  const reports: StateReport[] = []
  const source = openSimulation(spec, {
    exposition: createExposition({ collectors: [] }),
    clock,
    cadenceMs: 1000,
    reachNs: 0n,
    chance: () => 0,
    report: (report) => reports.push(report),
  })
  return { source, reports, clock }
}

const warmUp = ({ source }: Opened): void => {
  while (source.warmUp(1).done < 1);
}

/** Advances the world by an hour per second. */
function advance({ source, clock }: Opened, seconds: number): void {
  source.advance(clock.nowMs() + 1)
  for (let second = 0; second < seconds; second++) {
    clock.advanceTo(clock.nowMs() + 1000)
    source.advance(clock.nowMs() + 1)
  }
}

const saved = ({ reports }: Opened) =>
  vi.waitFor(() => expect(reports.some(({ kind }) => kind === 'saved')).toBe(true), 5_000)

const message = ({ reports: [first] }: Opened): string => ('message' in first ? (first.message ?? '') : '')

const seriesOf = ({ source }: Opened) => {
  const reader = createSeriesReader(source.history)
  const { paths } = reader.paths('') as { paths: readonly string[] }
  return paths.map((name) => [name, reader.series(name)])
}

describe('a mirror with a state file', () => {
  test('continues at the last publish after it was killed, as if it had never stopped', async () => {
    const whole = open(plain)
    warmUp(whole)
    const killed = open(kept)
    warmUp(killed)
    await saved(killed)
    for (const mirror of [whole, killed]) advance(mirror, 5)
    const seen = fingerprint(killed.source.capture(null).snapshot)
    expect(fingerprint(whole.source.capture(null).snapshot)).toBe(seen)
    // These steps were neither saved nor published.
    advance(killed, 2)

    const continued = open(kept)
    expect(message(continued)).toBe(`The world of ${path} is continued at day 1, hour 11, after publish 1.`)
    expect(continued.reports[0]).toMatchObject({ replacedFor: null, publishSeq: 1 })
    warmUp(continued)
    expect(fingerprint(continued.source.capture(null).snapshot)).toBe(seen)
    expect(seriesOf(continued)).toEqual(seriesOf(whole))
    for (const mirror of [whole, continued]) advance(mirror, 30)
    const [one, other] = [whole, continued].map(({ source }) => fingerprint(source.capture(null).snapshot))
    expect(other).toBe(one)
    expect(seriesOf(continued)).toEqual(seriesOf(whole))
  })

  test('saves at its end, and continues from there', async () => {
    const closed = open(kept)
    warmUp(closed)
    advance(closed, 3)
    await closed.source.close()
    const continued = open({ ...kept, warmupNs: 0n })
    warmUp(continued)
    const [one, other] = [closed, continued].map(({ source }) => fingerprint(source.capture(null).snapshot))
    expect(other).toBe(one)
  })

  test('saves every few minutes', async () => {
    const mirror = open({ ...kept, warmupNs: 0n })
    warmUp(mirror)
    mirror.clock.advanceTo(saveIntervalMs - 1000)
    advance(mirror, 0)
    expect(readdirSync(folder)).toEqual([])
    advance(mirror, 2)
    await saved(mirror)
    expect(readdirSync(folder)).toEqual(['world.state'])
  })

  test('that was killed during its warm-up still warms up', async () => {
    const killed = open({ ...kept, warmupNs: warmupNs / 2n })
    warmUp(killed)
    await saved(killed)
    const continued = open(kept)
    warmUp(continued)
    expect(continued.source.capture(null).snapshot.simTimeNs).toBe(warmupNs)
  })
})

describe('a new world begins, and the file is kept, where', () => {
  const save = async (): Promise<Buffer> => {
    const mirror = open({ ...kept, warmupNs: 0n })
    warmUp(mirror)
    advance(mirror, 1)
    await mirror.source.close()
    return readFileSync(path)
  }

  test.each([
    ['seed', '4', 'a world of seed 3, expected seed 4'],
    ['scale', 'medium', 'a world of scale small, expected scale medium'],
    ['version', '2.0.0', 'a world of version 1.0.0 of the program, expected version 2.0.0 of the program'],
    [
      'scenario',
      'abcdef0123456789',
      'a world of no scenario, expected the scenario with the hash abcdef012345',
    ],
  ] as const)('the %s is another', async (name, value, text) => {
    const bytes = await save()
    const other = open({ ...kept, warmupNs: 0n, state: { path, identity: { ...identity, [name]: value } } })
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: name, publishSeq: 0 }])
    const [, aside] = /^.* The file is kept as (.*)\.$/.exec(message(other))!
    expect(message(other)).toBe(`${path} holds ${text}. A new world begins. The file is kept as ${aside}.`)
    expect(readFileSync(aside).equals(bytes)).toBe(true)
    warmUp(other)
    expect(other.source.capture(null).snapshot.simTimeNs).toBe(0n)
    advance(other, 1)
    await other.source.close()
    expect(
      open({ ...kept, state: { path, identity: { ...identity, [name]: value } } }).reports,
    ).toMatchObject([{ replacedFor: null }])
    expect(readFileSync(aside).equals(bytes)).toBe(true)
  })

  test('it is damaged', async () => {
    const bytes = await save()
    bytes[5000] ^= 1
    writeFileSync(path, bytes)
    const other = open(kept)
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: 'damaged' }])
    expect(message(other)).toMatch(
      /cannot be continued: its checksum is .*, expected .*\. A new world begins\./,
    )
  })

  test('its history is not one, under a right checksum', async () => {
    await save()
    const { head, sections } = readStateFile(path)!
    await writeStateFile(path, head, [sections[0], sections[1], sections[2].subarray(0, 100)])
    const other = open(kept)
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: 'damaged' }])
    expect(message(other)).toMatch(/ cannot be continued: .+\. A new world begins\. The file is kept as /)
    warmUp(other)
    expect(other.source.capture(null).snapshot.simTimeNs).toBe(warmupNs)
  })
})

test('a world that cannot be saved runs on, and says so once', async () => {
  const mirror = open({ ...kept, state: { path: join(folder, 'missing', 'world.state'), identity } })
  warmUp(mirror)
  mirror.source.capture(null)
  advance(mirror, 2)
  await mirror.source.close()
  const failures = mirror.reports.filter(({ kind }) => kind === 'not-saved')
  expect(failures.length).toBeGreaterThan(1)
  const texts = failures.flatMap((report) => (report.kind === 'not-saved' ? [report.message] : []))
  expect(texts.filter((text) => text !== null)).toEqual([
    expect.stringMatching(
      /^The world cannot be saved to .*world\.state: there is no directory .*missing\. It runs on unsaved\.$/,
    ),
  ])
})
