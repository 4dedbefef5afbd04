import { describe, expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalogue.ts'
import { alertNames } from '../../alerts/severities.ts'
import type { AlertName } from '../../alerts/severities.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { hasTool } from '../metrics/real-prometheus.ts'
import type { AlertCase } from './case.ts'
import { capacityCases } from './cases/capacity.ts'
import { incidentCases } from './cases/incidents.ts'
import { mirrorCases } from './cases/mirror.ts'
import { moneyCases, workCases } from './cases/business.ts'
import { networkCases } from './cases/network.ts'
import { hardwareCases, powerCases } from './cases/plant.ts'
import { securityCases } from './cases/security.ts'
import { slaCases } from './cases/sla.ts'
import { movingWorld, ofTarget, passes, testRules } from './promtool.ts'

/** Every alert but the one that is never silent. */
const cases: Readonly<Record<Exclude<AlertName, 'Watchdog'>, AlertCase>> = {
  ...incidentCases,
  ...slaCases,
  ...capacityCases,
  ...networkCases,
  ...securityCases,
  ...hardwareCases,
  ...powerCases,
  ...moneyCases,
  ...workCases,
  ...mirrorCases,
}

const groups = ruleGroups(defaultSettings)
const groupOf = (name: string) => groups.find(({ alerts }) => alerts.some(({ alert }) => alert === name))!
const alertOf = (name: string) => groupOf(name).alerts.find(({ alert }) => alert === name)!

const labelsOf = (labels: AlertCase['labels']): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ job: 'dcsim', instance: 'a', ...labels }).filter(([, value]) => value !== ''),
  )

describe.skipIf(!hasTool('promtool'))('promtool test rules (skipped where there is no promtool)', () => {
  test.each(Object.entries(cases))('%s is silent, fires, is resolved', (name, given) => {
    const alert = alertOf(name)
    const firing = {
      exp_labels: labelsOf(given.labels),
      exp_annotations: {
        summary: alert.annotations.summary,
        description: given.description,
        runbook_url: alert.annotations.runbook_url,
        dashboard_url: `http://127.0.0.1:3000${given.opens}`,
      },
    }
    const at = (eval_time: string, exp_alerts: readonly (typeof firing)[]) => ({
      eval_time,
      alertname: name,
      exp_alerts,
    })
    const { told } = testRules(groupOf(name).subject, {
      interval: '15s',
      input_series: ofTarget({ ...movingWorld, ...given.series }),
      alert_rule_test: [at(given.silentAt, []), at(given.firesAt, [firing]), at(given.resolvedAt, [])],
    })
    expect(told).toMatch(passes)
  })

  test('Watchdog always fires', () => {
    const watchdog = alertOf('Watchdog')
    const firing = {
      exp_labels: { severity: 'info' },
      exp_annotations: {
        ...watchdog.annotations,
        description: 'Always fires, so that silence can be told from trouble. Targets that answer: 1.',
      },
    }
    const at = (eval_time: string) => ({ eval_time, alertname: 'Watchdog', exp_alerts: [firing] })
    const { told } = testRules('mirror', {
      interval: '15s',
      input_series: ofTarget({ up: '1x60' }),
      alert_rule_test: [at('0s'), at('5m'), at('15m')],
    })
    expect(told).toMatch(passes)
  })
})

test('every alert has a case', () => {
  expect(new Set([...Object.keys(cases), 'Watchdog'])).toStrictEqual(new Set(alertNames))
})
