import { expect, test } from 'vitest'
import { hostileTraffic, shareGettingThrough } from '../../dashboards/panels/security/threat-amounts.ts'
import { testRules } from '../alerts/promtool.ts'
import { hasTool } from '../fixtures/tools.ts'
import { filled } from './filled.ts'

const target = { job: 'dcsim', instance: 'mirror', session: 'main' }
const classOf = { class: 'Intrusion' }

const series = (name: string, labels: Readonly<Record<string, string>>): string =>
  `${name}{${Object.entries({ ...target, ...labels })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`

/** Arriving and stopped traffic at a device. */
const at = (
  line: 'gateway' | 'appliance',
  id: string,
  reaching: number,
  mitigated: number,
): [string, number][] => [
  [series(`dcsim_${line}_threat_reaching_attempts_per_second`, { [line]: id, ...classOf }), reaching],
  [series(`dcsim_${line}_threat_mitigated_attempts_per_second`, { [line]: id, ...classOf }), mitigated],
  [
    series(`dcsim_${line}_threat_residual_attempts_per_second`, { [line]: id, ...classOf }),
    reaching - mitigated,
  ],
]

const appliance = (id: string, kind: string): [string, number] => [
  series('dcsim_appliance_info', { appliance: id, kind }),
  1,
]

/** Expects results of the page's queries for input series. */
function find(input: readonly (readonly [string, number])[], expected: Readonly<Record<string, number>>) {
  const { arriving, meetingAppliances, stopped, gettingThrough } = hostileTraffic()
  const queries = { arriving, meetingAppliances, stopped, gettingThrough, share: shareGettingThrough }
  return testRules('security', {
    input_series: input.map(([name, value]) => ({ series: name, values: `${value}x4` })),
    promql_expr_test: Object.entries(queries).map(([name, { text }]) => ({
      expr: filled(text, { ...target, job: '.+', instance: '.+' }),
      eval_time: '30s',
      exp_samples: [{ labels: series('', { ...classOf }), value: expected[name] }],
    })),
  }).output
}

const passed = /SUCCESS/

test.skipIf(!hasTool('promtool'))(
  'what passes one kind of appliance after the other counts once (skipped where there is no promtool)',
  () => {
    const inSeries = [
      ...at('gateway', '1', 60, 10),
      ...at('gateway', '2', 40, 10),
      ...at('appliance', '1', 50, 5),
      ...at('appliance', '2', 30, 5),
      ...at('appliance', '3', 70, 30),
      ...at('appliance', '4', 0, 0),
      appliance('1', 'Firewall'),
      appliance('2', 'Firewall'),
      appliance('3', 'Ips'),
      appliance('4', 'DdosScrubber'),
    ]
    const expected = { arriving: 100, meetingAppliances: 80, stopped: 60, gettingThrough: 40, share: 0.4 }
    expect(find(inSeries, expected)).toMatch(passed)
    expect(find(inSeries, { ...expected, gettingThrough: 110 })).not.toMatch(passed)
  },
)

test.skipIf(!hasTool('promtool'))(
  'what meets no appliance gets through as gateways let it (skipped where there is no promtool)',
  () => {
    const inFront = at('gateway', '1', 60, 10)
    const none = [...inFront, ...at('appliance', '1', 0, 0), appliance('1', 'Ips')]
    const expected = { arriving: 60, meetingAppliances: 0, stopped: 10, gettingThrough: 50, share: 5 / 6 }
    expect(find(none, expected)).toMatch(passed)
  },
)
