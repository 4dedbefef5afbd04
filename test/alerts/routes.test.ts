import { describe, expect, test } from 'vitest'
import { alertCases } from '../../alerts/cases/alert-cases.ts'
import type { AlertCase } from '../../alerts/cases/alert-case.ts'
import { alertRoutes } from '../../alerts/notifications/routes.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { matches } from './proof/inbox/group-interval.ts'

type Labels = Readonly<Record<string, string>>

const top = alertRoutes(defaultSettings)
/** Alertmanager's own selection: the first matching route, or the top one. */
const routeOf = (labels: Labels) => top.routes!.find(({ matchers = [] }) => matches(labels, matchers)) ?? top

const cases = Object.entries<AlertCase>(alertCases)
const namesOf = (fits: (labels: Labels) => boolean): string[] =>
  cases.filter(([alertname, { labels }]) => fits({ ...labels, alertname })).map(([alertname]) => alertname)
const namesTo = (receiver: string): string[] => namesOf((labels) => routeOf(labels).receiver === receiver)

describe('every alert goes to the receiver of its severity', () => {
  test.each([
    ['critical', 'DcsimIncidentCritical'],
    ['warning', 'DcsimHostDown'],
  ])('%s, such as %s', (severity, example) => {
    expect(namesTo(severity)).toStrictEqual(namesOf((labels) => labels['severity'] === severity))
    expect(namesTo(severity)).toContain(example)
  })

  test('info and none are sent nowhere', () => {
    expect(namesTo('none')).toStrictEqual(
      namesOf(({ severity }) => severity === 'info' || severity === 'none'),
    )
    expect(namesTo('watchdog')).toStrictEqual([])
  })

  test('the watchdog alone goes to its own', () => {
    const labels = { alertname: 'DcsimWatchdog', severity: 'info' }
    expect(routeOf(labels)).toMatchObject({ receiver: 'watchdog', group_wait: '0s', group_interval: '30s' })
  })
})

/** The rows of the table in docs/alerts.md. */
describe('grouping and timing of messages', () => {
  const warning = 'warning'
  test.each([
    [
      { severity: 'critical', incident: '7', az: '2' },
      ['alertname', 'incident', 'az', 'customer'],
      '5s',
      '9s',
    ],
    [{ severity: warning, alertname: 'DcsimIncidentMajor', incident: '7' }, ['incident'], '10s', '9s'],
    [
      { severity: warning, alertname: 'DcsimIncidentOfUnknownBand', incident: '7' },
      ['incident'],
      '10s',
      '9s',
    ],
    [
      { severity: warning, alertname: 'DcsimIncidentWorsens', incident: '7', az: '2' },
      ['incident'],
      '15s',
      '11m',
    ],
    [{ severity: warning, alertname: 'DcsimSlaBudgetBurnsFast', tier: 'Gold' }, ['alertname'], '15s', '11m'],
    [{ severity: warning, alertname: 'DcsimSlaBudgetBurnsSlowly', tier: 'Gold' }, ['alertname'], '1m', '11m'],
    [{ severity: warning, alertname: 'DcsimHostDown', az: '2' }, ['alertname', 'az'], '15s', '11m'],
    [{ severity: warning, alertname: 'DcsimMirrorSlow' }, ['alertname'], '15s', '4m'],
  ])('%j', (labels, by, group_wait, group_interval) => {
    expect(routeOf(labels)).toMatchObject({
      group_by: ['job', 'instance', 'session', ...by],
      group_wait,
      group_interval,
      repeat_interval: labels.severity === 'critical' ? '1h' : '4h',
    })
  })
})
