import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { parse } from 'yaml'
import { hasTool } from '../fixtures/tools.ts'
import { expectRules, movingWorld, ofTarget } from './promtool.ts'

interface History {
  readonly what: string
  readonly subject: string
  readonly isMoving: boolean
  readonly series: Readonly<Record<string, string>>
  /** By expression and time; a number is that of a sample without labels. */
  readonly expects: Readonly<
    Record<string, Readonly<Record<string, number | Readonly<Record<string, number>>>>>
  >
}

const histories = parse(readFileSync(new URL('histories.yml', import.meta.url), 'utf8')) as readonly History[]

describe.skipIf(!hasTool('promtool'))('over a while (skipped where there is no promtool)', () => {
  test.each(histories)('$what', ({ subject, isMoving, series, expects }) => {
    const promql_expr_test = Object.entries(expects).flatMap(([expr, times]) =>
      Object.entries(times).map(([eval_time, samples]) => {
        const all = Object.entries(typeof samples === 'number' ? { '{}': samples } : samples)
        return { expr, eval_time, exp_samples: all.map(([labels, value]) => ({ labels, value })) }
      }),
    )
    const input_series = ofTarget({ ...(isMoving ? movingWorld : {}), ...series })
    expectRules(subject, { input_series, promql_expr_test })
  })
})
