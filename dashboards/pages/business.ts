import { hoursPerMonth } from '../../src/contract/fields.ts'
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { lifecycles } from '../../src/contract/vocabularies.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromRow, fromSeries, toDashboard } from '../layout/links.ts'
import { tierColors, unit } from '../style/look.ts'
import { bars } from '../visualizations/panels.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { movers, plans } from '../panels/company/money-movers.ts'
import { customerWidth, table } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { by, calculate, share, topk } from '../../promql/expressions.ts'
import { gauge, matchesVariable, withNames, gaugeSum } from '../queries/series.ts'
import { wordOf } from '../style/words.ts'
import { customerNamed, facilityCostHourly } from '../queries/shared.ts'
import { marginNow, revenueNow } from '../panels/shared.ts'
import { marginSteps, profitSteps } from '../style/threshold-steps.ts'
import { blockedWork, byKind, workOrders, staff } from '../panels/company/work.ts'
import { prospectsPanel, questsPanel } from '../panels/company/prospects.ts'

const tier = { tier: matchesVariable('tier') }

const figures = [
  revenueNow(),
  stat({
    title: 'Cost of zones',
    description: 'Hosts, network and facility: what runs costs, whether it earns or not.',
    unit: unit.dollars,
    targets: [instantQuery(facilityCostHourly, '{{instance}}')],
  }),
  marginNow(),
  stat({
    title: 'Prospects',
    links: [toDashboard('dcsim-growth')],
    description: 'Those that wait for an answer, and what they would bring a month.',
    unit: unit.count,
    targets: [instantQuery(gaugeSum('dcsim_prospects'), '{{instance}}')],
  }),
  stat({
    title: 'Open work orders',
    description: 'Work that is not finished.',
    unit: unit.count,
    targets: [instantQuery(gaugeSum('dcsim_work_orders_open'), '{{instance}}')],
  }),
  stat({
    title: 'Staff on shift',
    description: 'Of all members of staff.',
    unit: unit.count,
    targets: [
      instantQuery(gaugeSum('dcsim_staff_on_shift'), 'On shift'),
      instantQuery(gaugeSum('dcsim_staff'), 'In all'),
    ],
  }),
]

const revenue = lines({
  title: 'Revenue an hour by plan',
  description: 'Revenue of the last simulated hour.',
  unit: unit.dollars,
  min: 0,
  stacked: true,
  colors: tierColors,
  legend: 'list',
  targets: [rangeQuery(gaugeSum('dcsim_customer_revenue_last_hour_dollars', ['tier'], tier), '{{tier}}')],
})

const costs = lines({
  title: 'Cost an hour by kind',
  description: 'Pools with their share of the facility, and network devices.',
  unit: unit.dollars,
  min: 0,
  stacked: true,
  legend: 'list',
  colors: colorsInOrder('Pools', 'Switches', 'Gateways', 'Appliances'),
  targets: [
    rangeQuery(calculate(gaugeSum('dcsim_pool_cost_dollars_per_month'), '/', hoursPerMonth), 'Pools'),
    rangeQuery(calculate(gaugeSum('dcsim_switch_cost_dollars_per_month'), '/', hoursPerMonth), 'Switches'),
    rangeQuery(calculate(gaugeSum('dcsim_gateway_cost_dollars_per_month'), '/', hoursPerMonth), 'Gateways'),
    rangeQuery(
      calculate(gaugeSum('dcsim_appliance_cost_dollars_per_month'), '/', hoursPerMonth),
      'Appliances',
    ),
  ],
})

const id = ['customer', 'tier'] as const
const ranked = { ...tier, customer: matchesVariable('best_margins') }
const margin = gauge('dcsim_customer_margin_dollars', ranked)

const margins = table({
  title: 'Margin by customer',
  description:
    'Of the last 30 simulated days; of more than a hundred customers, the highest. Hosts: with the facility. Transit is the network.',
  labels: [
    {
      label: 'name',
      title: 'Customer',
      width: customerWidth,
      links: [fromRow('dcsim-customer', 'customer', 'customer')],
    },
    { label: 'customer', title: 'Id', hidden: true },
    { label: 'tier', title: 'Plan', width: 72 },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(margin, 'dcsim_customer_info', ['customer'], ['name'], { customer: ranked.customer }),
        ['customer', 'tier', 'name'],
      ),
      title: 'Margin',
      unit: unit.dollars,
      steps: profitSteps,
    },
    {
      expr: by('max', gauge('dcsim_customer_margin_revenue_dollars', ranked), id),
      title: 'Revenue',
      unit: unit.dollars,
    },
    {
      expr: by('max', gauge('dcsim_customer_cost_infrastructure_dollars', ranked), id),
      title: 'Hosts',
      unit: unit.dollars,
    },
    {
      expr: by('max', gauge('dcsim_customer_cost_transit_dollars', ranked), id),
      title: 'Transit',
      unit: unit.dollars,
    },
    {
      expr: share(
        by('max', margin, id),
        by('max', gauge('dcsim_customer_margin_revenue_dollars', ranked), id),
      ),
      title: 'Of revenue',
      unit: unit.share,
      steps: marginSteps,
    },
  ],
  rows: margin,
  sortBy: 'Margin',
})

const services = bars({
  title: 'Margin by service',
  links: [toDashboard('dcsim-customers')],
  description: 'Revenue less cost of the last 30 simulated days, over all customers.',
  unit: unit.dollars,
  steps: profitSteps,
  targets: [instantQuery(topk(10, gaugeSum('dcsim_service_margin_dollars', ['service'])), '{{service}}')],
})

const standing = lines({
  title: 'Customers by lifecycle state',
  description: 'How many customers are in each state of their contract.',
  unit: unit.count,
  min: 0,
  stacked: true,
  stepped: true,
  legend: 'list',
  colors: colorsInOrder(...lifecycles.map((state) => wordOf('lifecycle', state))),
  targets: [rangeQuery(gaugeSum('dcsim_customers_by_lifecycle', ['lifecycle'], tier), '{{lifecycle}}')],
})

const topEarners = bars({
  title: 'Largest customers',
  longNames: true,
  description: 'The seven customers that bring most, in the last simulated hour.',
  unit: unit.dollars,
  min: 0,
  links: [fromSeries('dcsim-customer', 'customer', 'customer')],
  targets: [
    instantQuery(customerNamed(topk(7, gauge('dcsim_customer_revenue_last_hour_dollars', tier))), '{{name}}'),
  ],
})

/** Revenue and cost, customers, prospects, and operations staff. */
export const businessPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-business',
    description:
      'From revenue to margin: who brings money, what it costs to serve them, who might come, what is to be done.',
    variables: ['tier', 'best_margins'],
    infinity: true,
    refresh: '1m',
    sections: [
      {
        rows: [
          row(8, [12, plans], [12, movers]),
          ...tiles(figures),
          row(8, [8, revenue], [8, costs], [8, services]),
        ],
      },
      { title: 'By customer', rows: [row(9, [17, margins], [7, topEarners])] },
      {
        title: 'Growth',
        rows: [row(7, [24, prospectsPanel]), row(10, [24, questsPanel]), row(7, [24, standing])],
      },
      {
        title: 'Work',
        rows: [row(11, [24, workOrders]), row(8, [6, byKind], [8, blockedWork], [10, staff])],
      },
    ],
  })
