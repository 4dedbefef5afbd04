import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import type { HistoryMetricName, HistoryStep } from '../src/contract/history.ts'
import { thresholds } from '../alerts/thresholds.ts'
import { dashboard, shelf } from './house/layout.ts'
import { bandColours, colours, fallingSteps, risingSteps, units } from './house/look.ts'
import type { Unit } from './house/look.ts'
import { lines } from './house/panels.ts'
import { over } from './house/targets.ts'
import { trend } from './house/trend.ts'
import { infinityNote } from './incidents.ts'
import { bits, by, gauge, share, total } from './promql.ts'
import { incidentsByBand, margin, revenueHourly, wanCapacity, wanOut } from './queries.ts'

/** The world's own history of the fleet, against simulated days. */
const history = (
  title: string,
  description: string,
  metric: HistoryMetricName<'fleet'>,
  unit: Unit,
  { step = '1h', factor = 1 }: { step?: HistoryStep; factor?: number } = {},
) => trend({ title, description, unit, path: `fleet/${metric}/${step}`, factor })

const money = lines({
  title: 'Revenue an hour',
  description: 'Revenue of the last simulated hour.',
  unit: units.dollars,
  min: 0,
  legend: 'none',
  targets: [over(revenueHourly, '{{instance}}')],
})

const margins = lines({
  title: 'Margin',
  description: 'Revenue less cost, of the revenue of the last 30 simulated days.',
  unit: units.share,
  limits: true,
  steps: fallingSteps(0.1, 0),
  legend: 'none',
  targets: [over(margin, '{{instance}}')],
})

const customers = lines({
  title: 'Customers and prospects',
  description: 'How many there are.',
  unit: units.count,
  min: 0,
  stepped: true,
  legend: 'list',
  colours: { Customers: colours.blue, Prospects: colours.orange },
  targets: [over(total('dcsim_customers'), 'Customers'), over(total('dcsim_prospects'), 'Prospects')],
})

const incidents = lines({
  title: 'Incidents by band',
  description: 'How many incidents were active at a time.',
  unit: units.count,
  min: 0,
  stacked: true,
  stepped: true,
  legend: 'list',
  colours: bandColours,
  targets: [over(incidentsByBand, '{{band}}')],
})

const load = lines({
  title: 'What is used of what there is',
  description: 'CPU used, memory promised, WAN links.',
  unit: units.share,
  min: 0,
  legend: 'list',
  steps: risingSteps(thresholds.cpuUsedHigh, thresholds.cpuUsedFull),
  colours: { CPU: colours.blue, WAN: colours.orange },
  targets: [
    over(share(total('dcsim_az_cpu_used_vcpus'), total('dcsim_az_cpu_physical_vcpus')), 'CPU'),
    over(share(wanOut, wanCapacity), 'WAN'),
  ],
})

const people = lines({
  title: 'Satisfaction',
  description: 'Mean over all customers.',
  unit: units.share,
  min: 0,
  max: 1,
  limits: true,
  steps: fallingSteps(thresholds.satisfactionUneasy, thresholds.satisfactionLeaving),
  legend: 'none',
  targets: [over(by('avg', gauge('dcsim_customer_satisfaction_ratio')), '{{instance}}')],
})

const traffic = lines({
  title: 'Traffic to users',
  description: 'Out of all zones.',
  unit: units.traffic,
  min: 0,
  legend: 'none',
  targets: [over(bits(wanOut), '{{instance}}')],
})

const wall = [money, margins, customers, incidents, load, people, traffic] as const

const world = [
  history('Traffic to users', 'Out of all zones, hour by hour.', 'wan_egress_gbps', units.traffic, {
    factor: 1e9,
  }),
  history('Requests', 'Requests a simulated second, hour by hour.', 'rps', units.requests),
  history('Revenue an hour', 'Hour by hour.', 'revenue_last_hour_dollars', units.dollars),
  history('CPU used', 'Of what the hardware has, hour by hour.', 'cpu_used_pct', units.share, {
    factor: 0.01,
  }),
  history('Satisfaction', 'Mean over all customers, hour by hour.', 'satisfaction', units.share),
  history('Active incidents', 'Mean number, hour by hour.', 'incidents_active', units.count),
  history('Customers', 'Day by day.', 'customer_count', units.count, { step: '1d' }),
  history('Power', 'Drawn by all zones, day by day.', 'power_draw_kw', units.watts, {
    step: '1d',
    factor: 1000,
  }),
] as const

/** Months in one view. */
export const trends = (): Dashboard =>
  dashboard({
    uid: 'dcsim-trends',
    description:
      'Months in one view: what Prometheus or the long-term store has kept, and the world’s own history against simulated time.',
    infinity: true,
    longTerm: true,
    from: 'now-30d',
    refresh: '5m',
    sections: [
      {
        shelves: [
          shelf(8, [8, wall[0]], [8, wall[1]], [8, wall[2]]),
          shelf(8, [6, wall[3]], [6, wall[4]], [6, wall[5]], [6, wall[6]]),
        ],
      },
      {
        title: 'The world’s own history, in simulated days',
        shelves: [
          shelf(8, [6, world[0]], [6, world[1]], [6, world[2]], [6, world[3]]),
          shelf(8, [6, world[4]], [6, world[5]], [6, world[6]], [6, world[7]]),
          shelf(3, [24, infinityNote]),
        ],
      },
    ],
  })
