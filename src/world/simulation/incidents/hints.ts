import type { SymptomKind } from '../../../contract/vocabularies.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import type { Article, CauseDiagnosis } from './diagnosis/cause-diagnosis.ts'
import { article } from './diagnosis/cause-diagnosis.ts'

/** Help for the operator of an incident: articles by symptom, and hints that become more specific over time. */

export const symptomArticles: Readonly<Record<SymptomKind, Article>> = {
  ServiceDown: { id: 'symptom/service-down', title: 'When a service is **down** for its users' },
  FailedRequests: { id: 'symptom/failed-requests', title: 'Where **requests fail** on their way' },
  HighLatency: { id: 'symptom/high-latency', title: 'What makes answers **slow**' },
  PacketLoss: { id: 'symptom/packet-loss', title: 'Following **lost packets** to where they drop' },
  HostUnreachable: {
    id: 'symptom/host-unreachable',
    title: 'A **host that does not answer**: dead or cut off?',
  },
  LinkDown: { id: 'symptom/link-down', title: 'Reading a **dark link**' },
  LinkErrors: { id: 'symptom/link-errors', title: 'Links that **lose frames**' },
  RedundancyLost: { id: 'symptom/redundancy-lost', title: 'Running **without redundancy**' },
  Overheating: { id: 'symptom/overheating', title: 'When hosts or rooms **overheat**' },
  UnitsStranded: { id: 'symptom/units-stranded', title: 'Bringing **stranded units** back' },
  TrafficFlood: { id: 'symptom/traffic-flood', title: 'Floods: **attack, surge or loop**?' },
  SuspiciousLogins: { id: 'symptom/suspicious-logins', title: 'Unknown users at the **login**' },
  HardwareWarning: { id: 'symptom/device-warning', title: 'Taking **device warnings** seriously' },
}

/** The article and the advice for an incident without a suspect. */
export const firstStepsArticle = article('first-steps', '**First steps** when nothing is known')
const firstSteps = 'Compare what the affected have in common: place, power, path or tenant.'
const firstStepsForOne = 'Look at what changed last, then at its power, path, host and tenant.'

/** Times without a confirmed cause at which the tiers of hints begin. */
const hintDelays: readonly Micros[] = [5 * minute, 15 * minute, 35 * minute]

export const hintTierAt = (age: Micros): number => hintDelays.filter((delay) => age >= delay).length

const supported = 'A reading supports the likeliest cause: have it confirmed and remedied.'

/** The hint about the leading cause: where to look, until a reading supports it. */
export function hintFor(
  tier: number,
  { lookAt }: CauseDiagnosis,
  name: string,
  claim: string,
  isSupported: boolean,
): string {
  if (tier < 3) return isSupported ? supported : `${lookAt}.`
  return `Most likely: ${claim} ${isSupported ? supported : `${lookAt}, starting at ${name}.`}`
}

/** The hint for an incident without a suspect, and at tier 1; null at tier 0. */
export const hintWithoutSuspect = (tier: number, isOneAffected: boolean): string | null =>
  tier === 0 ? null : isOneAffected ? firstStepsForOne : firstSteps
