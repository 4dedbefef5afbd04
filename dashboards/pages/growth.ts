import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { toDashboard } from '../layout/links.ts'
import {
  calendarPanel,
  chapters,
  growingCustomers,
  ordersToBuild,
  prospectsByFit,
  purchases,
} from '../panels/company/growth-orders.ts'
import { by, calculate, calculateEach, compare, either, overTime, share } from '../../promql/expressions.ts'
import { gauge, matchesVariable, selected, gaugeSum } from '../queries/series.ts'
import { zoneNamed } from '../queries/shared.ts'
import type { GaugeWith } from '../queries/series.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { palette, fallingSteps, unit } from '../style/look.ts'
import { lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { table } from '../visualizations/tables.ts'

const zone = { az: matchesVariable('zone') }
const secondsPerDay = 86_400

type ZoneGauge = GaugeWith<'az'>
type OfZone = Expr<'az' | TargetLabel>

/** A limited resource of a zone. */
interface Stock {
  readonly what: string
  readonly all: readonly ZoneGauge[]
  readonly used: ZoneGauge
  /** Its utilization follows the time of day, so that a trend over a few hours is meaningless. */
  readonly isDaily?: boolean
}

const stocks: readonly Stock[] = [
  {
    what: 'CPU',
    // Free CPU counts the overcommit that the pools allow.
    all: ['dcsim_az_cpu_free_vcpus', 'dcsim_az_cpu_allocated_vcpus'],
    used: 'dcsim_az_cpu_allocated_vcpus',
  },
  { what: 'GPU slices', all: ['dcsim_az_gpu_slices'], used: 'dcsim_az_gpu_slices_used' },
  { what: 'Power', all: ['dcsim_az_power_capacity_watts'], used: 'dcsim_az_power_draw_watts', isDaily: true },
  {
    what: 'Cooling',
    all: ['dcsim_az_cooling_capacity_watts'],
    used: 'dcsim_az_cooling_load_watts',
    isDaily: true,
  },
  {
    what: 'WAN',
    all: ['dcsim_az_wan_capacity_bytes_per_second'],
    used: 'dcsim_az_wan_transmit_bytes_per_second',
    isDaily: true,
  },
  { what: 'Rack units', all: ['dcsim_rack_units'], used: 'dcsim_rack_units_used' },
]
/** Resources with a family of free amounts. */
const freeStocks = [
  { what: 'Memory', all: 'dcsim_az_memory_physical_bytes', free: 'dcsim_az_memory_free_bytes' },
  { what: 'Disk', all: 'dcsim_az_disk_physical_bytes', free: 'dcsim_az_disk_free_bytes' },
] as const

const sum = (name: ZoneGauge): OfZone => gaugeSum<ZoneGauge, 'az'>(name, ['az'], zone)
/** The trend of a gauge over the displayed range, per second of wall time. */
const slope = (name: ZoneGauge): OfZone =>
  by('sum', overTime<ZoneGauge>('deriv', name, '$__range', { ...selected, ...zone }), ['az'])
const added = ([first, ...others]: readonly OfZone[]): OfZone =>
  others.reduce((whole, one) => calculate(whole, '+', one), first)

interface Amounts {
  readonly what: string
  readonly free: OfZone
  readonly all: OfZone
  /** The trend of the free amount per second of wall time; negative while it decreases. */
  readonly gains: OfZone
  readonly isDaily: boolean
}

const amounts: readonly Amounts[] = [
  ...stocks.map(({ what, all, used, isDaily = false }) => ({
    what,
    isDaily,
    free: calculate(added(all.map(sum)), '-', sum(used)),
    all: added(all.map(sum)),
    gains: calculate(added(all.map(slope)), '-', slope(used)),
  })),
  ...freeStocks.map(({ what, all, free }) => ({
    what,
    isDaily: false,
    free: sum(free),
    all: sum(all),
    gains: slope(free),
  })),
]

/** The same expression for every resource, distinguished by a label. */
function ofEach(
  read: (of: Amounts) => OfZone,
  which: readonly Amounts[] = amounts,
): Expr<'display_name' | 'resource' | TargetLabel> {
  const [first, ...others] = which.map(
    (of): Expr<string> => ({
      text: `label_replace(${zoneNamed(read(of)).text}, "resource", "${of.what}", "", "")`,
      simple: true,
    }),
  )
  return by('max', either(first, ...others), ['display_name', 'resource'])
}

const simulated = compare(overTime('deriv', 'dcsim_sim_time_seconds', '$__range', selected), '>', 0)
const clock = by('max', gauge('dcsim_sim_time_seconds'))

/** Time to exhaustion in simulated seconds, where the free amount decreases. */
function secondsLeft({ free, gains }: Amounts): OfZone {
  const losses = calculate(calculateEach(gains, '/', by('max', simulated)), '*', -1)
  return calculate(free, '/', compare(losses, '>', 0))
}

/** Predictions beyond this are meaningless. */
const horizonDays = 365
const daysLeft = (of: Amounts): OfZone =>
  compare(calculate(secondsLeft(of), '/', secondsPerDay), '<', horizonDays)

const steady = amounts.filter(({ isDaily }) => !isDaily)

/** The free share; for a resource that follows the time of day, its minimum. */
const left = ({ free, all, isDaily }: Amounts): OfZone =>
  isDaily
    ? { text: `min_over_time((${share(free, all).text})[$__range:5m])`, simple: true }
    : share(free, all)

const forecast = table({
  title: 'When resources run out',
  description:
    'What is left of each resource in each zone, and when nothing will be left if the trend of the time shown continues. Empty: at this trend not within a year. Power, cooling and WAN follow the time of day: what was left of them at the worst moment of the time shown, without a forecast.',
  labels: [
    { label: 'display_name', title: 'Zone', width: 106 },
    { label: 'resource', title: 'Resource', width: 90 },
  ],
  values: [
    {
      expr: ofEach(left),
      title: 'Left',
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: fallingSteps(2 * thresholds.segmentFreeShareLow, thresholds.segmentFreeShareLow),
    },
    {
      expr: ofEach(
        ({ gains, all }) =>
          calculate(calculateEach(share(gains, all), '/', by('max', simulated)), '*', secondsPerDay),
        steady,
      ),
      title: 'Change a day',
      unit: unit.share,
      decimals: 2,
      width: 70,
    },
    {
      expr: ofEach(daysLeft, steady),
      title: 'Days left',
      unit: unit.number,
      decimals: 1,
      width: 60,
      steps: fallingSteps(7, 2),
    },
    {
      expr: ofEach((of) => calculateEach(daysLeft(of), '+', calculate(clock, '/', secondsPerDay)), steady),
      title: 'On day',
      unit: unit.number,
      decimals: 0,
      width: 60,
    },
  ],
  sortBy: 'Left',
  ascending: true,
})

const soonest = by('min', ofEach(daysLeft, steady))

const figures = [
  stat({
    title: 'Days left',
    description:
      'Simulated days until the first resource of a zone has run out, by the trend of the time shown.',
    unit: unit.number,
    decimals: 1,
    steps: fallingSteps(7, 2),
    empty: 'Nothing within a year',
    targets: [instantQuery(soonest, '{{instance}}')],
  }),
  stat({
    title: 'Prospects',
    description: 'Potential customers that wait for an answer.',
    unit: unit.count,
    targets: [instantQuery(by('max', gauge('dcsim_prospects')), '{{instance}}')],
  }),
  stat({
    title: 'Fit now',
    description: 'Prospects that would fit as things are.',
    unit: unit.count,
    empty: 'No prospect waits',
    targets: [instantQuery(gaugeSum('dcsim_prospect_can_serve_now'), '{{instance}}')],
  }),
  stat({
    title: 'Revenue that waits',
    links: [toDashboard('dcsim-business')],
    description: 'Estimated monthly revenue of all prospects.',
    unit: unit.dollars,
    decimals: 0,
    empty: 'No prospect waits',
    targets: [instantQuery(gaugeSum('dcsim_prospect_revenue_dollars_per_month'), '{{instance}}')],
  }),
  stat({
    title: 'Customers',
    links: [toDashboard('dcsim-customers')],
    description: 'Customers in all.',
    unit: unit.count,
    targets: [instantQuery(by('max', gauge('dcsim_customers')), '{{instance}}')],
  }),
  stat({
    title: 'Unplaced units',
    links: [toDashboard('dcsim-compute')],
    description: 'Units that customers ask for and no host could take.',
    unit: unit.count,
    steps: [
      { value: null, color: palette.gray },
      { value: 1, color: palette.orange },
    ],
    targets: [instantQuery(by('max', gauge('dcsim_units_unplaced')), '{{instance}}')],
  }),
]

const room = (title: string, resource: string) => {
  const { free, all } = amounts.find((of) => of.what === resource)!
  return lines({
    title,
    description: 'What is left in each zone, of all that there is.',
    unit: unit.share,
    min: 0,
    max: 1,
    legend: 'list',
    targets: [rangeQuery(zoneNamed(share(free, all)), '{{display_name}}')],
  })
}

/** Capacity, prospects and orders. */
export const growthPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-growth',
    description: 'What runs out or wears out, and when; who wants to come and would fit; what is ordered?',
    variables: ['zone'],
    infinity: true,
    from: 'now-3h',
    refresh: '1m',
    sections: [
      {
        rows: [row(8, [24, forecast]), ...tiles(figures), row(8, [24, prospectsByFit])],
      },
      { title: 'Wear-out calendar', rows: [row(12, [24, calendarPanel])] },
      { title: 'Chapters and purchases', rows: [row(7, [24, chapters]), row(7, [24, purchases])] },
      {
        title: 'Room',
        rows: [
          row(
            7,
            [8, room('CPU left', 'CPU')],
            [8, room('Memory left', 'Memory')],
            [8, room('Disk left', 'Disk')],
          ),
          row(
            7,
            [8, room('Power left', 'Power')],
            [8, room('WAN left', 'WAN')],
            [8, room('Rack units left', 'Rack units')],
          ),
        ],
      },
      { title: 'Growth', rows: [row(8, [12, growingCustomers], [12, ordersToBuild])] },
    ],
  })
