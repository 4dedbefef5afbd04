import type { Alert } from '../../../../alerts/rule.ts'
import type { Fired } from '../../../../src/grading/evaluate.ts'
import { scrapeSeconds } from '../play.ts'

/** What Prometheus sends to Alertmanager at one evaluation about one alert. */
export interface Post {
  /** Wall seconds since the runs began. */
  readonly at: number
  readonly rule: Alert
  readonly labels: Readonly<Record<string, string>>
  readonly from: number
  /** When it was over; null while it fires. */
  readonly ended: number | null
  /** The evaluation that its texts are of. */
  readonly textsOf: number
  readonly value: number
}

/** Prometheus repeats what fires each minute, and what is over for a quarter of an hour. */
const resend = 60
const resolvedFor = 900

/** The last evaluation up to a second that gave a value: what is kept firing keeps its texts. */
function evaluatedAt(values: ReadonlyMap<number, number>, at: number): number {
  for (let back = at; back >= 0; back -= scrapeSeconds) if (values.has(back)) return back
  return at
}

/** All that is sent about one alert, in the order of time. */
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
