import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { bottomk, by, anyOf, share, topk } from '../../promql/expressions.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import type { VariableName } from '../layout/variables.ts'
import { fromRow, fromSeries } from '../layout/links.ts'
import { creditsPaid, promisesBroken, satisfactionNow } from '../panels/shared.ts'
import { gauge, matchesVariable, withNames, perGameTime, gaugeSum } from '../queries/series.ts'
import type { GaugeWith } from '../queries/series.ts'
import { customerNamed, failuresOf, latenessOf } from '../queries/shared.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { noneExpected, tierColors, unit } from '../style/look.ts'
import { faultFlagTexts } from '../style/states.ts'
import { allowanceSteps, latencySteps, profitSteps, satisfactionSteps } from '../style/threshold-steps.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import { bars } from '../visualizations/panels.ts'
import { stat } from '../visualizations/stat.ts'
import { customerWidth, table } from '../visualizations/tables.ts'

const tier = { tier: matchesVariable('tier') }

const failures = failuresOf(tier)
const late = latenessOf(tier)

const figures = [
  stat({
    title: 'Customers',
    description: 'With a contract, by plan.',
    unit: unit.count,
    targets: [
      instantQuery(
        gaugeSum('dcsim_customers_by_lifecycle', ['tier'], {
          ...tier,
          lifecycle: anyOf(['Active', 'Probation']),
        }),
        '{{tier}}',
      ),
    ],
  }),
  satisfactionNow(tier),
  stat({
    title: 'On probation',
    description: 'Customers that have given us a last chance.',
    unit: unit.count,
    steps: noneExpected,
    targets: [instantQuery(gaugeSum('dcsim_customer_on_probation', [], tier), '{{instance}}')],
  }),
  promisesBroken(
    'Broken: failures',
    'Customers with more failed requests in their SLA period than their plan allows.',
    failures,
  ),
  promisesBroken(
    'Broken: latency',
    'Customers with more time over the promised latency in their SLA period than their plan allows.',
    late,
  ),
  creditsPaid(tier),
]

const id = ['customer', 'tier'] as const
const ranked = { ...tier, customer: matchesVariable('nearest_limit') }
const p99 = gauge('dcsim_customer_latency_seconds', { ...ranked, quantile: '0.99' })
const satisfaction = gauge('dcsim_customer_satisfaction_ratio', ranked)
const value = (name: GaugeWith<'customer' | 'tier'>) => by('max', gauge<typeof name>(name, ranked), id)

const ranking = table({
  title: 'Who is unhappy, and why',
  description:
    'Customers with everything that makes them unhappy: of more than a hundred, those who are nearest to a broken promise.',
  labels: [
    {
      label: 'name',
      title: 'Customer',
      width: customerWidth,
      links: [fromRow('dcsim-customer', 'customer', 'customer')],
    },
    { label: 'customer', title: 'Id', hidden: true },
    { label: 'tier', title: 'Plan', width: 70 },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(satisfaction, 'dcsim_customer_info', ['customer'], ['name'], { customer: ranked.customer }),
        [...id, 'name'],
      ),
      title: 'Satisfaction',
      unit: unit.share,
      bar: true,
      steps: satisfactionSteps,
    },
    {
      expr: by('max', failuresOf(ranked), id),
      title: 'Failures used',
      unit: unit.share,
      decimals: 1,
      steps: allowanceSteps,
    },
    {
      expr: by('max', latenessOf(ranked), id),
      title: 'Late time used',
      unit: unit.share,
      decimals: 1,
      steps: allowanceSteps,
    },
    {
      expr: share(by('max', p99, id), by('max', gauge('dcsim_customer_latency_budget_seconds', ranked), id)),
      title: 'p99 used',
      width: 60,
      unit: unit.share,
      decimals: 0,
      steps: latencySteps,
    },
    { expr: value('dcsim_customer_units_stranded'), title: 'Stranded', width: 72, steps: noneExpected },
    { expr: value('dcsim_customer_requirements_unmet'), title: 'Unmet', width: 60, steps: noneExpected },
    { expr: value('dcsim_customer_under_attack'), title: 'Attacked', width: 72, mappings: faultFlagTexts },
    {
      expr: value('dcsim_customer_revenue_last_hour_dollars'),
      title: '$/h',
      decimals: 0,
      width: 60,
      evens: true,
    },
    {
      expr: value('dcsim_customer_margin_dollars'),
      title: 'Margin',
      unit: unit.dollars,
      steps: profitSteps,
    },
  ],
  rows: satisfaction,
  sortBy: 'Failures used',
})

