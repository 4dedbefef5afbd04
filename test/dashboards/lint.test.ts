import { describe, expect, test } from 'vitest'
import type { DashboardJson, Panel, Target } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'
import { parsed, placeholderDurations } from './promql-parts.ts'

/** The rules of Grafana's dashboard linter, by their names. An exception needs a reason; an unused one fails. */
const exceptions: Readonly<Record<string, readonly { readonly what: string; readonly because: string }[]>> = {
  'template-datasource-rule': [
    {
      what: 'infinity_datasource',
      because: 'the name asked for is made of the plugin’s id, whose dashes no variable may have',
    },
  ],
  'target-counter-agg-rule': [{ what: 'SLA / SLA credits / A', because: 'each of its steps is a payment' }],
}

type Offences = (dashboard: DashboardJson) => string[]

const metricPanels = new Set(['stat', 'table', 'timeseries', 'gauge'])
const prometheusTargets = (panel: Panel): Target[] =>
  (panel.targets ?? []).filter(({ datasource }) => datasource?.type === 'prometheus')

const eachPanel =
  (
    types: ReadonlySet<string> | null,
    offends: (panel: Panel, dashboard: DashboardJson) => boolean,
  ): Offences =>
  (dashboard) =>
    panelsOf(dashboard)
      .filter(({ type }) => types === null || types.has(type))
      .filter((panel) => offends(panel, dashboard))
      .map((panel) => placeOf(dashboard, panel))

const eachTarget =
  (offends: (parts: ReturnType<typeof parsed>) => boolean): Offences =>
  (dashboard) =>
    panelsOf(dashboard).flatMap((panel) =>
      prometheusTargets(panel)
        .filter(({ expr }) => offends(parsed(expr ?? '')))
        .map((target) => placeOf(dashboard, panel, target)),
    )

/** A variable that the linter requires: its name, and its selection. */
const sessionVariable =
  (name: string, label: string): Offences =>
  ({ templating: { list }, title }) => {
    const found = list.find((variable) => variable.name === name)
    const isRight =
      found?.type === 'query' &&
      found.label === label &&
      found.multi === true &&
      found.allValue === '.+' &&
      found.datasource?.uid === '${prometheus_datasource}'
    return isRight ? [] : [`${title}: ${name}`]
  }

const units = new Set(
  `none string short sishort percent percentunit bps Bps pps bytes decbytes currencyUSD s ms h dtdurations dtdhms celsius watt
   reqps ops iops bool_yes_no`.split(/\s+/),
)
const functions = new Set(['label_names', 'label_values', 'metrics', 'query_result'])

function badVariableQuery(query: string): boolean {
  const [, name, argument] = /^([a-z_]+)\((.+)\)$/.exec(query) ?? []
  if (name === undefined || !functions.has(name)) return true
  return parsed(name === 'label_values' ? argument.replace(/, \w+$/, '') : argument).errors > 0
}

const variables: Readonly<Record<string, Offences>> = {
  'template-datasource-rule': ({ templating: { list } }) =>
    list
      .filter(({ type, name, query, label }) => {
        const isNamed =
          name === `${query}_datasource` && label === `${query[0].toUpperCase()}${query.slice(1)} data source`
        return type === 'datasource' && !isNamed
      })
      .map(({ name }) => name),
  'template-job-rule': sessionVariable('job', 'Job'),
  'template-instance-rule': sessionVariable('instance', 'Instance'),
  'template-label-promql-rule': ({ templating: { list }, title }) =>
    list
      .filter(({ type, query }) => type === 'query' && badVariableQuery(query))
      .map(({ name }) => `${title}: ${name}`),
  'template-on-time-change-reload-rule': ({ templating: { list }, title }) =>
    list
      .filter(({ type, refresh }) => type === 'query' && refresh !== 2)
      .map(({ name }) => `${title}: ${name}`),
  'uneditable-dashboard': ({ editable, title }) => (editable ? [title] : []),
}

