import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serialize } from 'node:v8'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionReport } from '../../src/contract/session-report.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import type { SimulationSpec } from '../../src/sources/built-in/simulation-spec.ts'
import { openSimulation } from '../../src/sources/built-in/open-simulation.ts'
import type { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import { saveIntervalMs } from '../../src/sources/built-in/world-keeper.ts'
import { hour, second } from '../../src/world/simulation/time.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { savedIn, saveIn, stateIn } from '../fixtures/session-file.ts'
import { fingerprint } from '../world/properties/fingerprint.ts'

const root = mkdtempSync(join(tmpdir(), 'dcsim-session-'))
let folder = ''
let path = ''
let kept: SimulationSpec
/** Each test has a folder of its own: the previous test's mirror may still be writing. */
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'))
  path = join(folder, 'world.dcsim')
  kept = { ...plain, state: stateIn(path, identity) }
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
  readonly reports: SessionReport[]
  readonly clock: FakeClock
}

function open(spec: SimulationSpec): Opened {
  const clock = new FakeClock()
  const reports: SessionReport[] = []
  const source = openSimulation(spec, {
    exposition: createExposition({ collectors: [] }),
    clock,
    cadenceMs: 1000,
    reachNs: 0n,
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
  const reader = source.history
  const { paths } = reader.paths('') as { paths: readonly string[] }
  return paths.map((name) => [name, reader.series(name)])
}

describe('a mirror with a file of its session', () => {
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
    expect(savedIn(path)).toBe(null)
    advance(mirror, 2)
    await saved(mirror)
    expect(savedIn(path)?.head).toMatchObject({ seed: '3', publishSeq: 0 })
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
  const save = async () => {
    const mirror = open({ ...kept, warmupNs: 0n })
    warmUp(mirror)
    advance(mirror, 1)
    await mirror.source.close()
    return savedIn(path)!
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
    const before = await save()
    const state = stateIn(path, { ...identity, [name]: value })
    const other = open({ ...kept, warmupNs: 0n, state })
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: name, publishSeq: 0 }])
    const [, aside] = /^.* The former one is kept in (.*)\.$/.exec(message(other))!
    expect(message(other)).toBe(
      `${path} holds ${text}. A new world begins. The former one is kept in ${aside}.`,
    )
    expect(savedIn(aside)).toEqual(before)
    warmUp(other)
    expect(other.source.capture(null).snapshot.simTimeNs).toBe(0n)
    advance(other, 1)
    await other.source.close()
    expect(open({ ...kept, state }).reports).toMatchObject([{ replacedFor: null }])
    expect(open({ ...kept, state: stateIn(aside, identity) }).reports).toMatchObject([{ replacedFor: null }])
    expect(savedIn(aside)).toEqual(before)
  })

  test('a byte of it is damaged', async () => {
    await save()
    const database = new DatabaseSync(path)
    const { id, bytes } = database.prepare(`SELECT id, bytes FROM piece WHERE section = 'world'`).get()!
    ;(bytes as Uint8Array)[5_000] ^= 1
    database.prepare('UPDATE piece SET bytes = ? WHERE id = ?').run(bytes, id)
    database.close()
    const other = open({ ...kept, state: stateIn(path, identity) })
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: 'damaged' }])
    expect(message(other)).toMatch(
      /^The world of .* cannot be continued: its checksum is \w{8}, expected \w{8}\. A new world begins\. The former/,
    )
  })

  test('a piece of it is lost', async () => {
    await save()
    const database = new DatabaseSync(path)
    database.exec("DELETE FROM piece WHERE number = 0 AND section = 'rings'")
    database.close()
    const other = open({ ...kept, state: stateIn(path, identity) })
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: 'damaged' }])
    expect(message(other)).toMatch(
      / cannot be continued: it has \d+ bytes, expected \d+\. A new world begins\./,
    )
  })

  test('the file was damaged, and its world cannot be read', async () => {
    await save()
    const database = new DatabaseSync(path)
    database.exec('DELETE FROM save')
    database.close()
    const other = open({ ...kept, state: { path, identity, isMended: true } })
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor: 'damaged' }])
    expect(message(other)).toBe(`No world can be read of ${path}. A new world begins.`)
  })

  test.each([
    ['is not one', { memory: Buffer.alloc(100) }, 'damaged', ' cannot be continued: .+'],
    [
      'is of before',
      { rings: serialize({ newest: 5, sums: [] }) },
      'version',
      ' is of another version .+: its .+',
    ],
  ])('its history %s, under a right checksum', async (_, changed, replacedFor, text) => {
    const { head, sections } = await save()
    await saveIn(path, head, { ...sections, ...changed })
    const other = open(kept)
    expect(other.reports).toMatchObject([{ kind: 'opened', replacedFor }])
    expect(message(other)).toMatch(new RegExp(`${text}\\. A new world begins\\. The former one is kept in `))
    warmUp(other)
    expect(other.source.capture(null).snapshot.simTimeNs).toBe(warmupNs)
  })
})

test('a world that cannot be saved runs on, and says so once; what was not saved is saved when it can be', async () => {
  const mirror = open(kept)
  const database = new DatabaseSync(path)
  const tables = ['save', 'publish']
  for (const table of tables)
    database.exec(
      `CREATE TRIGGER no_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(FAIL, 'no room'); END`,
    )
  warmUp(mirror)
  mirror.source.capture(null)
  advance(mirror, 2)
  const failed = () => mirror.reports.filter(({ kind }) => kind === 'not-saved')
  await vi.waitFor(() => expect(failed()).toHaveLength(2), 5_000)
  // Its bytes leave the room to others.
  expect(database.prepare('SELECT count(*) AS count FROM piece').get()).toEqual({ count: 0 })
  expect(failed().flatMap((report) => ('message' in report ? (report.message ?? []) : []))).toEqual([
    `The world cannot be saved to ${path}: no room. It runs on unsaved.`,
  ])
  expect(savedIn(path)).toBe(null)
  for (const table of tables) database.exec(`DROP TRIGGER no_${table}`)
  database.close()
  // It has not advanced since it could not be saved.
  await mirror.source.close()
  expect(mirror.reports.at(-1)).toEqual({ kind: 'saved' })
  const { simTimeNs } = mirror.source.capture(null).snapshot
  expect(savedIn(path)!.head.simTimeNs).toBe(simTimeNs)
})

test('a world whose file cannot be written runs on, and counts', async () => {
  const mirror = open({ ...kept, state: { path: null, isMended: false, identity } })
  warmUp(mirror)
  await mirror.source.close()
  expect(mirror.reports).toEqual([
    { kind: 'opened', replacedFor: null, message: null, publishSeq: 0 },
    { kind: 'not-saved', message: null },
    { kind: 'not-saved', message: null },
  ])
})

test('a save that was interrupted leaves the one before, and its pieces go with the next', async () => {
  const first = open({ ...kept, warmupNs: 0n })
  warmUp(first)
  advance(first, 1)
  await first.source.close()
  const before = savedIn(path)!
  const database = new DatabaseSync(path)
  database.exec(`INSERT INTO piece (save, section, number, bytes, sum) VALUES (9, 'world', 0, x'00', 0)`)
  expect(savedIn(path)).toEqual(before)
  const next = open({ ...kept, state: stateIn(path, identity) })
  warmUp(next)
  advance(next, 1)
  await next.source.close()
  expect(database.prepare('SELECT DISTINCT save FROM piece').all()).toEqual([{ save: 11 }])
  database.close()
})
