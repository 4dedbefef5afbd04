import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import type { PipeliningTask } from './pipelining-client.ts'

const durationMs = 3_000
const growthMbMax = 150
/** The limit for every request on a quiet machine; on a busy one it grows in proportion. */
const healthMsMax = 250
const quietHealthMs = 5

let mirror: MirrorProcess
let slowdown = 1
beforeAll(async () => {
  mirror = await MirrorProcess.start(['--warmup', '10m'])
  // Warms up memory and compiled code as ordinary use does.
  for (let scrape = 0; scrape < 200; scrape++) {
    await mirror.text('/metrics')
  }
})
beforeAll(async () => {
  const delaysMs: number[] = []
  for (let request = 0; request < 50; request++) delaysMs.push(await healthMs())
  slowdown = Math.max(1, median(delaysMs) / quietHealthMs)
})
afterAll(() => mirror.stop())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]

async function healthMs(): Promise<number> {
  const startMs = performance.now()
  await mirror.text('/health')
  return performance.now() - startMs
}

test.each([
  { connections: 20, requestsPerConnection: 1_500, isReading: true },
  { connections: 100, requestsPerConnection: 200, isReading: true },
  { connections: 1, requestsPerConnection: 30_000, isReading: true },
  { connections: 20, requestsPerConnection: 1_500, isReading: false },
])('bounds the memory and the delay that pipelined scrapes cost: %o', async (load) => {
  const before = await mirror.residentMb()
  const client = fork(fileURLToPath(new URL('pipelining-client.ts', import.meta.url)), { execArgv: [] })
  const ended = once(client, 'exit')
  client.send({ port: mirror.port, durationMs, ...load } satisfies PipeliningTask)
  const delaysMs: number[] = []
  let peak = before
  while (client.exitCode === null) {
    delaysMs.push(await healthMs())
    peak = Math.max(peak, await mirror.residentMb())
    await pause(50)
  }
  await ended
  expect(peak - before).toBeLessThan(growthMbMax)
  expect(median(delaysMs)).toBeLessThan(healthMsMax * slowdown)
})
