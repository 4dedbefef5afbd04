import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { run } from './run.ts'
import type { Run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-state-'))
const file = join(folder, 'world.dcsim')
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

const patient = { timeout: 120_000 }

const usual = { '--warmup': '1d', '--speed': '600', '--session-file': file }

const start = (changed: Record<string, string> = {}): Run =>
  run(['--listen', '127.0.0.1:0', '--scale', '8', ...Object.entries({ ...usual, ...changed }).flat()])

interface Seen {
  readonly publishSeq: number
  readonly simTimeNs: number
  /** Counters of the world by series. */
  readonly counters: ReadonlyMap<string, number>
}

/** The state of a published world as Prometheus and a client read it. */
async function look(mirror: Run): Promise<Seen> {
  const origin = await mirror.origin()
  await mirror.says(/Ready after/)
  const health = (await (await fetch(`${origin}/health`)).json()) as Record<'publish_seq', number> & {
    readonly meta: { readonly sim_time_ns: number }
  }
  const text = await (await fetch(`${origin}/metrics`)).text()
  const isCounter = new Set([...text.matchAll(/^# TYPE (dcsim_(?!mirror_)\S+) counter$/gm)].map(([, n]) => n))
  const samples = [...text.matchAll(/^((\w+)(?:\{.*\})?) +(\S+)$/gm)].filter(([, , name]) =>
    isCounter.has(name),
  )
  return {
    publishSeq: health.publish_seq,
    simTimeNs: health.meta.sim_time_ns,
    counters: new Map(samples.map(([, series, , value]) => [series, Number(value)])),
  }
}

function expectContinues(before: Seen, after: Seen): void {
  expect(after.publishSeq).toBeGreaterThan(before.publishSeq)
  expect(after.simTimeNs).toBeGreaterThanOrEqual(before.simTimeNs)
  expect(before.counters.size).toBeGreaterThan(100)
  const reset = [...before.counters].filter(
    ([series, value]) => (after.counters.get(series) ?? value) < value,
  )
  expect(reset).toEqual([])
}

test('a mirror that was killed, and one that was stopped, continue without a reset', patient, async () => {
  const first = start()
  await look(first)
  // Several publishes after the last save of the world.
  await expect.poll(async () => (await look(first)).publishSeq, { timeout: 20_000 }).toBeGreaterThan(3)
  const before = await look(first)
  await first.end('SIGKILL')

  const second = start()
  const between = await look(second)
  expect(second.out).toContain(`The world of ${file} is continued at day 1`)
  expectContinues(before, between)
  expect((await second.end('SIGTERM')).code).toBe(0)
  expect(readdirSync(folder)).toEqual(['world.dcsim'])

  const third = start({ '--warmup': '2d', '--speed': '60' })
  expectContinues(between, await look(third))
  await third.end('SIGTERM')
})

test('a second mirror does not use the same file', patient, async () => {
  const first = start()
  await look(first)
  const second = start()
  expect(await second.ended).toEqual([1, null])
  expect(second.out + second.err).toContain(`${file} is in use by another process.`)
  await first.end('SIGTERM')
})

test('what-if asks the world in a file whose mirror runs', patient, async () => {
  await look(start({ '--speed': '0' }))
  const asked = run(['what-if', file, 'PowerFeedLoss', 'busiest', '--for', '10m'])
  expect(await asked.ended).toEqual([0, null])
  expect(asked.out).toMatch(
    /^What if, at day 1, 00:00: PowerFeedLoss at power feed \w .+, over the next 10 min:\n/,
  )
  const none = run(['what-if', file])
  expect([await none.ended, none.err]).toEqual([
    [2, null],
    expect.stringContaining('expected an action, such as "SwitchFailure core busiest", or --each'),
  ])
})

test('a folder that cannot be written is no reason to stop', patient, async () => {
  const locked = join(folder, 'locked')
  mkdirSync(locked)
  chmodSync(locked, 0o555)
  // Root can write to any folder, but not below a path that is not a folder.
  const where = process.getuid?.() === 0 ? '/proc/version/world.dcsim' : join(locked, 'world.dcsim')
  const mirror = start({ '--session-file': where })
  await look(mirror)
  await expect
    .poll(() => mirror.out + mirror.err, { timeout: 10_000 })
    .toContain('The session is kept in memory')
  expect((await mirror.end('SIGTERM')).code).toBe(0)
})
