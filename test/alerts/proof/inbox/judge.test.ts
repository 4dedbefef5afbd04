import { expect, test } from 'vitest'
import type { WebhookAlert } from '../../inbox/message.ts'
import type { Played } from '../play.ts'
import type { Delivery, Received } from './deliver.ts'
import type { IncidentState } from './facts.ts'
import { InboxJudge } from './judge.ts'

/** A run with a fault behind incident 22, which is critical from second 100 on. */
const played = (states: readonly IncidentState[] = [[100, 'Critical', 19, 61.2]]): Played => ({
  run: 'a',
  altered: {},
  foreign: false,
  seconds: 2000,
  surely: { DcsimIncidentCritical: { '22': [[100, 400]] } },
  nearly: { DcsimIncidentCritical: { '22': [[100, 400]] } },
  amounts: {},
  caused: {},
  facts: {
    names: ['whm-b-core1'],
    incidents: { '22': states },
    incidentsSince: { '22': 50 },
    incidentsUntil: { '22': 400 },
    faults: [{ id: 1, from: 100, to: 400, incident: '22' }],
  },
})

const alert = (status: 'firing' | 'resolved', summary: string): WebhookAlert => ({
  status,
  labels: {
    alertname: 'DcsimIncidentCritical',
    severity: 'critical',
    instance: 'a',
    incident: '22',
    band: 'Critical',
  },
  annotations: {
    summary,
    description: '',
    since: '00:00:50',
    lasted:
      status === 'firing' ? '1m, from 00:00:50 to 00:01:50 UTC' : '5m 47s, from 00:00:50 to 00:06:37 UTC',
  },
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '',
  fingerprint: 'f',
})

const message = (at: number, status: 'firing' | 'resolved', summary: string): Received => ({
  channel: 'webhook',
  receiver: 'critical',
  at,
  atMs: 0,
  title: '',
  text: '',
  body: { groupKey: 'g', groupLabels: { instance: 'a' }, alerts: [alert(status, summary)] },
})

const title = 'Incident 22: traffic flood on whm-b-core1 (19 customers, $61/h at risk)'

function offendersOf(received: readonly Received[], world = played()): (readonly string[])[] {
  const delivery: Delivery = { received, errors: [], lateness: 0, lateAt: new Map() }
  const grave = [
    { run: 'a', incident: '22', band: 'Critical', reached: 100, delay: 6, isBrief: false },
  ] as const
  return new InboxJudge(delivery, [world]).findings(grave).map(({ offenders }) => offenders)
}

test('an incident that is notified in time, correctly, and as resolved has no violations', () => {
  expect(offendersOf([message(115, 'firing', title), message(410, 'resolved', title)]).flat()).toStrictEqual(
    [],
  )
})

test('an incident of the last seconds of a run is not due', () => {
  const [late] = offendersOf([], { ...played(), seconds: 125 })
  expect(late).toStrictEqual([])
  expect(offendersOf([], { ...played(), seconds: 130 })[0]).toHaveLength(1)
})

test('late messages are found', () => {
  const [late] = offendersOf([message(140, 'firing', title), message(410, 'resolved', title)])
  expect(late).toStrictEqual(['a: incident 22, Critical at 100 s: 39 s'])
})

test.each([
  ['a wrong count', title.replace('19', '18'), '18 customers are 19'],
  ['a wrong amount', title.replace('61', '63'), '$63 an hour are $61'],
  ['a name that does not exist', title.replace('core1', 'core9'), 'there is no whm-b-core9'],
  [
    'an end of a link that does not exist',
    title.replace('core1', 'core1–whm-b-gw7'),
    'there is no whm-b-gw7',
  ],
  ['a band that it does not have', `Major ${title.toLowerCase()}`, 'band Major is Critical'],
  ['a wrong age', `${title}. Open for 2h of simulated time`, 'open for 2h is 65 minutes'],
])('%s is found', (_, summary, problem) => {
  const [, untrue] = offendersOf([message(115, 'firing', summary), message(410, 'resolved', summary)])
  expect(untrue).toStrictEqual([`a at 115 s: DcsimIncidentCritical, firing: ${problem}: ${summary}`])
})

test.each([
  [
    'a beginning that is not the incident’s',
    { since: '00:01:40' },
    'since 00:01:40 is 50 s; from 00:00:50 is not 00:01:40',
  ],
  [
    'a duration that is not the incident’s',
    { lasted: '2m, from 00:00:50 to 00:06:37 UTC' },
    '2m is not from 00:00:50 to 00:06:37',
  ],
  [
    'an end that is not the incident’s',
    { lasted: '7m 50s, from 00:00:50 to 00:08:40 UTC' },
    'its end at 520 s is 400 s',
  ],
])('%s is found', (_, stated, problem) => {
  const over = message(410, 'resolved', title)
  const [ended] = (over.body as { readonly alerts: readonly WebhookAlert[] }).alerts
  Object.assign(ended.annotations, stated)
  const [, untrue] = offendersOf([message(115, 'firing', title), over])
  expect(untrue).toStrictEqual([`a at 410 s: DcsimIncidentCritical, resolved: ${problem}: ${title}`])
})