/** The customers that the page has looked up: of all, each point of a graph would have to be read. */
const ofOnes = (name: VariableName) => ({ customer: matchesVariable(name) })

const customerLink = [fromSeries('dcsim-customer', 'customer', 'customer')]

const least = lines({
  title: 'Least satisfied',
  description: 'The eight customers with the lowest satisfaction. Below the lower line they leave.',
  unit: unit.share,
  min: 0,
  max: 1,
  limits: true,
  steps: satisfactionSteps,
  links: customerLink,
  targets: [
    rangeQuery(
      customerNamed(
        gauge('dcsim_customer_satisfaction_ratio', ofOnes('least_satisfied')),
        ofOnes('least_satisfied'),
      ),
      '{{name}}',
    ),
  ],
})

const latency = lines({
  title: 'p99 latency vs SLA target',
  description: 'p99 latency of the last simulated minute, of what was promised: the eight slowest.',
  unit: unit.share,
  min: 0,
  limits: true,
  steps: latencySteps,
  links: customerLink,
  targets: [
    rangeQuery(
      customerNamed(
        share(
          by('max', gauge('dcsim_customer_latency_seconds', { ...ofOnes('slowest'), quantile: '0.99' }), id),
          by('max', gauge('dcsim_customer_latency_budget_seconds', ofOnes('slowest')), id),
        ),
        ofOnes('slowest'),
      ),
      '{{name}}',
    ),
  ],
})

const failing = lines({
  title: 'Failing requests',
  description: 'Requests that failed a simulated second: the eight customers with most of them.',
  unit: unit.requests,
  min: 0,
  empty: 'No request fails.',
  links: customerLink,
  targets: [
    rangeQuery(
      customerNamed(
        perGameTime('dcsim_customer_failed_requests_total', ['customer'], {
          where: ofOnes('failing_most'),
          seconds: 1,
        }),
        ofOnes('failing_most'),
      ),
      '{{name}}',
    ),
  ],
})

const budgets = bars({
  title: 'Failure budgets burnt',
  longNames: true,
  description:
    'Failed requests in the SLA period, of those that the plan allows: at 100 % the promise is broken.',
  unit: unit.share,
  decimals: 1,
  min: 0,
  max: 1,
  steps: allowanceSteps,
  links: customerLink,
  targets: [instantQuery(customerNamed(topk(8, failures)), '{{name}}')],
})

const lateness = bars({
  title: 'Latency budgets burnt',
  longNames: true,
  description: 'Time over the promised latency in the SLA period, of what the plan allows.',
  unit: unit.share,
  decimals: 1,
  min: 0,
  max: 1,
  steps: allowanceSteps,
  links: customerLink,
  targets: [instantQuery(customerNamed(topk(8, late)), '{{name}}')],
})

const traffic = lines({
  title: 'Requests by plan',
  description: 'Requests a simulated second.',
  unit: unit.requests,
  min: 0,
  stacked: true,
  colors: tierColors,
  legend: 'list',
  targets: [rangeQuery(gaugeSum('dcsim_customer_requests_per_second', ['tier'], tier), '{{tier}}')],
})

const margins = bars({
  title: 'Lowest margins',
  longNames: true,
  description: 'Revenue less cost of the last 30 simulated days: the eight customers that bring least.',
  unit: unit.dollars,
  steps: profitSteps,
  links: customerLink,
  targets: [
    instantQuery(customerNamed(bottomk(8, gauge('dcsim_customer_margin_dollars', tier))), '{{name}}'),
  ],
})

const services = lines({
  title: 'Services by state',
  description: 'How the services of all customers run.',
  unit: unit.count,
  min: 0,
  stacked: true,
  stepped: true,
  legend: 'list',
  colors: colorsInOrder('running', 'partial', 'placing', 'degraded', 'down'),
  targets: [rangeQuery(gaugeSum('dcsim_services', ['state']), '{{state}}')],
})

/** Customers and their SLAs: budgets, latency, failures, margins. */
export const customersPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-customers',
    description: 'Promises and the people they were made to: budgets burnt, latency, failures, margins.',
    variables: ['tier', 'nearest_limit', 'least_satisfied', 'slowest', 'failing_most'],
    refresh: '1m',
    sections: [
      {
        rows: [row(10, [24, ranking]), ...tiles(figures), row(8, [8, least], [8, latency], [8, failing])],
      },
      { title: 'Budgets and money', rows: [row(10, [8, budgets], [8, lateness], [8, margins])] },
      { title: 'What they do', rows: [row(8, [12, traffic], [12, services])] },
    ],
  })
