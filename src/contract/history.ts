import type { Collections } from './collections.ts'
import type { Int64 } from './fields.ts'
import type { SeriesScale, SeriesUnit } from './vocabularies.ts'

/**
 * The step width of each ring and the number of values that it retains. Each width is a multiple of the next finer one.
 */
export const historySteps = {
  '10s': { seconds: 10, kept: 360 },
  '1m': { seconds: 60, kept: 1_440 },
  '1h': { seconds: 3_600, kept: 1_440 },
  '1d': { seconds: 86_400, kept: 1_825 },
} as const

export type HistoryStep = keyof typeof historySteps
export const historyStepNames = Object.keys(historySteps) as HistoryStep[]

/**
 * A metric with a history. A value is quantized to 16 bits: `linear` divides min … max into 65,534 equal parts (error:
 * at most half a part); `log` keeps 12 significant bits from min upwards over 31 octaves (error: at most 1/4096 of the
 * value), and stores zero and everything below min as zero.
 */
export interface HistoryMetric {
  readonly unit: SeriesUnit
  readonly scale: SeriesScale
  readonly min: number
  readonly max: number
}

const octaves = 2 ** 31
const log = (unit: SeriesUnit, min: number): HistoryMetric => ({
  unit,
  scale: 'log',
  min,
  max: min * octaves,
})
const linear = (unit: SeriesUnit, min: number, max: number): HistoryMetric => ({
  unit,
  scale: 'linear',
  min,
  max,
})

const traffic = log('gbps', 2 ** -14)
const percent = linear('pct', 0, 100)
const share = linear('ratio', 0, 1)
const number = linear('count', 0, 65_534)
/** Small counts, whose means have a resolution of a sixteenth. */
const few = linear('count', 0, 65_534 / 16)
const milliseconds = log('ms', 2 ** -4)
const money = log('dollars_per_hour', 2 ** -7)
const rate = log('per_second', 2 ** -7)
const power = log('kw', 2 ** -7)
const heat = linear('celsius', 0, 100)

/**
 * The metrics with a history, by the first segment of their path. A name is a field of the collection's record or a
 * metric that `derivedHistory` derives from fields.
 */
export const historyMetrics = {
  fleet: {
    wan_ingress_gbps: traffic,
    wan_egress_gbps: traffic,
    dropped_gbps: traffic,
    rps: rate,
    revenue_last_hour_dollars: money,
    power_draw_kw: power,
    cpu_used_pct: percent,
    mem_allocated_pct: percent,
    hosts_online: number,
    unit_count: log('count', 1),
    stranded_unit_count: log('count', 1),
    customer_count: number,
    incidents_active: few,
    satisfaction: share,
  },
  azs: {
    health: share,
    power_draw_kw: power,
    cooling_load_kw: power,
    inlet_celsius: heat,
    hosts_online: number,
    unit_count: log('count', 1),
    wan_ingress_gbps: traffic,
    wan_egress_gbps: traffic,
    east_west_gbps: traffic,
    dropped_gbps: traffic,
    active_incident_count: few,
  },
  'host-pools': {
    cpu_used_pct: percent,
    mem_allocated_pct: percent,
    ssd_allocated_pct: percent,
    iops_actual: rate,
    contended_host_count: number,
    unit_count: log('count', 1),
  },
  gateways: {
    wan_ingress_gbps: traffic,
    wan_egress_gbps: traffic,
    fabric_load_gbps: traffic,
    addon_throttle: share,
  },
  customers: {
    rps: rate,
    egress_gbps: traffic,
    p99_recent_ms: milliseconds,
    p50_latency_ms: milliseconds,
    availability_pct: percent,
    cpu_load_pct: percent,
    satisfaction: share,
    revenue_last_hour_dollars: money,
  },
  switches: {
    egress_gbps: traffic,
    ingress_gbps: traffic,
    fabric_load_gbps: traffic,
  },
  hosts: {
    cpu_used_pct: percent,
    mem_requested_pct: percent,
    iops_actual: rate,
    egress_gbps: traffic,
    ingress_gbps: traffic,
  },
} as const satisfies Record<string, Readonly<Record<string, HistoryMetric>>>

export type HistorySubject = keyof typeof historyMetrics
export type HistoryMetricName<S extends HistorySubject> = keyof (typeof historyMetrics)[S] & string
export const historySubjects = Object.keys(historyMetrics) as HistorySubject[]

/**
 * At most this number of hosts and switches have a history: those with the lowest ids. Other entities always have one.
 */
export const historyHostsMax = 1_000
export const historySwitchesMax = 250

/** The collection of each subject; the fleet has none. */
export const historyCollections = {
  azs: 'azs',
  'host-pools': 'hostPools',
  gateways: 'gateways',
  customers: 'customers',
  switches: 'switches',
  hosts: 'hosts',
} as const satisfies Record<Exclude<HistorySubject, 'fleet'>, keyof Collections>

/** An entity with a history: it has every metric of its subject. */
export interface HistoryEntity {
  readonly subject: HistorySubject
  /** Null for the fleet. */
  readonly id: Int64 | null
}

/**
 * The values of a world's history, sampled once after each step of 10 simulated seconds. They equal the record fields
 * of the same name at that time, apart from rounding.
 */
export interface WorldHistory {
  /** Incremented whenever the list of entities changes. */
  readonly version: number
  /** All entities with a history, in any order. A new array after every change. */
  readonly entities: readonly HistoryEntity[]
  /**
   * Writes the current values: entities in the order of `entities`, the metrics of each in the order of
   * `historyMetrics`.
   */
  sample(into: Float64Array): void
}
