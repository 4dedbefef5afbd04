/** History, which a mirror requests when clients do. Each wrong value is in `foreign-values.test.ts`. */
import { body, on, replace, status, unaffected } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const series = '/api/v1/metrics/series'
const paths = '/api/v1/metrics/paths'

export const historyCases: readonly Misbehavior[] = [
  unaffected('says last_ns 1.5', on(series, replace(/"last_ns":\d+/, '"last_ns":1.5'))),
  unaffected('says total_paths "7"', on(paths, replace(/"total_paths":\d+/, '"total_paths":"7"'))),
  unaffected('sends values that are none', on(series, replace(/"values":\[[^\]]*\]/, '"values":[1,NaN]'))),
  unaffected('sends an unknown unit', on(series, replace(/"unit":"\w*"/, '"unit":"furlongs"'))),
  unaffected('sends a series that is no JSON', on(series, body('no'))),
  unaffected('fails at series', on(series, status(500))),
  unaffected('sends paths that are numbers', on(paths, replace(/"paths":\[[^]*?\]/, '"paths":[1,2]'))),
  unaffected(
    'sends paths with control characters',
    on(paths, replace(/"paths":\[/, String.raw`"paths":["\u0000\u001b[2J",`)),
  ),
  unaffected(
    'sends 100,000 paths',
    on(paths, replace(/"paths":\[/, `"paths":[${'"a/b/c",'.repeat(100_000)}`)),
  ),
  unaffected(
    'sends a series of 70 MB',
    on(series, replace(/"values":\[/, `"values":[${'1.5,'.repeat(17_500_000)}`)),
  ),
]
