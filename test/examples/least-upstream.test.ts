/** The least upstream of docs/your-game.md: what it fills, and that nothing of it can be left out. */
import { createServer } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { everyDashboard, panelsOf, placeOf } from '../dashboards/dashboard-json.ts'
import type { Target } from '../dashboards/dashboard-json.ts'
import { filled } from '../dashboards/filled.ts'
import { parsed } from '../dashboards/promql-parts.ts'
import { freePort } from '../fixtures/free-port.ts'
import { until } from '../metrics/real-prometheus.ts'
import { attach, textOf, waitForHealth } from '../sources/attached/attached-mirror.ts'
import { leastUpstream, pathsIn } from './least-upstream.ts'
import { TemplateProcess, templates } from './template-process.ts'
import { listening } from '../fixtures/listening.ts'

const titles = new Set(['Session', 'Floor', 'Customers and SLA', 'Incidents'])
const values = { zone: '1', session: '' }

/** The query of a panel, without the range of an archive, which a mirror of tests does not have. */
const pathOf = (url: string): string => filled(url, values).replace(/&from=[^&]*&to=[^&]*(?:&text=)?/, '')

const targets: readonly (readonly [place: string, target: Target])[] = everyDashboard
  .filter(({ title }) => titles.has(title))
  .flatMap((dashboard) =>
    panelsOf(dashboard).flatMap((panel) =>
      (panel.targets ?? []).map((target) => [placeOf(dashboard, panel, target), target] as const),
    ),
  )

interface Rule {
  readonly alert?: string
  readonly expr: string
}
const rulesFile = generatedFiles(defaultSettings).get('incidents.rules.yaml')!
const { groups } = parse(rulesFile) as { groups: readonly { readonly rules: readonly Rule[] }[] }
const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== undefined)

/** Bodies by route. */
type Bodies = ReadonlyMap<string, unknown>

/** The responses of a template while an incident is active. */
async function capture(): Promise<Bodies> {
  const port = await freePort()
  const template = await TemplateProcess.start(templates.at(-1)!, String(port))
  const origin = `http://127.0.0.1:${port}`
  await until('an incident', async () => (await textOf(origin, '/api/v1/incidents')).includes('"band"'))
  const bodies = new Map<string, unknown>()
  for (const path of leastUpstream.keys()) bodies.set(path, JSON.parse(await textOf(origin, path)))
  await template.stop()
  return bodies
}

interface Shown {
  /** Samples by the names that they have in PromQL, without those of the mirror itself. */
  readonly samples: ReadonlyMap<string, readonly string[]>
  /** Tables by the path of their query. */
  readonly tables: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
  readonly floor: string
}

/** A mirror of these bodies, until it has shown them. */
async function shownOf(bodies: Bodies): Promise<Shown> {
  const server = createServer(({ url = '' }, response) => {
    const body = bodies.get(url.split('?', 1)[0])
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body))
  })
  const { mirror, origin } = await attach(`http://127.0.0.1:${await listening(server)}`)
  try {
    await waitForHealth(origin, ({ publish_seq: number }) => number > 0)
    const lines = (await textOf(origin, '/metrics'))
      .split('\n')
      .filter((line) => /^dcsim_(?!mirror)/.test(line))
    const paths = new Set(targets.flatMap(([, { url }]) => (url === undefined ? [] : [pathOf(url)])))
    const tables = new Map<string, readonly Readonly<Record<string, unknown>>[]>()
    for (const path of paths) {
      const rows = JSON.parse(await textOf(origin, path)) as readonly Readonly<Record<string, unknown>>[]
      // A table that needs an archive is a problem in words.
      tables.set(path, Array.isArray(rows) ? rows : [])
    }
    return {
      samples: Map.groupBy(lines, (line) => /^\w+/.exec(line)![0]),
      tables,
      floor: await textOf(origin, '/pictures/floor.svg'),
    }
  } finally {
    await mirror.close()
    server.closeAllConnections()
    server.close()
  }
}

/** The families of an expression that have no samples. Alerts and recorded series are not the mirror's. */
const missingOf = (expr: string, { samples }: Shown): readonly string[] =>
  parsed(expr)
    .selectors.map(({ metric }) => metric)
    .filter((metric) => metric.startsWith('dcsim_') && !samples.has(metric))

