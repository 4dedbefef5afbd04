import {
  calculate,
  calculateEach,
  compare,
  filter,
  metric,
  overTime,
  recorded,
  withLabels,
} from '../promql.ts'
import type { Expr, MetricName, CounterName, TargetLabel } from '../promql.ts'
import { alertDefiner, recordAveraged, recordNow } from '../rule.ts'
import type { Alert, DefineAlert, Recording, RuleGroup } from '../rule.ts'
import { scaleRange } from '../settings.ts'
import type { Settings } from '../settings.ts'
import type { AlertName } from '../alert-cases.ts'
import { percent, wholeNumber } from '../annotation-text.ts'
import { elapsed, windows } from './clock.ts'

const subject = 'capacity'
/** Less simulated time than this tells nothing about a trend. */
const trendNeedsSeconds = 6 * 3600

type Gauge = Exclude<MetricName, CounterName>
type PoolOrZone = 'pool' | 'az'

/** Something of which a pool or zone has so much, and no more. */
interface Stock {
  readonly alert: AlertName
  readonly of: PoolOrZone
  readonly what: string
  /** Where free amounts are told, that; else the amount in use, and all that there is. */
  readonly free: Gauge | { readonly used: Gauge; readonly all: Gauge }
}

const stocks: readonly Stock[] = [
  { alert: 'DcsimPoolCpuFillsUp', of: 'pool', what: 'CPU', free: 'dcsim_pool_cpu_free_vcpus' },
  { alert: 'DcsimPoolMemoryFillsUp', of: 'pool', what: 'memory', free: 'dcsim_pool_memory_free_bytes' },
  { alert: 'DcsimPoolDiskFillsUp', of: 'pool', what: 'disk', free: 'dcsim_pool_disk_free_bytes' },
  {
    alert: 'DcsimPoolGpuFillsUp',
    of: 'pool',
    what: 'GPU slices',
    free: { used: 'dcsim_pool_gpu_slices_used', all: 'dcsim_pool_gpu_slices' },
  },
  { alert: 'DcsimZoneCpuFillsUp', of: 'az', what: 'CPU', free: 'dcsim_az_cpu_free_vcpus' },
  { alert: 'DcsimZoneMemoryFillsUp', of: 'az', what: 'memory', free: 'dcsim_az_memory_free_bytes' },
  { alert: 'DcsimZoneDiskFillsUp', of: 'az', what: 'disk', free: 'dcsim_az_disk_free_bytes' },
  {
    alert: 'DcsimZoneGpuFillsUp',
    of: 'az',
    what: 'GPU slices',
    free: { used: 'dcsim_az_gpu_slices_used', all: 'dcsim_az_gpu_slices' },
  },
  {
    alert: 'DcsimZoneWanFillsUp',
    of: 'az',
    what: 'bandwidth of WAN links',
    free: { used: 'dcsim_az_wan_transmit_bytes_per_second', all: 'dcsim_az_wan_capacity_bytes_per_second' },
  },
]

type Of<K extends string> = Expr<K | TargetLabel>

const nowFree = ({ free }: Stock): Of<PoolOrZone> => {
  if (typeof free === 'string') return metric(free) as Of<PoolOrZone>
  const { used, all } = free
  return calculate(metric(all) as Of<PoolOrZone>, '-', metric(used) as Of<PoolOrZone>)
}

/** What comes to be free each simulated second, by the trend of a window; negative while it fills up. */
function trend({ free }: Stock, settings: Settings): Of<PoolOrZone> {
  const window = scaleRange(settings, windows.long)
  const slope = (name: Gauge) => overTime('deriv', name, window) as Of<PoolOrZone>
  const rising = typeof free === 'string' ? slope(free) : calculate(slope(free.all), '-', slope(free.used))
  return calculateEach(rising, '/', overTime('deriv', 'dcsim_sim_time_seconds', window))
}

