import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { eventFeed } from '../panels/events.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromJsonRow } from '../layout/links.ts'
import { palette, unit } from '../style/look.ts'
import { lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { wordTable } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { activeIncidentsOf } from '../panels/entity-incidents.ts'
import { by } from '../../promql/expressions.ts'
import { bytesToBits, gauge, matchesVariable, perGameTime, gaugeSum } from '../queries/series.ts'
import { failuresOf, latenessOf } from '../queries/shared.ts'
import { allowanceSteps, satisfactionSteps } from '../style/threshold-steps.ts'
import {
  margins,
  quality,
  serviceStatesPanel,
  servicesPanel,
  serviceSpread,
} from '../panels/customer-services.ts'

const one = { customer: matchesVariable('customer') }
const gone = 'No such customer: choose one above.'

const figures = [
  stat({
    title: 'Satisfaction',
    description: 'From furious to delighted.',
    unit: unit.share,
    decimals: 0,
    steps: satisfactionSteps,
    empty: gone,
    targets: [instantQuery(by('max', gauge('dcsim_customer_satisfaction_ratio', one)), '{{instance}}')],
  }),
  stat({
    title: 'Failure budget',
    description:
      'Failed requests in the SLA period, of those that the plan allows. From 100 % on the SLA is broken.',
    unit: unit.share,
    decimals: 0,
    steps: allowanceSteps,
    empty: gone,
    targets: [instantQuery(by('max', failuresOf(one)), '{{instance}}')],
  }),
  stat({
    title: 'Latency budget',
    description: 'Time over the promised latency in the SLA period, of what the plan allows.',
    unit: unit.share,
    decimals: 0,
    steps: allowanceSteps,
    empty: gone,
    targets: [instantQuery(by('max', latenessOf(one)), '{{instance}}')],
  }),
  stat({
    title: 'Revenue an hour',
    description: 'Revenue of the last simulated hour.',
    unit: unit.dollars,
    empty: gone,
    targets: [
      instantQuery(by('max', gauge('dcsim_customer_revenue_last_hour_dollars', one)), '{{instance}}'),
    ],
  }),
]

const about = wordTable({
  title: 'Who it is',
  description: 'Plan, standing, what it was promised, what it gets and what it brings, in words.',
  empty: gone,
  table: 'customer',
  query: 'customer=${customer}',
  tinted: true,
  untitled: true,
  lines: 'any',
  columns: [
    { field: 'fact', title: 'Fact', width: 104 },
    { field: 'value', title: 'Detail' },
  ],
})

const hosts = wordTable({
  title: 'Hosts that carry its units',
  description: 'Where its units run, the hosts in trouble first.',
  empty: 'No host carries a unit of this customer.',
  table: 'hosts',
  query: 'customer=${customer}&sort=-severity&limit=20',
  tinted: true,
  columns: [
    { field: 'host', title: 'Host', width: 124, links: [fromJsonRow('dcsim-host', 'host', 'host_id')] },
    { field: 'state', title: 'State' },
    { field: 'zone', title: 'Zone', width: 110 },
    { field: 'rack', title: 'Rack', width: 68, links: [fromJsonRow('dcsim-rack', 'rack', 'rack_id')] },
    { field: 'cpu_used_pct', title: 'CPU used', unit: unit.percent, decimals: 0, width: 70 },
    { field: 'host_id', title: 'Id', hidden: true },
    { field: 'rack_id', title: 'Rack id', hidden: true },
  ],
})

const requests = lines({
  title: 'Requests',
  description: 'Requests a simulated second, and those that fail.',
  unit: unit.requests,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { All: palette.blue, Failing: palette.vermilion },
  targets: [
    rangeQuery(gaugeSum('dcsim_customer_requests_per_second', [], one), 'All'),
    rangeQuery(
      perGameTime('dcsim_customer_failed_requests_total', [], { where: one, seconds: 1 }),
      'Failing',
    ),
  ],
})

const latency = lines({
  title: 'Latency',
  description:
    'Of the last simulated minute, the p99 of the SLA period so far, and the one that was promised.',
  unit: unit.seconds,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: {
    p99: palette.blue,
    p50: palette.sky,
    'p99 of the SLA period': palette.gray,
    Promised: palette.vermilion,
  },
  targets: [
    rangeQuery(by('max', gauge('dcsim_customer_latency_seconds', { ...one, quantile: '0.99' })), 'p99'),
    rangeQuery(by('max', gauge('dcsim_customer_latency_seconds', { ...one, quantile: '0.5' })), 'p50'),
    rangeQuery(by('max', gauge('dcsim_customer_sla_period_latency_seconds', one)), 'p99 of the SLA period'),
    rangeQuery(by('max', gauge('dcsim_customer_latency_budget_seconds', one)), 'Promised'),
  ],
})

const satisfaction = lines({
  title: 'Satisfaction',
  description: 'Below the lower line it leaves.',
  unit: unit.share,
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
  unit: unit.traffic,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { 'To users': palette.blue, 'From users': palette.sky },
  targets: [
    rangeQuery(bytesToBits(gaugeSum('dcsim_customer_transmit_bytes_per_second', [], one)), 'To users'),
    rangeQuery(bytesToBits(gaugeSum('dcsim_customer_receive_bytes_per_second', [], one)), 'From users'),
  ],
})

const placement = lines({
  title: 'Units',
  description: 'Units that it asked for, that are placed, and that lie on hosts which cannot serve them.',
  unit: unit.count,
  min: 0,
  stepped: true,
  legend: 'list',
  empty: gone,
  colors: { 'Asked for': palette.gray, Placed: palette.blue, Stranded: palette.vermilion },
  targets: [
    rangeQuery(gaugeSum('dcsim_customer_units_requested', [], one), 'Asked for'),
    rangeQuery(gaugeSum('dcsim_customer_units', [], one), 'Placed'),
    rangeQuery(gaugeSum('dcsim_customer_units_stranded', [], one), 'Stranded'),
  ],
})

export const customerPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-customer',
    description: 'Is this customer content, does it get what it was promised, and what does it bring?',
    variables: ['customer'],
    infinity: true,
    sections: [
      {
        rows: [
          row(
            13,
            [14, about],
            [
              10,
              [
                [8, activeIncidentsOf('customer=${customer}', 'No incident affects this customer.', true)],
                [5, requests],
              ],
            ],
          ),
          ...tiles(figures),
          row(8, [12, latency], [12, satisfaction]),
        ],
      },
      {
        title: 'Traffic, units and margin',
        rows: [
          row(8, [8, traffic], [8, placement], [8, margins]),
          row(8, [12, quality], [12, serviceSpread]),
        ],
      },
      {
        title: 'Services',
        rows: [
          row(7, [24, servicesPanel]),
          row(7, [24, serviceStatesPanel]),
          row(9, [24, hosts]),
          row(7, [
            24,
            eventFeed({
              query: 'customer=${customer}&limit=30',
              empty: 'Nothing happened to this customer in the time shown.',
            }),
          ]),
        ],
      },
    ],
  })
