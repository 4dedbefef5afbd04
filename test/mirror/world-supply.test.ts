import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { clockOf } from '../../src/contract/clock.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { restartDelaysMs, WorldSupply } from '../../src/mirror/world-supply.ts'
import type { TickingThreadData } from './ticking-thread.ts'

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)
const hour = 3_600_000_000_000n

interface Given {
  readonly warmUpNs?: bigint
  readonly throwsAtNs?: readonly bigint[]
  readonly recovers?: boolean
  readonly hangsAtNs?: bigint
  /** Waits of this many milliseconds or more take so many times less. */
  readonly hurry?: number
}

const open: Mirror[] = []

/** A mirror of a ticking world in a thread of its own. */
function mirrorOf({ warmUpNs = 0n, throwsAtNs = [], recovers = false, hangsAtNs, hurry = 1 }: Given) {
  const reached: bigint[] = []
  const lines: string[] = []
  let histories = 0
  const supply = new WorldSupply({
    spawn: (reachNs) => {
      reached.push(reachNs)
      const workerData: TickingThreadData = {
        warmUpNs,
        reachNs,
        throwsAtNs,
        recovers,
        ...(hangsAtNs === undefined ? {} : { hangsAtNs }),
      }
      return new Worker(new URL('ticking-thread.ts', import.meta.url), { workerData })
    },
    clock: {
      nowMs: clock.nowMs,
      after: (delayMs, call) => clock.after(delayMs >= 1000 ? delayMs / hurry : delayMs, call),
    },
    onHistory: () => histories++,
  })
  const mirror = new Mirror({
    supply,
    clock,
    cadenceMs: 20,
    idleAfterMs: 60_000,
    log: (line) => lines.push(line),
  })
  open.push(mirror)
  mirror.start()
  return { mirror, reached, lines, histories: () => histories }
}

afterEach(async () => {
  for (const mirror of open.splice(0)) await mirror.close()
})

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (isSo()) return
    await pause(10)
  }
  throw new Error('It did not come to that within 10 s.')
}

test('publishes come from the thread, one after the other, in simulated time', async () => {
  const { mirror, histories } = mirrorOf({ warmUpNs: hour })
  await until(() => mirror.read() !== null)
  const first = mirror.read()!
  await until(() => mirror.read()!.publishSeq >= first.publishSeq + 10)
  const later = mirror.read()!
  expect(first.simTimeNs).toBeGreaterThanOrEqual(hour)
  expect(later.simTimeNs).toBeGreaterThan(first.simTimeNs)
  expect(later.capturedAtMs).toBeGreaterThan(first.capturedAtMs)
  expect(later.capturedAtMs).toBeLessThanOrEqual(clock.nowMs())
  const host = JSON.parse(Buffer.from(later.collections.hosts.bytes).toString()) as { power_on_hours: number }
  expect(BigInt(host.power_on_hours) * 10_000_000_000n).toBe(later.simTimeNs)
  expect(histories()).toBe(1)
})

test('a held frame is still there when its buffers would have moved back', async () => {
  const { mirror } = mirrorOf({})
  await until(() => mirror.read() !== null)
  const frame = mirror.read()!
  const before = Buffer.from(frame.collections.hosts.bytes).toString()
  const release = mirror.hold(frame, () => {})
  await until(() => mirror.read()!.publishSeq >= frame.publishSeq + 5)
  expect(Buffer.from(frame.collections.hosts.bytes).toString()).toBe(before)
  release()
  expect(frame.collections.hosts.bytes.length).toBe(0)
})

test('a world that dies is started again, and simulated time does not fall back', async () => {
  const { mirror, reached, lines } = mirrorOf({ throwsAtNs: [hour], recovers: true, hurry: 20 })
  await until(() => lines.length === 1)
  expect(lines[0]).toBe(
    'The world stopped: no luck at 3600 s (at ticking-thread.ts:26). Starting it again in 1 s (1 of 5).',
  )
  const last = mirror.read()!
  expect(mirror.status()).toEqual({ status: 'stale', reason: lines[0] })
  await until(() => mirror.status().status === 'ok')
  const next = mirror.read()!
  expect(reached).toEqual([0n, last.simTimeNs])
  expect(next.simTimeNs).toBeGreaterThanOrEqual(last.simTimeNs)
  expect(next.publishSeq).toBeGreaterThan(last.publishSeq)
})

test('a world that always dies is given up after the last restart, and its last frame stays', async () => {
  const every = Array.from({ length: 1000 }, (_, i) => BigInt(i + 30) * 10_000_000_000n)
  const { mirror, lines, reached } = mirrorOf({ throwsAtNs: every, hurry: 1000 })
  const losses = (): string[] => lines.filter((line) => line.startsWith('The world stopped'))
  await until(() => losses().length === restartDelaysMs.length + 1)
  expect(losses().at(-1)).toMatch(
    /^The world stopped: no luck at \d+ s \(at ticking-thread\.ts:26\)\. It was started again 5 times in vain\.$/,
  )
  expect(reached).toHaveLength(6)
  await pause(100)
  expect(mirror.status()).toEqual({ status: 'stale', reason: losses().at(-1) })
  expect(mirror.read()!.publishSeq).toBeGreaterThan(0)
})

test('closing ends a world that hangs in its warm-up within a second', async () => {
  const { mirror } = mirrorOf({ warmUpNs: 1000n * hour, hangsAtNs: 900n * hour })
  await until(() => mirror.status().reason.startsWith('The world is warming up'))
  const beganMs = clock.nowMs()
  await mirror.close()
  expect(clock.nowMs() - beganMs).toBeLessThan(1000)
  expect(mirror.read()).toBeNull()
})
