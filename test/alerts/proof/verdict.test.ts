import { expect, test } from 'vitest'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Span } from '../../../src/practice/grading/firing.ts'
import type { Played } from './play.ts'
import { graveIncidents, judge } from './verdict.ts'
import { allAlerts } from './rules.ts'

/** A run with one claim only, whose spans are certain. */
const played = (
  alert: AlertName,
  key: string,
  held: readonly Span[],
  caused: readonly Span[] = [],
): Played => ({
  run: 'told',
  altered: {},
  foreign: false,
  seconds: 1000,
  surely: { [alert]: { [key]: held } },
  nearly: { [alert]: { [key]: held } },
  caused: { [alert]: { [key]: caused } },
  amounts: {},
  facts: { names: [], incidents: {}, incidentsSince: {}, incidentsUntil: {}, faults: [] },
})

const rule = (name: AlertName) => allAlerts().find(({ alert }) => alert === name)!
const fired = (labels: Readonly<Record<string, string>>, ...spans: readonly Span[]) => [
  { labels, spans, values: new Map() },
]

test('an alert on a host that is down for long fires after its pending time of 20 seconds, as expected', () => {
  const verdict = judge(
    rule('DcsimHostDown'),
    fired({ host: '7' }, [130, 205]),
    played('DcsimHostDown', '7', [[105, 200]]),
  )
  expect(verdict).toMatchObject({ expected: 1, detected: 1, delays: [25], missed: [], fired: 1, false: [] })
})

test('a missing alert is reported, regardless of alerts on other hosts', () => {
  const verdict = judge(
    rule('DcsimHostDown'),
    fired({ host: '8' }, [130, 205]),
    played('DcsimHostDown', '7', [[105, 200]]),
  )
  expect(verdict).toMatchObject({
    expected: 1,
    detected: 0,
    missed: ['7 105–200'],
    fired: 1,
    false: ['8 130–205'],
  })
})

test('no alert is expected for a condition that ends before its pending time', () => {
  const verdict = judge(rule('DcsimHostDown'), [], played('DcsimHostDown', '7', [[105, 134]]))
  expect(verdict).toMatchObject({ expected: 0, missed: [], fired: 0 })
})

test('an alert long after its condition is false', () => {
  const verdict = judge(
    rule('DcsimHostDown'),
    fired({ host: '7' }, [400, 420]),
    played('DcsimHostDown', '7', [[105, 200]]),
  )
  expect(verdict).toMatchObject({ detected: 0, false: ['7 400–420'] })
})

test('a critical alert that holds by the records, with no fault behind it, is without cause', () => {
  const incident = fired({ incident: '7' }, [110, 130], [500, 520])
  const told = played(
    'DcsimIncidentCritical',
    '7',
    [
      [105, 128],
      [495, 518],
    ],
    [[105, 128]],
  )
  expect(judge(rule('DcsimIncidentCritical'), incident, told)).toMatchObject({
    false: [],
    causeless: ['7 500–520'],
  })
})

// The third ends within two scrapes; the last ends with the run.
test('a grave incident counts from when it reached its band, and a graver alert counts for a lesser band', () => {
  const told = played('DcsimIncidentMajor', '9', [
    [100, 160],
    [300, 340],
    [400, 409],
    [995, 1001],
  ])
  const firedOf = (alert: AlertName) =>
    alert === 'DcsimIncidentCritical' ? fired({ incident: '9' }, [155, 200]) : []
  expect(graveIncidents(told, firedOf)).toStrictEqual([
    { run: 'told', incident: '9', band: 'Major', reached: 100, delay: 55, isBrief: false },
    { run: 'told', incident: '9', band: 'Major', reached: 300, delay: null, isBrief: false },
    { run: 'told', incident: '9', band: 'Major', reached: 400, delay: null, isBrief: true },
  ])
})
