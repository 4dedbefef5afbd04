import {
  calculate,
  calculateEach,
  compare,
  either,
  filter,
  metric,
  overTime,
  recorded,
  withLabels,
} from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { CounterName, MetricName, TargetLabel } from '../../promql/metrics.ts'
import { alertDefiner, recordAveraged, recordNow } from '../rule.ts'
import type { Alert, DefineAlert, Recording, RuleGroup } from '../rule.ts'
import { scaleRange, windowName } from '../settings.ts'
import type { AlertSettings } from '../settings.ts'
import type { AlertName } from '../cases/alert-cases.ts'
import { singularOrPlural, valueAsCount, inWords, valueAsPercent } from '../annotation-text.ts'
import { placementCodes } from '../../src/contract/vocabularies.ts'
import type { PlacementCode } from '../../src/contract/vocabularies.ts'
import { poolName, zoneName } from './names.ts'
import { elapsed, windows } from './clock.ts'

const subject = 'capacity'
/** The minimum simulated time for a trend. */
const trendMinSeconds = 6 * 3600

type Gauge = Exclude<MetricName, CounterName>
type PoolOrZone = 'pool' | 'az'

/** A limited resource of a pool or zone. */
interface Stock {
  readonly alert: AlertName
  readonly of: PoolOrZone
  readonly what: string
  /** The family of free amounts, if there is one; otherwise those of used and total amounts. */
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
    what: 'WAN bandwidth',
    free: { used: 'dcsim_az_wan_transmit_bytes_per_second', all: 'dcsim_az_wan_capacity_bytes_per_second' },
  },
]

type Of<K extends string> = Expr<K | TargetLabel>

const nowFree = ({ free }: Stock): Of<PoolOrZone> => {
  if (typeof free === 'string') return metric(free) as Of<PoolOrZone>
  const { used, all } = free
  return calculate(metric(all) as Of<PoolOrZone>, '-', metric(used) as Of<PoolOrZone>)
}

/** The trend of the free amount over a window, per simulated second; negative while it decreases. */
function trend({ free }: Stock, settings: AlertSettings): Of<PoolOrZone> {
  const window = scaleRange(settings, windows.long)
  const slope = (name: Gauge) => overTime('deriv', name, window) as Of<PoolOrZone>
  const rising = typeof free === 'string' ? slope(free) : calculate(slope(free.all), '-', slope(free.used))
  return calculateEach(rising, '/', overTime('deriv', 'dcsim_sim_time_seconds', window))
}

const foreseen = ({ of, free }: Stock): Of<PoolOrZone> => {
  const [family, part] = typeof free === 'string' ? [free, ''] : [free.all, 'free_']
  return recorded(`${of}:${family}:${part}predict_linear_${windowName(windows.long)}`)
}

function recordings(settings: AlertSettings): Recording[] {
  const ahead = settings.thresholds.exhaustionHorizonHours * 3600
  return stocks.map((stock) => {
    const then = calculate(nowFree(stock), '+', calculate(trend(stock, settings), '*', ahead))
    const known = filter(then, 'and', compare(elapsed('long'), '>=', trendMinSeconds))
    return recordAveraged(settings, foreseen(stock).text, known)
  })
}

function exhaustion(make: DefineAlert, stock: Stock, settings: AlertSettings): Alert {
  const hours = settings.thresholds.exhaustionHorizonHours
  const some = compare(nowFree(stock), '>', 0)
  const gone = filter(compare(foreseen(stock), '<', 0), 'and', some, [stock.of])
  const soon = `is predicted to run out of ${stock.what} within ${hours} simulated hours`
  const board = stock.alert === 'DcsimZoneWanFillsUp' ? 'network' : 'compute'
  const next =
    ` Order more, or move what grows elsewhere; the ${board === 'network' ? 'Network' : 'Compute'} dashboard shows the` +
    ' growth.'
  const forecast = `The forecast extends the present trend of free ${stock.what} in`
  if (stock.of === 'pool') {
    return make(stock.alert, {
      severity: 'info',
      forSeconds: 120,
      keepFiringSeconds: 120,
      expr: poolName(gone),
      key: ['pool'],
      subject: '{name}',
      summary: `Pool {name} ${soon}`,
      description: `${forecast} pool {name}.${next}`,
      dashboard: 'compute',
      opens: ['instance', 'pool'],
    })
  }
  return make(stock.alert, {
    severity: 'info',
    forSeconds: 120,
    keepFiringSeconds: 120,
    expr: zoneName(gone),
    key: ['az'],
    subject: '{display_name}',
    summary: `{display_name} ${soon}`,
    description: `${forecast} {display_name}.${next}`,
    dashboard: board,
    opens: ['instance', 'az'],
  })
}

