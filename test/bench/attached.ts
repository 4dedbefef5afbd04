import { setTimeout as pause } from 'node:timers/promises'
import type { Subject } from './harness.ts'
import { startService } from './service.ts'

const fleetHosts = 10_000
const settleMs = 15_000
const watchedMs = 45_000
const lookMs = 100

interface Health {
  readonly meta: { readonly publish_seq: number; readonly age_ms: number }
}

/** A mirror of a server, all its threads on one processor and the server on the other. */
const attachedCadence: Subject = {
  name: 'attached',
  async measure(progress) {
    progress(`starting a server with ${fleetHosts} hosts`)
    const server = await startService(['--scale', String(fleetHosts), '--warmup', '1h'], 0)
    const mirror = await startService(['--source', server.origin], 1)
    const look = async (): Promise<Health> =>
      (await (await fetch(`${mirror.origin}/health`)).json()) as Health
    progress('looking at the mirror for a minute')
    const settledAt = performance.now() + settleMs
    while (performance.now() < settledAt) {
      await look()
      await pause(lookMs)
    }
    const first = (await look()).meta.publish_seq
    const beganMs = performance.now()
    const ages: number[] = []
    while (performance.now() < beganMs + watchedMs) {
      ages.push((await look()).meta.age_ms)
      await pause(lookMs)
    }
    const last = (await look()).meta.publish_seq
    const value = (1_000 * (last - first)) / (performance.now() - beganMs)
    mirror.process.kill()
    server.process.kill()
    const sorted = ages.toSorted((one, other) => one - other)
    return {
      measured: `publishes/s of a mirror of ${fleetHosts.toLocaleString('en')} hosts, on one processor`,
      against: '—',
      value,
      unit: '/s',
      better: 'higher',
      floor: 1,
      aim: 1,
      medians: `the world's age ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`,
    }
  },
}

export const attached: readonly Subject[] = [attachedCadence]
