import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunningService } from '../metrics/real-prometheus.ts'

interface Health {
  readonly status: string
  readonly age_ms: number
  readonly publish_seq: number
  readonly sim_time_ns: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let service: RunningService

beforeAll(async () => {
  const flags = '--scale small --warmup 10m --cadence-ms 200 --idle-ms 1000'
  service = await RunningService.start(flags.split(' '))
})

afterAll(() => service?.stop())

const health = async (): Promise<Health> => JSON.parse(await service.get('/health')) as Health

test('publishing pauses without requests and resumes with one, and the world does not pause', async () => {
  const before = await health()
  expect(before.status).toBe('ok')
  await pause(4_000)
  const waking = await health()
  expect(waking.status).toBe('idle')
  expect(waking.age_ms).toBeGreaterThan(1_500)
  // At most the publishes of five cadences with reads and one of grace, while four seconds have room for
  // twenty.
  expect(waking.publish_seq - before.publish_seq).toBeLessThan(12)
  await pause(600)
  const woken = await health()
  expect(woken.status).toBe('ok')
  expect(woken.publish_seq).toBeGreaterThan(waking.publish_seq)
  expect(woken.age_ms).toBeLessThan(1_000)
  // At least four wall seconds are 48 simulated ones.
  expect(woken.sim_time_ns - before.sim_time_ns).toBeGreaterThan(36e9)
})
