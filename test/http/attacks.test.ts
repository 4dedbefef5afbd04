/** Clients that ask for much at once, and what that costs the process and those who ask for its health meanwhile. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { firstThreadMs } from '../fixtures/processor-time.ts'
import { until } from '../metrics/real-prometheus.ts'
import type { PipeliningTask } from './pipelining-client.ts'

const probeEveryMs = 50

async function askHealth(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = get({ port, path: '/health', agent: false }, (response) => {
    response.on('end', resolve).on('error', reject).resume()
  })
  request.on('error', reject)
  await promise
}

interface Costs {
  /** The processor time of the service thread in the longest request, however busy the machine is with other things. */
  readonly healthCpuMs: number
  /** Beyond what there was before. */
  readonly mb: number
  readonly descriptors: number
}

async function attack(mirror: MirrorProcess, task: Omit<PipeliningTask, 'port'>): Promise<Costs> {
  const [mbBefore, descriptorsBefore] = [await mirror.residentMb(), await mirror.descriptors()]
  const client = fork(new URL('pipelining-client.ts', import.meta.url), { execArgv: [] })
  const ended = once(client, 'exit')
  client.send({ port: mirror.port, ...task } satisfies PipeliningTask)
  let [healthCpuMs, mb, descriptors] = [0, 0, 0]
  while (client.exitCode === null) {
    const cpuMs = firstThreadMs(mirror.pid)
    await askHealth(mirror.port)
    healthCpuMs = Math.max(healthCpuMs, firstThreadMs(mirror.pid) - cpuMs)
    mb = Math.max(mb, (await mirror.residentMb()) - mbBefore)
    descriptors = Math.max(descriptors, (await mirror.descriptors()) - descriptorsBefore)
    await pause(probeEveryMs)
  }
  await ended
  return { healthCpuMs, mb, descriptors }
}

const scrapes = { target: '/metrics', requestsPerConnection: 1_500, isReading: true, durationMs: 3_000 }
const world = 'simulation?scale=small&warmup=10m'

describe.each<[string, readonly string[], readonly Omit<PipeliningTask, 'port'>[], Costs]>([
  [
    'pipelined scrapes of a mirror',
    ['--warmup', '10m'],
    [
      { ...scrapes, connections: 20 },
      { ...scrapes, connections: 100, requestsPerConnection: 200 },
      { ...scrapes, connections: 1, requestsPerConnection: 30_000 },
      { ...scrapes, connections: 20, isReading: false },
    ],
    { healthCpuMs: 1_000, mb: 150, descriptors: 150 },
  ],
  [
    'a thousand tables of 1,000 hosts, each another one, that are not read',
    ['--scale', 'large', '--warmup', '10m'],
    [
      {
        target: '/tables/ports?limit=100000&offset={n}',
        connections: 1_000,
        requestsPerConnection: 1,
        isReading: false,
        durationMs: 15_000,
      },
    ],
    { healthCpuMs: 1_000, mb: 700, descriptors: 1_100 },
  ],
  [
    'pipelined scrapes of a session at a front',
    ['--sessions', `a=${world},b=${world}&seed=2`],
    // As many connections to the mirror as of the client, each seen from both of its ends.
    [{ ...scrapes, target: '/metrics?session=a', connections: 20, durationMs: 5_000 }],
    { healthCpuMs: 1_000, mb: 300, descriptors: 100 },
  ],
])('%s', (_, flags, tasks, most) => {
  test('cost bounded memory and descriptors, and keep no other client waiting', {
    timeout: 400_000,
  }, async () => {
    const mirror = await MirrorProcess.start(flags, 'listening')
    try {
      await until('there is a world', async () =>
        /^\{[^[]*"status":"(?:ok|idle)"/.test(await mirror.text('/health')),
      )
      // Warms up memory and compiled code as ordinary use does.
      for (let scrape = 0; scrape < 200; scrape++) await mirror.text(tasks[0].target)
      for (const task of tasks) {
        const costs = await attack(mirror, task)
        expect.soft(costs.healthCpuMs).toBeLessThan(most.healthCpuMs)
        expect.soft(costs.mb).toBeLessThan(most.mb)
        expect.soft(costs.descriptors).toBeLessThan(most.descriptors)
      }
    } finally {
      await mirror.stop()
    }
  })
})
