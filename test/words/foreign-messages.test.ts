import { expect, test } from 'vitest'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import {
  causeState,
  impactText,
  incidentCause,
  symptomPhrase,
  symptomSentence,
} from '../../src/words/incidents.ts'
import { capitalized, dollarsText } from '../../src/words/phrases.ts'
import { possibleDeviceNames, withDisplayName, zonesNamedIn } from '../../src/words/foreign-messages.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'

const argument = (text: string) => ({ key: 'name', text, number: 0, is_number: false })
const zones = [
  { name: 'tfd-a', display_name: 'Tallford A' },
  { name: 'tfd-aa', display_name: 'Tallford AA' },
  { name: 'nameless', display_name: '' },
]

test.each([
  ['power feed B of tfd-a', ['tfd-a']],
  ['rack B-02 in Tallford AA', ['tfd-aa']],
  ['Tallford A', ['tfd-a']],
  ['Tallford A, tfd-aa', ['tfd-a', 'tfd-aa']],
  ['tfd-a-core1', []],
  ['xTallford A', []],
  ['', []],
])('"%s" names zones', (text, expected) => {
  expect(zonesNamedIn([argument(text)], zones).map(({ name }) => name)).toEqual(expected)
})

test.each([
  ['core1', ['core1']],
  ['core1 port 3', ['core1']],
  ['core1–edge2', ['core1', 'edge2']],
  ['core1 p1 – edge2 p4', ['core1', 'edge2']],
])('"%s" may name devices', (text, expected) => {
  expect(possibleDeviceNames([argument(text)])).toEqual(expect.arrayContaining(expected))
})

test('a zone at the end of a place stands under its displayed name, if it has one', () => {
  expect(withDisplayName('rack A-02 in tfd-a', zones)).toBe('rack A-02 in Tallford A')
  expect(withDisplayName('rack A-02 in nameless', zones)).toBe('rack A-02 in nameless')
  expect(withDisplayName('rack A-02 in Tallford A', zones)).toBe('rack A-02 in Tallford A')
})

test('a sentence begins with a capital letter, but for the name of a device', () => {
  expect(['power feed A is dead', 'lmr-a-fw1 is misconfigured', 'by-laws'].map(capitalized)).toEqual([
    'Power feed A is dead',
    'lmr-a-fw1 is misconfigured',
    'By-laws',
  ])
})

test.each<[confidence: number, resolved: bigint | number | null, cause: string, state: string]>([
  [21, null, 'fw1 is misconfigured.', 'suspected'],
  [51, 9n, 'Misconfiguration of fw1.', 'suspected'],
  [50, 9n, 'The cause was not found.', 'unknown'],
  [50, 9, 'The cause was not found.', 'unknown'],
])(
  'a suspect of %i %% is the cause of an incident resolved at %s: %s',
  (confidence, resolved, cause, state) => {
    const suspect = {
      root_kind: 'Misconfiguration',
      msg_key: 'cause.misconfiguration',
      msg_args: [argument('fw1')],
      confidence,
    }
    const causes = [{ ...suspect, confirmed: false, cleared: false }]
    const incident = emptyRecord(IncidentSchema, { causes, resolved_at_ns: resolved } as never)
    expect([incidentCause(incident), causeState(incident)]).toEqual([cause, state])
  },
)

test('the cause of a part of another incident is that of the other, not its own suspect', () => {
  const causes = [{ root_kind: 'Misconfiguration', msg_key: 'x', msg_args: [], confidence: 90 }]
  const incident = emptyRecord(IncidentSchema, { causes, hint: 'It is part of incident 26.' } as never)
  expect([incidentCause(incident), causeState(incident)]).toEqual([
    'The cause is that of incident 26.',
    'unknown',
  ])
})

test('a symptom says how many are like it, and an incident what it costs', () => {
  const others = { key: 'others', text: '3', number: 3, is_number: true }
  const incident = emptyRecord(IncidentSchema, {
    symptom_msg_key: 'symptom.link-flapping',
    symptom_msg_args: [argument('a–b'), others],
    affected_customer_ids: [1, 2],
    revenue_at_risk_per_hour_dollars: 5,
  })
  expect(symptomSentence(incident)).toBe('Link a–b is flapping. 3 others like it.')
  expect(impactText(incident)).toBe('2 customers, $5/h at risk')
})

test('money below a cent is none, and has no cents', () => {
  expect([0, 0.001, 0.5, 1.999, 12.4].map(dollarsText)).toEqual(['$0', '$0', '$0.50', '$2', '$12'])
})

test.each([
  ['symptom.host-clock', 'HardwareWarning', 'wrong clock'],
  ['symptom.gateway-throttled', 'HardwareWarning', 'forwarding capacity lost'],
  ['symptom.host-disk', 'HardwareWarning', 'failing SSD'],
  ['symptom.switch-storm', 'TrafficFlood', 'broadcast storm'],
  ['symptom.customer-flood', 'TrafficFlood', 'hostile traffic'],
  ['symptom.customer-slow', 'HighLatency', 'high latency'],
  ['symptom.switch-silent', 'LinkDown', 'switch down'],
  ['symptom.gateway-silent', 'LinkDown', 'gateway down'],
  ['symptom.link-down', 'LinkDown', 'link down'],
  ['another.key', 'TrafficFlood', 'traffic flood'],
])('a title says of %s, a %s, "%s"', (symptom_msg_key, symptom_kind, noun) => {
  expect(symptomPhrase({ symptom_msg_key, symptom_kind } as never)).toBe(noun)
})
