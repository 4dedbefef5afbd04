/** A series of 60 MB from an upstream, through a mirror in a process of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { FakeUpstream } from './fake-upstream.ts'

const values = `[${'-1234.5678,'.repeat(5_500_000)}0]`
const path = '/api/v1/metrics/series?path=large'

let upstream: FakeUpstream
let mirror: MirrorProcess

beforeAll(async () => {
  upstream = await FakeUpstream.start({ publishSeq: 1, simTimeNs: 20n })
  upstream.filter = (reply, { url }) => {
    if (url !== path) return reply
    const meta = '"meta":{"age_ms":0,"publish_seq":1,"sim_time_ns":20,"step_ns":10,"last_ns":20}'
    return {
      ...reply,
      status: 200,
      body: `{${meta},"path":"large","values":${values},"scale":"linear","unit":"count"}`,
    }
  }
  mirror = await MirrorProcess.start(['--source', upstream.origin])
}, 120_000)

afterAll(async () => {
  await mirror.stop()
  await upstream.close()
})

/** The longest time that the service thread was busy since this was last read. */
const stallSeconds = (): Promise<number> => mirror.metric('nodejs_eventloop_lag_max_seconds')

test('is passed on whole, and leaves the service thread free for other clients', async () => {
  await stallSeconds()
  const response = await fetch(`${mirror.origin}${path}`)
  const body = await response.text()
  const stalled = await stallSeconds()
  expect(response.status).toBe(200)
  expect(body).toContain(`"values":${values},"scale":"linear"`)
  const startedMs = performance.now()
  JSON.parse(body)
  expect(stalled).toBeLessThan((performance.now() - startedMs) / 1000 / 4)
})
