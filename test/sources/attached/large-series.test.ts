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

/** The longest stall of the service thread since the last call. */
const stallSeconds = (): Promise<number> => mirror.metric('nodejs_eventloop_lag_max_seconds')

test('is passed on whole', async () => {
  const response = await fetch(`${mirror.origin}${path}`)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain(`"values":${values},"scale":"linear"`)
})

/** Other load on the machine only increases a stall: the shortest one is the mirror's own. */
const attempts = 5

test('leaves the service thread free for other clients', async () => {
  const stalls: number[] = []
  const parses: number[] = []
  for (let attempt = 0; attempt < attempts; attempt++) {
    await stallSeconds()
    const body = await (await fetch(`${mirror.origin}${path}`)).text()
    stalls.push(await stallSeconds())
    const beganMs = performance.now()
    JSON.parse(body)
    parses.push((performance.now() - beganMs) / 1000)
  }
  expect(Math.min(...stalls)).toBeLessThan(Math.min(...parses) / 4)
})
