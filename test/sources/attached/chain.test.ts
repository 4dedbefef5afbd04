/** A mirror of a mirror, and one of that: all routes return the same content as the first one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeNames, routes } from '../../../src/contract/routes.ts'
import type { Route, RouteName } from '../../../src/contract/routes.ts'
import { collectorNames } from '../../../src/metrics/declaration/collectors.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { pictureNames } from '../../../src/tables/drawings/pictures.ts'
import { isNight } from '../../fixtures/seeds.ts'
import { attach, textOf, waitForHealth, withoutMeta } from './attached-mirror.ts'
import type { Attached } from './attached-mirror.ts'

const hourNs = 3_600_000_000_000n
/** The compared times: an attack begins at 2 h, and the world continues while it is handled. */
const hours = [1n, 3n, 5n, 9n]

interface Page {
  readonly items: readonly { readonly id: number; readonly at_ns: number }[]
}

/** All requests to a route in this world. */
async function pathsOf(origin: string, name: RouteName): Promise<string[]> {
  const { path, answer }: Route = routes[name]
  if (answer.kind === 'page' || answer.kind === 'page-of') {
    return [`${path}?limit=1000`, `${path}?offset=3&limit=2`, `${path}?offset=5000`]
  }
  if (answer.kind === 'detail') {
    const list = path.replace('/{id}', '?limit=1000')
    const { items } = JSON.parse(await textOf(origin, list)) as Page
    return [...items.slice(0, 5), ...items.slice(-2)].map(({ id }) => path.replace('{id}', String(id)))
  }
  if (answer.kind === 'events') {
    const { items } = JSON.parse(await textOf(origin, path)) as Page
    const cursors = [0, ...items.slice(0, 3).flatMap(({ at_ns: at }) => [at - 1, at])].filter((at) => at >= 0)
    return [path, `${path}?limit=7`, ...cursors.map((at) => `${path}?since_ns=${at}`)]
  }
  if (name === 'metricSeries') {
    const series = 'fleet/rps/10s hosts/1/cpu_used_pct/1m customers/1/p99_recent_ms/1h no/such/path'.split(
      ' ',
    )
    return series.map((one) => `${path}?path=${one}`)
  }
  if (name === 'table') {
    const names = [...tables.keys()].map((table) => `/tables/${table}`)
    return [
      ...names,
      ...names.map((table) => `${table}.csv?limit=20&sort=-severity`),
      '/tables/hosts?host=1',
      '/tables/series?path=fleet/rps/10s',
    ]
  }
  if (name === 'picture') return pictureNames.map((picture) => `/pictures/${picture}.svg`)
  return name === 'metricPaths' ? [path, `${path}?prefix=azs/`, `${path}?prefix=none`] : [path]
}

/** Counters of a mirror begin with it. */
const counted = 'events_total|incidents_(?:opened_total|resolved_total|time_to_resolve)'
const comparedFamily = new RegExp(`dcsim_(?!${counted}|mirror_(?!step|project|encode|records|sim))`)

/** The world's part of a body: without its freshness, and without the mirror's own families. */
function compared(name: RouteName, body: string): string {
  if (name === 'metrics') {
    return body
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '))
      .filter((line) => comparedFamily.test(line))
      .join('\n')
  }
  if (name === 'landing') return body.replace(/<(?:b|span) id="(?:age|seq)">[^<]*/g, '')
  const text = withoutMeta(body)
  return name === 'health' ? text.replace(/"(?:age_ms|publish_seq)":\d+,/g, '') : text
}

const worlds = [
  ['small', 7n, 'ddos-friday'],
  ['medium', 3n, 'core-switch-at-peak'],
] as const

describe.each(worlds.slice(0, isNight ? 2 : 1))('at scale %s', (scale, seed, scenarioName) => {
  let world: Simulation
  /** The first shows the world itself. */
  const mirrors: Attached[] = []

  beforeAll(async () => {
    const scenario = shippedScenario(scenarioName)
    world = createSimulation({ seed, scale, speed: 60, scenario, warmUp: 0 })
    const collectors = collectorNames.join(',')
    mirrors.push(await attach({ read: () => world.snapshot() }, { collectors, cadenceMs: 1_000 }))
    for (const nth of [0, 1]) mirrors.push(await attach(mirrors[nth].origin, { collectors }))
  })

  afterAll(async () => {
    for (const { mirror } of mirrors.toReversed()) await mirror.close()
  })

  test.each(hours)('all bodies are equal but for meta after %i hours', async (hour) => {
    while (world.nowNs < hour * hourNs) world.step()
    const simTime = `"sim_time_ns":${world.nowNs},`
    const [{ origin: first }, ...others] = mirrors
    for (const { origin } of mirrors) await waitForHealth(origin, (_health, text) => text.includes(simTime))
    for (const name of routeNames) {
      for (const path of await pathsOf(first, name)) {
        const expected = compared(name, await textOf(first, path))
        for (const { origin } of others)
          expect({ path, body: compared(name, await textOf(origin, path)) }).toEqual({ path, body: expected })
      }
    }
    expect(
      mirrors.flatMap(({ lines }) =>
        lines.filter((line) => !line.includes('has no world yet') && !line.includes('is back')),
      ),
    ).toEqual([])
  })

  test('there were incidents in it', async () => {
    const active = JSON.parse(await textOf(mirrors[2].origin, '/api/v1/incidents')) as { total: number }
    const past = JSON.parse(await textOf(mirrors[2].origin, '/api/v1/incidents/resolved')) as {
      total: number
    }
    expect(active.total + past.total).toBeGreaterThan(0)
  })
})
