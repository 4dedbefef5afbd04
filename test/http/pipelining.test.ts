import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { attack, slowdownOf } from './attacked-mirror.ts'

const durationMs = 3_000
const growthMbMax = 150
/** The limit for every request on a quiet machine; on a busy one it grows in proportion. */
const healthMsMax = 250

let mirror: MirrorProcess
let slowdown = 1
beforeAll(async () => {
  mirror = await MirrorProcess.start(['--warmup', '10m'])
  // Warms up memory and compiled code as ordinary use does.
  for (let scrape = 0; scrape < 200; scrape++) {
    await mirror.text('/metrics')
  }
  slowdown = await slowdownOf(mirror)
})
afterAll(() => mirror.stop())

test.each([
  { connections: 20, requestsPerConnection: 1_500, isReading: true },
  { connections: 100, requestsPerConnection: 200, isReading: true },
  { connections: 1, requestsPerConnection: 30_000, isReading: true },
  { connections: 20, requestsPerConnection: 1_500, isReading: false },
])('bounds the memory and the delay that pipelined scrapes cost: %o', async (load) => {
  const { peakMb, medianHealthMs } = await attack(mirror, { target: '/metrics', durationMs, ...load })
  expect(peakMb).toBeLessThan(growthMbMax)
  expect(medianHealthMs).toBeLessThan(healthMsMax * slowdown)
})
