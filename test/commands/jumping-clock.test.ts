/** The real program, while the wall clock of its machine jumps: libfaketime answers its processes. */
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { promptlyMs } from '../fixtures/promptly.ts'
import { isAvailable } from '../fixtures/tools.ts'
import { run } from './run.ts'
import type { Run } from './run.ts'

const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
const hasFaketime = isAvailable('libfaketime', library !== undefined)

const folder = mkdtempSync(join(tmpdir(), 'dcsim-clock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const state = join(folder, 'world.state')
const recording = join(folder, 'session.rec')
/** How far the wall clock is from the right time. */
const offsetFile = join(folder, 'offset')
const setClock = (hours: number): void =>
  writeFileSync(offsetFile, `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h\n`)

const faked = {
  LD_PRELOAD: library ?? '',
  FAKETIME_TIMESTAMP_FILE: offsetFile,
  FAKETIME_NO_CACHE: '1',
  // No machine's monotonic clock jumps, nor do the times of files that others have written.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
}
const speed = 600
const world = ['--scale', '8', '--warmup', '1h', '--speed', String(speed)]
const serve = (): Run =>
  run(['--listen', '127.0.0.1:0', ...world, '--session-file', state, '--cadence-ms', '200'], faked)

/** After each jump it is read this long. */
const watchedMs = 4_000
/** The delays of a busy machine, where a clock that jumps would make hours. */
const lateMs = 15_000

interface Seen {
  readonly atMs: number
  readonly dateMs: number
  readonly status: string
  readonly ageMs: number
  readonly ageSeconds: number
  readonly seq: number
  readonly simSeconds: number
}

async function look(origin: string): Promise<Seen> {
  const response = await fetch(`${origin}/health`)
  const health = (await response.json()) as Record<'age_ms' | 'publish_seq' | 'sim_time_ns', number> & {
    readonly status: string
  }
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return {
    atMs: performance.now(),
    dateMs: Date.parse(response.headers.get('date')!),
    status: health.status,
    ageMs: health.age_ms,
    ageSeconds: Number(/^dcsim_mirror_snapshot_age_seconds (\S+)$/m.exec(metrics)![1]),
    seq: health.publish_seq,
    simSeconds: health.sim_time_ns / 1e9,
  }
}

async function watch(origin: string): Promise<Seen[]> {
  const seen: Seen[] = []
  const beganMs = performance.now()
  while (performance.now() - beganMs < watchedMs) {
    seen.push(await look(origin))
    await pause(100)
  }
  return seen
}

/** The longest time in which no new publish was seen. */
function longestStallMs(seen: readonly Seen[]): number {
  let longest = 0
  let [last] = seen
  for (const one of seen) {
    longest = Math.max(longest, one.atMs - last.atMs)
    if (one.seq > last.seq) last = one
  }
  return longest
}

test.skipIf(!hasFaketime)(
  'serve and record keep their ages, publishes, files and locks, though the wall clock jumps by hours',
  { timeout: 400_000 },
  async () => {
    setClock(0)
    const service = serve()
    const recorder = run(['record', '--out', recording, '--every', '1s', ...world], faked)
    const origin = await service.origin()
    await service.says(/Ready after/)
    await recorder.says(/Recording: 1 frame/)
    const recordedSinceMs = performance.now()

    const seen: Seen[] = []
    for (const hours of [0, 3, -3]) {
      setClock(hours)
      // The Date header is made once a second.
      await pause(1_100)
      const since = await watch(origin)
      for (const { dateMs } of since)
        expect(Math.abs(dateMs - Date.now() - hours * 3_600_000)).toBeLessThan(60_000)
      seen.push(...since)
    }
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['ok']))
    const ages = seen.flatMap(({ ageMs, ageSeconds }) => [ageMs, 1000 * ageSeconds])
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...ages)).toBeLessThan(lateMs)
    expect(seen.filter(({ seq }, index) => index > 0 && seq < seen[index - 1].seq)).toEqual([])
    expect(longestStallMs(seen)).toBeLessThan(lateMs)
    const [first, last] = [seen[0], seen.at(-1)!]
    const pace = (last.simSeconds - first.simSeconds) / ((last.atMs - first.atMs) / 1000) / speed
    expect(pace).toBeGreaterThan(0.7)
    expect(pace).toBeLessThan(1.3)

    const recordedMs = performance.now() - recordedSinceMs
    expect((await recorder.end('SIGTERM')).code).toBe(0)
    const inspected = run(['inspect', recording])
    await inspected.ended
    // Not hours.
    expect(inspected.out).toMatch(/^ {2}wall .*: (?:\d+m )?(?:\d+s)?$/m)
    const [, frames] = /^ {2}frames +([\d,]+)/m.exec(inspected.out)!
    expect(Number(frames.replaceAll(',', ''))).toBeGreaterThan(recordedMs / 2_000)

    // A lock of the file system knows no hours.
    setClock(3)
    const second = serve()
    expect(await second.ended).toEqual([1, null])
    expect(second.err).toContain('is in use by another process')

    const end = await look(origin)
    const { code, ms } = await service.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(promptlyMs)

    setClock(-3)
    const third = serve()
    await third.says(/Ready after/)
    expect(third.out).toContain(`The world of ${state} is continued`)
    const continued = await look(await third.origin())
    expect(continued.seq).toBeGreaterThan(end.seq)
    expect(continued.simSeconds).toBeGreaterThanOrEqual(end.simSeconds)
    expect((await third.end('SIGTERM')).code).toBe(0)
  },
)
