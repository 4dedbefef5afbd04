import { archivedKinds } from '../contract/archive.ts'
import type { ArchiveFigures } from '../contract/archive.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { RouteName } from '../contract/routes.ts'
import { sourceFaultNames } from '../contract/source-faults.ts'
import type { SourceFault } from '../contract/source-faults.ts'
import { worldReplacementReasons } from '../contract/session-report.ts'
import type { SessionReport } from '../contract/session-report.ts'
import type { ExpositionChunk } from '../contract/exposition-chunk.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from './client-library.ts'
import type { Metric, MetricObject } from './client-library.ts'
import { mirrorFamilies } from './declaration/mirror-families.ts'
import type { FamilyDeclaration, MirrorFamilyName } from './declaration/mirror-families.ts'
import { registerRequests } from './request-metrics.ts'

/** The state of the mirror, exposed as gauges. */
interface MirrorGauges {
  readonly worldReady: boolean
  readonly paused: boolean
  readonly ageSeconds: number
  readonly frameBytes: number
  readonly sourceUp: boolean
}

interface ServiceMetricsOptions {
  readonly version: string
  /** Null for a mirror without an archive, or before its first record. */
  readonly archive?: () => ArchiveFigures | null
  readonly gauges: () => MirrorGauges
  readonly nowMs: () => number
}

/** Scrapes within this time of each other share an exposition: rendering it takes about a millisecond. */
export const expositionMaxAgeMs = 200

/** The service's own metrics. */
export interface ServiceMetrics {
  /** `none` stands for requests that matched no route. */
  readonly requestAnswered: (route: RouteName | 'none', code: number, seconds: number, bytes: number) => void
  published(seconds: number): void
  sourceFailed(fault: SourceFault): void
  stateReported(report: SessionReport): void
  /** All families in the order of their names. */
  exposition(): Promise<readonly ExpositionChunk[]>
  /** Families by name, those of the process and Node included. */
  readonly declared: ReadonlyMap<string, FamilyDeclaration>
}

const publishDurationBuckets = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Gauges that prom-client names like counters, contrary to the naming rules of Prometheus. */
const misnamedDefaults = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

let ofProcess: Registry | null = null

/**
 * The metrics of the process, shared by all services in it: prom-client observes the process until it ends, and would
 * keep the registry of each service, and with it the service.
 */
function processMetrics(): readonly Metric[] {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
    for (const name of misnamedDefaults) ofProcess.removeSingleMetric(name)
  }
  return ofProcess.getMetricsAsArray() as unknown as Metric[]
}

type Delays = ReturnType<typeof monitorEventLoopDelay>

/** Gauges that prom-client would set to NaN or to 2^63 ns while no delay is recorded. */
const eventLoopLags: Readonly<Record<string, [help: string, nanoseconds: (delays: Delays) => number]>> = {
  min: ['The minimum recorded event loop delay.', ({ min }) => min],
  max: ['The maximum recorded event loop delay.', ({ max }) => max],
  mean: ['The mean of the recorded event loop delays.', ({ mean }) => mean],
  stddev: ['The standard deviation of the recorded event loop delays.', ({ stddev }) => stddev],
  p50: ['The 50th percentile of the recorded event loop delays.', (delays) => delays.percentile(50)],
  p90: ['The 90th percentile of the recorded event loop delays.', (delays) => delays.percentile(90)],
  p99: ['The 99th percentile of the recorded event loop delays.', (delays) => delays.percentile(99)],
}

/**
 * Replaces the default gauges of event loop delays. The returned function updates them to the delays since its last
 * call.
 */
function registerEventLoopLags(registry: Registry): () => void {
  const delays = monitorEventLoopDelay()
  delays.enable()
  const gauges = Object.entries(eventLoopLags).map(([name, [help, nanoseconds]]) => {
    const family = `nodejs_eventloop_lag_${name}_seconds`
    registry.removeSingleMetric(family)
    return { gauge: new Gauge({ name: family, help, registers: [registry] }), nanoseconds }
  })
  return () => {
    if (delays.count === 0) return
    for (const { gauge, nanoseconds } of gauges) gauge.set(nanoseconds(delays) / 1e9)
    delays.reset()
  }
}

/** The options that all metrics of prom-client share. */
function declarationOf(name: MirrorFamilyName, registry: Registry) {
  const { help, labels } = mirrorFamilies[name]
  return { name, help, labelNames: labels, registers: [registry] }
}

function registerGauges(registry: Registry, read: () => MirrorGauges): void {
  const register = (name: MirrorFamilyName, valueOf: (gauges: MirrorGauges) => number): void => {
    const gauge: Gauge = new Gauge({
      ...declarationOf(name, registry),
      collect: () => gauge.set(valueOf(read())),
    })
  }
  register('dcsim_mirror_world_ready', ({ worldReady }) => Number(worldReady))
  register('dcsim_mirror_publishing_paused', ({ paused }) => Number(paused))
  register('dcsim_mirror_snapshot_age_seconds', ({ ageSeconds }) => ageSeconds)
  register('dcsim_mirror_frame_size_bytes', ({ frameBytes }) => frameBytes)
  register('dcsim_mirror_source_up', ({ sourceUp }) => Number(sourceUp))
}

