import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { listScenarios, shippedScenario } from '../../src/world/scenarios/shipped.ts'
import type { Row } from '../../src/tables/engine/table.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { parseChunks } from '../metrics/parsed-exposition.ts'
import { frameOf, rowsNamed, worldOf } from '../tables/framed-worlds.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'
import type { Link, Variable } from './dashboard-json.ts'

const seeds = [1n, 3n, 13n, 14n]
const stepsPerMinute = 6
const minuteUs = 60_000_000
const quietMinutes = 5
const apartMinutes = 2

type Labels = Readonly<Record<string, string>>

/** A world as dashboards read it: the series of a scrape, and the tables of the mirror. */
interface Seen {
  readonly series: ReadonlyMap<string, readonly Labels[]>
  readonly snapshot: Snapshot
  readonly tables: TableWorld
}

const labelsOf = (sample: string): Labels =>
  Object.fromEntries(
    [...sample.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  )

function seen(snapshot: Snapshot): Seen {
  const parsed = parseChunks(createExposition({ collectors: collectorNames }).render(snapshot))
  const series = new Map(
    [...parsed].map(([name, { samples }]) => [name, [...samples.keys()].map(labelsOf)] as const),
  )
  return { series, snapshot, tables: worldOf(frameOf(snapshot)) }
}

/** Snapshots before and amid the faults of a scenario, which follow each other without hours between. */
function* momentsOf(name: string, seed: bigint): Generator<Seen> {
  const shipped = shippedScenario(name)!
  const steps = shipped.steps.map((step, index) => ({
    ...step,
    at: (quietMinutes + index * apartMinutes) * minuteUs,
  }))
  const scenario = { ...shipped, steps, timesCountFrom: 'warm-up' as const }
  const world = createSimulation({ seed, scale: 'small', speed: 60, scenario, warmUp: 0 } as never)
  const minutes = (count: number): void => {
    for (let step = 0; step < count * stepsPerMinute; step++) world.step()
  }
  minutes(quietMinutes - 1)
  yield seen(world.snapshot())
  minutes(1 + Math.min(steps.length, 10) * apartMinutes + 6)
  yield seen(world.snapshot())
}

/** Of variables that a page looks up by itself; they may be empty. */
const hidden = 2

const queried = (dashboard: (typeof everyDashboard)[number]): Variable[] =>
  dashboard.templating.list.filter(
    ({ type, name, hide }) => type === 'query' && hide !== hidden && !isOfPrometheus.has(name),
  )

/** Labels that Prometheus adds. */
const isOfPrometheus = new Set(['job', 'instance', 'session'])

/** The options of a variable: values of a label of the metrics with which its query begins. */
function valuesOf({ query, regex }: Variable, { series }: Seen): Set<string> {
  const names = /__name__=~\\?"([^"\\]+)/.exec(query)?.[1] ?? /\bdcsim_\w+/.exec(query)![0]
  const label = /, (\w+)\)$/.exec(regex === undefined || regex === '' ? query : '')?.[1]
  const pattern = label ?? /(\w+)="\(\?<value>/.exec(regex!)![1]
  const suffix = regex?.includes('(?<value>[^"]*)-') === true ? /-[^-]*$/ : /(?!)/
  const found = [...series].filter(([name]) => new RegExp(`^(?:${names})$`).test(name))
  return new Set(found.flatMap(([, labels]) => labels.map((one) => one[pattern]?.replace(suffix, '') ?? '')))
}

interface RowLink {
  readonly place: string
  readonly table: string
  readonly limit: number
  readonly state: string | null
  readonly field: string
  /** The page; it may depend on the row's column `leads_to`. */
  readonly uid: string
  readonly variable: string
}

