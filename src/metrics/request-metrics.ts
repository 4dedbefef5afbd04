import { routes } from '../contract/routes.ts'
import type { RouteName } from '../contract/routes.ts'
import type { Sample } from './client-library.ts'

/** Durations in buckets. */
export class DurationHistogram {
  readonly #bounds: readonly number[]
  /** Not cumulated; everything beyond the last bound falls into a bucket of its own. */
  readonly #counts: Float64Array
  #seconds = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(seconds: number): void {
    let bucket = 0
    while (seconds > this.#bounds[bucket]) bucket++
    this.#counts[bucket]++
    this.#seconds += seconds
  }

  samples(name: string, labels: Sample['labels'] = {}): Sample[] {
    let count = 0
    const cumulated = Array.from(this.#counts, (value, bucket): Sample => {
      count += value
      const le = this.#bounds[bucket] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
    })
    return [
      ...cumulated,
      { metricName: `${name}_sum`, labels, value: this.#seconds },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}

const requestBuckets = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/** The requests of a route. */
interface Tally {
  readonly labels: { readonly route: string }
  readonly byCode: Map<number, number>
  readonly durations: DurationHistogram
  bytes: number
}

/**
 * Counts requests by route. prom-client would look a series up by its labels at each observation: three of them take a
 * tenth of the requests a second.
 */
export class RequestMetrics {
  readonly #tallies = new Map<RouteName | 'none', Tally>()

  /** `none` stands for requests that matched no route. */
  readonly answered = (name: RouteName | 'none', code: number, seconds: number, bytes: number): void => {
    let tally = this.#tallies.get(name)
    if (tally === undefined) {
      const route = name === 'none' ? name : routes[name].path
      tally = {
        labels: { route },
        byCode: new Map(),
        durations: new DurationHistogram(requestBuckets),
        bytes: 0,
      }
      this.#tallies.set(name, tally)
    }
    tally.byCode.set(code, (tally.byCode.get(code) ?? 0) + 1)
    tally.durations.observe(seconds)
    tally.bytes += bytes
  }

  /** The samples of all routes. */
  samples(samplesOf: (tally: Tally) => readonly Sample[]): readonly Sample[] {
    return [...this.#tallies.values()].flatMap(samplesOf)
  }
}
