import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serialize } from 'node:v8'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionReport } from '../../../src/contract/session-report.ts'
import layers from '../../../src/layers.json' with { type: 'json' }
import type { FromWorld } from '../../../src/encoding/frames/worker-protocol.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { SimulationSpec } from '../../../src/sources/built-in/simulation-spec.ts'
import { openSimulation } from '../../../src/sources/built-in/open-simulation.ts'
import { WarmUpCache } from '../../../src/sources/built-in/warm-up-cache.ts'
import { digestedParts, worldDigest } from '../../../src/sources/built-in/world-digest.ts'
import { SourceRunner } from '../../../src/sources/source-runner.ts'
import { readWarmUpFile, writeWarmUpFile } from '../../../src/store/warm-up-file.ts'
import { ArchiveHere } from '../../archive/archived-world.ts'
import { newFile, savedIn, stateIn } from '../../fixtures/session-file.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'
import { fingerprint } from '../../world/properties/fingerprint.ts'

const root = mkdtempSync(join(tmpdir(), 'dcsim-cache-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder = ''
let shipped = ''
const ofFirstStart = join(root, 'worlds')
beforeAll(async () => {
  folder = ofFirstStart
  await start(cached()).kept()
})
beforeEach(() => {
  folder = join(mkdtempSync(join(root, 'test-')), 'worlds')
  shipped = `${folder}-shipped`
})
/** Copies what the first start has kept. */
const keepFirst = (): void => cpSync(ofFirstStart, folder, { recursive: true })

const identity = { version: '1.0.0', seed: '5', scale: '6', scenario: '' }
const warmupNs = 6n * 3_600_000_000_000n
/** A world that simulates its warm-up. */
const plain: SimulationSpec = {
  kind: 'simulation',
  seed: 5n,
  scale: 6,
  speed: 3600,
  warmupNs,
  scenario: null,
  state: null,
}
const cached = (): SimulationSpec => ({ ...plain, cache: { folder, shipped, identity } })

const wallOffsetMs = Date.now()

/** Advances at each reading, as it does while a world steps. */
class TickingClock extends FakeClock {
  override readonly nowMs = (): number => {
    this.ticks++
    return this.ticks
  }
  ticks = 0
}

/** A world in its thread, at the end of its warm-up, and its archive. */
function start(spec: SimulationSpec) {
  const clock = new TickingClock()
  clock.wallOffsetMs = wallOffsetMs
  const notes: string[] = []
  const archive = new ArchiveHere()
  let steps = 0
  const source = openSimulation(spec, {
    exposition: createExposition({ collectors: [] }),
    clock,
    cadenceMs: 1000,
    reachNs: 0n,
    report: (report) => {
      if (report.kind === 'note') notes.push(report.message)
    },
  })
  const waiting: (() => void)[] = []
  const progress = { done: 0 }
  const runner = new SourceRunner({
    source,
    clock,
    isArchived: true,
    soon: (call) => waiting.push(call),
    post: (message: FromWorld) => {
      if (message.kind === 'changes') archive.tell(message.changes)
      if (message.kind === 'warming-up') progress.done = message.done
    },
  })
  runner.start()
  for (; progress.done < 1; steps++) waiting.shift()!()
  const kept = () => vi.waitFor(() => expect(notes.join()).toContain('are kept in'), 5_000)
  /** Lets the world run on until it has told its archive. */
  const tell = (): void => {
    for (let ms = 3; ms <= 300; ms += 3) {
      waiting.shift()?.()
      clock.advanceTo(ms)
    }
  }
  return { source, clock, notes, archive, kept, tell, slices: steps }
}
type Started = ReturnType<typeof start>

/** Advances the world to some hours after its warm-up. */
function advance({ source, clock }: Started, hours: number): void {
  const untilNs = warmupNs + BigInt(hours) * 3_600_000_000_000n
  while (source.capture(null, []).snapshot.simTimeNs < untilNs) {
    clock.ticks += 3
    // It reads the clock twice before a step, and once after it.
    source.advance(clock.ticks + 3)
  }
}

const seriesOf = ({ source }: Started) => {
  const reader = source.history
  const { paths } = reader.paths('') as { paths: readonly string[] }
  return paths.map((name) => [name, reader.series(name)])
}
const snapshotOf = ({ source }: Started) => source.capture(null).snapshot
const sinceTold = { beganMs: 0, endedMs: 0, troubledMinutes: 0, atRiskDollars: 0 }
const archivedOf = ({ archive }: Started) =>
  (['event', 'incident', 'order', 'day'] as const).map((kind) =>
    // These follow from the moment at which the present was told first.
    archive.records({ kind }).map((record) => Object.assign(record, sinceTold)),
  )

const names = ['world', 'rings', 'memory', 'changes'] as const

/** The only file in the folder. */
const fileIn = (path: string): string => {
  const [name, ...others] = readdirSync(path)
  expect(others).toEqual([])
  return join(path, name)
}

describe('a world that continues after its warm-up', () => {
  test('equals one that simulated it: in its snapshot, its history, its archive and its future', async () => {
    const lived = start(plain)
    const first = start(cached())
    await first.kept()
    expect(first.notes).toEqual([
      `The first 6h of this world are kept in ${folder}: its next start continues there.`,
    ])
    const continued = start(cached())
    expect(continued.slices).toBe(0)
    expect(lived.slices).toBeGreaterThan(20)
    expect(continued.notes).toEqual([])
    const worlds = [lived, first, continued]
    expect(new Set(worlds.map((world) => fingerprint(snapshotOf(world)))).size).toBe(1)
    expect(seriesOf(continued)).toEqual(seriesOf(lived))
    for (const world of worlds) world.tell()
    expect(archivedOf(continued)).toEqual(archivedOf(lived))
    expect(lived.archive.records({ kind: 'event' }).length).toBeGreaterThan(1)
    for (const world of worlds) advance(world, 4)
    expect(new Set(worlds.map((world) => fingerprint(snapshotOf(world)))).size).toBe(1)
    expect(seriesOf(continued)).toEqual(seriesOf(lived))
  })

  test('comes with the program', async () => {
    cpSync(ofFirstStart, shipped, { recursive: true })
    expect(start(cached()).slices).toBe(0)
    expect(existsSync(folder)).toBe(false)
  })

  test('runs at any speed', async () => {
    keepFirst()
    const continued = start({ ...cached(), speed: 60 })
    expect(continued.slices).toBe(0)
    expect(seriesOf(continued)).toEqual(seriesOf(start({ ...plain, speed: 60 })))
  })

  test('is saved to the file of its session at the first publish', async () => {
    keepFirst()
    const path = `${folder}.dcsim`
    start({ ...cached(), state: stateIn(path, identity) })
    await vi.waitFor(() => expect(savedIn(path)).not.toBe(null), 5_000)
  })

  test('takes the actions of its own session alone', async () => {
    const actions = `${folder}.jsonl`
    const line = (at: string) =>
      `{"at":"${at}","do":"SwitchFailure","target":{"kind":"Switch","pick":"busiest"},"for":"30m"}\n`
    const gameDay = { worldId: 'w', actions, truth: null }
    writeFileSync(actions, '# no action\n')
    await start({ ...cached(), gameDay }).kept()
    writeFileSync(actions, line('1h'))
    const continued = start({ ...cached(), gameDay })
    expect(continued.slices).toBe(0)
    expect(continued.notes.join()).toContain('SwitchFailure waits for 1h')
    advance(continued, 2)
    expect(continued.notes.join()).toContain('injected SwitchFailure')
    rmSync(folder, { recursive: true })
    const withActions = start({ ...cached(), gameDay })
    expect(withActions.slices).toBeGreaterThan(1)
    expect(existsSync(folder)).toBe(false)
  })
})

describe('a world simulates its warm-up', () => {
  const find = (other: Partial<typeof identity> = {}, otherNs = warmupNs) => {
    const notes: string[] = []
    const spec = { folder, shipped, identity: { ...identity, ...other } }
    const report = (state: SessionReport) => void (state.kind === 'note' && notes.push(state.message))
    const cache = new WarmUpCache({ spec, warmupNs: otherNs, clock: new FakeClock(), report })
    return { found: cache.find(), notes }
  }

  test('where its seed, scale, scenario, warm-up or version of the program is another', () => {
    keepFirst()
    expect(find().found).not.toBe(null)
    const others = [{ seed: '6' }, { scale: '7' }, { scenario: 'abcdef' }, { version: '1.0.1' }]
    for (const other of others) expect(find(other)).toEqual({ found: null, notes: [] })
    expect(find({}, warmupNs + 10_000_000_000n).found).toBe(null)
  })

  test.each([
    [
      'is damaged',
      (bytes: Buffer) => bytes.fill(1, bytes.length / 2, bytes.length / 2 + 4_096),
      /its |malformed/,
    ],
    ['is another one', (bytes: Buffer) => bytes.fill(1, 0, 16), /is a file that begins with/],
    ['is empty', (bytes: Buffer) => bytes.fill(0), /is not a database|is a database of another program/],
  ])('where its file %s, which is removed', (_, damage, reason) => {
    keepFirst()
    const path = fileIn(folder)
    const bytes = readFileSync(path)
    damage(bytes)
    writeFileSync(path, bytes)
    const { found, notes } = find()
    expect([found, notes[0]]).toEqual([null, expect.stringMatching(reason)])
    expect(readdirSync(folder)).toEqual([])
  })

  test('where the state in its file is none, under a right checksum', async () => {
    keepFirst()
    const path = fileIn(folder)
    const { head, sections } = readWarmUpFile(path, names)!
    await writeWarmUpFile(
      path,
      head,
      { ...sections, world: serialize({ blocks: {}, parts: {} }) },
      `${path}.tmp`,
    )
    const started = start(cached())
    expect(started.slices).toBeGreaterThan(20)
    expect(started.notes[0]).toMatch(/is not used: .*The world simulates its warm-up\.$/)
    await started.kept()
    expect(find().found).not.toBe(null)
  })

  test('where its file is that of another world', async () => {
    keepFirst()
    const path = fileIn(folder)
    const { head, sections } = readWarmUpFile(path, names)!
    await writeWarmUpFile(path, { ...head, version: 'another' }, sections, `${path}.tmp`)
    expect(find()).toEqual({ found: null, notes: [expect.stringContaining('it is of another world')] })
  })

  test('where the truth about its faults is written', () => {
    keepFirst()
    const started = start({
      ...cached(),
      gameDay: { worldId: 'w', actions: null, truth: newFile(`${folder}.truth`) },
    })
    expect(started.slices).toBeGreaterThan(20)
  })
})

describe('the folder', () => {
  test('serves two processes at once', async () => {
    const [one, other] = [start(cached()), start(cached())]
    await Promise.all([one.kept(), other.kept()])
    expect(fileIn(folder)).toMatch(/[0-9a-f]{32}\.dcsim$/)
    expect(start(cached()).slices).toBe(0)
  })

  test('that cannot be written costs a note', async () => {
    writeFileSync(folder, '')
    const { notes } = start(cached())
    await vi.waitFor(() => expect(notes).toHaveLength(1), 5_000)
    expect(notes[0]).toBe(`The warm-up is not kept: ${folder}: file exists. --cache names another folder.`)
  })
})

describe('the digest of the code', () => {
  test('changes with any file of its parts', () => {
    const code = mkdtempSync(join(root, 'code-'))
    for (const part of digestedParts) {
      mkdirSync(join(code, part, 'deep'), { recursive: true })
      writeFileSync(join(code, part, 'deep', 'code.ts'), 'one')
    }
    const digest = () => worldDigest(pathToFileURL(`${code}/`))
    const before = digest()
    writeFileSync(join(code, 'world', 'deep', 'code.d.ts'), 'types')
    expect(digest()).toBe(before)
    const changed = digestedParts.map((part) => {
      writeFileSync(join(code, part, 'deep', 'code.ts'), 'two')
      return digest()
    })
    expect(new Set([before, ...changed]).size).toBe(digestedParts.length + 1)
  })

  test('covers all that a source may import', () => {
    const mayImport = new Map(Object.entries(layers).map(([name, { mayImport: names }]) => [name, names]))
    const seen = new Set<string>()
    const follow = (name: string): void => {
      if (seen.has(name)) return
      seen.add(name)
      for (const next of mayImport.get(name) ?? []) follow(next)
    }
    follow('sources')
    expect([...new Set([...seen].map((name) => name.replace(/\/.*/, '')))].toSorted()).toEqual(digestedParts)
  })
})
