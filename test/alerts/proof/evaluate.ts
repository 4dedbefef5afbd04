import type { Alert } from '../../../alerts/rule.ts'
import type { Span } from './chronicle.ts'
import { type Evaluation, firings } from './firing.ts'
import { beginning, blockSeconds, scrapeSeconds } from './play.ts'
import type { PastPrometheus, Series } from './prometheus.ts'

/** Alerts that fired for one set of labels, and when, in wall seconds since the beginning. */
export interface Fired {
  readonly labels: Readonly<Record<string, string>>
  readonly spans: readonly Span[]
  /** What the expression gave, by second. */
  readonly values: ReadonlyMap<number, number>
}

const inSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** A duration as the rules write it, in seconds. */
export const secondsOf = (text: string | null): number =>
  text === null ? 0 : Number(text.slice(0, -1)) * inSeconds[text.slice(-1)]

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

  add(series: readonly Series[]): void {
    for (const { metric, values } of series) {
      const text = textOf(metric)
      let known = this.#values.get(text)
      if (known === undefined) this.#values.set(text, (known = new Map()))
      for (const [at, value] of values) {
        this.#at.get(at - beginning)?.push(text)
        known.set(at - beginning, Number(value))
      }
    }
  }

  valuesOf(text: string): ReadonlyMap<number, number> {
    return this.#values.get(text) ?? new Map()
  }

  until(seconds: number): void {
    for (let at = scrapeSeconds; at <= seconds; at += scrapeSeconds) this.#at.set(at, [])
  }

  *[Symbol.iterator](): Generator<Evaluation> {
    for (const [at, series] of this.#at) yield { at, series }
  }
}

/** Evaluates an alert over all that is stored, as Prometheus would have. */
export async function evaluate(prometheus: PastPrometheus, alert: Alert, seconds: number): Promise<Fired[]> {
  const evaluations = new Evaluations()
  evaluations.until(seconds)
  for (let from = scrapeSeconds; from <= seconds; from += blockSeconds) {
    const until = Math.min(from + blockSeconds - scrapeSeconds, seconds)
    evaluations.add(await prometheus.range(alert.expr, beginning + from, beginning + until))
  }
  return [...firings(evaluations, secondsOf(alert.for), secondsOf(alert.keepFiringFor))].map(
    ([text, spans]) => ({
      labels: Object.fromEntries(JSON.parse(text) as [string, string][]),
      spans,
      values: evaluations.valuesOf(text),
    }),
  )
}
