import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { families } from '../../src/metrics/families/all.ts'
import { parseExposition } from './parsed-exposition.ts'
import { hasPrometheus, RealPrometheus, until } from './real-prometheus.ts'
import type { PrometheusKind } from './real-prometheus.ts'
import { asScraped, asWritten } from './sample-names.ts'
import { ofAnotherFirewall } from './small-world.ts'

/** A generous interval: this is no test of speed, and the machine may be busy. */
const everySeconds = 4
const scrapesAwaited = 4
const everything = ['--scale', 'small', '--collectors', '+ports']
/** Worlds with a single publish: they are paused, and the next publish is hours away. */
const aDayMs = '86400000'
const ofOnePublish = [...everything, '--speed', '0', '--cadence-ms', aDayMs, '--idle-ms', aDayMs]
/** Young worlds: the first has prospects, the second is under attack, and the third has unplaced units. */
const still = [...ofOnePublish, '--seed', '12', '--warmup', '14h']
const attacked = [...ofOnePublish, '--seed', '28', '--warmup', '28h50m']
const crowded = [...ofOnePublish, '--seed', '58', '--warmup', '44h']
/** Between two scrapes publishing pauses, while the world advances. */
const moving = [...everything, '--warmup', '1d', '--speed', '600', '--idle-ms', '300', '--cadence-ms', '100']

const kinds: readonly PrometheusKind[] = ['installed', 'container']

const services = new Map<string, MirrorProcess>()

beforeAll(async () => {
  const jobs = Object.entries({ still, attacked, crowded, moving })
  await Promise.all(jobs.map(async ([job, flags]) => services.set(job, await MirrorProcess.start(flags))))
}, 120_000)

afterAll(async () => {
  await Promise.all([...services.values()].map((service) => service.stop()))
})

for (const kind of kinds) {
  describe.skipIf(!hasPrometheus(kind))(`a real Prometheus, ${kind} (skipped where there is none)`, () => {
    let prometheus: RealPrometheus

    beforeAll(async () => {
      const targets = Object.fromEntries([...services].map(([job, { origin }]) => [job, origin]))
      prometheus = await RealPrometheus.start(kind, targets, everySeconds)
      await until('there were enough scrapes', async () => {
        const [least] = await prometheus.query('min(count_over_time(up[1m]))')
        return least?.value >= scrapesAwaited
      })
    }, 180_000)

    afterAll(() => prometheus?.stop())

    test('was answered every time and has nothing to complain of', async () => {
      // Every service had a world before Prometheus started: no scrape may fail.
      const answered = await prometheus.history('up[1m]')
      const took = await prometheus.history('scrape_duration_seconds[1m]')
      const failed = answered.filter(({ values }) => values.includes(0))
      expect(failed, `Scrapes took ${JSON.stringify(took)} s.`).toStrictEqual([])
      expect(answered).toHaveLength(services.size)
      expect(prometheus.complaints).toStrictEqual([])
    })

    test('stored every sample of worlds that stand still as it was written', async () => {
      const sampled = new Set<string>()
      for (const job of ['still', 'attacked', 'crowded']) {
        const stored = await prometheus.query(
          `{job="${job}", __name__=~"dcsim_.*", __name__!~"dcsim_mirror_.*"}`,
        )
        const scraped = new Map<string, number>()
        for (const [family, { samples }] of parseExposition(await services.get(job)!.text('/metrics'))) {
          if (!family.startsWith('dcsim_') || family.startsWith('dcsim_mirror_')) continue
          for (const [sample, value] of samples) scraped.set(asScraped(sample), value)
          if (samples.size > 0) sampled.add(family)
        }
        expect(new Map(stored.map((sample) => [asWritten(sample), sample.value]))).toStrictEqual(scraped)
        expect(scraped.size).toBeGreaterThan(5_000)
      }
      const ofWorld = Object.keys(families).filter((family) => !family.startsWith('dcsim_mirror_'))
      const silent = ofWorld.filter((family) => !sampled.has(family))
      expect(silent.filter((family) => !ofAnotherFirewall.test(family))).toStrictEqual([])
    })

    test('saw no counter fall, although publishing paused between scrapes', async () => {
      const counters = Object.entries(families).flatMap(([family, { type }]) => {
        if (type === 'gauge' || type === 'summary') return []
        return type === 'counter' ? [family] : [`${family}_bucket`, `${family}_count`, `${family}_sum`]
      })
      expect(counters).toHaveLength(23)
      const wrong: string[] = []
      for (const counter of counters) {
        const range = `${counter}{job="moving"}[1m]`
        // Prometheus treats a decrease as a reset, so that a rate is never negative.
        const [resets] = await prometheus.query(`sum(resets(${range}))`)
        const [rates] = await prometheus.query(`count(rate(${range}) >= 0)`)
        if (resets?.value !== 0) wrong.push(`${counter} fell ${resets?.value} times`)
        if (!(rates?.value > 0)) wrong.push(`${counter} has no rate`)
      }
      expect(wrong).toStrictEqual([])
      // Time counted backwards decreases, and the query for resets notices it.
      const [falls] = await prometheus.query(
        `sum(resets((-dcsim_sim_time_seconds{job="moving"})[1m:${everySeconds}s]))`,
      )
      expect(falls.value).toBeGreaterThan(0)
      const grown = await prometheus.query('sum(increase(dcsim_customer_requests_total{job="moving"}[1m]))')
      expect(grown[0].value).toBeGreaterThan(0)
      const simulated = await prometheus.query('delta(dcsim_sim_time_seconds{job="moving"}[1m])')
      expect(simulated[0].value).toBeGreaterThan(600)
    })
  })
}
