import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { attack } from '../http/attacked-mirror.ts'
import { until } from '../metrics/real-prometheus.ts'

const growthMbMax = 300
/** Twenty connections of the client, as many to the mirror, seen from both of its ends. */
const descriptorsMax = 100
/** For every request on a quiet machine. On a busy one, it is the processor time that the request waits for. */
const healthMsMax = 1_000

let front: MirrorProcess
beforeAll(async () => {
  const world = 'simulation?scale=small&warmup=10m'
  front = await MirrorProcess.start(['--sessions', `a=${world},b=${world}&seed=2`], 'listening')
  await until('both sessions have a world', async () =>
    /^\{[^[]*"status":"(?:ok|idle)"/.test(await front.text('/health')),
  )
}, 180_000)
afterAll(() => front.stop())

test('1,500 pipelined scrapes of one session on each of 20 connections cost the front bounded memory and descriptors', async () => {
  const costs = await attack(front, {
    target: '/metrics?session=a',
    connections: 20,
    requestsPerConnection: 1_500,
    isReading: true,
    durationMs: 5_000,
  })
  expect(costs.peakDescriptors).toBeLessThan(descriptorsMax)
  expect(costs.peakMb).toBeLessThan(growthMbMax)
  expect(costs.longestHealthCpuMs).toBeLessThan(healthMsMax)
})
