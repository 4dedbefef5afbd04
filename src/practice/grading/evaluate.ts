import { firings } from './firing.ts'
import type { Evaluation, Span } from './firing.ts'

/** A series in an answer of Prometheus. */
export interface RangeSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [at: number, value: string])[]
}

/** The firing spans of one label set, in seconds since the zero of the period. */
export interface Fired {
  readonly labels: Readonly<Record<string, string>>
  readonly spans: readonly Span[]
  /** The values of the expression, by second. */
  readonly values: ReadonlyMap<number, number>
}

/** The evaluated interval, closed at both ends. */
interface Period {
  /** The origin of seconds in wall time. */
  readonly zero: number
  readonly from: number
  readonly until: number
  readonly step: number
  /** Seconds of the period that one query covers. */
  readonly querySeconds: number
}

type RangeQuery = (start: number, end: number, step: number) => Promise<readonly RangeSeries[]>

const textOf = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => name !== '__name__')
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Collects the results of evaluations; answers arrive in chunks of the period. */
class Evaluations {
  readonly #at = new Map<number, string[]>()
  readonly #values = new Map<string, Map<number, number>>()
  readonly #zero: number

  constructor({ zero, from, until, step }: Period) {
    this.#zero = zero
    for (let at = from; at <= until; at += step) this.#at.set(at, [])
  }

  add(series: readonly RangeSeries[]): void {
    for (const { metric, values } of series) {
      const text = textOf(metric)
      let known = this.#values.get(text)
      if (known === undefined) this.#values.set(text, (known = new Map()))
      for (const [at, value] of values) {
        this.#at.get(at - this.#zero)?.push(text)
        known.set(at - this.#zero, Number(value))
      }
    }
  }

  valuesOf(text: string): ReadonlyMap<number, number> {
    return this.#values.get(text) ?? new Map()
  }

  *[Symbol.iterator](): Generator<Evaluation> {
    for (const [at, series] of this.#at) yield { at, series }
  }
}

/**
 * Seconds for which an expression has to hold before its alert fires (`for`), and for which the alert keeps firing
 * afterwards.
 */
interface AlertDelays {
  readonly forSeconds: number
  readonly keepFiringSeconds: number
}

/** Evaluates the expression of an alert over a period, as Prometheus would have. */
export async function evaluateAlert(
  range: RangeQuery,
  { forSeconds, keepFiringSeconds }: AlertDelays,
  period: Period,
): Promise<Fired[]> {
  const { zero, from, until, step, querySeconds } = period
  const evaluations = new Evaluations(period)
  for (let start = from; start <= until; start += querySeconds) {
    const end = Math.min(start + querySeconds - step, until)
    evaluations.add(await range(zero + start, zero + end, step))
  }
  return [...firings(evaluations, forSeconds, keepFiringSeconds)].map(([text, spans]) => ({
    labels: Object.fromEntries(JSON.parse(text) as [string, string][]),
    spans,
    values: evaluations.valuesOf(text),
  }))
}
