import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chroniclePage } from '../../src/commands/chronicle-page.ts'
import { MirrorError, MirrorReader } from '../../src/commands/readers/mirror.ts'
import { EventFollower } from '../../src/commands/events.ts'
import { listening } from '../fixtures/listening.ts'

const dayOf = (day: number, given: object = {}) => ({
  day,
  date: `2025-05-0${day + 5}T00:00:00.000Z`,
  over: true,
  critical: 0,
  major: 0,
  minor: 0,
  watch: 0,
  troubled_minutes: 0,
  at_risk_dollars: 0,
  credited_dollars: 0,
  spent_dollars: 0,
  won: null,
  lost: null,
  orders_done: 0,
  events: 1,
  ...given,
})

test('the page has the days in order, with what is worth telling of each', () => {
  const days = [
    dayOf(3, {
      over: false,
      major: 2,
      won: 'Clover *Vale*',
      spent_dollars: 1_200,
      events: 9,
    }),
    dayOf(2),
  ]
  const worst = { critical: 1, troubled_minutes: 90, at_risk_dollars: 12.5, lost: 'Anvil' }
  const incident = {
    opened_at: '2025-05-08T10:20:30.000Z',
    headline: 'Major incident 7: a | b',
    cause: 'A fan has failed.',
    lasted: '20 min',
    state: 'active',
  }
  expect(chroniclePage('Chronicle of s', days, [incident])).toBe(`# Chronicle of s

## Day 2, Wednesday: a quiet day

- No Major or Critical incident was open.
- Spent $0, credited $0, 0 work orders finished, 1 event.

## Day 3, Thursday: 2 Major

- This day is not over.
- No Major or Critical incident was open.
- Signed: Clover \\*Vale\\*.
- Spent $1,200, credited $0, 0 work orders finished, 9 events.

| Opened | Incident | Cause | Lasted |
| --- | --- | --- | --- |
| 10:20 | Major incident 7: a \\| b | A fan has failed. | still open |
`)
  expect(chroniclePage('Chronicle of s', [dayOf(0, worst)], [])).toBe(`# Chronicle of s

## Day 0, Monday: 1 Critical

- A Major or Critical incident was open for 1 h 30 min; revenue at risk: $13.
- Left: Anvil.
- Spent $0, credited $0, 0 work orders finished, 1 event.
`)
  const after = chroniclePage('Chronicle of s', [dayOf(1, { troubled_minutes: 7 })], [])
  expect(after).toContain('## Day 1, Tuesday: no new incident\n')
  expect(chroniclePage('Chronicle of s', [], [])).toBe('# Chronicle of s\n\nNothing is in the archive yet.\n')
})

/** Answers by path; the events are those of the test. */
let events: object = {}
const requests: string[] = []
const server = createServer(({ url }, response) => {
  requests.push(url!)
  const path = new URL(url!, 'http://mirror').pathname
  const rows: Readonly<Record<string, object>> = {
    '/api/v1/events': events,
    '/tables/incidents': [{ incident_id: '7', headline: 'Major incident 7' }],
    '/tables/days': [{ day: 0, major: 1 }],
  }
  response.statusCode = path in rows ? 200 : 503
  response.end(JSON.stringify(rows[path] ?? { detail: 'This mirror has no archive.' }))
})
let reader: MirrorReader
beforeAll(async () => {
  reader = new MirrorReader(`http://127.0.0.1:${await listening(server)}`, 'home')
})
afterAll(() => void server.close())

const event = (atNs: number, kind: string, entityId: number | null = null) => ({
  at_ns: atNs,
  kind,
  msg_key: 'event.nothing',
  msg_args: [],
  severity: 'Info',
  entity_kind: 'Incident',
  entity_id: entityId,
})
const answer = (items: readonly object[], next: number, given: object = {}) => ({
  meta: { sim_time_ns: next },
  items,
  next_since_ns: next,
  oldest_retained_ns: 5,
  possible_gap: false,
  ...given,
})

test('events are followed by a cursor, with closed incidents, ended days, and what was missed', async () => {
  const lines: unknown[] = []
  const follower = new EventFollower(reader, (line) => void lines.push(JSON.parse(line)))
  events = answer(
    [event(86_400_000_000_000, 'DayStarted'), event(86_400_000_000_001, 'IncidentResolved', 7)],
    90,
  )
  await follower.poll()
  expect(lines).toMatchObject([
    { type: 'event', at_ns: '86400000000000', at: '2025-05-06T00:00:00.000Z', message: 'day started' },
    { type: 'day', day: 0, major: 1 },
    { type: 'event', kind: 'IncidentResolved', entity_id: '7' },
    { type: 'incident', incident_id: '7' },
  ])
  lines.length = 0
  events = answer([], 95, { possible_gap: true })
  await follower.poll()
  events = answer([], 40)
  await follower.poll()
  expect(lines).toEqual([
    { type: 'missed', from_ns: '90', to_ns: '5' },
    { type: 'world', message: 'The time of the world went back: it is another one.', at_ns: '40' },
  ])
  expect(requests.filter((url) => url.startsWith('/api'))).toEqual([
    '/api/v1/events?limit=1000&session=home',
    '/api/v1/events?limit=1000&since_ns=90&session=home',
    '/api/v1/events?limit=1000&since_ns=95&session=home',
  ])
})

test('a mirror that does not answer, or answers with a problem, is told in a sentence', async () => {
  await expect(new MirrorReader('http://127.0.0.1:1', '').rows('days')).rejects.toThrow(
    /^No mirror answers at http:\/\/127\.0\.0\.1:1: .+\.$/,
  )
  await expect(reader.rows('worlds')).rejects.toThrow(MirrorError)
  await expect(reader.rows('worlds')).rejects.toThrow(
    /\/tables\/worlds answered 503\. This mirror has no archive\.$/,
  )
})
