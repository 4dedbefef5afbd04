import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseExposition } from './parsed-exposition.ts'
import { hasPrometheus, RealPrometheus, RunningService, until } from './real-prometheus.ts'
import type { PrometheusKind, Stored } from './real-prometheus.ts'
import { asScraped, asWritten } from './sample-names.ts'

const everySeconds = 2
const everything = ['--scale', 'small', '--warmup', '1d', '--collectors', '+ports,+subnets,+host_hardware']

const kinds: readonly PrometheusKind[] = ['installed', 'container']

for (const kind of kinds) {
  describe.skipIf(!hasPrometheus(kind))(`a real Prometheus, ${kind} (skipped where there is none)`, () => {
    let still: RunningService
    let moving: RunningService
    let prometheus: RealPrometheus

    beforeAll(async () => {
      still = await RunningService.start([...everything, '--speed', '0'])
      // Between two scrapes publishing pauses, while the world goes on.
      moving = await RunningService.start([
        ...everything,
        '--speed',
        '600',
        '--idle-ms',
        '300',
        '--cadence-ms',
        '100',
      ])
      prometheus = await RealPrometheus.start(kind, { still: still.url, moving: moving.url }, everySeconds)
      const scrapes = 'min(count_over_time(up[1m]))'
      await until('there were eight scrapes', async () => (await prometheus.query(scrapes))[0]?.value >= 8)
    }, 180_000)

    afterAll(async () => {
      await prometheus?.stop()
      await Promise.all([still?.stop(), moving?.stop()])
    })

    test('was answered every time and has nothing to complain of', async () => {
      expect(await prometheus.query('min_over_time(up[1m])')).toMatchObject([{ value: 1 }, { value: 1 }])
      expect(prometheus.complaints).toStrictEqual([])
    })

    test('stored every sample of a world that stands still as it was written', async () => {
      const stored = await prometheus.query(
        '{job="still", __name__=~"dcsim_.*", __name__!~"dcsim_mirror_.*"}',
      )
      const scraped = new Map<string, number>()
      for (const [family, { samples }] of parseExposition(await still.get('/metrics'))) {
        if (!family.startsWith('dcsim_') || family.startsWith('dcsim_mirror_')) continue
        for (const [sample, value] of samples) scraped.set(asScraped(sample), value)
      }
      expect(new Map(stored.map((sample) => [asWritten(sample), sample.value]))).toStrictEqual(scraped)
      expect(scraped.size).toBeGreaterThan(5_000)
    })

    test('stored what the JSON API says', async () => {
      const hosts = JSON.parse(await still.get('/api/v1/hosts')) as {
        items: { id: number; egress_gbps: number; ports: { bytes_egress_total: number }[] }[]
      }
      const byHost = (samples: Stored[]): Map<number, number> =>
        new Map(samples.map(({ metric, value }) => [Number(metric['host']), value]))
      const traffic = byHost(await prometheus.query('dcsim_host_transmit_bytes_per_second{job="still"}'))
      const bytes = byHost(await prometheus.query('dcsim_host_transmit_bytes_total{job="still"}'))
      expect(traffic.size).toBe(24)
      for (const { id, egress_gbps: gbps, ports } of hosts.items) {
        expect(traffic.get(id)).toBeCloseTo(gbps * 125e6, 3)
        expect(bytes.get(id)).toBe(ports.reduce((sum, port) => sum + port.bytes_egress_total, 0))
      }
    })

    test('saw no counter fall, although publishing paused between scrapes', async () => {
      const ages = await prometheus.query(
        'max_over_time(dcsim_mirror_snapshot_age_seconds{job="moving"}[1m])',
      )
      expect(ages[0].value).toBeGreaterThan(1)
      const counters = '{job="moving", __name__=~"dcsim_.*_total|dcsim_.*_(?:bucket|count|sum)"}'
      const histories = await prometheus.history(`${counters}[1m]`)
      const fallen = histories.filter(({ values }) => values.some((value, at) => value < values[at - 1]))
      expect(fallen).toStrictEqual([])
      expect(histories.length).toBeGreaterThan(1_000)
      expect(await prometheus.query('rate(dcsim_customer_requests_total[1m]) < 0')).toStrictEqual([])
      const grown = await prometheus.query('sum(increase(dcsim_customer_requests_total{job="moving"}[1m]))')
      expect(grown[0].value).toBeGreaterThan(0)
      const simulated = await prometheus.query('delta(dcsim_sim_time_seconds{job="moving"}[1m])')
      expect(simulated[0].value).toBeGreaterThan(600)
    })
  })
}
