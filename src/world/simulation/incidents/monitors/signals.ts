import type { SymptomKind } from '../../../../contract/vocabularies.ts'
import type { Micros } from '../../time.ts'
import { minute, second } from '../../time.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import { targetKinds } from '../../topology/fault-target.ts'

/** A measurement of monitoring at a kind of subject. */
interface Signal<Cause = SignalName> {
  readonly symptom: SymptomKind
  /** Minimum duration before the report: of what fails requests, not longer than of these. */
  readonly delay: Micros
  /** Explanatory power for failures, latency and lost units of dependent customers, from 0 to 1. */
  readonly harm: number
  /** Signals of other devices that it explains. */
  readonly causes: readonly Cause[]
  /** Whether the event log announces it as a failed part. */
  readonly isPartFailure: boolean
}

const drops = ['link-full', 'switch-dropping', 'gateway-dropping', 'appliance-dropping'] as const
const silence = ['host-silent', 'switch-silent', 'gateway-silent', 'appliance-silent', 'link-down'] as const

/** The explanatory power of a signal beyond customers. */
type Explains<Cause> = Pick<Signal<Cause>, 'causes' | 'isPartFailure'>

const explains = <const C extends string = never>(...causes: readonly C[]): Explains<C> => ({
  causes,
  isPartFailure: false,
})
const partFailure = <const C extends string = never>(...causes: readonly C[]): Explains<C> => ({
  causes,
  isPartFailure: true,
})

const signal = <C extends string = never>(
  symptom: SymptomKind,
  delay: Micros,
  harm: number,
  { causes, isPartFailure }: Explains<C> = explains<C>(),
): Signal<C> => ({ symptom, delay, harm, causes, isPartFailure })

/** In the order in which symptoms that come together are reported. */
const rows = {
  'feed-dead': signal(
    'RedundancyLost',
    30 * second,
    0.2,
    partFailure(...silence, 'feed-dead', 'host-supply', 'switch-supply'),
  ),
  'feed-on-battery': signal('HardwareWarning', 30 * second, 0, explains('feed-dead')),
  'cooling-stopped': signal(
    'HardwareWarning',
    60 * second,
    0.1,
    partFailure('zone-hot', 'host-hot', 'host-silent'),
  ),
  'zone-hot': signal('Overheating', 2 * minute, 0.1, explains('host-hot', 'host-silent', 'host-fan')),
  'switch-silent': signal('LinkDown', 60 * second, 0.9, partFailure(...silence, ...drops, 'link-errors')),
  'gateway-silent': signal(
    'LinkDown',
    60 * second,
    0.9,
    partFailure(...drops, 'link-down', 'gateway-withdrawn'),
  ),
  'appliance-silent': signal('LinkDown', 60 * second, 0.85, partFailure(...drops, 'link-down')),
  'gateway-withdrawn': signal('RedundancyLost', 60 * second, 0.9, explains(...drops)),
  'link-down': signal('LinkDown', 60 * second, 0.65, partFailure(...drops, 'host-silent', 'link-flapping')),
  'switch-storm': signal('TrafficFlood', 30 * second, 0.85, explains(...drops, 'link-errors', 'host-silent')),
  'switch-degraded': signal('HardwareWarning', 60 * second, 0.65, partFailure(...drops)),
  'switch-supply': signal('RedundancyLost', 90 * second, 0.05, partFailure('switch-silent')),
  'gateway-throttled': signal('HardwareWarning', 2 * minute, 0.65, explains(...drops)),
  'host-silent': signal('HostUnreachable', 60 * second, 0.9, partFailure('link-down')),
  'host-hot': signal('Overheating', 60 * second, 0.6, explains('host-silent')),
  'host-fan': signal('HardwareWarning', 90 * second, 0.1, partFailure('host-hot', 'host-silent')),
  'host-disk': signal('HardwareWarning', 60 * second, 0.65, partFailure()),
  'host-supply': signal('RedundancyLost', 90 * second, 0.05, partFailure('host-silent')),
  'host-memory': signal('HardwareWarning', 60 * second, 0.65, partFailure('host-silent')),
  'host-clock': signal('HardwareWarning', 60 * second, 0.65),
  'link-flapping': signal(
    'LinkErrors',
    60 * second,
    0.65,
    explains('link-down', 'link-errors', 'host-silent'),
  ),
  'link-errors': signal('LinkErrors', 60 * second, 0.65, explains('link-down')),
  'customer-flood': signal('TrafficFlood', 60 * second, 0.85, explains(...drops, 'gateway-throttled')),
  'customer-probed': signal('SuspiciousLogins', 2 * minute, 0.6, explains(...drops, 'gateway-throttled')),
  'link-full': signal('PacketLoss', 60 * second, 0.8, explains(...drops)),
  'switch-dropping': signal('PacketLoss', 60 * second, 0.8, explains(...drops)),
  'gateway-dropping': signal('PacketLoss', 60 * second, 0.8, explains(...drops)),
  'appliance-dropping': signal('PacketLoss', 60 * second, 0.8, explains(...drops)),
  'customer-breached': signal('SuspiciousLogins', 30 * second, 0.5),
  'customer-failing': signal('FailedRequests', 60 * second, 0),
  'customer-stranded': signal('UnitsStranded', 60 * second, 0),
  'customer-slow': signal('HighLatency', 3 * minute, 0),
  'customer-starved': signal('HighLatency', 5 * minute, 0),
  'customer-redundancy': signal('RedundancyLost', 5 * minute, 0),
}

export type SignalName = keyof typeof rows
export const signals: Readonly<Record<SignalName, Signal>> = rows
export const signalNames = Object.keys(rows) as SignalName[]

/** The subject of a signal: a possible target of a fault, or a zone. */
export type Subject = FaultTarget | { readonly kind: 'Zone'; readonly row: number }
export type SubjectKind = Subject['kind']
export const subjectKinds: readonly SubjectKind[] = [...targetKinds, 'Zone']

export const isCustomerSignal = (name: SignalName): boolean => name.startsWith('customer-')
/** Signals of an attack on a customer, which no fault of a device or other customer explains. */
export const isHostile = (name: SignalName): boolean =>
  name === 'customer-flood' || name === 'customer-probed' || name === 'customer-breached'
/** Signals of traffic beyond a capacity. */
export const isOfDrops = (name: SignalName): boolean => signals['link-full'].causes.includes(name)
/** Signals of lost hosts, which traffic cannot cause. */
export const isOfLostHosts = (name: SignalName): boolean =>
  name === 'customer-stranded' || name === 'customer-redundancy'
/** Signals that impair a customer, unlike mere notifications. */
export const isCustomerImpairment = (name: SignalName): boolean =>
  name === 'customer-failing' ||
  name === 'customer-slow' ||
  name === 'customer-starved' ||
  name === 'customer-stranded' ||
  name === 'customer-breached'
