import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Metric } from 'prom-client'
import { sourceFaultNames } from '../contract/source-faults.ts'
import type { SourceFault } from '../contract/source-faults.ts'
import { createRequestTally, requestDurationBounds, statusCodes } from './request-tally.ts'
import type { AnsweredRoute, RouteTally } from './request-tally.ts'
import { serviceFamilies } from './service-families.ts'
import type { FamilyDeclaration, ServiceFamilyName } from './service-families.ts'

/** What the mirror knows about itself at this moment. */
export interface MirrorFigures {
  readonly worldReady: boolean
  readonly paused: boolean
  readonly ageSeconds: number
  readonly frameBytes: number
  readonly sourceUp: boolean
}

export interface ServiceMetricsOptions {
  readonly version: string
  readonly figures: () => MirrorFigures
  readonly nowMs: () => number
}

/** Scrapes that come within this time of each other get the same text, whatever their number. */
export const ownTextKeptMs = 200

/** The service's own metrics. To count costs next to nothing. */
export interface ServiceMetrics {
  answered(route: AnsweredRoute, code: number, seconds: number, bytes: number): void
  published(seconds: number): void
  sourceFailed(fault: SourceFault): void
  /** The text of the families named, or of all when none is, ordered by name. */
  text(familyNames: readonly string[]): Promise<string>
  /** Families by name, those of the process and Node included. */
  readonly declared: ReadonlyMap<string, FamilyDeclaration>
}

const publishDurationBounds = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Gauges that prom-client names as if they were counters, which the naming rules forbid. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** A sample of what was never measured, such as the spread of no delays. */
const withoutValue = /\n.* Nan$/gm

function gauge(registry: Registry, name: ServiceFamilyName, read: () => number): void {
  const { help } = serviceFamilies[name]
  registry.registerMetric(
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    }),
  )
}

/** A histogram whose buckets are counted elsewhere. The registry asks a metric only for its name and `get`. */
function durationHistogram(name: ServiceFamilyName, tallies: readonly RouteTally[]): Metric {
  const valuesOf = ({ route, durations, seconds }: RouteTally): object[] => {
    let count = 0
    const buckets = [...durations].map((inBucket, index) => {
      count += inBucket
      const le = requestDurationBounds[index] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { le, route }, value: count }
    })
    if (count === 0) return []
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { route }, value: seconds },
      { metricName: `${name}_count`, labels: { route }, value: count },
    ]
  }
  const { help } = serviceFamilies[name]
  const get = (): Promise<object> =>
    Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: tallies.flatMap(valuesOf) })
  return { name, help, get } as unknown as Metric
}

function requestMetrics(registry: Registry, tallies: readonly RouteTally[]): void {
  const requests: ServiceFamilyName = 'dcsim_mirror_http_requests_total'
  const duration: ServiceFamilyName = 'dcsim_mirror_http_request_duration_seconds'
  const bytes: ServiceFamilyName = 'dcsim_mirror_http_response_bytes_total'
  registry.registerMetric(
    new Counter({
      name: requests,
      help: serviceFamilies[requests].help,
      labelNames: ['route', 'code'],
      registers: [],
      collect() {
        this.reset()
        for (const { route, codes } of tallies) {
          for (const [index, count] of codes.entries()) {
            if (count > 0) this.inc({ route, code: statusCodes[index] ?? 'other' }, count)
          }
        }
      },
    }),
  )
  registry.registerMetric(durationHistogram(duration, tallies))
  registry.registerMetric(
    new Counter({
      name: bytes,
      help: serviceFamilies[bytes].help,
      labelNames: ['route'],
      registers: [],
      collect() {
        this.reset()
        for (const { route, codes, bytes: sent } of tallies) {
          if (codes.some((count) => count > 0)) this.inc({ route }, sent)
        }
      },
    }),
  )
}

function counter(registry: Registry, name: ServiceFamilyName): Counter {
  const { help, labels } = serviceFamilies[name]
  const made = new Counter({ name, help, labelNames: labels, registers: [] })
  registry.registerMetric(made)
  return made
}

/** Labels and type of a family that prom-client brings. */
function broughtDeclaration(
  metric: Metric & { labelNames?: readonly string[]; help?: string },
): FamilyDeclaration {
  const name = (metric as unknown as { name: string }).name
  const type = metric instanceof Counter ? 'counter' : metric instanceof Histogram ? 'histogram' : 'gauge'
  const unit = /_(?<unit>seconds|bytes)(?:_total)?$/.exec(name)?.groups?.['unit'] ?? ''
  return { type, unit, help: metric.help ?? '', labels: metric.labelNames ?? [] }
}

function declaredFamilies(registry: Registry): Map<string, FamilyDeclaration> {
  const ours: Readonly<Record<string, FamilyDeclaration>> = serviceFamilies
  const named = registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .toSorted()
  return new Map(
    named.map((name) => [name, ours[name] ?? broughtDeclaration(registry.getSingleMetric(name)!)]),
  )
}

export function createServiceMetrics({ version, figures, nowMs }: ServiceMetricsOptions): ServiceMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)

  const build: ServiceFamilyName = 'dcsim_mirror_build_info'
  const buildInfo = new Gauge({
    name: build,
    help: serviceFamilies[build].help,
    labelNames: ['version', 'node'],
    registers: [registry],
  })
  buildInfo.set({ version, node: process.version }, 1)
  gauge(registry, 'dcsim_mirror_world_ready', () => Number(figures().worldReady))
  gauge(registry, 'dcsim_mirror_publishing_paused', () => Number(figures().paused))
  gauge(registry, 'dcsim_mirror_snapshot_age_seconds', () => figures().ageSeconds)
  gauge(registry, 'dcsim_mirror_frame_size_bytes', () => figures().frameBytes)
  gauge(registry, 'dcsim_mirror_source_up', () => Number(figures().sourceUp))

  const requests = createRequestTally()
  requestMetrics(registry, requests.routes)
  const publishes = counter(registry, 'dcsim_mirror_publishes_total')
  const sourceErrors = counter(registry, 'dcsim_mirror_source_errors_total')
  for (const reason of sourceFaultNames) sourceErrors.inc({ reason }, 0)
  const durationName: ServiceFamilyName = 'dcsim_mirror_publish_duration_seconds'
  const publishDuration = new Histogram({
    name: durationName,
    help: serviceFamilies[durationName].help,
    buckets: publishDurationBounds,
    registers: [registry],
  })

  const declared = declaredFamilies(registry)
  let texts: Promise<ReadonlyMap<string, string>> | null = null
  let textsMadeMs = 0
  const makeTexts = async (): Promise<ReadonlyMap<string, string>> => {
    const named = [...declared.keys()].map(async (name) => {
      const text = await registry.getSingleMetricAsString(name)
      return [name, `${text.replaceAll(withoutValue, '')}\n`] as const
    })
    return new Map((await Promise.all(named)).filter(([, text]) => /^[^#]/m.test(text)))
  }
  return {
    answered: (route, code, seconds, bytes) => requests.add(route, code, seconds, bytes),
    published(seconds) {
      publishes.inc()
      publishDuration.observe(seconds)
    },
    sourceFailed: (fault) => sourceErrors.inc({ reason: fault }),
    async text(familyNames) {
      const now = nowMs()
      if (texts === null || now - textsMadeMs >= ownTextKeptMs) {
        textsMadeMs = now
        texts = makeTexts()
      }
      const wanted = new Set(familyNames)
      let whole = ''
      for (const [name, text] of await texts) if (wanted.size === 0 || wanted.has(name)) whole += text
      return whole
    },
    declared,
  }
}
