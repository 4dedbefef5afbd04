import { expect, test } from 'vitest'
import type { WebhookAlert } from '../../inbox/message.ts'
import type { Played } from '../play.ts'
import { falseOfFiring } from './message-claims.ts'

const noisy = 'Switch whm-b-core1 in Westholm B loses 900 frames per simulated second'

const alert = (alertname: string, summary: string): WebhookAlert => ({
  status: 'firing',
  labels: { alertname, severity: 'warning', instance: 'a', switch: '3', rack: '3', name: 'whm-b-core1' },
  annotations: { summary, description: '' },
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '',
  fingerprint: 'f',
})

/** A run in which the switch or rack of id 3 has this amount throughout. */
const played = (alertname: string, amount: number): Played => ({
  run: 'a',
  altered: {},
  foreign: false,
  seconds: 2000,
  surely: {},
  nearly: { [alertname]: { 3: [[0, 2000]] } },
  amounts: { [alertname]: { 3: Array.from({ length: 400 }, (_, scrape) => [5 * scrape, amount] as const) } },
  caused: {},
  facts: { names: ['whm-b-core1'], incidents: {}, incidentsSince: {}, incidentsUntil: {}, faults: [] },
})

const falseAt = (at: number, alertname: string, summary: string, amount = 500): string[] =>
  falseOfFiring(alert(alertname, summary), at, played(alertname, amount))

test('a rate is judged from two minutes on, when its window is full', () => {
  expect(falseAt(115, 'DcsimSwitchLosesFrames', noisy)).toStrictEqual([])
  expect(falseAt(120, 'DcsimSwitchLosesFrames', noisy)).toStrictEqual(['900 frames is 500'])
  expect(falseAt(600, 'DcsimSwitchLosesFrames', noisy)).toStrictEqual(['900 frames is 500'])
})

test('claims without a window are judged from the beginning', () => {
  const summary = 'Rack B-04 draws 99% of its power'
  expect(falseAt(5, 'DcsimRackPowerNearlyFull', summary, 0.92)).toStrictEqual(['99% is 0.92'])
  expect(falseAt(5, 'DcsimRackPowerNearlyFull', summary.replace('99', '92'), 0.92)).toStrictEqual([])
})

test('a name that does not exist is found however early', () => {
  expect(falseAt(60, 'DcsimSwitchLosesFrames', noisy.replace('core1', 'core9'))).toStrictEqual([
    'there is no whm-b-core9',
  ])
})
