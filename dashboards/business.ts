import { hoursPerMonth } from '../src/contract/fields.ts'
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../alerts/thresholds.ts'
import { questMessages } from '../src/contract/messages/quests.ts'
import { lifecycles } from '../src/contract/vocabularies.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow, fromSeries } from './house/links.ts'
import { colours, noneExpected, risingSteps, tierColours, units } from './house/look.ts'
import { bars, inOrder, lines, stat } from './house/panels.ts'
import { questTexts, titlesOf, yesIsBad, yesIsWell } from './house/states.ts'
import { table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { by, calculate, matchesVariable, gauge, named, perGameTime, share, top, total } from './promql.ts'
import { customerNamed, facilityCostHourly, since, until } from './queries.ts'
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
      title: 'Cost to end it',
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
  empty: 'Nobody waits for an answer.',
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
      title: 'Waits for',
      unit: units.duration,
    },
  ],
  sortBy: 'Revenue a month',
})

const orders = table({
  title: 'Work orders',
  description: 'What is done now, by whom, and since when in simulated time.',
  empty: 'Nothing is to be done.',
  labels: [
    { label: 'work_order', title: 'Order', width: 80 },
    { label: 'kind', title: 'Kind' },
    { label: 'actor', title: 'By' },
    {
      label: 'incident',
      title: 'Incident',
      width: 90,
      links: [fromRow('dcsim-incident', 'incident', 'incident')],
    },
  ],
  values: [
    {
      expr: by('max', gauge('dcsim_work_order_progress_ratio'), ['work_order', 'kind', 'actor', 'incident']),
      title: 'Progress',
      unit: units.share,
      bar: true,
    },
    {
      expr: by('max', since(gauge('dcsim_work_order_started_seconds')), [
        'work_order',
        'kind',
        'actor',
        'incident',
      ]),
      title: 'Since',
      unit: units.duration,
      steps: risingSteps(thresholds.workOrderOldHours * 3600),
    },
  ],
  sortBy: 'Since',
})

const blocked = bars({
  title: 'What work waits for',
  description: 'Work orders that cannot go on, by what they lack.',
  unit: units.count,
  min: 0,
  steps: noneExpected,
  targets: [instantQuery(total('dcsim_work_orders_blocked', ['blocking']), '{{blocking}}')],
})

const staff = lines({
  title: 'Staff on shift and work to do',
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
  title: 'Customers by standing',
  description: 'Where customers stand with us.',
  unit: units.count,
  min: 0,
  stacked: true,
  stepped: true,
  legend: 'list',
  colours: inOrder(...lifecycles),
  targets: [rangeQuery(total('dcsim_customers_by_lifecycle', ['lifecycle'], tier), '{{lifecycle}}')],
})

const quests = table({
  title: 'Quests',
  description: 'Goals, what they bring, and how far we are.',
  labels: [
    { label: 'quest', title: 'No.', width: 60 },
    { label: 'title', title: 'Goal', mappings: titlesOf(questMessages) },
    { label: 'state', title: 'State', mappings: questTexts },
    { label: 'reward', title: 'Reward' },
  ],
  values: [
    {
      expr: by('max', gauge('dcsim_quest_info'), ['quest', 'title', 'state', 'reward']),
      title: 'Quest',
      hidden: true,
    },
  ],
  sortBy: 'State',
})

const topEarners = bars({
  title: 'Revenue by customer',
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
    description: 'Money in and out, who brings it, who might, what is to be done and by whom.',
    variables: ['tier'],
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(8, [9, revenue], [9, costs], [6, services]),
          row(9, [16, margins], [8, topEarners]),
        ],
      },
      { title: 'Growth', shelves: [row(8, [16, prospects], [8, standing]), row(10, [24, quests])] },
      { title: 'Work', shelves: [row(8, [12, orders], [5, blocked], [7, staff])] },
    ],
  })