function isEmpty({ expr, url, columns = [] }: Target, shown: Shown): boolean {
  if (expr !== undefined) return missingOf(expr, shown).length > 0
  const rows = shown.tables.get(pathOf(url!))!
  return !columns.some(({ selector }) => rows.some((row) => row[selector] !== null && row[selector] !== ''))
}

let bodies: Bodies
let shown: Shown
beforeAll(async () => {
  bodies = await capture()
  shown = await shownOf(bodies)
})

/** Panels that need more, with those of their queries that find nothing, by dashboard. */
const needingMore: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Session: { 'Money an hour': 'B', 'Network load': 'ABC', 'Since you were away': 'A' },
  Floor: {
    Inventory: 'BDEFGHIJKL',
    Zones: 'BCEFGHIJ',
    Power: 'A',
    'Warmest rack': 'A',
    'Active incidents': 'A',
    'Events of the zone': 'A',
    'Equipment of zones': 'ABCDE',
    'Free rack units': 'A',
  },
  Incidents: { Resolved: 'A', Opened: 'B', 'Time to resolve': 'A' },
  'Customers and SLA': {
    'On probation': 'A',
    'Broken: latency': 'A',
    Credits: 'A',
    'Who is unhappy, and why': 'CDEFGI',
    'p99 latency vs SLA target': 'A',
    'Failing requests': 'A',
    'Latency budgets burnt': 'A',
    'Lowest margins': 'A',
  },
}

test('fills the dashboards, but for panels that need more', () => {
  const empty: Record<string, Record<string, string>> = {}
  for (const [place, target] of targets) {
    if (!isEmpty(target, shown)) continue
    const [page, panel, query] = place.split(' / ')
    empty[page] = { ...empty[page], [panel]: (empty[page]?.[panel] ?? '') + query }
  }
  expect(empty).toEqual(needingMore)
  expect(targets.length).toBeGreaterThan(60)
})

/** It only holds what fires while the world is paused. */
const ofPauses = 'dcsim_sim_paused'

test('has alerts about incidents, but for those that need more', () => {
  const asleep = rules.filter(({ expr }) => missingOf(expr, shown).some((metric) => metric !== ofPauses))
  expect(asleep.map(({ alert }) => alert)).toEqual([
    'DcsimIncidentRedundancyBroken',
    'DcsimIncidentUnattended',
  ])
  expect(rules.length).toBeGreaterThan(8)
})

test('draws racks, hosts and the incident on the floor', () => {
  expect(shown.floor).toMatch(/<title>Rack 1 · in order · 6 of 6 hosts online/)
  expect(shown.floor).toMatch(/<title>r2-6 · /)
  expect(shown.floor).toContain('#4')
  expect(shown.floor).not.toContain('0 customers')
})

/** The bodies without a field. */
function without(path: string, field: readonly string[]): Bodies {
  const body = structuredClone(bodies.get(path)) as Record<string, unknown>
  const records = path === '/health' ? [body] : (body['items'] as Record<string, unknown>[])
  const name = field.at(-1)!
  for (const record of records) {
    const holders = field.length === 1 ? [record] : (record[field[0]] as Record<string, unknown>[])
    for (const holder of holders) delete holder[name]
  }
  return new Map([...bodies, [path, body]])
}

/** All that the four dashboards read, as text. */
const textShown = ({ samples, tables, floor }: Shown): string => {
  const read = new Set(
    [...targets.flatMap(([, { expr }]) => expr ?? []), ...rules.map(({ expr }) => expr)].flatMap((expr) =>
      parsed(expr).selectors.map(({ metric }) => metric),
    ),
  )
  const cells = targets.flatMap(([, { url, columns = [] }]) =>
    url === undefined
      ? []
      : tables.get(pathOf(url))!.map((row) => columns.map(({ selector }) => row[selector])),
  )
  return JSON.stringify([[...samples].filter(([name]) => read.has(name)), cells, floor], null, 1)
}

const fields = [...leastUpstream].flatMap(([path, named]) =>
  path === '/health' ? [] : Array.from(pathsIn(named), (field) => [path, field.join(' '), field] as const),
)

test.each(fields)('%s: without %s something is not shown', async (path, _, field) => {
  const less = await shownOf(without(path, field))
  expect(textShown(less)).not.toBe(textShown(shown))
})
