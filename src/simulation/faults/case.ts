import type { Band, RootKind, SymptomKind, TimelineKind } from '../../contract/vocabularies.ts'
import type { Argument } from '../../contract/messages/catalogue.ts'
import type { Fault, FaultTarget, IncidentView } from '../state.ts'
import type { Micros } from '../time.ts'
import type { Symptom } from './board.ts'
import type { Observation } from './check.ts'
import type { SignalName } from './signals.ts'
import type { Stake } from './stakes.ts'

/** A cause that is considered. */
export interface Cause {
  readonly kind: RootKind
  readonly target: FaultTarget
  /** How likely it is by experience alone, with what every operator gets wrong; more symptoms make it likelier. */
  prior: number
  readonly added: Micros
  observations: readonly Observation[]
  /** Whether the timeline tells of what was found. */
  told: boolean
  /** When something was last seen that speaks for it plainly; -Infinity for never. */
  spokeAt: Micros
  confidence: number
  confirmed: boolean
  cleared: boolean
}

export interface TimelineNote {
  readonly at: Micros
  readonly kind: TimelineKind
  readonly detail: string
}

/** The first symptom, as it was told. */
export interface Headline {
  readonly kind: SymptomKind
  readonly key: string
  readonly args: readonly Argument[]
  readonly text: string
  readonly customerId: number | null
}

/** An incident while it is open: what the records, the views and the truth window are made of. */
export interface Case {
  readonly id: number
  readonly opened: Micros
  readonly headline: Headline
  readonly view: IncidentView
  readonly symptoms: Set<Symptom>
  /** Keys of all symptoms that it ever had: what comes back belongs to it. */
  readonly known: Set<number>
  causes: Cause[]
  /** What was ruled out and is remembered, lest anybody think of it again. */
  readonly ruledOut: { readonly kind: RootKind; readonly target: FaultTarget }[]
  readonly timeline: TimelineNote[]
  stake: Stake
  /** What was at stake when it was most. */
  worst: Stake
  highest: Band
  /** Customers of whom the timeline tells. */
  customersTold: number
  /** Symptoms of each signal of which the timeline tells. */
  readonly symptomsTold: Map<SignalName, number>
  /** When each band was last what is at stake. */
  readonly bandSeen: Map<Band, Micros>
  /** Since when no symptom is left; null while one is. */
  quietSince: Micros | null
  hintTier: number
  hint: string | null
  /** The version of which the hint was made. */
  hintedVersion: number
  /** What diagnosis found. */
  root: Fault | null
  /** The incident, found out already, that may be behind what customers feel in this one; null for none. */
  behind: Case | null
  /** Id of the incident that all of it turned out to come from; null for none. */
  partOf: number | null
  /** Orders that its record shows already. */
  ordersShown: number
  thread: number | null
  /** Keys of the symptoms whose parts were announced as failed. */
  readonly announced: Set<number>
  /** Goes up whenever anything about it changes. */
  version: number
  lastChanged: Micros
  resolved: Micros | null
}

/** Something about an incident has changed. */
export function touch(at: Case, now: Micros): void {
  at.version++
  at.lastChanged = now
}
