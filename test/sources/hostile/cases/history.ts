/** Totals, which the mirror reads from /metrics, and history, which it requests when clients do. */
import { afterRestart, body, on, refused, replace, status, survived, unaffected } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const metrics = '/metrics'
const series = '/api/v1/metrics/series'
const paths = '/api/v1/metrics/paths'
const event = 'dcsim_events_total'

const totals: readonly Misbehavior[] = [
  afterRestart(unaffected('sends no totals', on(metrics, body('')))),
  afterRestart(unaffected('has no /metrics', on(metrics, status(404)))),
  afterRestart(unaffected('fails at /metrics', on(metrics, status(500)))),
  afterRestart(unaffected('sends HTML for /metrics', on(metrics, body('<html>dcsim_events_total</html>')))),
  afterRestart(
    refused(
      'timed_out',
      'never answers /metrics',
      on(metrics, () => null),
    ),
  ),
  afterRestart(
    unaffected('sends a label name of 300 kB', on(metrics, body(`${event}{${'a'.repeat(300_000)}`))),
  ),
  afterRestart(
    unaffected(
      'sends a label name of 300 kB in braces',
      on(metrics, body(`${event}{${'a'.repeat(300_000)}} 1\n`)),
    ),
  ),
  afterRestart(
    unaffected(
      'sends a label value of 300 kB of escapes',
      on(metrics, body(`${event}{kind="${'\\'.repeat(300_001)}"} 1\n`)),
    ),
  ),
  afterRestart(
    survived(
      'sends 100,000 labels',
      on(metrics, body(`${event}{${Array.from({ length: 100_000 }, (_, i) => `l${i}="x"`).join(',')}} 1\n`)),
    ),
  ),
  afterRestart(
    unaffected(
      'sends 100,000 samples',
      on(metrics, body(Array.from({ length: 100_000 }, (_, i) => `${event}{kind="k${i}"} ${i}`).join('\n'))),
    ),
  ),
  afterRestart(
    unaffected('sends a line of 8 MB of blanks', on(metrics, body(`${event}${' '.repeat(8_000_000)}`))),
  ),
  ...['NaN', '-5', '+Inf', '1e300', '0x7', '', '1e999', '9223372036854775808', '1 2 3', '１'].map((value) =>
    afterRestart(
      unaffected(
        `says that there were ${value === '' ? 'no' : value} events`,
        on(metrics, body(`${event}{kind="a",severity="Info"} ${value}\n`)),
      ),
    ),
  ),
  afterRestart(
    unaffected(
      'injects a sample by a label',
      on(metrics, body(`${event}{kind="x\\"} 1\\nevil{a=\\"b"} 1\n`)),
    ),
  ),
  afterRestart(
    unaffected('names a label __proto__', on(metrics, body(`${event}{__proto__="x",constructor="y"} 1\n`))),
  ),
  afterRestart(
    refused(
      'bad_record',
      'sends buckets out of order',
      on(
        metrics,
        body(
          ['5', '1', '+Inf', 'NaN', '"']
            .map(
              (le, i) => `dcsim_incidents_time_to_resolve_seconds_bucket{band="Minor",le="${le}"} ${9 - i}`,
            )
            .join('\n'),
        ),
      ),
    ),
  ),
]

const badNumbers = ['null', '-3', '1e300', '1.5', '"7"', '9223372036854775808', 'NaN']

const histories: readonly Misbehavior[] = [
  ...badNumbers.map((value) =>
    unaffected(`says last_ns ${value}`, on(series, replace(/"last_ns":\d+/, `"last_ns":${value}`))),
  ),
  ...badNumbers.map((value) =>
    unaffected(`says step_ns ${value}`, on(series, replace(/"step_ns":\d+/, `"step_ns":${value}`))),
  ),
  ...badNumbers.map((value) =>
    unaffected(
      `says total_paths ${value}`,
      on(paths, replace(/"total_paths":\d+/, `"total_paths":${value}`)),
    ),
  ),
  ...['[null]', '["x"]', '[1e999]', '[NaN]', '[[1]]', '{}', 'null', '[1,]', '[-0,1e-300,1e300]'].map(
    (value) =>
      unaffected(
        `sends the values ${value}`,
        on(series, replace(/"values":\[[^\]]*\]/, `"values":${value}`)),
      ),
  ),
  unaffected('sends an unknown unit', on(series, replace(/"unit":"\w*"/, '"unit":"furlongs"'))),
  unaffected('sends a series that is no JSON', on(series, body('no'))),
  unaffected('sends an empty series', on(series, body('{}'))),
  unaffected('fails at series', on(series, status(500))),
  unaffected('sends paths that are text', on(paths, replace(/"paths":\[[^]*?\]/, '"paths":"all"'))),
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
    'sends a series of 10 MB',
    on(series, replace(/"values":\[/, `"values":[${'1.5,'.repeat(2_500_000)}`)),
  ),
  unaffected(
    'sends a series of 70 MB',
    on(series, replace(/"values":\[/, `"values":[${'1.5,'.repeat(17_500_000)}`)),
  ),
]

export const historyCases: readonly Misbehavior[] = [...totals, ...histories]
