import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row } from './house/layout.ts'
import { colours, noneExpected, units } from './house/look.ts'
import { bars, lines, stat, states } from './house/panels.ts'
import { serviceTexts } from './house/states.ts'
import { wordTable, table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { infinityNote } from './incidents.ts'
import { bytesToBits, by, matchesVariable, filter, gauge, perGameTime, share, total } from './promql.ts'
import { failuresOfAllowance, lateOfAllowance } from './queries.ts'
import { allowanceSteps, marginSteps, profitSteps, satisfactionSteps } from './threshold-steps.ts'

const one = { customer: matchesVariable('customer') }
const gone = 'Nothing: choose a customer above.'
const ours = gauge('dcsim_customer_info', one)

const figures = [
  stat({
    title: 'Satisfaction',
    description: 'From furious to delighted.',
    unit: units.share,
    decimals: 0,
    steps: satisfactionSteps,
    empty: gone,
    targets: [rangeQuery(by('max', gauge('dcsim_customer_satisfaction_ratio', one)), '{{instance}}')],
  }),
  stat({
    title: 'Failure allowance used',
    description: 'Failed requests in the SLA period, of those that the plan allows.',
    unit: units.share,
    decimals: 0,
    steps: allowanceSteps,
    empty: gone,
    targets: [rangeQuery(by('max', filter(failuresOfAllowance, 'and', ours, ['customer'])), '{{instance}}')],
  }),
  stat({
    title: 'Latency allowance used',
    description: 'Time over the promised latency in the SLA period, of what the plan allows.',
    unit: units.share,
    decimals: 0,
    steps: allowanceSteps,
    empty: gone,
    targets: [rangeQuery(by('max', filter(lateOfAllowance, 'and', ours, ['customer'])), '{{instance}}')],
  }),
  stat({
    title: 'Revenue an hour',
    description: 'Revenue of the last simulated hour.',
    unit: units.dollars,
    empty: gone,
    targets: [rangeQuery(by('max', gauge('dcsim_customer_revenue_last_hour_dollars', one)), '{{instance}}')],
  }),
  stat({
    title: 'Margin, 30 days',
    description: 'Revenue less cost of the last 30 simulated days.',
    unit: units.dollars,
    steps: profitSteps,
    empty: gone,
    targets: [rangeQuery(by('max', gauge('dcsim_customer_margin_dollars', one)), '{{instance}}')],
  }),
  stat({
    title: 'Units stranded',
    description: 'Units that lie on hosts which cannot serve them.',
    unit: units.count,
    steps: noneExpected,
    empty: gone,
    targets: [rangeQuery(by('max', gauge('dcsim_customer_units_stranded', one)), '{{instance}}')],
  }),
]

const about = table({
  title: 'Who it is',
  description: 'Name, kind, plan, and where it stands with us.',
  empty: gone,
  labels: [
    { label: 'name', title: 'Customer' },
    { label: 'archetype', title: 'Kind' },
    { label: 'tier', title: 'Plan' },
    { label: 'lifecycle', title: 'Standing' },
  ],
  values: [
    {
      expr: by('max', ours, ['name', 'archetype', 'tier', 'lifecycle']),
      title: 'Customer',
      hidden: true,
    },
  ],
  sortBy: 'Customer',
})

const requests = lines({
  title: 'Requests',
  description: 'Requests a simulated second, and those that fail.',
  unit: units.requests,
  min: 0,
  legend: 'list',
  empty: gone,
  colours: { All: colours.blue, Failing: colours.vermilion },
  targets: [
    rangeQuery(total('dcsim_customer_requests_per_second', [], one), 'All'),
    rangeQuery(
      perGameTime('dcsim_customer_failed_requests_total', [], { where: one, seconds: 1 }),
      'Failing',
    ),
  ],
})

const latency = lines({
  title: 'Latency',
  description: 'Of the last simulated minute, and the p99 that was promised.',
  unit: units.seconds,
  min: 0,
  legend: 'list',
  empty: gone,
  colours: { p99: colours.blue, p50: colours.sky, Promised: colours.vermilion },
  targets: [
    rangeQuery(by('max', gauge('dcsim_customer_latency_p99_seconds', one)), 'p99'),
    rangeQuery(by('max', gauge('dcsim_customer_latency_p50_seconds', one)), 'p50'),
    rangeQuery(by('max', gauge('dcsim_customer_latency_p99_budget_seconds', one)), 'Promised'),
  ],
})

const satisfaction = lines({
  title: 'Satisfaction',
  description: 'Below the lower line it leaves.',
  unit: units.share,
  min: 0,
  max: 1,
  limits: true,
  steps: satisfactionSteps,
  legend: 'none',
  empty: gone,
  targets: [rangeQuery(by('max', gauge('dcsim_customer_satisfaction_ratio', one)), '{{instance}}')],
})

const traffic = lines({
  title: 'Traffic',
  description: 'From its users and to them.',
  unit: units.traffic,
  min: 0,
  legend: 'list',
  empty: gone,
  colours: { 'To users': colours.blue, 'From users': colours.sky },
  targets: [
    rangeQuery(bytesToBits(total('dcsim_customer_transmit_bytes_per_second', [], one)), 'To users'),
    rangeQuery(bytesToBits(total('dcsim_customer_receive_bytes_per_second', [], one)), 'From users'),
  ],
})

const placement = lines({
  title: 'Units',
  description: 'Units that it asked for, that are placed, and that lie on hosts which cannot serve them.',
  unit: units.count,
  min: 0,
  stepped: true,
  legend: 'list',
  empty: gone,
  colours: { 'Asked for': colours.grey, Placed: colours.blue, Stranded: colours.vermilion },
  targets: [
    rangeQuery(total('dcsim_customer_units_requested', [], one), 'Asked for'),
    rangeQuery(total('dcsim_customer_units', [], one), 'Placed'),
    rangeQuery(total('dcsim_customer_units_stranded', [], one), 'Stranded'),
  ],
})

const serviceStates = states({
  title: 'Services',
  description: 'How each of its services ran.',
  unit: units.count,
  mappings: serviceTexts,
  empty: gone,
  targets: [rangeQuery(by('max', gauge('dcsim_service_up', one), ['service']), '{{service}}')],
})

const margins = bars({
  title: 'Margin of its services',
  description: 'Revenue less cost of the last 30 simulated days, of revenue.',
  unit: units.share,
  steps: marginSteps,
  empty: gone,
  targets: [
    instantQuery(
      share(
        total('dcsim_service_margin_dollars', ['service'], one),
        total('dcsim_service_margin_revenue_dollars', ['service'], one),
      ),
      '{{service}}',
    ),
  ],
})

const services = wordTable({
  title: 'Services in detail',
  description: 'Units that each service wants and has, and what keeps it from the rest.',
  empty: gone,
  table: 'services',
  query: 'customer=${customer}',
  columns: [
    { field: 'service', title: 'Service', width: 180 },
    { field: 'state', title: 'State', width: 100 },
    { field: 'requested', title: 'Requested', unit: units.count, width: 100 },
    { field: 'placed', title: 'Placed', unit: units.count, width: 90 },
    { field: 'missing', title: 'Missing', unit: units.count, steps: noneExpected, width: 90 },
    { field: 'reason', title: 'Reason' },
    { field: 'lacking', title: 'Lacking' },
    { field: 'replicas', title: 'Replicas', width: 100 },
  ],
})

/** One customer. */
export const customer = (): Dashboard =>
  dashboard({
    uid: 'dcsim-customer',
    description: 'One customer: what it was promised, what it gets, what it brings.',
    variables: ['customer'],
    infinity: true,
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(4, [24, about]),
          row(8, [8, requests], [8, latency], [8, satisfaction]),
          row(8, [8, traffic], [8, placement], [8, margins]),
        ],
      },
      {
        title: 'Services',
        shelves: [row(7, [24, serviceStates]), row(8, [24, services]), row(3, [24, infinityNote])],
      },
    ],
  })
