/** The answers of a team in a game day, each with its time. */
import type { CauseKind } from '../vocabularies.ts'
import { countCheck, objectCheck, orNull, readJsonLines, secondsCheck, textCheck } from './line-checks.ts'

export const answerLengthMax = 500

export interface AnswerLine {
  /** Seconds since 1970. */
  readonly wall_s: number
  /** Who answers: a name or a role; empty if it does not matter. */
  readonly by: string
  /** The cause, its place and whom it hits, as far as they are known; or the text of a hint. */
  readonly text: string
  /** The fault that a hint is about, and how much it says; null for an answer. */
  readonly hint: { readonly world: string; readonly fault: number; readonly level: number } | null
}

/** How plain a hint is: what to look at, where, at which part, and what is wrong with it. */
export const hintLevelMax = 4

/** Where to look first, by what a fault is at. */
export const fieldOfCause: Readonly<Record<CauseKind, string>> = {
  HostFailure: 'hosts',
  DiskFailure: 'hosts',
  PowerSupplyFailure: 'power of single devices',
  PowerFeedLoss: 'power and cooling',
  FanFailure: 'hosts',
  CoolingFailure: 'power and cooling',
  SwitchFailure: 'network devices',
  GatewayFailure: 'network devices',
  ApplianceFailure: 'network devices',
  PortFlap: 'links and their ends',
  CableCut: 'links and their ends',
  TransceiverFailure: 'links and their ends',
  CableFault: 'links and their ends',
  FirmwareFault: 'network devices',
  LinkSaturation: 'capacity',
  FabricSaturation: 'capacity',
  BroadcastStorm: 'network devices',
  Misconfiguration: 'network devices',
  AddonThrottling: 'network devices',
  CapacityExhaustion: 'capacity',
  DemandSurge: 'what users send',
  Attack: 'what users send',
  ExpiredCertificate: 'services of customers',
  FailedRelease: 'services of customers',
  DnsError: 'services of customers',
  ClockDrift: 'hosts',
  MemoryErrors: 'hosts',
  StuckBatteryTest: 'power and cooling',
  WaterLeak: 'power and cooling',
  RouteLeak: 'network devices',
  ExpiredLicense: 'network devices',
  HostDrained: 'capacity',
  CarrierOutage: 'links and their ends',
}

const answerCheck = objectCheck<AnswerLine>({
  wall_s: secondsCheck,
  by: textCheck,
  text: textCheck,
  hint: orNull(
    objectCheck<NonNullable<AnswerLine['hint']>>({ world: textCheck, fault: countCheck, level: countCheck }),
  ),
})

/** The answers, in the order of their times; or what is wrong with them. */
export function readAnswers(content: string): readonly AnswerLine[] | string {
  const lines = readJsonLines(content, 'an answer as JSON, as `answer` writes it', answerCheck)
  return typeof lines === 'string' ? lines : lines.toSorted((a, b) => a.wall_s - b.wall_s)
}
