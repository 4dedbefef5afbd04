import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ServiceMetrics, expositionMaxAgeMs } from '../../src/metrics/service-metrics.ts'
import { parseChunks } from './parsed-exposition.ts'

function service() {
  const clock = { nowMs: 1_000 }
  const gauges = { worldReady: true, paused: false, ageSeconds: 0.25, frameBytes: 4_096, sourceUp: true }
  const metrics = new ServiceMetrics({ version: '1.2.3', gauges: () => gauges, nowMs: () => clock.nowMs })
  return { clock, gauges, metrics }
}

test('requests are counted by route and code', async () => {
  const { metrics } = service()
  metrics.requestAnswered('hosts', 200, 0.000_2, 1_000)
  metrics.requestAnswered('hosts', 200, 0.003, 500)
  metrics.requestAnswered('hosts', 304, 0.000_1, 0)
  metrics.requestAnswered('none', 404, 0.000_1, 120)
  metrics.requestAnswered('host', 503, 0.000_1, 7)
  const parsed = parseChunks(await metrics.exposition())
  expect([...parsed.get('dcsim_mirror_http_requests_total')!.samples]).toStrictEqual([
    ['dcsim_mirror_http_requests_total{route="/api/v1/hosts",code="200"}', 2],
    ['dcsim_mirror_http_requests_total{route="/api/v1/hosts",code="304"}', 1],
    ['dcsim_mirror_http_requests_total{route="none",code="404"}', 1],
    ['dcsim_mirror_http_requests_total{route="/api/v1/hosts/{id}",code="503"}', 1],
  ])
  expect([...parsed.get('dcsim_mirror_http_response_bytes_total')!.samples]).toStrictEqual([
    ['dcsim_mirror_http_response_bytes_total{route="/api/v1/hosts"}', 1_500],
    ['dcsim_mirror_http_response_bytes_total{route="none"}', 120],
    ['dcsim_mirror_http_response_bytes_total{route="/api/v1/hosts/{id}"}', 7],
  ])
})

test('durations make a histogram whose buckets add up', async () => {
  const { metrics } = service()
  for (const seconds of [0.000_25, 0.000_26, 0.2, 3]) metrics.requestAnswered('hosts', 200, seconds, 1)
  const { samples, type } = parseChunks(await metrics.exposition()).get(
    'dcsim_mirror_http_request_duration_seconds',
  )!
  const bucket = (le: string): number | undefined =>
    samples.get(`dcsim_mirror_http_request_duration_seconds_bucket{le="${le}",route="/api/v1/hosts"}`)
  expect(type).toBe('histogram')
  expect(['0.00025', '0.0005', '0.1', '0.25', '1', '+Inf'].map(bucket)).toStrictEqual([1, 2, 2, 3, 3, 4])
  expect(samples.get('dcsim_mirror_http_request_duration_seconds_count{route="/api/v1/hosts"}')).toBe(4)
  expect(samples.get('dcsim_mirror_http_request_duration_seconds_sum{route="/api/v1/hosts"}')).toBeCloseTo(
    3.200_51,
    9,
  )
})

test('scrapes close to each other share one exposition, later ones get a new one', async () => {
  const { clock, gauges, metrics } = service()
  const ready = async (): Promise<number | undefined> =>
    parseChunks(await metrics.exposition())
      .get('dcsim_mirror_snapshot_age_seconds')
      ?.samples.get('dcsim_mirror_snapshot_age_seconds')
  expect(await ready()).toBe(0.25)
  gauges.ageSeconds = 0.75
  clock.nowMs += expositionMaxAgeMs - 1
  expect(await ready()).toBe(0.25)
  clock.nowMs += 1
  expect(await ready()).toBe(0.75)
})

test('every exposed family is declared, with its type and labels', async () => {
  const { metrics } = service()
  metrics.requestAnswered('hosts', 200, 0.001, 1)
  for (const [name, { type, help }] of parseChunks(await metrics.exposition())) {
    expect([name, metrics.declared.get(name)]).toMatchObject([name, { type, help }])
  }
  expect(metrics.declared.get('dcsim_mirror_http_requests_total')!.labels).toStrictEqual(['route', 'code'])
  expect(metrics.declared.get('process_cpu_seconds_total')).toMatchObject({
    type: 'counter',
    unit: 'seconds',
  })
})

test('a service that has ended is forgotten, and each has the metrics of the process', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const ended = new WeakRef(service().gauges)
  // A reference lasts until the end of the turn in which it was made.
  await setImmediate()
  collect()
  expect(ended.deref()).toBe(undefined)
  const parsed = parseChunks(await service().metrics.exposition())
  expect(parsed.get('process_cpu_seconds_total')?.samples.size).toBe(1)
})
