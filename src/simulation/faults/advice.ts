import type { RootKind, SymptomKind } from '../../contract/vocabularies.ts'
import { type Micros, minute } from '../time.ts'

/** What helps whoever looks at an incident: articles by kind, and hints that get plainer with time. */
export interface Article {
  readonly id: string
  readonly title: string
}

export const symptomArticles: Readonly<Record<SymptomKind, Article>> = {
  ServiceDown: { id: 'symptom/service-down', title: 'When users get **no answer**' },
  FailedRequests: { id: 'symptom/failed-requests', title: 'Where **requests fail** on their way' },
  HighLatency: { id: 'symptom/high-latency', title: 'What makes answers **slow**' },
  PacketLoss: { id: 'symptom/packet-loss', title: 'Following **lost packets** to where they drop' },
  HostUnreachable: {
    id: 'symptom/host-unreachable',
    title: 'A **host that does not answer**: dead or cut off?',
  },
  LinkDown: { id: 'symptom/link-down', title: 'Reading a **dark link**' },
  LinkErrors: { id: 'symptom/link-errors', title: 'Links that **lose frames**' },
  RedundancyLost: { id: 'symptom/redundancy-lost', title: 'Running **without a spare**' },
  Overheating: { id: 'symptom/overheating', title: 'When it gets **too warm**' },
  UnitsStranded: { id: 'symptom/units-stranded', title: 'Bringing **stranded units** back' },
  TrafficFlood: { id: 'symptom/traffic-flood', title: 'Floods: **attack, rush or loop**?' },
  SuspiciousLogins: { id: 'symptom/suspicious-logins', title: 'Strangers at the **login**' },
  HardwareWarning: { id: 'symptom/hardware-warning', title: 'Taking **hardware warnings** seriously' },
}

interface Advice {
  readonly article: Article
  /** Where to look, once that is plain. */
  readonly look: string
}

const advice = (id: string, title: string, look: string): Advice => ({
  article: { id: `cause/${id}`, title },
  look,
})

const causes: Readonly<Record<RootKind, Advice>> = {
  Unknown: advice(
    'first-steps',
    '**First steps** when nothing is known',
    'Compare what the affected have in common',
  ),
  HostFailure: advice('host-failure', 'Replacing a **dead host**', 'Open the management port of the host'),
  DiskFailure: advice('disk-failure', 'Changing an **SSD** in a running host', 'Read the health of its SSDs'),
  PowerSupplyFailure: advice(
    'power-supply',
    '**Power supplies** and their feeds',
    'Check both power supplies',
  ),
  PowerFeedLoss: advice('power-feed', 'Living on **one feed**', 'Measure the voltage on both feeds'),
  FanFailure: advice('fan', '**Fans**, dust and heat', 'Read fan speeds and temperatures'),
  CoolingFailure: advice(
    'cooling',
    'A **cooling unit** stops: how long have we got?',
    'Look at the cooling units',
  ),
  SwitchFailure: advice('switch-failure', 'Replacing a **switch**', 'Try the console of the switch'),
  GatewayFailure: advice('gateway-failure', 'When a **gateway** dies', 'Try the console of the gateway'),
  ApplianceFailure: advice(
    'appliance-failure',
    'When an **appliance** dies',
    'Try the console of the appliance',
  ),
  PortFlap: advice('port-flap', '**Flapping ports**', 'Count interruptions at both ends of the link'),
  CableCut: advice(
    'cable-cut',
    'Finding where a **cable** is cut',
    'Send light through the cable and see what comes back',
  ),
  TransceiverFailure: advice('transceiver', 'Reading **light levels**', 'Read the light levels at both ends'),
  FirmwareFault: advice('firmware', 'Rolling back **firmware**', 'Read the firmware log of the switch'),
  LinkSaturation: advice(
    'link-saturation',
    '**Full links** and what fills them',
    'List who sends most over the link',
  ),
  FabricSaturation: advice(
    'fabric-saturation',
    'When a **fabric** is too small',
    'Compare fabric load and capacity',
  ),
  BroadcastStorm: advice(
    'broadcast-storm',
    'Ending a **broadcast storm**',
    'Look for a port that hears its own frames',
  ),
  Misconfiguration: advice(
    'misconfiguration',
    '**Changes** that went wrong',
    'Compare configurations with the approved ones',
  ),
  AddonThrottling: advice(
    'addon-throttling',
    'What **add-ons** cost',
    'Look at the processors of the add-ons',
  ),
  CapacityExhaustion: advice('capacity', 'Making **room in a pool**', 'Compare CPU wanted and CPU there'),
  DemandSurge: advice('demand-surge', 'Riding out a **rush**', 'Compare the number of users with other days'),
  Attack: advice('attack', 'Telling an **attack** from users', 'Sample what arrives at the gateways'),
}

export const causeArticle = (kind: RootKind): Article => causes[kind].article

/** Hints get plainer after so long without a confirmed cause. */
const hintsAfter: readonly Micros[] = [5 * minute, 15 * minute, 35 * minute]

export const hintTierAt = (age: Micros): number => hintsAfter.filter((after) => age >= after).length

/** A hint that follows from what leads now; null at tier 0. */
export function hintFor(tier: number, leading: RootKind, name: string, claim: string): string | null {
  if (tier === 0) return null
  if (tier === 1) return `${causes.Unknown.look}: place, power, path or tenant.`
  if (tier === 2) return `${causes[leading].look}.`
  return `Most speaks for this: ${claim} ${causes[leading].look}, starting at ${name}.`
}
