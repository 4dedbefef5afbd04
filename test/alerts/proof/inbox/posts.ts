import type { Alert } from '../../../../alerts/rule.ts'
import type { Fired } from '../../../../src/practice/grading/evaluate.ts'
import { scrapeSeconds } from '../play.ts'

/** A post of Prometheus to Alertmanager about one alert after one evaluation. */
export interface Post {
  /** Wall seconds since the runs began. */
  readonly at: number
  readonly rule: Alert
  readonly labels: Readonly<Record<string, string>>
  readonly from: number
  /** The end of the alert; null while it fires. */
  readonly ended: number | null
  /** The evaluation from which its texts are. */
  readonly textsOf: number
  readonly value: number
}

/** Prometheus repeats firing alerts each minute, and resolved ones for a quarter of an hour. */
const resend = 60
const resolvedFor = 900

/** The last evaluation with a value up to a second: an alert that keeps firing keeps its texts. */
function evaluatedAt(values: ReadonlyMap<number, number>, at: number): number {
  for (let back = at; back >= 0; back -= scrapeSeconds) if (values.has(back)) return back
  return at
}

/** All posts about one alert in chronological order. */
export function postsOf(rule: Alert, fired: readonly Fired[], until: number): Post[] {
  const posts: Post[] = []
  for (const { labels, spans, values } of fired) {
    for (const [index, [from, to]] of spans.entries()) {
      if (from > until) continue
      const post = (at: number, ended: number | null): void => {
        const textsOf = evaluatedAt(values, ended === null ? at : to - scrapeSeconds)
        posts.push({ at, rule, labels, from, ended, textsOf, value: values.get(textsOf) ?? 0 })
      }
      for (let at = from; at < Math.min(to, until); at += resend) post(at, null)
      const next = spans[index + 1]?.[0] ?? Number.POSITIVE_INFINITY
      for (let at = to; at <= Math.min(to + resolvedFor, until) && at < next; at += resend) post(at, to)
    }
  }
  return posts
}
