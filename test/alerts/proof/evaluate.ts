import type { Alert } from '../../../alerts/rule.ts'
import { evaluateAlert } from '../../../src/practice/grading/evaluate.ts'
import type { Fired } from '../../../src/practice/grading/evaluate.ts'
import { beginning, blockSeconds, scrapeSeconds } from './play.ts'
import type { PastPrometheus } from './prometheus.ts'

const inSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Converts a duration in a rule to seconds. */
export const secondsOf = (text: string | null): number =>
  text === null ? 0 : Number(text.slice(0, -1)) * inSeconds[text.slice(-1)]

/** Evaluates an alert over all stored samples, as Prometheus would have. */
export const evaluate = (prometheus: PastPrometheus, alert: Alert, seconds: number): Promise<Fired[]> =>
  evaluateAlert(
    (start, end) => prometheus.range(alert.expr, start, end),
    { forSeconds: secondsOf(alert.for), keepFiringSeconds: secondsOf(alert.keepFiringFor) },
    { zero: beginning, from: scrapeSeconds, until: seconds, step: scrapeSeconds, querySeconds: blockSeconds },
  )
