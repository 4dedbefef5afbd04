import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { processClock as clock } from '../../src/process-clock.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import type { FromWorld, ToWorld } from '../../src/encoding/frames/worker-protocol.ts'
import type { SupplyEvents } from '../../src/mirror/frame-supply.ts'
import { WorkerSupervisor } from '../../src/mirror/worker-supervisor.ts'
import type { TickingThreadData } from './ticking-thread.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { promptlyMs } from '../fixtures/promptly.ts'
const hour = 3_600_000_000_000n

interface TickingMirrorOptions {
  readonly warmUpNs?: bigint
  readonly throwsAtNs?: readonly bigint[]
  readonly recovers?: boolean
  readonly hangsAtNs?: bigint
  /** Divides delays of at least a second. */
  readonly speedUp?: number
}

const open: Mirror[] = []

/** A mirror of a ticking world in a thread of its own. */
function createTickingMirror({
  warmUpNs = 0n,
  throwsAtNs = [],
  recovers = false,
  hangsAtNs,
  speedUp = 1,
}: TickingMirrorOptions) {
  const reached: bigint[] = []
  const lines: string[] = []
  let histories = 0
  const supply = new WorkerSupervisor({
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
      ...clock,
      after: (delayMs, call) => clock.after(delayMs >= 1000 ? delayMs / speedUp : delayMs, call),
    },
    onHistory: () => histories++,
  })
  const mirror = new Mirror({
    supply,
    clock,
    cadenceMs: 20,
    idleAfterMs: 60_000,
    isEachRead: true,
    log: (line) => lines.push(line),
  })
  open.push(mirror)
  mirror.start()
  return { mirror, reached, lines, histories: () => histories }
}

afterEach(async () => {
  for (const mirror of open.splice(0)) await mirror.close()
})

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (condition()) return
    await pause(10)
  }
  throw new Error('The condition did not hold within 10 s.')
}

test('publishes come from the thread, one after the other, in simulated time', async () => {
  const { mirror, histories } = createTickingMirror({ warmUpNs: hour })
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

test('a world that crashes is restarted, and simulated time does not decrease', async () => {
  const { mirror, reached, lines } = createTickingMirror({ throwsAtNs: [hour], recovers: true, speedUp: 20 })
  await until(() => lines.length === 1)
  expect(lines[0]).toBe(
    'The world stopped: no luck at 3600 s (at ticking-thread.ts:24). Restarting it in 0.5 s.',
  )
  const last = mirror.read()!
  expect(mirror.status()).toEqual({ status: 'stale', reason: lines[0] })
  await until(() => mirror.status().status === 'ok')
  const next = mirror.read()!
  expect(reached).toEqual([0n, last.simTimeNs])
  expect(next.simTimeNs).toBeGreaterThanOrEqual(last.simTimeNs)
  expect(next.publishSeq).toBeGreaterThan(last.publishSeq)
})

test('a world that hangs is terminated by the watchdog and restarted', async () => {
  const { mirror, lines, reached } = createTickingMirror({ hangsAtNs: hour, recovers: true, speedUp: 20 })
  await until(() => lines.length === 1)
  expect(lines[0]).toBe('The world stopped: its thread has not responded for 20 s. Restarting it in 0.5 s.')
  const last = mirror.read()!
  expect(mirror.status()).toEqual({ status: 'stale', reason: lines[0] })
  await until(() => mirror.status().status === 'ok')
  expect(reached).toEqual([0n, last.simTimeNs])
  expect(mirror.read()!.publishSeq).toBeGreaterThan(last.publishSeq)
})

test('close terminates a world that hangs in its warm-up promptly', async () => {
  const { mirror } = createTickingMirror({ warmUpNs: 1000n * hour, hangsAtNs: 900n * hour })
  await until(() => mirror.status().reason.startsWith('The world is warming up'))
  const beganMs = clock.nowMs()
  await mirror.close()
  expect(clock.nowMs() - beganMs).toBeLessThan(promptlyMs)
  expect(mirror.read()).toBeNull()
})

/** Closes a supervisor of a fake thread whose world is saved at its end. */
function closeSaved() {
  const fakeClock = new FakeClock()
  const thread = new EventEmitter()
  const done: string[] = []
  Object.assign(thread, {
    postMessage: ({ kind }: ToWorld) => done.push(kind),
    terminate: async () => done.push('terminated'),
  })
  const supply = new WorkerSupervisor({
    spawn: () => thread as Worker,
    clock: fakeClock,
    onHistory: () => {},
    isSavedAtClose: true,
  })
  supply.start({ failed: (reason: string) => done.push(reason) } as unknown as SupplyEvents)
  return { fakeClock, thread, done, closed: supply.close() }
}

test('a world is terminated once it has saved its state, or after 7 s', async () => {
  const saved = closeSaved()
  saved.fakeClock.advanceTo(6_900)
  await pause(10)
  expect(saved.done).toEqual(['close'])
  saved.thread.emit('message', { kind: 'closed' } satisfies FromWorld)
  await saved.closed
  expect(saved.done).toEqual(['close', 'terminated'])
  const hung = closeSaved()
  hung.fakeClock.advanceTo(7_000)
  await hung.closed
  expect(hung.done).toEqual(['close', 'terminated'])
})
