import { hoursPerMonth } from '../src/contract/fields.ts'
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../alerts/thresholds.ts'
import { lifecycles } from '../src/contract/vocabularies.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow, fromSeries } from './house/links.ts'
import { colours, noneExpected, risingSteps, tierColours, units } from './house/look.ts'
import { bars, inOrder, lines, stat } from './house/panels.ts'
import { questTexts, yesIsBad, yesIsWell } from './house/states.ts'
import { movers, plans } from './money-movers.ts'
import { table, wordTable } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import {
  by,
  calculate,
  matchesVariable,
  gauge,
  named,
  perGameTime,
  separateWords,
  share,
  top,
  total,
} from './promql.ts'
import { customerNamed, facilityCostHourly, until } from './queries.ts'
import { marginNow, revenueNow } from './shared-panels.ts'
import { marginSteps, profitSteps } from './threshold-steps.ts'

const tier = { tier: matchesVariable('tier') }

const figures = [
  revenueNow(),
  stat({
    title: 'Cost of zones an hour',
    description: 'Hosts, network and facility: what runs costs, whether it earns or not.',
    unit: units.dollars,
    targets: [rangeQuery(facilityCostHourly, '{{instance}}')],
  }),
  marginNow(),
  stat({
    title: 'Prospects',
    description: 'Those that wait for an answer, and what they would bring a month.',
    unit: units.count,
    calm: true,
    targets: [instantQuery(total('dcsim_prospects'), '{{instance}}')],
  }),
  stat({
    title: 'Open work orders',
    description: 'Work that is not finished.',
    unit: units.count,
    targets: [rangeQuery(total('dcsim_work_orders_open'), '{{instance}}')],
  }),
  stat({
    title: 'Staff on shift',
    description: 'Of all members of staff.',
    unit: units.count,
    calm: true,
    targets: [
      instantQuery(total('dcsim_staff_on_shift'), 'On shift'),
      instantQuery(total('dcsim_staff'), 'In all'),
    ],
  }),
]

const revenue = lines({
  title: 'Revenue an hour by plan',
  description: 'Revenue of the last simulated hour.',
  unit: units.dollars,
  min: 0,
  stacked: true,
  colours: tierColours,
  legend: 'list',
  targets: [rangeQuery(total('dcsim_customer_revenue_last_hour_dollars', ['tier'], tier), '{{tier}}')],
})

const costs = lines({
  title: 'Cost an hour by kind',
  description: 'Pools with their share of the facility, network devices, and SLA credits.',
  unit: units.dollars,
  min: 0,
  stacked: true,
  legend: 'list',
  colours: inOrder('Pools', 'Switches', 'Gateways', 'Appliances', 'SLA credits'),
  targets: [
    rangeQuery(calculate(total('dcsim_pool_cost_monthly_dollars'), '/', hoursPerMonth), 'Pools'),
    rangeQuery(calculate(total('dcsim_switch_cost_monthly_dollars'), '/', hoursPerMonth), 'Switches'),
    rangeQuery(calculate(total('dcsim_gateway_cost_monthly_dollars'), '/', hoursPerMonth), 'Gateways'),
    rangeQuery(calculate(total('dcsim_appliance_cost_monthly_dollars'), '/', hoursPerMonth), 'Appliances'),
    rangeQuery(perGameTime('dcsim_customer_sla_credits_dollars_total'), 'SLA credits'),
  ],
})

const id = ['customer', 'tier'] as const

const margins = table({
  title: 'Margin by customer',
  description: 'Of the last 30 simulated days. Infrastructure is hosts and facility, transit is the network.',
  labels: [
    { label: 'name', title: 'Customer', links: [fromRow('dcsim-customer', 'customer', 'customer')] },
    { label: 'customer', title: 'Id', width: 60 },
    { label: 'tier', title: 'Plan', width: 90 },
  ],
  values: [
    {
      expr: by(
        'max',
        named(gauge('dcsim_customer_margin_dollars', tier), 'dcsim_customer_info', ['customer'], ['name']),
        ['customer', 'tier', 'name'],
      ),
      title: 'Margin',
      unit: units.dollars,
      steps: profitSteps,
    },
    {
      expr: by('max', gauge('dcsim_customer_margin_revenue_dollars', tier), id),
      title: 'Revenue',
      unit: units.dollars,
    },
    {
      expr: by('max', gauge('dcsim_customer_cost_infrastructure_dollars', tier), id),
      title: 'Infrastructure',
      unit: units.dollars,
    },
    {
      expr: by('max', gauge('dcsim_customer_cost_transit_dollars', tier), id),
      title: 'Transit',
      unit: units.dollars,
    },
    {
      expr: share(
        by('max', gauge('dcsim_customer_margin_dollars', tier), id),
        by('max', gauge('dcsim_customer_margin_revenue_dollars', tier), id),
      ),
      title: 'Margin, of revenue',
      unit: units.share,
      steps: marginSteps,
    },
    {
      expr: by('max', gauge('dcsim_customer_eviction_fee_dollars', tier), id),
      title: 'Eviction fee',
      unit: units.dollars,
    },
  ],
  sortBy: 'Margin',
})

const services = bars({
  title: 'Margin by service',
  description: 'Revenue less cost of the last 30 simulated days, over all customers.',
  unit: units.dollars,
  steps: profitSteps,
  targets: [instantQuery(top(10, total('dcsim_service_margin_dollars', ['service'])), '{{service}}')],
})

const prospectId = ['prospect', 'tier'] as const

