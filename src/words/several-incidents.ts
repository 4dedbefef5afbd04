/** One sentence for several incidents that are alike. */
import type { MessageKey } from '../contract/messages/catalog.ts'
import { counted } from './phrases.ts'

/** The subject and the predicate for several alike symptoms. Symptoms of whole zones are single. */
const predicates: Partial<Record<MessageKey, readonly [noun: string, predicate: string]>> = {
  'symptom.host-silent': ['host', 'do not respond'],
  'symptom.host-hot': ['host', 'run hot'],
  'symptom.host-fan': ['host', 'have a fan that has stopped'],
  'symptom.host-disk': ['host', 'report unreadable blocks on an SSD'],
  'symptom.host-memory': ['host', 'correct memory errors'],
  'symptom.host-clock': ['host', 'have a wrong clock'],
  'symptom.host-supply': ['host', 'run on one power supply'],
  'symptom.switch-silent': ['switch', 'do not respond'],
  'symptom.switch-supply': ['switch', 'run on one power supply'],
  'symptom.switch-degraded': ['switch', 'have a part of their fabric offline'],
  'symptom.switch-dropping': ['switch', 'drop traffic'],
  'symptom.switch-flooded': ['switch', 'are flooded by broadcast frames'],
  'symptom.gateway-silent': ['gateway', 'do not respond'],
  'symptom.gateway-withdrawn': ['gateway', 'have withdrawn their routes'],
  'symptom.gateway-throttled': ['gateway', 'have lost forwarding capacity'],
  'symptom.gateway-dropping': ['gateway', 'drop traffic'],
  'symptom.appliance-silent': ['appliance', 'do not respond'],
  'symptom.appliance-dropping': ['appliance', 'drop traffic'],
  'symptom.link-down': ['link', 'are down'],
  'symptom.link-errors': ['link', 'lose frames'],
  'symptom.link-flapping': ['link', 'are flapping'],
  'symptom.link-full': ['link', 'are saturated'],
  'symptom.cooling-stopped': ['cooling unit', 'have stopped'],
  'symptom.customer-down': ['customer', 'are down'],
  'symptom.customer-failing': ['customer', 'have failing requests'],
  'symptom.customer-slow': ['customer', 'are slower than their SLA allows'],
  'symptom.customer-starved': ['customer', 'have batch jobs that fall behind'],
  'symptom.customer-stranded': ['customer', 'have units on hosts that cannot serve them'],
  'symptom.customer-stranded-unit': ['customer', 'have a unit on a host that cannot serve it'],
  'symptom.customer-redundancy': ['customer', 'have lost their promised redundancy'],
  'symptom.customer-flood': ['customer', 'are flooded by hostile traffic'],
  'symptom.customer-probed': ['customer', 'are being probed'],
}

const predicateOf = (key: string) => (predicates as Readonly<Record<string, readonly string[]>>)[key]

/** Whether incidents with this symptom can be told together. */
export const canBeSeveral = (key: string): boolean =>
  Object.hasOwn(predicates, key) && predicateOf(key) !== undefined

/** `8 hosts run on one power supply`. */
export function severalSentence(key: string, count: number): string {
  const [noun, predicate] = predicateOf(key)
  return `${counted(count, noun, noun.endsWith('ch') ? `${noun}es` : `${noun}s`)} ${predicate}`
}
