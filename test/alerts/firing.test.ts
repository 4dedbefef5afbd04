import { describe, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { alertCases, alertNames } from '../../alerts/cases/alert-cases.ts'
import { designSettings } from './design-settings.ts'
import { hasTool } from '../fixtures/tools.ts'
import type { AlertCase } from '../../alerts/cases/alert-case.ts'
import { movingWorld, expectRules, ofTarget } from './promtool.ts'

const groups = ruleGroups(designSettings)
const groupOf = (name: string) => groups.find(({ alerts }) => alerts.some(({ alert }) => alert === name))!
const alertOf = (name: string) => groupOf(name).alerts.find(({ alert }) => alert === name)!

/** Only one alert is evaluated: the others would take most of the time. */
const alone = (name: string) => ({ ...designSettings, off: alertNames.filter((other) => other !== name) })

const labelsOf = (labels: AlertCase['labels']): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ job: 'dcsim', instance: 'a', session: 's', ...labels }).filter(
      ([, value]) => value !== '',
    ),
  )

describe.skipIf(!hasTool('promtool'))('promtool test rules (skipped where there is no promtool)', () => {
  test.each(Object.entries<AlertCase>(alertCases))('%s is silent, fires, is resolved', (name, given) => {
    const alert = alertOf(name)
    const firing = {
      exp_labels: labelsOf({ category: groupOf(name).subject, ...given.labels }),
      exp_annotations: {
        summary: given.summary,
        description: given.description,
        ...given.times,
        runbook_url: alert.annotations.runbook_url,
        dashboard_url: `http://127.0.0.1:3000${given.opens}`,
      },
    }
    const at = (eval_time: string, exp_alerts: readonly (typeof firing)[]) => ({
      eval_time,
      alertname: name,
      exp_alerts,
    })
    const rules = {
      input_series: ofTarget({ ...movingWorld, ...given.series }),
      alert_rule_test: [at(given.silentAt, []), at(given.firesAt, [firing]), at(given.resolvedAt, [])],
    }
    expectRules(groupOf(name).subject, rules, alone(name))
  })

  test('DcsimWatchdog always fires', () => {
    const watchdog = alertOf('DcsimWatchdog')
    const firing = {
      exp_labels: { severity: 'info', category: 'mirror' },
      exp_annotations: {
        ...watchdog.annotations,
        description:
          'Always fires, so that a dead man’s switch notices when alerts stop coming. Targets that answer: 1.',
      },
    }
    const at = (eval_time: string) => ({ eval_time, alertname: 'DcsimWatchdog', exp_alerts: [firing] })
    expectRules('mirror', {
      input_series: ofTarget({ up: '1x60' }),
      alert_rule_test: [at('0s'), at('5m'), at('15m')],
    })
  })
})