/** Links of the mirror's tables whose value is in a column of the row. Those that depend on a choice are left out. */
const rowLinks: readonly RowLink[] = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard).flatMap((panel) => {
    const url = panel.targets?.[0]?.url
    const [, table, query] = /^\/tables\/([\w-]+)\??(.*)$/.exec(url ?? '') ?? []
    if (table === undefined || /=\$\{(?!session|__from|__to|search)/.test(query)) return []
    const links = (panel.fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
      properties.flatMap(({ id, value }) => (id === 'links' ? (value as Link[]) : [])),
    )
    const params = new URLSearchParams(query)
    return links.flatMap(({ url: target = '' }) =>
      [...target.matchAll(/var-(\w+)=\$\{__data\.fields(?:\.|\[")(\w+)/g)].map(([, variable, field]) => ({
        place: placeOf(dashboard, panel),
        table,
        limit: Number(params.get('limit') ?? 100),
        state: params.get('state'),
        field,
        uid: /^\/d\/([^/]+)/.exec(target)![1],
        variable,
      })),
    )
  }),
)

async function deadLinks(world: Seen): Promise<string[]> {
  const known = new Set(rowsNamed('incidents', world.tables).map((row: Row) => row['incident_id']))
  const dead: string[] = []
  for (const { place, table, limit, state, field, uid, variable } of rowLinks) {
    const filters = new Map(state === null ? [] : [['state', [state]] as const])
    const rows = rowsNamed(table, world.tables, { limit, filters })
    for (const row of rows) {
      const value = row[field]
      // A row of several incidents leads to the page of all, which has no use for the first one's number.
      if (value === null || row['leads_to'] === 'incidents') continue
      const opened = uid.replace('${__data.fields.leads_to}', String(row['leads_to']))
      const target = everyDashboard.find((dashboard) => dashboard.uid === opened)
      const chosen = target?.templating.list.find(({ name }) => name === variable)
      if (chosen === undefined) dead.push(`${place}: ${opened} has no variable ${variable}`)
      else if (!valuesOf(chosen, world).has(String(value))) {
        // Resolved incidents have no series; the page shows those that the mirror knows.
        if (variable !== 'incident' || !known.has(value)) dead.push(`${place}: ${variable} ${String(value)}`)
      }
    }
  }
  return dead
}

/** Incidents and attacks that no series marks on graphs. */
function unmarked({ series, snapshot }: Seen): string[] {
  const { incidents, customers } = snapshot.collections
  const marks = series.get('dcsim_incident_info') ?? []
  const attacks = series.get('dcsim_customer_attack_info') ?? []
  const isMarked = (id: unknown, band: string): boolean =>
    marks.some((one) => one['incident'] === String(id) && one['band'] === band && one['symptom'] !== '')
  return [
    ...incidents.filter(({ id, band }) => !isMarked(id, band)).map(({ id }) => `incident ${id}`),
    ...customers
      .filter(
        ({ id, under_attack }) => under_attack && !attacks.some((one) => one['customer'] === String(id)),
      )
      .map(({ name }) => `attack on ${name}`),
  ]
}

/** Scenarios with active incidents: the others have nothing to mark. */
const troubled = new Set<string>()

test('there are links from rows to check', () => {
  expect(rowLinks.length).toBeGreaterThanOrEqual(5)
})

/** One of the seeds each, so that all worlds together take seconds. */
const worlds = listScenarios().map(({ name }, at) => ({ name, seed: seeds[at % seeds.length] }))

test.each(worlds)(
  'variables, links and marks hold before and in $name, seed $seed',
  async ({ name, seed }) => {
    for (const world of momentsOf(name, seed)) {
      const empty = everyDashboard.flatMap((dashboard) =>
        queried(dashboard)
          .filter(
            (variable) => variable.name !== 'incident' || world.snapshot.collections.incidents.length > 0,
          )
          .filter((variable) => {
            const values = valuesOf(variable, world)
            return values.size === 0 || values.has('')
          })
          .map((variable) => `${dashboard.title}: ${variable.name}`),
      )
      expect(empty).toStrictEqual([])
      expect(await deadLinks(world)).toStrictEqual([])
      expect(unmarked(world)).toStrictEqual([])
      if (world.snapshot.collections.incidents.length > 0) troubled.add(name)
    }
  },
)

test('most scenarios were looked at in trouble', () => {
  expect(troubled.size).toBeGreaterThan(listScenarios().length / 2)
})
