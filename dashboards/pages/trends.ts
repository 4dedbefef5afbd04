import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { calculate } from '../../promql/expressions.ts'
import { hoursPerMonth } from '../../src/contract/fields.ts'
import type { HistoryMetricName, HistoryStep } from '../../src/contract/history.ts'
import { dashboard, row } from '../layout/layout.ts'
import { palette, unit } from '../style/look.ts'
import type { GrafanaUnit } from '../style/look.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import type { Lines } from '../visualizations/lines.ts'
import { rangeQuery } from '../queries/targets.ts'
import { trend } from '../visualizations/trend.ts'
import { bytesToBits, recordedSeries } from '../queries/series.ts'
import { incidentsOverTime } from '../panels/shared.ts'
import { marginSteps, satisfactionSteps } from '../style/threshold-steps.ts'

/** The world's own history of the fleet, over simulated days. */
const history = (
  title: string,
  description: string,
  metric: HistoryMetricName<'fleet'>,
  unit: GrafanaUnit,
  { step = '1h' }: { step?: HistoryStep } = {},
) => trend({ title, description, unit, path: `fleet/${metric}/${step}` })

const unrecorded = 'Nothing is recorded yet: does Prometheus evaluate alerts/generated/*.rules.yaml?'

/** A graph of recorded series, which stay fast over months. */
const months = (shown: Omit<Lines, 'empty'>) => lines({ legend: 'list', ...shown, empty: unrecorded })

const money = months({
  title: 'Money an hour',
  description: 'Revenue of the simulated hour before, and what zones cost an hour.',
  unit: unit.dollars,
  min: 0,
  colors: { Revenue: palette.green, 'Cost of zones': palette.gray },
  targets: [
    rangeQuery(recordedSeries('world:dcsim_customer_revenue_last_hour_dollars:sum'), 'Revenue'),
    rangeQuery(
      calculate(recordedSeries('world:dcsim_az_cost_dollars_per_month:sum'), '/', hoursPerMonth),
      'Cost of zones',
    ),
  ],
})

const margins = months({
  title: 'Margin',
  description: 'Revenue less cost, of the revenue of the 30 simulated days before.',
  unit: unit.share,
  limits: true,
  steps: marginSteps,
  legend: 'none',
  targets: [rangeQuery(recordedSeries('world:dcsim_customer_margin_dollars:ratio'), '{{instance}}')],
})

const customers = months({
  title: 'Customers and prospects',
  description: 'How many there are.',
  unit: unit.count,
  min: 0,
  stepped: true,
  colors: { Customers: palette.blue, Prospects: palette.orange },
  targets: [
    rangeQuery(recordedSeries('world:dcsim_customers:sum'), 'Customers'),
    rangeQuery(recordedSeries('world:dcsim_prospects:sum'), 'Prospects'),
  ],
})

const people = months({
  title: 'Satisfaction',
  description: 'Mean over all customers. Below the lower line, customers leave.',
  unit: unit.share,
  min: 0,
  max: 1,
  limits: true,
  steps: satisfactionSteps,
  legend: 'none',
  targets: [rangeQuery(recordedSeries('world:dcsim_customer_satisfaction_ratio:avg'), '{{instance}}')],
})

const incidents = incidentsOverTime(recordedSeries('band:dcsim_incidents_active:sum'), { empty: unrecorded })

const failing = months({
  title: 'Failing requests',
  description: 'Failed requests of the last simulated hour, of all at the rate of the moment.',
  unit: unit.share,
  min: 0,
  legend: 'none',
  targets: [
    rangeQuery(recordedSeries('world:dcsim_customer_failed_requests_last_hour:ratio'), '{{instance}}'),
  ],
})

const load = months({
  title: 'Utilization',
  description: 'CPU used, memory allocated and WAN links out of the zones, of what there is.',
  unit: unit.share,
  min: 0,
  colors: colorsInOrder('CPU', 'Memory', 'WAN'),
  targets: [
    rangeQuery(recordedSeries('world:dcsim_az_cpu_used_vcpus:ratio'), 'CPU'),
    rangeQuery(recordedSeries('world:dcsim_pool_memory_physical_bytes:allocated_ratio'), 'Memory'),
    rangeQuery(recordedSeries('world:dcsim_az_wan_transmit_bytes_per_second:ratio'), 'WAN'),
  ],
})

const traffic = months({
  title: 'Traffic to users',
  description: 'Out of all zones.',
  unit: unit.traffic,
  min: 0,
  legend: 'none',
  targets: [
    rangeQuery(
      bytesToBits(recordedSeries('world:dcsim_az_wan_transmit_bytes_per_second:sum')),
      '{{instance}}',
    ),
  ],
})

const power = months({
  title: 'Power',
  description: 'Drawn by all zones, facility included.',
  unit: unit.watts,
  min: 0,
  legend: 'none',
  targets: [rangeQuery(recordedSeries('world:dcsim_az_power_draw_watts:sum'), '{{instance}}')],
})

const world = [
  history('Traffic to users', 'Out of all zones, hour by hour.', 'wan_egress_gbps', unit.gigabits),
  history('Requests', 'Requests a simulated second, hour by hour.', 'rps', unit.requests),
  history('Revenue an hour', 'Hour by hour.', 'revenue_last_hour_dollars', unit.dollars),
  history('CPU used', 'Of what the hardware has, hour by hour.', 'cpu_used_pct', unit.percent),
  history('Satisfaction', 'Mean over all customers, hour by hour.', 'satisfaction', unit.share),
  history('Active incidents', 'Mean number, hour by hour.', 'incidents_active', unit.count),
  history('Customers', 'Day by day.', 'customer_count', unit.count, { step: '1d' }),
  history('Power', 'Drawn by all zones, day by day.', 'power_draw_kw', unit.kilowatts, { step: '1d' }),
] as const

/** Trends over months. */
export const trendsPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-trends',
    description:
      'Months in one view: what Prometheus or the long-term store has kept, and the world’s own history against simulated time.',
    infinity: true,
    longTerm: true,
    // A new session has hours of history; weeks are a click away.
    from: 'now-4h',
    refresh: '5m',
    sections: [
      {
        rows: [
          row(8, [8, money], [8, margins], [8, customers]),
          row(8, [8, people], [8, incidents], [8, failing]),
          row(8, [8, load], [8, traffic], [8, power]),
        ],
      },
      {
        title: 'The world’s own history, in simulated days',
        rows: [
          row(8, [6, world[0]], [6, world[1]], [6, world[2]], [6, world[3]]),
          row(8, [6, world[4]], [6, world[5]], [6, world[6]], [6, world[7]]),
        ],
      },
    ],
  })
