import type { SymptomKind } from '../../contract/vocabularies.ts'
import { minute, second, type Micros } from '../time.ts'
import type { FaultTarget } from '../state.ts'

/** What monitoring looks at. Each signal has a kind of symptom, and says what it can be the reason for. */
export interface Signal {
  readonly symptom: SymptomKind
  /** How long it must be seen before anybody is told. */
  readonly after: Micros
  /** How well it explains that customers behind it fail, wait or lose units: 0 not at all, 1 fully. */
  readonly harm: number
  /** Signals of other devices that it explains. */
  readonly brings: readonly SignalName[]
  /** Whether it says that a part has failed, for the event log. */
  readonly part: boolean
}

export const signalNames = [
  'feed-dead',
  'cooling-stopped',
  'zone-hot',
  'switch-silent',
  'gateway-silent',
  'appliance-silent',
  'gateway-withdrawn',
  'link-down',
  'switch-storm',
  'switch-degraded',
  'switch-supply',
  'gateway-throttled',
  'host-silent',
  'host-hot',
  'host-fan',
  'host-disk',
  'host-supply',
  'link-flapping',
  'link-errors',
  'customer-flood',
  'customer-probed',
  'link-full',
  'switch-dropping',
  'gateway-dropping',
  'appliance-dropping',
  'customer-breached',
  'customer-failing',
  'customer-stranded',
  'customer-slow',
  'customer-redundancy',
] as const
export type SignalName = (typeof signalNames)[number]

const drops: readonly SignalName[] = [
  'link-full',
  'switch-dropping',
  'gateway-dropping',
  'appliance-dropping',
]
const silence: readonly SignalName[] = [
  'host-silent',
  'switch-silent',
  'gateway-silent',
  'appliance-silent',
  'link-down',
]

const signal = (
  symptom: SymptomKind,
  after: Micros,
  harm: number,
  brings: readonly SignalName[] = [],
  part = false,
): Signal => ({ symptom, after, harm, brings, part })

export const signals: Readonly<Record<SignalName, Signal>> = {
  'feed-dead': signal('RedundancyLost', 30 * second, 0.2, [...silence, 'host-supply', 'switch-supply'], true),
  'cooling-stopped': signal(
    'HardwareWarning',
    60 * second,
    0.1,
    ['zone-hot', 'host-hot', 'host-silent'],
    true,
  ),
  'zone-hot': signal('Overheating', 2 * minute, 0.1, ['host-hot', 'host-silent', 'host-fan']),
  'switch-silent': signal('LinkDown', 60 * second, 0.9, [...silence, ...drops, 'link-errors'], true),
  'gateway-silent': signal('LinkDown', 60 * second, 0.9, [...drops, 'link-down', 'gateway-withdrawn'], true),
  'appliance-silent': signal('LinkDown', 60 * second, 0.85, [...drops, 'link-down'], true),
  'gateway-withdrawn': signal('RedundancyLost', 60 * second, 0.9, drops),
  'link-down': signal('LinkDown', 60 * second, 0.65, [...drops, 'host-silent', 'link-flapping'], true),
  'switch-storm': signal('TrafficFlood', 30 * second, 0.85, [...drops, 'link-errors', 'host-silent']),
  'switch-degraded': signal('HardwareWarning', 90 * second, 0.65, drops, true),
  'switch-supply': signal('RedundancyLost', 90 * second, 0.05, ['switch-silent'], true),
  'gateway-throttled': signal('HardwareWarning', 2 * minute, 0.65, drops),
  'host-silent': signal('HostUnreachable', 60 * second, 0.9, ['link-down'], true),
  'host-hot': signal('Overheating', 60 * second, 0.6, ['host-silent']),
  'host-fan': signal('HardwareWarning', 90 * second, 0.1, ['host-hot', 'host-silent'], true),
  'host-disk': signal('HardwareWarning', 90 * second, 0.65, [], true),
  'host-supply': signal('RedundancyLost', 90 * second, 0.05, ['host-silent'], true),
  'link-flapping': signal('LinkErrors', 60 * second, 0.65, ['link-down', 'link-errors', 'host-silent']),
  'link-errors': signal('LinkErrors', 2 * minute, 0.65, ['link-down']),
  'customer-flood': signal('TrafficFlood', 60 * second, 0.85, [...drops, 'gateway-throttled']),
  'customer-probed': signal('SuspiciousLogins', 2 * minute, 0.6, [...drops, 'gateway-throttled']),
  'link-full': signal('PacketLoss', 90 * second, 0.8, drops),
  'switch-dropping': signal('PacketLoss', 90 * second, 0.8, drops),
  'gateway-dropping': signal('PacketLoss', 90 * second, 0.8, drops),
  'appliance-dropping': signal('PacketLoss', 90 * second, 0.8, drops),
  'customer-breached': signal('SuspiciousLogins', 30 * second, 0.5),
  'customer-failing': signal('FailedRequests', 60 * second, 0),
  'customer-stranded': signal('UnitsStranded', 90 * second, 0),
  'customer-slow': signal('HighLatency', 3 * minute, 0),
  'customer-redundancy': signal('RedundancyLost', 5 * minute, 0),
}

/** What a signal was seen at: something that can be at fault, or a zone. */
export type Subject = FaultTarget | { readonly kind: 'Zone'; readonly row: number }
export type SubjectKind = Subject['kind']

export const isAtCustomer = (name: SignalName): boolean => name.startsWith('customer-')
/** What attackers do to one customer: nothing that befalls another one, or a device, explains it. */
export const isHostile = (name: SignalName): boolean =>
  name === 'customer-flood' || name === 'customer-probed' || name === 'customer-breached'
/** Signals by which a customer feels it, rather than being told. */
export const isFelt = (name: SignalName): boolean =>
  name === 'customer-failing' ||
  name === 'customer-slow' ||
  name === 'customer-stranded' ||
  name === 'customer-breached'
