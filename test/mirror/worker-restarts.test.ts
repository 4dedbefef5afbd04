import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { FromWorld } from '../../src/encoding/frames/worker-protocol.ts'
import {
  healthyAfterMs,
  restartDelayMaxMs,
  silentIntervalsAtStartMax,
  watchdogIntervalMs,
  WorldThreadSupply,
} from '../../src/mirror/world-thread-supply.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'

class FakeWorker extends EventEmitter {
  readonly received: unknown[] = []
  isTerminated = false

  postMessage(message: unknown): void {
    this.received.push(message)
  }

  async terminate(): Promise<number> {
    this.isTerminated = true
    return 1
  }

  post(message: FromWorld): void {
    this.emit('message', message)
  }

  crash(error: Error): void {
    this.emit('error', error)
    this.emit('exit', 1)
  }
}

function supply(isSavedAtClose = false) {
  const clock = new FakeClock()
  const workers: FakeWorker[] = []
  const failures: string[] = []
  const events: string[] = []
  const supply = new WorldThreadSupply({
    spawn: () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    clock,
    isSavedAtClose,
  })
  const start = () =>
    supply.start({
      frame: () => events.push('frame'),
      unchanged: () => events.push('unchanged'),
      missed: () => events.push('missed'),
      warmingUp: () => events.push('warmingUp'),
      state: () => events.push('state'),
      failed: (reason) => failures.push(reason),
    })
  const current = (): FakeWorker => workers.at(-1)!
  return { clock, supply, workers, current, failures, events, start }
}

function started() {
  const world = supply()
  world.start()
  return world
}

test('a world that begins before it is watched is started once, and its events are kept in their order', () => {
  const world = supply()
  world.supply.begin()
  const opened = { kind: 'opened', publishSeq: 0, message: null, replacedFor: null } as const
  world.current().post({ kind: 'state', report: opened })
  world.current().crash(new Error('out of luck'))
  world.clock.advanceTo(500)
  world.current().post({ kind: 'unchanged' })
  expect([world.events, world.failures]).toEqual([[], []])
  world.start()
  world.current().post({ kind: 'unchanged' })
  expect(world.events).toEqual(['state', 'unchanged', 'unchanged'])
  expect(world.failures).toHaveLength(1)
  expect(world.workers).toHaveLength(2)
})

test('a worker that keeps crashing is restarted without end, with pauses that double up to a bound', () => {
  const { clock, workers, current, failures } = started()
  const pausesMs = []
  for (let restarts = 0; restarts < 100; restarts++) {
    const crashedMs = clock.nowMs()
    current().crash(new Error('out of luck'))
    while (workers.length === restarts + 1) clock.advanceTo(clock.nowMs() + 100)
    pausesMs.push(clock.nowMs() - crashedMs)
  }
  expect(pausesMs.slice(0, 5)).toEqual([500, 1000, 2000, 4000, 4000])
  expect(Math.max(...pausesMs)).toBe(restartDelayMaxMs)
  expect(failures[0]).toMatch(/^The world stopped: out of luck \(at .*:\d+\)\. Restarting it in 0\.5 s\.$/)
})

test('a healthy stretch shortens the pause again', () => {
  const { clock, current, failures } = started()
  for (let crashes = 0; crashes < 4; crashes++) {
    current().crash(new Error('out of luck'))
    clock.advanceTo(clock.nowMs() + restartDelayMaxMs)
  }
  current().post({ kind: 'unchanged' })
  for (let ms = 0; ms < healthyAfterMs; ms += watchdogIntervalMs) {
    clock.advanceTo(clock.nowMs() + watchdogIntervalMs)
    current().post({ kind: 'heartbeat' })
  }
  current().crash(new Error('out of luck'))
  expect(failures.at(-1)).toContain('Restarting it in 0.5 s.')
})

test('a worker has longer before its first message, as building a large world takes a while', () => {
  const { clock, workers, current } = started()
  clock.advanceTo(silentIntervalsAtStartMax * watchdogIntervalMs)
  expect(current().isTerminated).toBe(false)
  clock.advanceTo((silentIntervalsAtStartMax + 2) * watchdogIntervalMs)
  expect(workers).toHaveLength(2)
})

test('a worker that has answered once is replaced after 20 s of silence', () => {
  const { clock, workers, current, failures } = started()
  current().post({ kind: 'heartbeat' })
  clock.advanceTo(20 * watchdogIntervalMs)
  expect(current().isTerminated).toBe(false)
  clock.advanceTo(21 * watchdogIntervalMs)
  expect(current().isTerminated).toBe(true)
  expect(failures).toEqual([
    'The world stopped: its thread has not responded for 20 s. Restarting it in 0.5 s.',
  ])
  clock.advanceTo(22 * watchdogIntervalMs)
  expect(workers).toHaveLength(2)
})

test('a world is terminated once it has saved its state, or after 7 s', async () => {
  const closing = () => {
    const world = supply(true)
    world.start()
    return { ...world, worker: world.current(), closed: world.supply.close() }
  }
  const saved = closing()
  saved.clock.advanceTo(6_900)
  await new Promise(setImmediate)
  expect([saved.worker.received.at(-1), saved.worker.isTerminated]).toEqual([{ kind: 'close' }, false])
  saved.worker.post({ kind: 'closed' })
  await saved.closed
  expect(saved.worker.isTerminated).toBe(true)
  const hung = closing()
  hung.clock.advanceTo(7_000)
  await hung.closed
  expect(hung.worker.isTerminated).toBe(true)
})
