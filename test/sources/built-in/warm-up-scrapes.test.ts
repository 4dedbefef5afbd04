import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import { defaultCollectors } from '../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { ownVersion } from '../../../src/process/version.ts'
import { generateBackfill, withoutMirrorMetrics } from '../../../src/backfill/scrapes.ts'
import { openSimulation } from '../../../src/sources/built-in/open-simulation.ts'
import { findScrapes } from '../../../src/sources/built-in/warm-up-cache.ts'
import { readWarmUpFile, writeWarmUpFile } from '../../../src/store/warm-up-file.ts'
import { createBuiltInWorld } from '../../../src/world/built-in-world.ts'
import { processClock } from '../../../src/process/clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-past-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const identity = { version: ownVersion(), seed: '5', scale: '6', scenario: '' }
const spec = { folder, shipped: `${folder}/`, identity }
const everyNs = 360_000_000_000n
/** Sixty intervals, the fewest that are kept: one every 20 seconds of wall time, the first after the beginning. */
const warmupNs = 61n * everyNs
const speed = 18
const terms = { everyNs, collectors: defaultCollectors }
const flags = '--seed 5 --scale 6 --warmup 6h6m --speed 18 --unchanged 20s --cache'.split(' ').concat(folder)

const main = join(import.meta.dirname, '../../../src/main.ts')
const history = (...words: string[]): string => {
  const path = join(folder, 'history.om')
  const command = [main, 'backfill', '--out', path, '--ends-at', '1764000000', ...flags, ...words]
  spawnSync(process.execPath, command)
  return readFileSync(path, 'utf8')
}

/** A warm-up that takes less than a quarter of a second is not kept. */
let nowMs = 0
const clock = { ...processClock, nowMs: () => (nowMs += 250) }

let past = ''
beforeAll(async () => {
  const exposition = createExposition({ collectors: defaultCollectors, clock: clock.nowMs })
  const kept = Promise.withResolvers<void>()
  const source = openSimulation(
    { kind: 'simulation', seed: 5n, scale: 6, speed, warmupNs, scenario: null, state: null, cache: spec },
    { exposition, clock, cadenceMs: 1000, reachNs: 0n, report: () => kept.resolve() },
  )
  while (source.warmUp(Infinity).done < 1);
  await kept.promise
  past = join(folder, readdirSync(folder).find((name) => name.endsWith('.past'))!)
})

const textOf = (chunks: readonly ExpositionChunk[]): string =>
  chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join('')

test('equal those of a world that simulates its warm-up again', () => {
  const world = createBuiltInWorld({ seed: 5n, scale: 6, speed, scenario: null, warmUpNs: warmupNs })
  const exposition = createExposition({ collectors: defaultCollectors })
  // Both have printed the world at its beginning: a value that is shorter than an earlier one is padded.
  exposition.render(world.snapshot())
  const lived = generateBackfill({ world, exposition, fromNs: everyNs, untilNs: warmupNs, everyNs })
  const { count, each } = findScrapes(spec, warmupNs, terms)!
  const kept = Array.from(each, textOf)
  expect([count, kept.length]).toEqual([61, 61])
  expect(kept).toEqual(Array.from(lived, ({ chunks }) => textOf(withoutMirrorMetrics(chunks))))
})

test('at another interval, of other collectors or of another warm-up are not used', () => {
  expect(findScrapes(spec, warmupNs, { ...terms, everyNs: 1n })).toBe(null)
  expect(findScrapes(spec, warmupNs, { ...terms, collectors: ['clock'] })).toBe(null)
  expect(findScrapes(spec, warmupNs + 1n, terms)).toBe(null)
})

test('are written by the command, or the last of them', async () => {
  const { head, sections } = readWarmUpFile(past, ['scrapes'])!
  const text = (value: number) => Buffer.from(`# HELP a A.\n# TYPE a gauge\na{b="c"} ${value}\n`)
  const scrapes = [
    { families: ['a'], changed: [{ family: 'a', bytes: text(1) }] },
    { families: ['a'], changed: [] },
    { families: ['a'], changed: [{ family: 'a', bytes: text(2) }] },
  ]
  const batch = zstdCompressSync(serialize(scrapes))
  const bytes = serialize({ terms: { ...terms, count: 3 }, batches: [batch] })
  await writeWarmUpFile(past, head, { scrapes: bytes }, `${past}.tmp`)
  const series = 'a{b="c",job="dcsim",instance="mirror:9740",session="6-5"}'
  const lines = [`${series} 1 1763999960`, `${series} 1 1763999980`, `${series} 2 1764000000`]
  const written = (own: readonly string[]): string =>
    `${own.map((line) => `# TYPE a gauge\n${line}\n`).join('')}# EOF\n`
  expect(history()).toBe(written(lines))
  expect(history('--span', '6m')).toBe(written(lines.slice(1)))
  await writeWarmUpFile(past, head, sections, `${past}.tmp`)
})

test('in a damaged file are none', () => {
  writeFileSync(past, 'nonsense')
  expect(findScrapes(spec, warmupNs, terms)).toBe(null)
})
