import { firings } from './firing.ts'
import type { Evaluation, Span } from './firing.ts'

/** A series as Prometheus answers it. */
export interface RangeSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [at: number, value: string])[]
}

/** Alerts that fired for one set of labels, and when, in seconds since the zero of the period. */
export interface Fired {
  readonly labels: Readonly<Record<string, string>>
  readonly spans: readonly Span[]
  /** The values of the expression, by second. */
  readonly values: ReadonlyMap<number, number>
}

/** When an expression is evaluated: from a second to another, both included. */
interface Period {
  /** The wall time that seconds count from. */
  readonly zero: number
  readonly from: number
  readonly until: number
  readonly step: number
  /** How much of it one query asks for, in seconds. */
  readonly stretch: number
}

type RangeQuery = (start: number, end: number, step: number) => Promise<readonly RangeSeries[]>

const textOf = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => name !== '__name__')
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Gathers what each evaluation gave; answers come in stretches of time. */
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

/** Seconds for which an expression has to hold before its alert fires, and for which it fires afterwards. */
interface Waits {
  readonly holds: number
  readonly keeps: number
}

/** Evaluates the expression of an alert over a period, as Prometheus would have. */
export async function evaluateAlert(
  range: RangeQuery,
  { holds, keeps }: Waits,
  period: Period,
): Promise<Fired[]> {
  const { zero, from, until, step, stretch } = period
  const evaluations = new Evaluations(period)
  for (let start = from; start <= until; start += stretch) {
    const end = Math.min(start + stretch - step, until)
    evaluations.add(await range(zero + start, zero + end, step))
  }
  return [...firings(evaluations, holds, keeps)].map(([text, spans]) => ({
    labels: Object.fromEntries(JSON.parse(text) as [string, string][]),
    spans,
    values: evaluations.valuesOf(text),
  }))
}
