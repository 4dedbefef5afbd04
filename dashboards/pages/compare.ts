import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Expr } from '../../promql/expressions.ts'
import { targetLabels } from '../../promql/metrics.ts'
import { dashboard, row } from '../layout/layout.ts'
import { link } from '../layout/links.ts'
import { rangeQuery } from '../queries/targets.ts'
import { bandColors, noneExpected, okColor, unit } from '../style/look.ts'
import { marginSteps, satisfactionSteps } from '../style/threshold-steps.ts'
import { pausedTexts, texts } from '../style/states.ts'
import { lines } from '../visualizations/lines.ts'
import { states } from '../visualizations/panels.ts'
import { table } from '../visualizations/tables.ts'
import type { ValueColumn } from '../visualizations/tables.ts'
import { bands } from '../../src/contract/vocabularies.ts'

/** Every session of the selected jobs and instances. */
const everySession = `job=~"$job", instance=~"$instance"`
const target = targetLabels.join(', ')

const series = (name: string, where = ''): string => `${name}{${everySession}${where}}`
const of = (how: 'sum' | 'max' | 'avg' | 'min', text: string): Expr<'seed' | 'scale' | 'scenario'> => ({
  text: `${how} by (${target}) (${text})`,
  simple: true,
})

const revenue = of('sum', series('dcsim_customer_revenue_last_hour_dollars'))
const satisfaction = of('avg', series('dcsim_customer_satisfaction_ratio'))
const atRisk = of('sum', series('dcsim_incidents_revenue_at_risk_dollars_per_hour'))
const failing: Expr<never> = {
  text:
    `${of('sum', series('dcsim_customer_failed_requests_last_hour')).text} / 3600` +
    ` / (${of('sum', series('dcsim_customer_requests_per_second')).text} > 0)`,
  simple: false,
}
const margin: Expr<never> = {
  text:
    of('sum', series('dcsim_customer_margin_dollars')).text +
    ` / (${of('sum', series('dcsim_customer_margin_revenue_dollars')).text} > 0)`,
  simple: false,
}

/** The highest band of a session's active incidents; 0 without incidents. */
const worst: Expr<never> = {
  text: [
    ...bands
      .map(
        (band, at) =>
          `${at + 1} * (${of('sum', series('dcsim_incidents_active', `, band="${band}"`)).text} > bool 0)`,
      )
      .toReversed()
      .map((text) => `(${text} > 0)`),
    `0 * ${of('max', series('dcsim_sim_info')).text}`,
  ].join(' or '),
  simple: false,
}

const worstWithout = (color: string) =>
  texts({
    0: ['None', color],
    ...Object.fromEntries(bands.map((band, at) => [at + 1, [band, bandColors[band]] as const])),
  })

const toSession = link(
  'Open the session',
  '/d/dcsim-session/session?${__url_time_range}&${prometheus_datasource:queryparam}&${job:queryparam}&var-session=${__data.fields.session}',
)

const values: readonly ValueColumn[] = [
  {
    expr: { text: `max by (${target}, scenario) (${series('dcsim_sim_info')})`, simple: true },
    title: 'World',
    hidden: true,
  },
  {
    expr: of('max', `floor(${series('dcsim_sim_time_seconds')} / 86400)`),
    title: 'Day',
    unit: unit.number,
    width: 60,
  },
  { expr: of('max', series('dcsim_sim_paused')), title: 'State', mappings: pausedTexts, width: 74 },
  {
    expr: of('max', worst.text),
    title: 'Worst incident',
    mappings: worstWithout('transparent'),
    filled: true,
    width: 82,
  },
  { expr: of('sum', series('dcsim_incidents_active')), title: 'Incidents', unit: unit.number, width: 80 },
  { expr: atRisk, title: 'At risk an hour', unit: unit.dollars, decimals: 0, steps: noneExpected },
  { expr: revenue, title: 'Revenue an hour', unit: unit.dollars, decimals: 0 },
  { expr: of('max', margin.text), title: 'Margin', unit: unit.share, decimals: 1, steps: marginSteps },
  {
    expr: satisfaction,
    title: 'Satisfaction',
    unit: unit.share,
    decimals: 0,
    bar: true,
    steps: satisfactionSteps,
  },
]

const sessions = table({
  title: 'Sessions side by side',
  description: 'Every session that is scraped, one a row. A click opens it.',
  labels: [
    { label: 'session', title: 'Session', links: [toSession] },
    { label: 'scenario', title: 'Scenario', width: 96 },
  ],
  values,
  sortBy: 'At risk an hour',
  showsSession: true,
})

const legend = '{{session}}'

const compared = [
  lines({
    title: 'Revenue an hour',
    description: 'Revenue of the last simulated hour.',
    unit: unit.dollars,
    min: 0,
    targets: [rangeQuery(revenue, legend)],
  }),
  lines({
    title: 'Revenue at risk',
    description: 'Revenue an hour that active incidents put at risk.',
    unit: unit.dollars,
    min: 0,
    targets: [rangeQuery(atRisk, legend)],
  }),
  lines({
    title: 'Satisfaction',
    description: 'Mean over customers.',
    unit: unit.share,
    min: 0,
    max: 1,
    targets: [rangeQuery(satisfaction, legend)],
  }),
  lines({
    title: 'Failing requests',
    description: 'Failed requests of the last simulated hour, of all requests.',
    unit: unit.share,
    min: 0,
    targets: [rangeQuery(failing, legend)],
  }),
]

const incidents = states({
  title: 'Worst incident',
  description: 'The highest band of the active incidents of each session.',
  unit: unit.count,
  mappings: worstWithout(okColor),
  targets: [rangeQuery(of('max', worst.text), legend)],
})

/** Sessions side by side. */
export const comparePage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-compare',
    description:
      'Sessions side by side: world, day, money, promises, incidents. Nothing is added up over them.',
    refresh: '30s',
    everySession: true,
    sections: [
      {
        rows: [
          row(6, [24, sessions]),
          row(5, [24, incidents]),
          row(8, ...compared.map((panel) => [6, panel] as const)),
        ],
      },
    ],
  })
