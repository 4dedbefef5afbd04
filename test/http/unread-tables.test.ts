import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { attack } from './attacked-mirror.ts'

const growthMbMax = 700
/** For every request on a quiet machine. On a busy one, it is the processor time that the request waits for. */
const healthMsMax = 1_000

let mirror: MirrorProcess
beforeAll(async () => {
  mirror = await MirrorProcess.start(['--scale', 'large', '--warmup', '10m'])
}, 300_000)
afterAll(() => mirror.stop())

test('a thousand tables of 1,000 hosts that their clients do not read, each another one, keep no other client waiting', async () => {
  const costs = await attack(mirror, {
    target: '/tables/ports?limit=100000&offset={n}',
    connections: 1_000,
    requestsPerConnection: 1,
    isReading: false,
    durationMs: 15_000,
  })
  expect(costs.longestHealthCpuMs).toBeLessThan(healthMsMax)
  expect(costs.peakMb).toBeLessThan(growthMbMax)
})