function registerArchive(registry: Registry, read: () => ArchiveFigures | null): void {
  const rows: Gauge = new Gauge({
    ...declarationOf('dcsim_mirror_archive_rows', registry),
    collect() {
      const counts = read()?.rows
      for (const kind of archivedKinds) rows.set({ kind }, counts?.[kind] ?? 0)
    },
  })
  const size: Gauge = new Gauge({
    ...declarationOf('dcsim_mirror_archive_size_bytes', registry),
    collect: () => size.set(read()?.bytes ?? 0),
  })
  const oldest: Gauge = new Gauge({
    ...declarationOf('dcsim_mirror_archive_oldest_timestamp_seconds', registry),
    collect() {
      const seconds = read()?.oldestSeconds ?? null
      if (seconds === null) oldest.remove()
      else oldest.set(seconds)
    },
  })
  let counted = 0
  const errors: Counter = new Counter({
    ...declarationOf('dcsim_mirror_archive_errors_total', registry),
    collect() {
      const known = read()?.errors ?? 0
      errors.inc(Math.max(0, known - counted))
      counted = Math.max(counted, known)
    },
  })
}

/** The time for which a replaced world is reported, so that an alert on it ends. */
const replacementShownMs = 15 * 60_000

function registerState(registry: Registry, nowMs: () => number): ServiceMetrics['stateReported'] {
  let shownUntilMs = Infinity
  const replacedFor: Gauge = new Gauge({
    ...declarationOf('dcsim_mirror_world_replaced', registry),
    collect() {
      if (nowMs() < shownUntilMs) return
      for (const reason of worldReplacementReasons) replacedFor.set({ reason }, 0)
    },
  })
  const saves = new Counter(declarationOf('dcsim_mirror_state_saves_total', registry))
  for (const reason of worldReplacementReasons) replacedFor.set({ reason }, 0)
  for (const result of ['success', 'failure']) saves.inc({ result }, 0)
  return (report) => {
    if (report.kind === 'note') return
    if (report.kind !== 'opened') saves.inc({ result: report.kind === 'saved' ? 'success' : 'failure' })
    else if (report.replacedFor !== null) {
      replacedFor.set({ reason: report.replacedFor }, 1)
      shownUntilMs = nowMs() + replacementShownMs
    }
  }
}

/** Every registered family, ordered by name. prom-client's default metrics describe themselves. */
function declaredFamilies(registry: Registry): ReadonlyMap<string, FamilyDeclaration> {
  const own: Readonly<Record<string, FamilyDeclaration>> = mirrorFamilies
  const declarations = registry.getMetricsAsArray().map((metric): [string, FamilyDeclaration] => {
    const { name, help, type, labelNames } = metric as MetricObject & { labelNames: readonly string[] }
    const unit = /_(?<unit>seconds|bytes)(?:_total)?$/.exec(name)?.groups?.['unit'] ?? ''
    return [
      name,
      own[name] ?? { type: type as unknown as FamilyDeclaration['type'], unit, help, labels: labelNames },
    ]
  })
  return new Map(declarations.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function createServiceMetrics({
  version,
  gauges,
  nowMs,
  archive = () => null,
}: ServiceMetricsOptions): ServiceMetrics {
  const registry = new Registry()
  for (const metric of processMetrics()) registry.registerMetric(metric)

  new Gauge(declarationOf('dcsim_mirror_build_info', registry)).set({ version, node: process.version }, 1)
  const updateEventLoopLags = registerEventLoopLags(registry)
  registerGauges(registry, gauges)
  registerArchive(registry, archive)
  const requestAnswered = registerRequests(registry)
  const publishes = new Counter(declarationOf('dcsim_mirror_publishes_total', registry))
  const sourceErrors = new Counter(declarationOf('dcsim_mirror_source_errors_total', registry))
  for (const reason of sourceFaultNames) sourceErrors.inc({ reason }, 0)
  const stateReported = registerState(registry, nowMs)
  const publishDuration = new Histogram({
    ...declarationOf('dcsim_mirror_publish_duration_seconds', registry),
    buckets: publishDurationBuckets,
  })

  const declared = declaredFamilies(registry)
  const render = (): Promise<readonly ExpositionChunk[]> => {
    updateEventLoopLags()
    return Promise.all(
      [...declared.keys()].map(async (family) => {
        const text = await registry.getSingleMetricAsString(family)
        return { family, bytes: Buffer.from(`${text}\n`) }
      }),
    )
  }
  let rendered: Promise<readonly ExpositionChunk[]> = Promise.resolve([])
  let renderedMs = -Infinity
  return {
    requestAnswered,
    published(seconds) {
      publishes.inc()
      publishDuration.observe(seconds)
    },
    sourceFailed: (reason) => sourceErrors.inc({ reason }),
    stateReported,
    exposition() {
      const now = nowMs()
      if (now - renderedMs >= expositionMaxAgeMs) {
        renderedMs = now
        rendered = render()
      }
      return rendered
    },
    declared,
  }
}
