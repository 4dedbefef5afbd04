import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { AlertName } from '../../alerts/cases/alert-cases.ts'
import { hasTool } from '../fixtures/tools.ts'
import { movingWorld, ofTarget, testRules } from './promtool.ts'

/** The texts of an alert's firing instances, expanded by Prometheus. */
function textsOf(
  alertname: AlertName,
  subject: string,
  at: string,
  series: Readonly<Record<string, string>>,
): { readonly summary: string; readonly description: string }[] {
  const { output } = testRules(subject, {
    input_series: ofTarget({ ...movingWorld, ...series }),
    alert_rule_test: [{ eval_time: at, alertname, exp_alerts: [] }],
  })
  return output
    .split(/Annotations:\{/)
    .slice(1)
    .map((text) => {
      const annotation = (name: string): string =>
        JSON.parse(`"${new RegExp(`\\b${name}="((?:\\\\.|[^"\\\\])*)"`).exec(text)![1]}"`) as string
      return { summary: annotation('summary'), description: annotation('description') }
    })
}

const zone = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
interface ExpectedTexts {
  readonly what: string
  readonly alert: AlertName
  readonly subject: string
  readonly at: string
  readonly series: Readonly<Record<string, string>>
  readonly summary?: string
  readonly description?: string
}

const file = new URL('texts.yml', import.meta.url)
const cases = parse(readFileSync(file, 'utf8')) as readonly ExpectedTexts[]

describe.skipIf(!hasTool('promtool'))('texts (skipped where there is no promtool)', () => {
  test.each(cases)('$what', ({ alert, subject, at, series, summary, description = '' }) => {
    const [text] = textsOf(alert, subject, at, series)
    expect(text.summary).toBe(summary ?? text.summary)
    expect(text.description).toContain(description)
  })

  const [lost, live] = ['0x60', '1x60']
  test.each([
    [
      'DcsimPowerFeedDown',
      live,
      'Devices that only feed A supplies have no power; all others in Westholm B have no',
    ],
    ['DcsimPowerFeedDown', lost, 'The other feed of Westholm B is down too: nothing there has power. Check'],
    ['DcsimZonePowerNotRedundant', live, 'A feed of Westholm B is lost, or one feed alone could not'],
    ['DcsimZonePowerNotRedundant', lost, 'Both feeds of Westholm B are lost. Restore one'],
    [
      'DcsimPowerFeedNearlyFull',
      lost,
      'The other feed of Westholm B is lost: feed A carries both loads, and trips',
    ],
    ['DcsimCoolingUnitDown', live, 'No cooling unit of Westholm B runs. Check'],
    ['DcsimZoneOverheats', live, 'Without cooling, Westholm B warms up'],
    ['DcsimZoneOverheats', lost, null],
  ] as const)('%s beside another feed with %s says what is left', (alert, other, begin) => {
    const [text] = textsOf(alert, 'power-and-cooling', '3m', {
      ...zone,
      [`dcsim_az_power_feed_up{az="2",feed="A"}`]: '0x60',
      [`dcsim_az_power_feed_up{az="2",feed="B"}`]: other,
      'dcsim_az_power_redundant{az="2"}': '0x60',
      'dcsim_az_power_feed_load_watts{az="2",feed="A"}': '17000x60',
      'dcsim_az_power_feed_capacity_watts{az="2",feed="A"}': '20000x60',
      'dcsim_az_cooling_unit_up{az="2",unit="3",name="whm-b-crac1"}': '0x60',
      'dcsim_az_inlet_celsius{az="2"}': '21.5x60',
      'dcsim_az_cooling_status{az="2",state="Failed"}': '1x60',
    })
    expect(text?.description.slice(0, begin?.length) ?? null).toBe(begin)
  })
})