const foreseen = (stock: Stock): Of<PoolOrZone> =>
  recorded(
    `${stock.of}:dcsim_${stock.alert.replaceAll(/(Dcsim|Pool|Zone|FillsUp)/g, '').toLowerCase()}_free:foreseen`,
  )

function recordings(settings: Settings): Recording[] {
  const ahead = settings.thresholds.exhaustionHorizonHours * 3600
  return stocks.map((stock) => {
    const then = calculate(nowFree(stock), '+', calculate(trend(stock, settings), '*', ahead))
    const known = filter(then, 'and', compare(elapsed('long'), '>=', trendNeedsSeconds))
    return recordAveraged(settings, foreseen(stock).text, known)
  })
}

const zoneName = <L extends string>(expr: Expr<L | 'az' | TargetLabel>) =>
  withLabels(expr, 'dcsim_az_info', ['az'], ['display_name'])
const poolName = <L extends string>(expr: Expr<L | 'pool' | TargetLabel>) =>
  withLabels(expr, 'dcsim_pool_info', ['pool'], ['name'])

function exhaustion(make: DefineAlert, stock: Stock, settings: Settings): Alert {
  const hours = settings.thresholds.exhaustionHorizonHours
  const some = compare(nowFree(stock), '>', 0)
  const gone = filter(compare(foreseen(stock), '<', 0), 'and', some, [stock.of])
  const shared = { holds: 120, summary: `Room runs out within ${hours} hours of the game: ${stock.what}.` }
  const text = `at the present trend, no ${stock.what} will be left in ${hours} hours of the game.`
  if (stock.of === 'pool') {
    return make(stock.alert, {
      severity: 'info',
      ...shared,
      expr: poolName(gone),
      key: ['pool'],
      description: `Pool {name}: ${text}`,
      dashboard: 'compute',
      opens: ['instance', 'pool'],
    })
  }
  return make(stock.alert, {
    severity: 'info',
    ...shared,
    expr: zoneName(gone),
    key: ['az'],
    description: `Zone {display_name}: ${text}`,
    dashboard: stock.alert === 'DcsimZoneWanFillsUp' ? 'network' : 'compute',
    opens: ['instance', 'az'],
  })
}

function room(make: DefineAlert, settings: Settings): Alert[] {
  const { hostsContendedShareHigh, unitsUnplacedHigh } = settings.thresholds
  const contended = recorded<'pool' | TargetLabel>('pool:dcsim_pool_hosts_contended:share')
  return [
    make('DcsimUnitsStranded', {
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_units_stranded'), '>', 0)),
      holds: 60,
      key: ['az'],
      summary: 'Units lie on hosts that cannot serve them.',
      description: `In zone {display_name}, ${wholeNumber} units lie on hosts that cannot serve them.`,
      dashboard: 'compute',
      opens: ['instance', 'az'],
    }),
    make('DcsimUnitsUnplaced', {
      severity: 'info',
      expr: compare(metric('dcsim_units_unplaced_by_lack'), '>=', unitsUnplacedHigh),
      holds: 120,
      key: ['lacking'],
      summary: 'No host can take units that customers wait for.',
      description: `${wholeNumber} units of {instance} wait for a place. What is lacking: {lacking}.`,
      dashboard: 'compute',
      opens: ['instance'],
    }),
    make('DcsimPoolContended', {
      severity: 'info',
      expr: poolName(compare(contended, '>', hostsContendedShareHigh)),
      holds: 60,
      key: ['pool'],
      summary: 'Units of a pool get in each other’s way.',
      description: `In pool {name}, ${percent} of the hosts are contended or starved.`,
      dashboard: 'compute',
      opens: ['instance', 'pool'],
    }),
  ]
}

export function capacityRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  const contended = calculate(metric('dcsim_pool_hosts_contended'), '/', metric('dcsim_pool_hosts'))
  return {
    subject,
    recordings: [...recordings(settings), recordNow('pool:dcsim_pool_hosts_contended:share', contended)],
    alerts: [...stocks.map((stock) => exhaustion(make, stock, settings)), ...room(make, settings)],
  }
}