const prospects = table({
  title: 'Prospects',
  description: 'Who would come, what for, and whether we could serve them.',
  empty: 'No open prospects.',
  labels: [
    { label: 'name', title: 'Prospect' },
    { label: 'archetype', title: 'Kind' },
    { label: 'tier', title: 'Plan', width: 90 },
    { label: 'recommendation', title: 'Advice' },
  ],
  values: [
    {
      expr: by(
        'max',
        named(
          gauge('dcsim_prospect_revenue_monthly_dollars', tier),
          'dcsim_prospect_info',
          ['prospect'],
          ['name', 'archetype', 'recommendation'],
        ),
        ['prospect', 'tier', 'name', 'archetype', 'recommendation'],
      ),
      title: 'Revenue a month',
      unit: units.dollars,
    },
    {
      expr: by('max', gauge('dcsim_prospect_signup_bonus_dollars', tier), prospectId),
      title: 'Signing bonus',
      unit: units.dollars,
    },
    { expr: by('max', gauge('dcsim_prospect_units', tier), prospectId), title: 'Units' },
    {
      expr: by('max', gauge('dcsim_prospect_can_serve_now', tier), prospectId),
      title: 'Fits now',
      mappings: yesIsWell,
    },
    {
      expr: by('max', gauge('dcsim_prospect_over_capacity', tier), prospectId),
      title: 'Never fits',
      mappings: yesIsBad,
    },
    {
      expr: by('max', gauge('dcsim_prospect_cpu_after_ratio', tier), prospectId),
      title: 'CPU after',
      unit: units.share,
      steps: risingSteps(thresholds.cpuPromisedHigh, 1),
    },
    {
      expr: by('max', until(gauge('dcsim_prospect_expires_seconds', tier)), prospectId),
      title: 'Expires in',
      unit: units.duration,
    },
  ],
  sortBy: 'Revenue a month',
})

const orders = wordTable({
  title: 'Work orders',
  description: 'What is being done, by whom, and what it waits for. Times are simulated.',
  empty: 'Nothing is to be done. (Or the mirror did not answer.)',
  table: 'work',
  query: 'state=waiting,under%20way,ordered&limit=40',
  tinted: true,
  columns: [
    { field: 'what', title: 'What' },
    { field: 'state', title: 'State', width: 90 },
    { field: 'by', title: 'By', width: 100 },
    { field: 'step', title: 'Step' },
    {
      field: 'progress_pct',
      title: 'Progress',
      unit: units.percent,
      bar: true,
      barMax: 100,
      decimals: 0,
      width: 120,
    },
    { field: 'waits_for', title: 'Waits for', width: 150 },
    { field: 'started', title: 'Started', width: 110 },
  ],
})

const blocked = bars({
  title: 'What blocks work',
  description: 'Work orders that cannot go on, by what they lack.',
  unit: units.count,
  min: 0,
  steps: noneExpected,
  targets: [
    instantQuery(
      separateWords(total('dcsim_work_orders_blocked', ['blocking']), 'blocking', 'reason'),
      '{{reason}}',
    ),
  ],
})

const staff = lines({
  title: 'Staff on shift and open work',
  description: 'People on shift, and work orders that are not finished.',
  unit: units.count,
  min: 0,
  stepped: true,
  legend: 'list',
  colours: { 'On shift': colours.green, 'Work orders': colours.orange },
  targets: [
    rangeQuery(total('dcsim_staff_on_shift'), 'On shift'),
    rangeQuery(total('dcsim_work_orders_open'), 'Work orders'),
  ],
})

const standing = lines({
  title: 'Customers by lifecycle state',
  description: 'How many customers are in each state of their contract.',
  unit: units.count,
  min: 0,
  stacked: true,
  stepped: true,
  legend: 'list',
  colours: inOrder(...lifecycles),
  targets: [rangeQuery(total('dcsim_customers_by_lifecycle', ['lifecycle'], tier), '{{lifecycle}}')],
})

const quests = wordTable({
  title: 'Quests',
  description: 'Goals with the progress so far, and what reaching them brings.',
  table: 'quests',
  query: 'limit=30',
  columns: [
    { field: 'state', title: 'State', width: 80, mappings: questTexts },
    { field: 'title', title: 'Quest', width: 220 },
    { field: 'goal', title: 'Goal' },
    {
      field: 'progress_pct',
      title: 'Progress',
      unit: units.percent,
      bar: true,
      barMax: 100,
      decimals: 0,
      width: 150,
    },
    { field: 'reward', title: 'Brings' },
  ],
})

const topEarners = bars({
  title: 'Largest customers',
  description: 'The ten customers that bring most, in the last simulated hour.',
  unit: units.dollars,
  min: 0,
  links: [fromSeries('dcsim-customer', 'customer', 'customer')],
  targets: [
    instantQuery(customerNamed(top(10, gauge('dcsim_customer_revenue_last_hour_dollars', tier))), '{{name}}'),
  ],
})

/** Money in and out, who brings it, who might, and who does the work. */
export const business = (): Dashboard =>
  dashboard({
    uid: 'dcsim-business',
    description:
      'From revenue to margin: who brings money, what it costs to serve them, who might come, what is to be done.',
    variables: ['tier'],
    infinity: true,
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(8, [9, revenue], [9, costs], [6, services]),
          row(9, [13, plans], [11, movers]),
        ],
      },
      { title: '☺ By customer', shelves: [row(9, [16, margins], [8, topEarners])] },
      { title: '⇧ Growth', shelves: [row(8, [16, prospects], [8, standing]), row(10, [24, quests])] },
      { title: '⚒ Work', shelves: [row(9, [14, orders], [4, blocked], [6, staff])] },
    ],
  })
