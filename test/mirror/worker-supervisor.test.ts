/** A real thread that hangs. The simulator has the deaths of threads in every order. */
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { Mirror } from '../../src/mirror/mirror.ts'
import { WorkerSupervisor } from '../../src/mirror/worker-supervisor.ts'
import { processClock as clock } from '../../src/process-clock.ts'
import { hangsAtNs } from './ticking-thread.ts'

test('a world that hangs is terminated by the watchdog and restarted, and no time goes back', async () => {
  const reached: bigint[] = []
  const lines: string[] = []
  const supply = new WorkerSupervisor({
    spawn: (reachNs) => {
      reached.push(reachNs)
      return new Worker(new URL('ticking-thread.ts', import.meta.url), { workerData: reachNs })
    },
    clock: {
      ...clock,
      after: (delayMs, call) => clock.after(delayMs >= 1000 ? delayMs / 20 : delayMs, call),
    },
  })
  const log = (line: string): number => lines.push(line)
  const mirror = new Mirror({ supply, clock, cadenceMs: 20, idleAfterMs: 60_000, isEachRead: true, log })
  mirror.start()
  await expect.poll(() => lines, { timeout: 20_000 }).toHaveLength(1)
  expect(lines[0]).toBe('The world stopped: its thread has not responded for 20 s. Restarting it in 0.5 s.')
  const last = mirror.read()!
  expect(mirror.status()).toEqual({ status: 'stale', reason: lines[0] })
  await expect.poll(() => mirror.status().status, { timeout: 20_000 }).toBe('ok')
  const next = mirror.read()!
  expect(reached).toEqual([0n, last.simTimeNs])
  expect(last.simTimeNs).toBeLessThan(hangsAtNs)
  expect(next.simTimeNs).toBeGreaterThanOrEqual(last.simTimeNs)
  expect(next.publishSeq).toBeGreaterThan(last.publishSeq)
  const host = JSON.parse(Buffer.from(next.collections.hosts.bytes).toString()) as { power_on_hours: number }
  expect(BigInt(host.power_on_hours) * 10_000_000_000n).toBe(next.simTimeNs)
  await mirror.close()
})
