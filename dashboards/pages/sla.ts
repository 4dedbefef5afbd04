import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, calculate, complement, metric, recorded, share } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { burnRateName } from '../../alerts/rules/sla.ts'
import { gauge, matchesVariable, withNames, selected, gaugeSum } from '../queries/series.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { firingAlerts } from '../panels/alerts.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromRow, toDashboard } from '../layout/links.ts'
import { palette, noneExpected, tierColors, unit } from '../style/look.ts'
import { bars } from '../visualizations/panels.ts'
import { lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { table } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { failuresOf, latenessOf } from '../queries/shared.ts'
import { creditsPaid, promisesBroken } from '../panels/shared.ts'
import { allowanceSteps } from '../style/threshold-steps.ts'

const tier = { tier: matchesVariable('tier') }
const id = ['customer', 'tier'] as const

const failures = failuresOf(tier)
const late = latenessOf(tier)

/** The error budget burn rate over a window, from the recording rules. */
const burnRate = (window: 'fast_long' | 'slow_long'): Expr<'tier' | TargetLabel> =>
  recorded(burnRateName(window), { ...selected, ...tier })

const periodHours = 30 * 24

/** Time to exhaustion of the error budget at the long-window burn rate, in simulated seconds. */
const secondsLeft: Expr<'tier' | TargetLabel> = {
  text:
    `${periodHours * 3600} * (${by('avg', complement(failures), ['tier']).text} > 0)` +
    ` / on (job, instance, session, tier) (${burnRate('slow_long').text} > 0)`,
  simple: false,
}

const figures = [
  promisesBroken(
    'Broken: failures',
    'Customers with more failed requests in their SLA period than their plan allows.',
    failures,
  ),
  promisesBroken(
    'Broken: latency',
    'Customers whose latency was over what was promised for longer than their plan allows.',
    late,
  ),
  stat({
    title: 'Most of it used',
    links: [toDashboard('dcsim-customers')],
    description: `Customers that have used ${thresholds.lateShareOfAllowance * 100} % or more of the failures that their plan allows.`,
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', {
          text: `(${failures.text}) >= bool ${thresholds.lateShareOfAllowance}`,
          simple: false,
        }),
        '{{instance}}',
      ),
    ],
  }),
  creditsPaid(tier, [toDashboard('dcsim-business')]),
]

const budgets = bars({
  title: 'Budget by plan',
  links: [toDashboard('dcsim-customers')],
  description: 'What is left of the failures that a plan allows in its SLA period, mean over its customers.',
  unit: unit.share,
  min: 0,
  max: 1,
  steps: [
    { value: null, color: palette.vermilion },
    { value: 0.2, color: palette.orange },
    { value: 0.5, color: palette.green },
  ],
  targets: [
    instantQuery(
      {
        text: `clamp_min(${by('avg', complement(failures), ['tier']).text}, 0)`,
        simple: true,
      },
      '{{tier}}',
    ),
  ],
})

const runsOut = stat({
  title: 'Runs out in',
  links: [toDashboard('dcsim-customers')],
  description: 'Simulated time until the budget of a plan is used up, at the present burn rate.',
  unit: unit.duration,
  withName: true,
  empty: 'No plan that has budget left uses it up.',
  steps: [
    { value: null, color: palette.vermilion },
    { value: 48 * 3600, color: palette.orange },
    { value: 7 * 24 * 3600, color: palette.green },
  ],
  targets: [instantQuery(secondsLeft, '{{tier}}')],
})

const burning = (title: string, window: Parameters<typeof burnRate>[0], limit: number) =>
  lines({
    title,
    description: `Times the failures that a plan allows. Above ${limit}, an alert fires; at 1, the budget lasts exactly the period.`,
    unit: unit.number,
    decimals: 1,
    min: 0,
    legend: 'list',
    colors: tierColors,
    empty: 'The rules are not loaded into Prometheus, or nothing was requested.',
    limit,
    targets: [rangeQuery(burnRate(window), '{{tier}}')],
  })

const ranked = { ...tier, customer: matchesVariable('nearest_limit') }

const customers = table({
  title: 'Customers by what is left',
  description:
    'Shares of what the plan allows in the SLA period: from 100 % on, the promise is broken. Of more than a hundred, the nearest to it.',
  labels: [
    { label: 'name', title: 'Customer', links: [fromRow('dcsim-customer', 'customer', 'customer')] },
    { label: 'tier', title: 'Plan', width: 64 },
    { label: 'customer', title: 'Id', hidden: true },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(failuresOf(ranked), 'dcsim_customer_info', ['customer'], ['name'], {
          customer: ranked.customer,
        }),
        [...id, 'name'],
      ),
      title: 'Failures used',
      width: 86,
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: allowanceSteps,
    },
    {
      expr: by('max', latenessOf(ranked), id),
      title: 'Late time used',
      width: 86,
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: allowanceSteps,
    },
    {
      expr: by('max', gauge('dcsim_customer_availability_ratio', ranked), id),
      title: 'Available',
      unit: unit.share,
      decimals: 3,
      width: 80,
    },
    {
      expr: by('max', gauge('dcsim_customer_revenue_last_hour_dollars', ranked), id),
      title: '$/h',
      decimals: 0,
      width: 60,
      evens: true,
    },
  ],
  rows: gauge('dcsim_customer_availability_ratio', ranked),
  sortBy: 'Failures used',
})

const credits = lines({
  title: 'SLA credits',
  description: 'Paid back for broken promises since the world began, by plan: a step is a payment.',
  unit: unit.dollars,
  min: 0,
  stacked: true,
  stepped: true,
  legend: 'list',
  colors: tierColors,
  targets: [
    rangeQuery(
      by('sum', metric('dcsim_customer_sla_credits_dollars_total', { ...selected, ...tier }), ['tier']),
      '{{tier}}',
    ),
  ],
})

const availability = lines({
  title: 'Failing requests by plan',
  description: 'Failed requests of the last simulated hour, of all.',
  unit: unit.share,
  min: 0,
  legend: 'list',
  colors: tierColors,
  targets: [
    rangeQuery(
      share(
        calculate(gaugeSum('dcsim_customer_failed_requests_last_hour', ['tier'], tier), '/', 3600),
        gaugeSum('dcsim_customer_requests_per_second', ['tier'], tier),
      ),
      '{{tier}}',
    ),
  ],
})

/** SLAs: promises, remaining budgets, credits. */
export const slaPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-sla',
    description: 'What is left of what plans allow, how fast it is used up, and what broken promises cost.',
    variables: ['tier', 'nearest_limit'],
    refresh: '1m',
    sections: [
      {
        rows: [
          row(
            8,
            [6, budgets],
            [6, burning('Burn rate, fast', 'fast_long', thresholds.burnRateFast)],
            [6, burning('Burn rate, slow', 'slow_long', thresholds.burnRateSlow)],
            [6, runsOut],
          ),
          ...tiles(figures),
          row(8, [24, customers]),
          row(5, [
            24,
            firingAlerts({
              grouped: true,
              where: { tier: matchesVariable('tier') },
              empty: 'No alert about a customer or a plan fires.',
            }),
          ]),
        ],
      },
      { title: 'What it costs', rows: [row(8, [12, availability], [12, credits])] },
    ],
  })
