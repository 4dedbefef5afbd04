import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { parse } from 'yaml'
import type { AlertName } from '../../alerts/cases/alert-cases.ts'
import { hasTool } from '../fixtures/tools.ts'
import { counts, movingWorld, expectRules, ofTarget } from './promtool.ts'

interface Way {
  readonly alert: AlertName
  readonly because: string
  readonly subject: string
  readonly series: Readonly<Record<string, string>>
  /** The number of firing alerts by time. */
  readonly fires: Readonly<Record<string, number>>
}

const file = new URL('other-ways.yml', import.meta.url)
const ways = parse(readFileSync(file, 'utf8')) as readonly Way[]

describe.skipIf(!hasTool('promtool'))(
  'other ways to fire, or not to (skipped where there is no promtool)',
  () => {
    test.each(ways)('$alert: $because', ({ alert, subject, series, fires }) => {
      expectRules(subject, {
        input_series: ofTarget({ ...movingWorld, ...series }),
        promql_expr_test: counts(alert, fires),
      })
    })
  },
)
