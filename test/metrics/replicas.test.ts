import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { hasPrometheus, RealPrometheus, until } from './real-prometheus.ts'
import { hasTool } from '../fixtures/tools.ts'
import { RealStore } from './real-store.ts'

const everySeconds = 2
const spanSeconds = 30

describe.skipIf(!hasPrometheus('installed') || !hasTool('victoria-metrics'))(
  'two Prometheus servers that scrape one mirror into one store (skipped where a program is missing)',
  () => {
    let mirror: MirrorProcess
    const servers: RealPrometheus[] = []
    const stores = new Map<string, RealStore>()
    let atSeconds = 0

    async function query(kind: string, expr: string): Promise<number[]> {
      const asked = new URLSearchParams({ query: expr, time: `${atSeconds}`, nocache: '1' })
      const response = await fetch(`${stores.get(kind)!.url}/api/v1/query?${asked.toString()}`)
      const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
      return data.result.map(({ value }) => Number(value[1]))
    }

    beforeAll(async () => {
      mirror = await MirrorProcess.start('--scale small --warmup 12h'.split(' '))
      stores.set('deduplicated', await RealStore.start([`-dedup.minScrapeInterval=${everySeconds}s`]))
      stores.set('plain', await RealStore.start())
      const remotes = [...stores.values()].map((store) => store.writeUrl)
      for (const _ of ['a', 'b']) {
        const remote = { labels: { cluster: 'east' }, urls: remotes }
        const dcsim = { url: mirror.origin, labels: { session: 'evening', instance: 'mirror:9740' } }
        servers.push(await RealPrometheus.start('installed', { dcsim }, everySeconds, { remote }))
      }
      const both = Date.now() / 1000
      await until('both have written for a while', async () => {
        atSeconds = Math.floor(Date.now() / 1000) - 10
        return atSeconds > both + spanSeconds + 2
      })
    }, 180_000)

    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await Promise.all([...stores.values()].map((store) => store.stop()))
      await mirror?.stop()
    })

    test('with deduplication have the samples of one; without it, twice as many', async () => {
      const samples = `count_over_time(dcsim_hosts_online{session="evening"}[${spanSeconds}s])`
      const [once] = await query('deduplicated', samples)
      const [twice] = await query('plain', samples)
      // On a busy machine either server may miss a scrape or two.
      expect(once).toBeGreaterThanOrEqual(0.7 * (spanSeconds / everySeconds))
      expect(once).toBeLessThanOrEqual(spanSeconds / everySeconds + 1)
      expect(twice).toBeGreaterThan(1.5 * once)
    })

    test('are one series of each, and no value is doubled', async () => {
      expect(await query('deduplicated', 'count(dcsim_sim_time_seconds)')).toStrictEqual([1])
      const hosts = JSON.parse(await mirror.text('/api/v1/hosts?limit=0')) as { total: number }
      expect(await query('deduplicated', 'sum(dcsim_hosts)')).toStrictEqual([hosts.total])
      const [simulated] = await query('deduplicated', `rate(dcsim_sim_time_seconds[${spanSeconds}s])`)
      expect(simulated).toBeGreaterThan(10)
      expect(simulated).toBeLessThan(14)
    })
  },
)