const panels: Readonly<Record<string, Offences>> = {
  'panel-datasource-rule': eachPanel(null, (panel, { templating: { list } }) => {
    const sources = new Set(list.filter(({ type }) => type === 'datasource').map(({ name }) => `\${${name}}`))
    const used = [panel.datasource, ...(panel.targets ?? []).map(({ datasource }) => datasource)]
    return panel.type !== 'text' && used.some((source) => source === undefined || !sources.has(source.uid))
  }),
  'panel-title-description-rule': eachPanel(
    null,
    ({ type, title, description = '' }) => type !== 'text' && (title === '' || description === ''),
  ),
  'panel-units-rule': eachPanel(
    metricPanels,
    ({ fieldConfig }) => !units.has(fieldConfig?.defaults.unit ?? ''),
  ),
  'panel-no-targets-rule': eachPanel(
    null,
    ({ type, targets = [] }) => type !== 'text' && targets.length === 0,
  ),
}

const targets: Readonly<Record<string, Offences>> = {
  'target-promql-rule': eachTarget(({ errors, selectors }) => errors > 0 || selectors.length === 0),
  'target-rate-interval-rule': eachTarget(({ selectors }) =>
    selectors.some(
      ({ window, call }) =>
        /^i?rate$/.test(call ?? '') && window !== placeholderDurations['$__rate_interval'],
    ),
  ),
  'target-job-rule': eachTarget(({ selectors }) =>
    selectors.some(({ matchers }) => !matchers.includes('job=~"$job"')),
  ),
  'target-instance-rule': eachTarget(({ selectors }) =>
    selectors.some(({ matchers }) => !matchers.includes('instance=~"$instance"')),
  ),
  'target-counter-agg-rule': eachTarget(({ selectors }) =>
    selectors.some(
      ({ metric, window, call }) =>
        metric.endsWith('_total') && (window === null || !/^(?:rate|irate|increase)$/.test(call ?? '')),
    ),
  ),
}

const rules = { ...variables, ...panels, ...targets }

/** Older versions of VictoriaMetrics keep series that a comparison leaves without values, and `or` fills them. */
test('the operands of `or on` are aggregated', () => {
  const bare = eachTarget(({ alternatives }) => alternatives.some((name) => name !== 'AggregateExpr'))
  expect(everyDashboard.flatMap(bare)).toStrictEqual([])
})

describe('the rules of the dashboard linter', () => {
  test.each(Object.entries(rules))('%s', (name, offences) => {
    const found = new Set(everyDashboard.flatMap(offences))
    expect([...found]).toStrictEqual((exceptions[name] ?? []).map(({ what }) => what))
  })

  const sample = everyDashboard.find(({ uid }) => uid === 'dcsim-session')!
  const panel = panelsOf(sample).find(({ type }) => type === 'stat')!
  const broken = (expr: string): DashboardJson => ({
    ...sample,
    panels: [{ ...panel, targets: [{ refId: 'A', datasource: { type: 'prometheus', uid: 'x' }, expr }] }],
  })

  test.each([
    ['target-promql-rule', 'sum(dcsim_hosts'],
    ['target-rate-interval-rule', 'rate(dcsim_events_total{job=~"$job"}[5m])'],
    ['target-job-rule', 'dcsim_hosts{instance=~"$instance"} / dcsim_hosts{job=~"$job"}'],
    ['target-instance-rule', 'dcsim_hosts{job=~"$job"}'],
    ['target-counter-agg-rule', 'sum(dcsim_events_total{job=~"$job"})'],
    ['panel-datasource-rule', 'dcsim_hosts'],
  ])('%s finds what breaks it', (name, expr) => {
    expect(rules[name](broken(expr))).toHaveLength(1)
  })

  test.each([
    ['template-job-rule', { templating: { list: [] } }],
    ['template-instance-rule', { templating: { list: [] } }],
    ['uneditable-dashboard', { editable: true }],
    ['panel-units-rule', { panels: [{ ...panel, fieldConfig: undefined }] }],
    ['panel-no-targets-rule', { panels: [{ ...panel, targets: [] }] }],
    ['panel-title-description-rule', { panels: [{ ...panel, description: '' }] }],
  ])('%s finds what breaks it', (name, change) => {
    expect(rules[name]({ ...sample, ...change } as DashboardJson)).toHaveLength(1)
  })
})

test('refreshes at intervals that the picker of Grafana offers: it shows no others', () => {
  const offered = new Set(['5s', '10s', '30s', '1m', '5m', '15m', '30m', '1h', '2h', '1d'])
  expect(
    everyDashboard.filter(({ refresh }) => !offered.has(refresh)).map(({ title }) => title),
  ).toStrictEqual([])
})
