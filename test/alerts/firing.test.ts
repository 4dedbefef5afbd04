import { describe, expect, test } from 'vitest'
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

const count = (alerts: string, eval_time: string, value: number) => ({
  expr: `count(ALERTS{${alerts},alertstate="firing"}) or vector(0)`,
  eval_time,
  exp_samples: [{ labels: '{}', value }],
})
const firing = (eval_time: string, alert: string, value: number) =>
  count(`alertname="DcsimIncident${alert}"`, eval_time, value)

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

  test('an incident that is less grave for minutes is one alert, until it ends', () => {
    expectRules('incidents', {
      input_series: ofTarget({
        ...movingWorld,
        // Major from the first minute to the second, Minor until the sixth.
        'dcsim_incident_info{incident="7",band="Major"}': '_x4 1x4 stale',
        'dcsim_incident_info{incident="7",band="Minor"}': '_x9 1x15 stale',
        // In a lower band for a long time.
        'dcsim_incident_info{incident="8",band="Major"}': '1x4 stale',
        'dcsim_incident_info{incident="8",band="Watch"}': '_x5 1x200',
      }),
      promql_expr_test: [
        firing('45s', 'Major', 1),
        ...['1m', '6m'].map((time) => firing(time, 'Major', 2)),
        firing('6m45s', 'Major', 1),
        firing('11m30s', 'Major', 0),
      ],
    })
  })

  test('an incident has one alert, whichever grave band it reaches, and a scrape that fails does not end it', () => {
    expectRules('incidents', {
      input_series: ofTarget({
        ...movingWorld,
        // Major until the second minute, then Critical until the fifth. The scrape at three minutes fails.
        'dcsim_incident_info{incident="7",band="Major"}': '1x7 stale',
        'dcsim_incident_info{incident="7",band="Critical"}': '_x8 1x3 stale 1x7 stale',
        // Critical at ten minutes, then Major.
        'dcsim_incident_info{incident="8",band="Critical"}': '_x40 1x3 stale',
        'dcsim_incident_info{incident="8",band="Major"}': '_x44 1x200',
      }),
      promql_expr_test: [
        ...['11m', '40m'].flatMap((time) => [firing(time, 'Critical', 1), firing(time, 'Major', 0)]),
        firing('42m', 'Major', 1),
        firing('1m45s', 'Major', 1),
        ...['2m15s', '3m', '3m15s'].map((time) => firing(time, 'Critical', 1)),
        ...['2m30s', '3m', '4m'].map((time) => firing(time, 'Major', 0)),
        firing('5m30s', 'Critical', 0),
      ],
    })
  })

  test('of the customers and hosts that an incident concerns, those with an alert inhibit it', () => {
    const scope = (rest: string): string => `dcsim_incident_scope_info{incident="7",band="Major",${rest}}`
    const alert = (name: string, state: string, rest: string): string =>
      `ALERTS{alertname="${name}",alertstate="${state}",${rest}}`
    const inhibiting = (eval_time: string, ...concerned: readonly string[]) => ({
      expr: 'count by (az, subject, customer, tier, host) (ALERTS{alertname="DcsimIncidentScope"})',
      eval_time,
      exp_samples: concerned.map((labels) => ({ labels: `{${labels}}`, value: 1 })),
    })
    expectRules('incidents', {
      input_series: ofTarget({
        ...movingWorld,
        [scope('az="1"')]: '1x200',
        [scope('subject="tfd-a-core1"')]: '1x200',
        [scope('tier="Gold"')]: '1x200',
        [scope('customer="4"')]: '1x200',
        [scope('customer="5"')]: '1x200',
        [scope('customer="6"')]: '1x200',
        [scope('host="9"')]: '1x200',
        [scope('host="10"')]: '1x200',
        [alert('DcsimCustomerBreached', 'pending', 'customer="4"')]: '_x8 1x4 stale',
        [alert('DcsimServiceDown', 'firing', 'customer="6"')]: '_x8 1x200',
        [alert('DcsimHostDown', 'firing', 'host="9"')]: '_x8 1x200',
        // The incident does not explain this one.
        [alert('DcsimCustomerLeaves', 'firing', 'customer="5"')]: '1x200',
      }),
      promql_expr_test: [
        inhibiting('1m', 'az="1"', 'subject="tfd-a-core1"', 'tier="Gold"'),
        ...['2m', '18m', '24m'].map((time) =>
          inhibiting(
            time,
            'az="1"',
            'subject="tfd-a-core1"',
            'customer="4"',
            'customer="6"',
            'tier="Gold"',
            'host="9"',
          ),
        ),
        inhibiting('26m', 'az="1"', 'subject="tfd-a-core1"', 'customer="6"', 'tier="Gold"', 'host="9"'),
      ],
    })
  })
})