/** The missing resource of a placement, in words. */
const lackWords: Readonly<Record<PlacementCode, string>> = {
  no_host_online: 'no host is online',
  no_vcpu: 'no host has enough CPU',
  no_memory: 'no host has enough memory',
  no_disk: 'no host has enough disk',
  no_iops: 'no host has enough disk operations',
  no_gpu: 'no host has enough GPU slices',
  no_arch: 'no host has the processors needed',
  no_region: 'no host in the required region',
  no_dedicated_host: 'no host can be reserved',
  no_uncontended_host: 'no host is free of contention',
  no_fault_isolation: 'no host in another rack',
  no_second_zone: 'no host in a second zone',
  no_segment: 'no segment of its own',
}
const lack = inWords('lacking', placementCodes, (code) => lackWords[code as PlacementCode])

/** Free capacity on hosts that are reserved for a segment. */
function segments(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { segmentFreeShareLow } = settings.thresholds
  const freeCpu = calculate(
    metric('dcsim_segment_dedicated_cpu_free_vcpus'),
    '/',
    compare(metric('dcsim_segment_dedicated_cpu_vcpus'), '>', 0),
  )
  const freeMemory = calculate(
    metric('dcsim_segment_dedicated_memory_free_bytes'),
    '/',
    compare(metric('dcsim_segment_dedicated_memory_bytes'), '>', 0),
  )
  const segmentFull = either(
    compare(freeCpu, '<', segmentFreeShareLow),
    compare(freeMemory, '<', segmentFreeShareLow),
  )
  return [
    make('DcsimSegmentFull', {
      severity: 'info',
      expr: withLabels(segmentFull, metric('dcsim_segment_info'), ['segment'], ['name']),
      forSeconds: 60,
      keepFiringSeconds: 60,
      key: ['segment'],
      subject: '{name}',
      summary: 'Segment {name} is nearly full',
      description:
        `The hosts reserved for segment {name} have only ${valueAsPercent} of their CPU or memory left: its members cannot grow.` +
        ' Reserve another host.',
      dashboard: 'compute',
      opens: ['instance'],
    }),
  ]
}

function room(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { hostsContendedShareHigh, unitsUnplacedHigh } = settings.thresholds
  const contended = recorded<'pool' | TargetLabel>('pool:dcsim_pool_hosts_contended:ratio')
  return [
    make('DcsimUnitsStranded', {
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_units_stranded'), '>', 0)),
      forSeconds: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: `${valueAsCount('unit')} stranded in {display_name}`,
      description:
        `In {display_name}, ${valueAsCount('unit')} ${singularOrPlural('is', 'are')} on hosts that cannot serve` +
        ` ${singularOrPlural('it', 'them')}: customers pay for ${singularOrPlural('it', 'them')} and get nothing.` +
        ' Bring the hosts back, or make room for the units elsewhere.',
      dashboard: 'compute',
      opens: ['instance', 'az'],
    }),
    make('DcsimUnitsUnplaced', {
      severity: 'info',
      expr: compare(metric('dcsim_units_unplaced_by_lack'), '>=', unitsUnplacedHigh),
      forSeconds: 120,
      key: ['lacking'],
      summary: `${valueAsCount('unit')} ${singularOrPlural('waits', 'wait')} for a host: ${lack}`,
      description:
        `Customers of {world} ordered ${singularOrPlural('this unit', 'these units')}.` +
        ' Add the missing capacity: until then the growth earns nothing.',
      dashboard: 'compute',
      opens: ['instance'],
    }),
    make('DcsimPoolContended', {
      severity: 'info',
      expr: poolName(compare(contended, '>', hostsContendedShareHigh)),
      forSeconds: 60,
      key: ['pool'],
      subject: '{name}',
      summary: `${valueAsPercent} of the hosts in pool {name} are contended`,
      description:
        'These hosts of pool {name} have more CPU demand than CPU: units on them are slow.' +
        ' Add hosts, or move the largest units elsewhere.',
      dashboard: 'compute',
      opens: ['instance', 'pool'],
    }),
  ]
}

export function capacityRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  const contended = calculate(metric('dcsim_pool_hosts_contended'), '/', metric('dcsim_pool_hosts'))
  return {
    subject,
    recordings: [...recordings(settings), recordNow('pool:dcsim_pool_hosts_contended:ratio', contended)],
    alerts: [
      ...stocks.map((stock) => exhaustion(make, stock, settings)),
      ...room(make, settings),
      ...segments(make, settings),
    ],
  }
}
