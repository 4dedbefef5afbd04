/**
 * Totals, which the mirror reads from /metrics, and history, which it requests when clients do. Each wrong value is in
 * `upstream-totals.test.ts` and `foreign-values.test.ts`.
 */
import { afterRestart, body, on, refused, replace, status, survived, unaffected } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const metrics = '/metrics'
const series = '/api/v1/metrics/series'
const paths = '/api/v1/metrics/paths'
const event = 'dcsim_events_total'

const totals: readonly Misbehavior[] = [
  unaffected('sends no totals', on(metrics, body(''))),
  unaffected('has no /metrics', on(metrics, status(404))),
  unaffected('sends HTML for /metrics', on(metrics, body('<html>dcsim_events_total</html>'))),
  refused(
    'timed_out',
    'never answers /metrics',
    on(metrics, () => null),
  ),
  survived(
    'sends 100,000 labels',
    on(metrics, body(`${event}{${Array.from({ length: 100_000 }, (_, i) => `l${i}="x"`).join(',')}} 1\n`)),
  ),
  unaffected(
    'says that there were NaN events',
    on(metrics, body(`${event}{kind="a",severity="Info"} NaN\n`)),
  ),
  unaffected('injects a sample by a label', on(metrics, body(`${event}{kind="x\\"} 1\\nevil{a=\\"b"} 1\n`))),
  unaffected('names a label __proto__', on(metrics, body(`${event}{__proto__="x",constructor="y"} 1\n`))),
  unaffected(
    'sends buckets out of order',
    on(
      metrics,
      body(
        ['5', '1', '+Inf', 'NaN', '"']
          .map((le, i) => `dcsim_incidents_time_to_resolve_seconds_bucket{band="Minor",le="${le}"} ${9 - i}`)
          .join('\n'),
      ),
    ),
  ),
]

const histories: readonly Misbehavior[] = [
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

export const historyCases: readonly Misbehavior[] = [...totals.map(afterRestart), ...histories]
