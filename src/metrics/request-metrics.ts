import type { Counter, Registry } from './client-library.ts'
import { routes } from '../contract/routes.ts'
import type { RouteName } from '../contract/routes.ts'
import { mirrorFamilies } from './declaration/mirror-families.ts'
import type { MirrorFamilyName } from './declaration/mirror-families.ts'

/** Upper bounds in seconds; everything beyond the last falls into a bucket of its own. */
const buckets = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/** The requests of a route. */
class Tally {
  readonly route: string
  readonly byCode = new Map<number, number>()
  /** Durations by bucket, not cumulated. */
  readonly durations = new Float64Array(buckets.length + 1)
  seconds = 0
  bytes = 0

  constructor(name: RouteName | 'none') {
    this.route = name === 'none' ? name : routes[name].path
  }

  add(code: number, seconds: number, bytes: number): void {
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1)
    let bucket = 0
    while (seconds > buckets[bucket]) bucket++
    this.durations[bucket]++
    this.seconds += seconds
    this.bytes += bytes
  }
}

interface Sample {
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

function durationSamples(name: string, { route, durations, seconds }: Tally): Sample[] {
  let count = 0
  const cumulated = Array.from(durations, (value, bucket): Sample => {
    count += value
    return { metricName: `${name}_bucket`, labels: { le: buckets[bucket] ?? '+Inf', route }, value: count }
  })
  return [
    ...cumulated,
    { metricName: `${name}_sum`, labels: { route }, value: seconds },
    { metricName: `${name}_count`, labels: { route }, value: count },
  ]
}

/**
 * Registers the families of requests, and returns what counts one. They are counted outside prom-client, which looks a
 * series up by its labels at each observation: three of them take a tenth of the requests a second.
 */
export function registerRequests(
  registry: Registry,
): (route: RouteName | 'none', code: number, seconds: number, bytes: number) => void {
  const tallies = new Map<RouteName | 'none', Tally>()
  const register = (
    name: MirrorFamilyName,
    type: 'counter' | 'histogram',
    samplesOf: (tally: Tally) => Sample[],
  ) => {
    const { help } = mirrorFamilies[name]
    const metric = {
      name,
      get: async () => ({
        name,
        help,
        type,
        aggregator: 'sum',
        values: [...tallies.values()].flatMap(samplesOf),
      }),
    }
    registry.registerMetric(metric as unknown as Counter)
  }
  register('dcsim_mirror_http_requests_total', 'counter', ({ route, byCode }) =>
    Array.from(byCode, ([code, value]) => ({ labels: { route, code }, value })),
  )
  register('dcsim_mirror_http_response_bytes_total', 'counter', ({ route, bytes }) => [
    { labels: { route }, value: bytes },
  ])
  const duration = 'dcsim_mirror_http_request_duration_seconds'
  register(duration, 'histogram', (tally) => durationSamples(duration, tally))
  return (name, code, seconds, bytes) => {
    let tally = tallies.get(name)
    if (tally === undefined) tallies.set(name, (tally = new Tally(name)))
    tally.add(code, seconds, bytes)
  }
}
