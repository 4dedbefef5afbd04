import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { hasTool } from '../fixtures/tools.ts'
import { hasPrometheus, RealPrometheus, until } from '../metrics/real-prometheus.ts'
import { RealStore } from '../metrics/real-store.ts'
import { confusions, panelQueries } from './panel-queries.ts'
import type { Sample } from './panel-queries.ts'

const world = (seed: number): string[] =>
  `--scale small --warmup 12h --speed 300 --seed ${seed} --scenario ddos-friday`.split(' ')

const ruleFiles = (identity: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    [...generatedFiles({ ...defaultSettings, identity })].filter(([name]) => name.endsWith('.rules.yaml')),
  )

/** Every second of it costs three servers an evaluation of all rules. */
const scrapeSeconds = 2
const scrapesNeeded = 23

const enoughScrapes = (ask: (expr: string) => Promise<readonly Sample[]>, worlds: number) => async () => {
  const counts = await ask('count_over_time(dcsim_sim_time_seconds[5m])')
  return counts.length === worlds && counts.every(({ value }) => value >= scrapesNeeded)
}

const clusters = ['east', 'west']

/** Two worlds, scraped by one Prometheus as two sessions of one address. */
class TwoSessions {
  readonly prometheus: RealPrometheus
  atSeconds = 0

  private constructor(prometheus: RealPrometheus) {
    this.prometheus = prometheus
  }

  static async start(services: readonly MirrorProcess[]): Promise<TwoSessions> {
    const dcsim = services.map(({ origin }, at) => ({
      url: origin,
      labels: { session: ['east', 'west'][at], instance: 'mirror:9740' },
    }))
    return new TwoSessions(
      await RealPrometheus.start('installed', { dcsim }, scrapeSeconds, { rules: ruleFiles([]) }),
    )
  }

  readonly ask = (expr: string): Promise<Sample[]> => this.prometheus.query(expr, this.atSeconds)

  async scraped(): Promise<void> {
    await until(
      'there is enough to look at',
      enoughScrapes((expr) => this.prometheus.query(expr), 2),
      150_000,
    )
    this.atSeconds = Date.now() / 1000
  }

  async stop(): Promise<void> {
    await this.prometheus.stop()
  }
}

/** The same worlds under one session name, each with a Prometheus of its own, which write to one store. */
class TwoStacks {
  readonly #store: RealStore
  readonly #servers: readonly RealPrometheus[]
  #atSeconds = 0

  private constructor(store: RealStore, servers: readonly RealPrometheus[]) {
    this.#store = store
    this.#servers = servers
  }

  static async start(services: readonly MirrorProcess[]): Promise<TwoStacks> {
    const store = await RealStore.start()
    const servers: RealPrometheus[] = []
    for (const [at, cluster] of clusters.entries()) {
      const labels = { session: 'evening', instance: 'mirror:9740' }
      const remote = { labels: { cluster }, urls: [store.writeUrl] }
      const dcsim = { url: services[at].origin, labels }
      servers.push(
        await RealPrometheus.start('installed', { dcsim }, scrapeSeconds, { rules: ruleFiles([]), remote }),
      )
    }
    return new TwoStacks(store, servers)
  }

  async #query(expr: string, time: number): Promise<Sample[]> {
    const body = new URLSearchParams({ query: expr, time: String(time), nocache: '1' })
    const response = await fetch(`${this.#store.url}/api/v1/query`, { method: 'POST', body })
    const answer = (await response.json()) as {
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] }
      error?: string
    }
    if (answer.data === undefined) throw new Error(`${expr}: ${answer.error}`)
    return answer.data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
  }

  readonly ask = (expr: string): Promise<Sample[]> => this.#query(expr, this.#atSeconds)

  async scraped(): Promise<void> {
    const now = (expr: string) => this.#query(expr, Date.now() / 1000)
    await until('there is enough to look at', enoughScrapes(now, 2), 150_000)
    // Samples sent shortly before that time may arrive after it.
    this.#atSeconds = Math.floor(Date.now() / 1000) - 10
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()))
    await this.#store.stop()
  }
}

const hasStore = hasTool('victoria-metrics')

describe.skipIf(!hasPrometheus('installed'))('two worlds (skipped where there is no Prometheus)', () => {
  const services: MirrorProcess[] = []
  let sessions: TwoSessions
  let stacks: TwoStacks
  const stopServices = () => Promise.all(services.splice(0).map((service) => service.stop()))

  beforeAll(async () => {
    services.push(...(await Promise.all([MirrorProcess.start(world(3)), MirrorProcess.start(world(4))])))
    sessions = await TwoSessions.start(services)
    if (hasStore) stacks = await TwoStacks.start(services)
    await Promise.all([sessions.scraped(), hasStore && stacks.scraped()])
    // All questions are about this moment: from here on the worlds would only take processor time.
    await stopServices()
  }, 300_000)

  afterAll(async () => {
    await Promise.all([sessions?.stop(), stacks?.stop(), stopServices()])
  })

  describe('as two sessions of one address under one Prometheus', () => {
    test('every rule is evaluated without an error', async () => {
      const response = await fetch(`${sessions.prometheus.url}/api/v1/rules`)
      const { data } = (await response.json()) as {
        data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] }
      }
      const rules = data.groups.flatMap((group) => group.rules)
      expect(rules.filter(({ health }) => health !== 'ok')).toStrictEqual([])
      expect(rules.length).toBeGreaterThan(100)
    })

    test('every panel shows the session that is chosen, and adds none up', async () => {
      const queries = panelQueries([])
      const found: string[] = []
      let answered = 0
      const counted = async (expr: string) => {
        const samples = await sessions.ask(expr)
        if (samples.length > 0) answered += 1
        return samples
      }
      for (const query of queries)
        found.push(...(await confusions(query, counted, [{ session: 'east' }, { session: 'west' }])))
      expect(found).toStrictEqual([])
      // Three results per query: for each session, and for both.
      expect(answered).toBeGreaterThan(2 * queries.length)
      expect(queries.length).toBeGreaterThan(200)
    }, 180_000)
  })

  describe.skipIf(!hasStore)(
    'as two stacks of one session name in one VictoriaMetrics (skipped where there is none)',
    () => {
      test('every panel shows the stack that is chosen, and adds none up', async () => {
        const queries = panelQueries(['cluster'])
        const worlds = clusters.map((cluster) => ({ session: 'evening', cluster }))
        const found: string[] = []
        for (const panel of queries) found.push(...(await confusions(panel, stacks.ask, worlds)))
        expect(found).toStrictEqual([])
      }, 180_000)

      test('without the label in the identity, worlds would be added up: that is found', async () => {
        const worlds = clusters.map((cluster) => ({ session: 'evening', cluster }))
        const query = panelQueries([]).find(({ expr }) => expr.startsWith('sum by'))!
        expect(await confusions(query, stacks.ask, worlds)).not.toStrictEqual([])
      })
    },
  )
})
