import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { linkLoad } from '../../dashboards/queries/shared.ts'
import type { Fields } from '../../src/contract/fields.ts'
import { tables } from '../../src/tables/catalog.ts'
import { hasPrometheus, RealPrometheus, until } from '../metrics/real-prometheus.ts'
import type { DashboardJson, Panel, Target, Variable } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'
import { eventfulScenario } from './eventful-scenario.ts'
import { filled, optionsAmong, selectedAmong } from './filled.ts'
import { shownRules } from './shown-rules.ts'

/** Queries whose result may be empty even in a world with many incidents, with reasons. */
const mayBeEmpty: Readonly<Record<string, string>> = {
  'Chronicle / Customers that came and left / A': 'no customer may have come or left in the time shown',
  'Chronicle / Chapters of the company / A': 'a world of hours may have no chapter yet',
  'Growth / Chapters of the company / A': 'a world of hours may have no chapter yet',
  'Compute / Why units have no place / A': 'no unit may be without a place at the moment of the question',
  'Compute / Hosts in contention / B': 'no host may be contended in the time shown',
  'Customer / What happened / A': 'nothing may have happened to the customer that is chosen',
  'Customer / Incidents / A': 'no incident may affect the customer that is chosen',
  'Host / What happened / A': 'nothing may have happened to the host that is chosen',
  'Host / Incidents / A': 'no incident may affect the host that is chosen',
  'Device / Frames lost and link flaps / A': 'only switches count errors',
  'Device / Frames lost and link flaps / B': 'only switches count flaps',
  'Device / Defense / A': 'switches defend against nothing',
  'Device / Incidents / A': 'no incident may name the device that is chosen',
  'Device / What happened / A': 'nothing may have happened to the device that is chosen',
  'Rack / Incidents / A': 'no incident may be in the rack that is chosen',
  'Rack / What happened / A': 'nothing may have happened in the rack that is chosen',
  'Growth / First to run out / A': 'at the trend of a minute nothing may run out within a year',
  'Growth / When resources run out / C': 'at the trend of a minute nothing may run out within a year',
  'Growth / When resources run out / D': 'at the trend of a minute nothing may run out within a year',
  'Growth / Prospects / A': 'no prospect may wait at the moment of the question',
  'Growth / Of these can be served now / A': 'no prospect may wait at the moment of the question',
  'Growth / Revenue that waits / A': 'no prospect may wait at the moment of the question',
  'Growth / Purchases of the operator / A': 'nothing may have been bought lately',
  'Power and cooling / Failed feeds and cooling units / C': 'no feed may have failed in the time shown',
  'Power and cooling / Failed feeds and cooling units / D': 'no unit may have failed in the time shown',
  'Power and cooling / What happened / A': 'nothing may have failed lately',
  'Security / Attacks by customer / B': 'no customer may have been attacked in the time shown',
  'Mirror / Publishes failed / A': 'the built-in world never fails to be published',
  'Mirror / Not reported by the game / A': 'the built-in world reports everything',
  'Mirror / Records left out / A': 'every record of the built-in world has an id of its own',
  'Session / What is wrong, and what it costs / A': 'incidents may have ended meanwhile',
  'Session / Other firing alerts / A': 'at the moment of the question all alerts may be about incidents',
  'Incident / CPU of its hosts / A': 'an incident may affect no host',
  'Incident / Failing requests / A': 'an incident may affect no customer',
  'Incident / Satisfaction / A': 'an incident may affect no customer',
  'Incident / Who is hit / A': 'an incident may affect no customer, or not any more',
  'Incident / Alerts about it / A': 'not every incident has an alert at once',
  'Incident / Alerts about it / B': 'not every incident has an alert at once',
  'Money / Movers since yesterday / A': 'Prometheus has no day of it yet',
  'Money / Movers since yesterday / B': 'Prometheus has no day of it yet',
  'Money / Movers since yesterday / C': 'Prometheus has no day of it yet',
  'SLA / Runs out in / A': 'all plans may have lost their budget',
  'SLA / Firing alerts / A': 'budgets may burn slowly at the moment of the question',
  'SLA / Firing alerts / B': 'budgets may burn slowly at the moment of the question',
  'Incident / Affected hosts / A': 'an incident of the network may affect no host',
}

/** Annotations of events that do not occur in that world, with reasons. */
const mayBeSilent: Readonly<Record<string, string>> = {
  'Another world': 'the world is not changed meanwhile',
  'Attacks on the customer': 'the customer that is chosen may not be attacked',
  'Quests done': 'a quest takes longer than the test looks',
}

