import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../metrics/real-prometheus.ts'
import { missing, RunningStack } from './running-stack.ts'

const why = missing()
const world = 'scale=small&warmup=12h'
const sessions = `evening=simulation?${world}&seed=7,practice=simulation?${world}&seed=8&scenario=ddos-friday`

interface Target {
  readonly health: string
  readonly labels: Readonly<Record<string, string>>
}

interface Result {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

describe.skipIf(why !== '')(`a stack of two sessions${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  let stack: RunningStack

  async function query(expr: string): Promise<readonly Result[]> {
    const path = `/api/v1/query?query=${encodeURIComponent(expr)}`
    const { data } = await stack.get<{ data: { result: readonly Result[] } }>('prometheus', path)
    return data.result
  }

  beforeAll(async () => {
    stack = await RunningStack.prepare({ DCSIM_SESSIONS: sessions })
    await stack.build()
    await stack.compose('up', '--detach', 'mirror', 'guard', 'prometheus')
  }, 400_000)

  afterAll(async () => {
    await stack.compose('--profile', '*', 'down', '--volumes', '--timeout', '5')
  })

  test('has Prometheus scrape each as a target of its own', async () => {
    await until('both are scraped', async () => (await query('up{job="dcsim"} == 1')).length === 2)
    const { data } = await stack.get<{ data: { activeTargets: readonly Target[] } }>(
      'prometheus',
      '/api/v1/targets?scrapePool=dcsim',
    )
    const targets = data.activeTargets.map(({ health, labels }) => ({ health, labels }))
    expect(targets.toSorted((a, b) => (a.labels['session'] < b.labels['session'] ? -1 : 1))).toStrictEqual(
      ['evening', 'practice'].map((session) => ({
        health: 'up',
        labels: { instance: 'mirror:9740', job: 'dcsim', session },
      })),
    )
    const worlds = await query('dcsim_sim_info')
    const seeds = worlds.map(({ metric }) => `${metric['session']} ${metric['seed']}`)
    expect(seeds.toSorted()).toStrictEqual(['evening 7', 'practice 8'])
  })

  test('has the history of both, in the series that the scrapes continue', async () => {
    const past = await query('count by (session) (last_over_time(dcsim_hosts_online[10m] offset 5m))')
    expect(past.map(({ metric }) => metric['session']).toSorted()).toStrictEqual(['evening', 'practice'])
    expect(await query('last_over_time(world:dcsim_customers:sum[10m] offset 5m)')).toHaveLength(2)
  })

  test('answers for each at one address', async () => {
    for (const session of ['evening', 'practice']) {
      const { total } = await stack.get<{ total: number }>(
        'mirror',
        `/api/v1/hosts?limit=1&session=${session}`,
      )
      expect(total).toBe(24)
    }
  })

  test('evaluates every rule on both', async () => {
    const { data } = await stack.get<{
      data: { groups: { rules: { name: string; health: string }[] }[] }
    }>('prometheus', '/api/v1/rules')
    const rules = data.groups.flatMap((group) => group.rules)
    expect(rules.filter(({ health }) => health === 'err')).toStrictEqual([])
    expect(rules.length).toBeGreaterThan(100)
  })
})