test.each([
  [[100, 400], ['a at 410 s: DcsimIncidentCritical, resolved: its end at 380 s is 400 s: ' + title]],
  [[100, 300], []],
])('an end that is told too early of an incident that was grave within %j: %j', (grave, untrue) => {
  const over = message(410, 'resolved', title)
  const [ended] = (over.body as { readonly alerts: readonly WebhookAlert[] }).alerts
  Object.assign(ended.annotations, { lasted: '5m 30s, from 00:00:50 to 00:06:20 UTC' })
  const nearly = { DcsimIncidentCritical: { 22: [grave as [number, number]] } }
  const offenders = offendersOf([message(115, 'firing', title), over], { ...played(), nearly })
  expect(offenders[1]).toStrictEqual(untrue)
})

test('a message about an incident that has been over for a while is found, and an end that is told late', () => {
  const received = [message(421, 'firing', title), message(431, 'resolved', title)]
  const [begun, over] = offendersOf(received).slice(6, 8)
  expect(begun).toStrictEqual([
    'a at 421 s: DcsimIncidentCritical, firing: 21 s after the end of incident 22',
  ])
  expect(over).toStrictEqual([
    'a at 431 s: DcsimIncidentCritical, resolved: 31 s after the end of incident 22',
  ])
  expect(
    offendersOf([message(420, 'firing', title), message(430, 'resolved', title)]).slice(6, 8),
  ).toStrictEqual([[], []])
})

test('a firing notification after the end is reported', () => {
  const [, untrue] = offendersOf([message(115, 'firing', title), message(560, 'firing', title)])
  expect(untrue).toStrictEqual([expect.stringContaining('what it claims does not hold')])
})

test('a resolved notification before the end is reported', () => {
  const [, untrue] = offendersOf([message(115, 'firing', title), message(300, 'resolved', title)])
  expect(untrue).toStrictEqual([`a at 300 s: DcsimIncidentCritical, resolved: it still holds: ${title}`])
})

test('an end that is in no message is found', () => {
  const [, , open] = offendersOf([message(115, 'firing', title)])
  expect(open).toStrictEqual([`a at 115 s: DcsimIncidentCritical: ${title}`])
})

test.each([
  ['after its group was looked at for the last time in its run', 1900, 0],
  ['long before its run', 1000, 1],
])('an end %s is in no message', (_, ended, missing) => {
  const world = { ...played(), nearly: { DcsimHostDown: { '7': [[100, ended] as const] } } }
  const told = message(130, 'firing', 'Host whm-b-b04-u01 in Westholm B is down')
  const labels = { alertname: 'DcsimHostDown', severity: 'warning', instance: 'a', host: '7', az: '2' }
  const body = told.body as { readonly alerts: readonly WebhookAlert[] }
  const down = { ...told, body: { ...body, alerts: [{ ...body.alerts[0], labels }] } }
  const [, , open] = offendersOf([down], world)
  expect(open).toHaveLength(missing)
})

test('four messages about one cause are found, and none about an injected condition', () => {
  const received = [115, 125, 135, 145].map((at) => message(at, 'firing', title))
  const [, , , many] = offendersOf([...received, message(410, 'resolved', title)])
  expect(many).toStrictEqual(['a fault 1: 5 messages of DcsimIncidentCritical'])
  const [, , , none] = offendersOf(received, { ...played(), altered: { DcsimIncidentCritical: [[0, 2000]] } })
  expect(none).toStrictEqual([])
})

test('a page for an incident of band Watch is found', () => {
  const watch = played([[100, 'Watch', 19, 61.2]])
  const [, , , , pages] = offendersOf([message(415, 'firing', title)], watch)
  expect(pages).toStrictEqual([`a at 415 s: DcsimIncidentCritical: ${title}`])
})

const down = 'Host whm-b-b04-u01 is down'
const tags = ['rotating_light']
const link = (address: string) => `<a href="http://127.0.0.1/${address}">Dashboard</a>`

test.each([
  ['a title without a word', { title: down, text: '', topic: 'critical', tags: [] }, 1],
  ['a tag', { title: down, text: '', topic: 'x', tags }, 0],
  ['a link to a long address', { title: down, text: link('a'.repeat(1500)), topic: 'x', tags }, 0],
  ['a long text', { title: down, text: 'a'.repeat(1500), topic: 'x', tags }, 1],
])('of ntfy, %s alone', (_, body, count) => {
  const told = { ...message(115, 'firing', title), ...body, channel: 'ntfy', body } as const
  const [, , , , , illegible] = offendersOf([told])
  expect(illegible).toHaveLength(count)
})