interface Asked {
  readonly place: string
  readonly dashboard: DashboardJson
  readonly target: Target
}

const queries: readonly Asked[] = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard).flatMap((panel: Panel) =>
    (panel.targets ?? []).map((target) => ({ place: placeOf(dashboard, panel, target), dashboard, target })),
  ),
)
const toPrometheus = queries.filter(({ target }) => target.expr !== undefined)
const toInfinity = queries.filter(({ target }) => target.root_selector !== undefined)

/** A page may look up nothing: an incident may concern no host. */
const isLookedUp = ({ multi = false, allValue }: Variable): boolean => multi && allValue === undefined

const everySeconds = 1
const scrapesNeeded = 60

/** The stack's Prometheus in its container; without a container engine, the installed one. */
const kind = hasPrometheus('container') ? 'container' : 'installed'

describe.skipIf(!hasPrometheus(kind))(
  `dashboards over a world full of trouble, in a Prometheus that is ${kind} (skipped without one)`,
  () => {
    const scenario = eventfulScenario()
    let service: MirrorProcess
    let prometheus: RealPrometheus
    /** A time with active incidents and work: the world advances during the queries. */
    let momentSeconds: number
    /** The JSON API's responses at that time, by panel. */
    const answers = new Map<string, { readonly status: number; readonly body: unknown }>()
    /** The selected values of the variables: all for those with multiple selection, otherwise one. */
    const values: Record<string, string> = { job: '.+', instance: '.+' }

    beforeAll(async () => {
      const flags = `--scenario ${scenario.path} --warmup 25h --speed 300 --seed 3 --session trouble`
      service = await MirrorProcess.start(flags.split(' '))
      const dcsim = { url: service.origin, labels: { session: 'trouble' } }
      prometheus = await RealPrometheus.start(kind, { dcsim }, everySeconds, { rules: shownRules })
      const scraped = 'count_over_time(dcsim_sim_time_seconds[5m])'
      const enough = async (): Promise<boolean> =>
        (await prometheus.query(scraped))[0]?.value >= scrapesNeeded
      await until('there is enough to look at', enough, 150_000)
      await until('there is an incident with work in progress', async () => {
        momentSeconds = Date.now() / 1000
        const [busy] = await prometheus.query(
          'topk(1, dcsim_work_order_progress_ratio{incident!=""} and on (incident) dcsim_incident_info)',
          momentSeconds,
        )
        values['incident'] = busy?.metric['incident']
        return busy !== undefined
      })
      await choose()
      for (const { place, target } of toInfinity) {
        const response = await fetch(service.origin + filled(target.url!, values))
        answers.set(place, { status: response.status, body: await response.json() })
      }
      // All other questions are about that moment: a while after it the world would only take processor time.
      await until('a scrape after it', async () => Date.now() / 1000 > momentSeconds + 3 * everySeconds)
      await service.stop()
    }, 300_000)

    afterAll(async () => {
      scenario.remove()
      await prometheus?.stop()
      await service?.stop()
    })

    const fieldsOf = ({ url }: Target): Fields | undefined =>
      tables.get(/^\/tables\/([\w-]+)/.exec(url!)?.[1] ?? '')?.row.fields

    const offered = (variable: Variable) =>
      optionsAmong(
        variable,
        async (selector) => (await prometheus.query(selector, momentSeconds)).map(({ metric }) => metric),
        values,
      )

    async function choose(): Promise<void> {
      const variables = everyDashboard.flatMap(({ templating }) => templating.list)
      const queried = variables.filter(({ type }) => type === 'query')
      // A page of a single zone does not narrow the choice of the others, and what a page looks up follows its choices.
      const lookedUp = queried.filter(isLookedUp)
      const [several, single] = [true, false].map((isMulti) =>
        queried.filter(({ multi = false }) => multi === isMulti),
      )
      for (const variable of [...several.filter((one) => !isLookedUp(one)), ...single, ...lookedUp])
        values[variable.name] ??= selectedAmong(variable, await offered(variable))!
    }

    // Panels rank their series once a minute, in which this world moves by five hours.
    const ranked = (expr: string): string => expr.replaceAll(':1m] @ end()', ':5s] @ end()')

    // All that was recorded: on a busy machine a minute of it may be less than a round of troubles. Up to a second
    // later, so that a whole second lies behind the moment. Most queries find something within any ten seconds.
    async function recordedSeries(expr: string) {
      const every = (step: string) => prometheus.history(`(${ranked(expr)})[5m:${step}]`, momentSeconds + 1)
      const found = await every('10s')
      return found.length > 0 ? found : every('1s')
    }

    const series = ({ expr, instant }: Target) => {
      const query = filled(expr!, values)
      return instant === true ? prometheus.query(query, momentSeconds) : recordedSeries(query)
    }

    test.skipIf(kind === 'installed')('it is the Prometheus of the stack', async () => {
      expect(await prometheus.version()).toMatch(/^3\.5\.3\b/)
    })

    test('every variable offers something, by value and by name', async () => {
      const variables = everyDashboard.flatMap(({ templating }) => templating.list)
      const offering = variables.filter(
        (one) => one.type === 'query' && !isLookedUp(one) && one.name !== 'unreported',
      )
      for (const variable of offering) {
        const options = await offered(variable)
        expect(options.length).toBeGreaterThan(0)
        expect(options.every(({ value, text }) => value !== '' && text !== '')).toBe(true)
      }
    })

    test('every query of every panel runs on Prometheus and returns data', async () => {
      const empty: string[] = []
      for (const { place, target } of toPrometheus) {
        const found = await series(target)
        if (found.length === 0 && mayBeEmpty[place] === undefined) empty.push(place)
      }
      expect(empty).toStrictEqual([])
      expect(toPrometheus.length).toBeGreaterThan(200)
    }, 120_000)

    test('every legend names labels that the series have', async () => {
      const unnamed: string[] = []
      for (const { place, target } of toPrometheus) {
        const labels = [...(target.legendFormat ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
        if (labels.length === 0) continue
        const found = await series(target)
        if (found.some(({ metric }) => labels.some((label) => metric[label] === undefined)))
          unnamed.push(place)
      }
      expect(unnamed).toStrictEqual([])
    }, 120_000)

    test('the load of a link is that of its fuller direction', async () => {
      const load = filled(linkLoad.text, values)
      const links = await prometheus.query(load, momentSeconds)
      expect(links.length).toBeGreaterThan(50)
      const reverse = 'dcsim_link_reverse_bytes_per_second / dcsim_link_capacity_bytes_per_second'
      const forward = 'dcsim_link_forward_bytes_per_second / dcsim_link_capacity_bytes_per_second'
      const ask = (comparison: string) => prometheus.query(comparison, momentSeconds)
      expect(await ask(`(${load}) < ${reverse} or (${load}) < ${forward}`)).toStrictEqual([])
      expect(await ask(`(${load}) > ${reverse} and (${load}) > ${forward}`)).toStrictEqual([])
    })

    test('every annotation runs on Prometheus and finds events', async () => {
      const silent: string[] = []
      for (const { annotations, title } of everyDashboard) {
        for (const { name, expr } of annotations.list) {
          const found = await prometheus.history(`(${filled(expr, values)})[2m:5s]`, momentSeconds)
          // Events of one entity may not have occurred for the selected one.
          const isOfOne = expr.includes('dcsim_incident_scope_info{')
          if (found.length === 0 && mayBeSilent[name] === undefined && !isOfOne)
            silent.push(`${title}: ${name}`)
        }
      }
      expect(silent).toStrictEqual([])
    })

    test('every question to the JSON API is answered, and each column that is shown is filled', async () => {
      const wrong: string[] = []
      for (const { place, target } of toInfinity) {
        const { status, body } = answers.get(place)!
        if (status !== 200) {
          wrong.push(`${place}: ${status} ${target.url}`)
          continue
        }
        const rows = body as Record<string, unknown>[]
        if (!(rows.length > 0) && mayBeEmpty[place] === undefined) wrong.push(`${place}: no rows`)
        for (const { selector, type } of target.columns!) {
          const cells = [...rows].map((row) => row[selector])
          const mayBeNull = fieldsOf(target)?.[selector]?.nullable === true
          const unfilled = cells.some((cell) => cell === undefined || (cell === null && !mayBeNull))
          const mistyped = type !== 'string' && cells.some((cell) => cell !== null && typeof cell !== type)
          const blank = [...rows].every((row) => row[selector] === '') && rows.length > 0
          if (unfilled || mistyped || blank) wrong.push(`${place}: ${selector}`)
        }
      }
      expect(wrong).toStrictEqual([])
      expect(toInfinity.length).toBeGreaterThan(15)
    })
  },
)
