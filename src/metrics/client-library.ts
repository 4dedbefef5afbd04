/** The client library for the mirror's own metrics: no other file names it, so that its successor is one import away. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Counter, Metric } from 'prom-client'
import { mirrorFamilies } from './declaration/mirror-families.ts'
import type { FamilyDeclaration, MirrorFamilyName } from './declaration/mirror-families.ts'

export interface Sample {
  /** The name of the family where left out. */
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

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

/** The mirror's own families and those of the process. */
export class MetricsText {
  readonly #registry = new Registry()
  readonly #delays = monitorEventLoopDelay()
  readonly #lags = new Map<string, number>()

  /** The samples of each family are read at each scrape. */
  constructor(samples: Readonly<Record<MirrorFamilyName, () => readonly Sample[]>>) {
    for (const metric of processMetrics()) this.#registry.registerMetric(metric)
    this.#delays.enable()
    for (const [name, [help]] of Object.entries(eventLoopLags)) {
      const family = `nodejs_eventloop_lag_${name}_seconds`
      this.#registry.removeSingleMetric(family)
      this.#register(family, 'gauge', help, () => [{ labels: {}, value: this.#lags.get(name) ?? 0 }])
    }
    for (const name of Object.keys(mirrorFamilies) as MirrorFamilyName[])
      this.#register(name, mirrorFamilies[name].type, mirrorFamilies[name].help, samples[name])
  }

  #register(
    name: string,
    type: FamilyDeclaration['type'],
    help: string,
    read: () => readonly Sample[],
  ): void {
    const get = async () => ({ name, help, type, aggregator: 'sum', values: read() })
    this.#registry.registerMetric({ name, help, type, labelNames: [], get } as unknown as Counter)
  }

  /** Every family, ordered by name. prom-client's default metrics describe themselves. */
  declared(): ReadonlyMap<string, FamilyDeclaration> {
    const own: Readonly<Record<string, FamilyDeclaration>> = mirrorFamilies
    const declarations = this.#registry.getMetricsAsArray().map((metric): [string, FamilyDeclaration] => {
      const { name, help, type, labelNames } = metric as unknown as Omit<
        FamilyDeclaration,
        'labels' | 'unit'
      > & {
        name: string
        labelNames: readonly string[]
      }
      const unit = /_(?<unit>seconds|bytes)(?:_total)?$/.exec(name)?.groups?.['unit'] ?? ''
      return [name, own[name] ?? { type, unit, help, labels: labelNames }]
    })
    return new Map(declarations.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The text of each family. Delays of the event loop are those since the last call. */
  async render(): Promise<ReadonlyMap<string, string>> {
    if (this.#delays.count > 0) {
      for (const [name, [, nanoseconds]] of Object.entries(eventLoopLags))
        this.#lags.set(name, nanoseconds(this.#delays) / 1e9)
      this.#delays.reset()
    }
    const texts = (await this.#registry.metrics()).trimEnd().split('\n\n')
    return new Map(texts.map((text) => [/^# HELP (\S+)/.exec(text)![1], `${text}\n`]))
  }
}
