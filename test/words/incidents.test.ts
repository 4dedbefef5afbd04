/** Sentences of incidents and events. */
import { describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import { messageArguments } from '../../src/contract/messages/catalog.ts'
import {
  causeSentence,
  incidentCause,
  leadingOrder,
  sentenceOr,
  workSummary,
} from '../../src/words/incidents.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'

test.each([
  ['app', 'Anvil: every application unit is placed, 10 in all.'],
  ['gpu-inference', 'Anvil: every GPU inference unit is placed, 10 in all.'],
])('a service of the class %s has a name: %s', (service, text) => {
  const given = messageArguments('event.service-placed', { customer: 'Anvil', service, units: 10 })
  expect(sentenceOr('event.service-placed', given, '')).toBe(text)
})

test('a cause of the past is a name, without the capital that begins its message', () => {
  const cause = (name: string) => ({
    msg_key: 'cause.cable-fault',
    msg_args: about(name),
    root_kind: 'CableFault',
  })
  expect(causeSentence(cause('Cable a–b') as never, true)).toBe('A fault of cable a–b.')
  expect(causeSentence(cause('Cable a–b') as never)).toMatch(/^Cable a–b /)
})

const [incidentSchema, orderSchema] = [collections.incidents, collections.workOrders]
const about = (name: string) => [{ key: 'name', text: name, number: 0, is_number: false }]
const work = (kind: string, detail: string) => ({ at_ns: 1n, kind, detail }) as never
const order = (kind_label: string, given: object) => emptyRecord(orderSchema, { kind_label, ...given })
const stepOf = (kind: string) => emptyRecord(orderSchema.fields.steps.of!.recordType!, { kind })
const [travel, swap] = [stepOf('Travel'), stepOf('Swap')]

describe('the work on an incident is that at its cause, and the most advanced of it', () => {
  const incident = emptyRecord(incidentSchema, {
    root_msg_args: about('h1'),
    timeline: [
      work('WorkStarted', 'Ann is on site: Replace a fan of h1.'),
      work('WorkStarted', 'Bob is on the way: Replace a supply in h1.'),
      work('WorkBlocked', 'On hold because no key is there: Renew the license of ips1.'),
      work('SymptomSeen', 'Host h1 does not respond.'),
    ],
  })
  const onSite = order('Replace a fan of h1', {
    started_at_ns: 1n,
    steps: [travel, swap] as never,
    current_step: 1,
  })
  const onTheWay = order('Replace a supply in h1', { started_at_ns: 1n, steps: [travel] as never })
  const ordered = order('Restart h1', {})
  const held = order('Replace an SSD in h1', { started_at_ns: 1n, blocking: 'NoSpare' })
  const elsewhere = order('Renew the license of ips1', { started_at_ns: 1n, blocking: 'WaitingForAccess' })
  const second = order('Replace a second SSD in h1', { started_at_ns: 1n })

  test.each([
    ['on site', [ordered, elsewhere, held, onTheWay, onSite], onSite, 'Ann is on site: Replace a fan of h1.'],
    ['on the way', [elsewhere, held, onTheWay], onTheWay, 'Bob is on the way: Replace a supply in h1.'],
    [
      'held, which the timeline does not have',
      [elsewhere, ordered, held],
      held,
      'Replace an SSD in h1 waits: a spare part.',
    ],
    ['ordered', [elsewhere, ordered], ordered, 'Restart h1 is ordered.'],
    [
      'under way, which the timeline does not have',
      [elsewhere, second],
      second,
      'Replace a second SSD in h1 is under way.',
    ],
    ['only elsewhere', [elsewhere], elsewhere, 'On hold because no key is there: Renew the license of ips1.'],
    ['done', [], undefined, 'On hold because no key is there: Renew the license of ips1.'],
  ])('%s', (_, orders, leading, text) => {
    expect(leadingOrder(incident, orders)).toBe(leading)
    expect(workSummary(incident, orders)).toBe(text)
  })
})

test('the work on a resolved incident is its repair, not a diagnosis after it', () => {
  const incident = emptyRecord(incidentSchema, {
    timeline: [
      work('WorkDone', 'Ann finished 9 min after its beginning: Diagnose "Host h1 does not respond".'),
      work('WorkDone', 'Ann finished 20 min after its beginning: Replace a fan of h1.'),
      work('WorkDone', 'Bob finished 7 min after its beginning: Diagnose "Host h1 is hot".'),
      work('WorkCalledOff', 'Bob was called off: Diagnose "Host h1 is hot" (no longer needed).'),
    ],
  })
  expect(workSummary(incident)).toBe(incident.timeline[3].detail)
  expect(workSummary({ ...incident, resolved_at_ns: 1n })).toBe(incident.timeline[1].detail)
})

test('the causes of an incident are all that are confirmed, its own first', () => {
  const cause = (name: string, confirmed: boolean) => ({
    ...emptyRecord(incidentSchema.fields.causes.of!.recordType!),
    msg_key: 'cause.switch-failure',
    msg_args: about(name),
    confirmed,
  })
  const incident = emptyRecord(incidentSchema, {
    confirmed: true,
    root_msg_key: 'cause.switch-failure',
    root_msg_args: about('agg2'),
    causes: [cause('agg2', true), cause('agg1', true), cause('core1', false)] as never,
  })
  expect(incidentCause(incident)).toBe('Switch agg2 has failed. Switch agg1 has failed.')
  const past = 'Failure of switch agg2. Failure of switch agg1.'
  expect(incidentCause({ ...incident, resolved_at_ns: 9n })).toBe(past)
})
