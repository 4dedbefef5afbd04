import type { Band, CauseKind, EntityKind } from '../vocabularies.ts'

/** An incident that a fault caused, or that shows it. Times are seconds since the fault began. */
export interface TruthIncident {
  readonly id: number
  /** Its title. */
  readonly symptom: string
  /** Every band that the incident reached, in ascending order. */
  readonly bands: readonly Band[]
  readonly opened_after_s: number
  /** The time at which operators confirmed this fault as the cause; null if they did not. */
  readonly confirmed_after_s: number | null
  readonly resolved_after_s: number | null
}

/** An expected alert: its name and the labels that tell it from other alerts of that name. */
export interface TruthAlert {
  readonly alert: string
  readonly labels: Readonly<Record<string, string>>
}

/** An instant in simulated seconds since the world began, and in wall time. */
export interface TruthMoment {
  readonly sim_s: number
  /** Seconds since 1970. */
  readonly wall_s: number
}

/** The time in which clients saw the world; the warm-up before it is no part of it. */
export interface TruthSession {
  readonly began: TruthMoment
  /** Null while the mirror runs. */
  readonly ended: TruthMoment | null
}

/** The ground truth of one fault. */
export interface TruthLine {
  /** The world of the fault: of lines with the same world and fault, the last one counts. */
  readonly world: string
  /** Null for a history, which is from before any session. */
  readonly session: TruthSession | null
  readonly fault: number
  readonly kind: CauseKind
  readonly origin: 'random' | 'scenario' | 'injected'
  readonly entity: {
    readonly kind: EntityKind | 'Port' | 'Pool'
    readonly id: number
    readonly name: string
    readonly place: string
  }
  readonly magnitude: number
  readonly begin: TruthMoment
  /** Null if it had not ended when the line was written. */
  readonly end: TruthMoment | null
  /** Whether a repair or the fault itself ended it; null if it has not ended. */
  readonly ended_by: 'repair' | 'itself' | null
  /** Ids of the affected entities, by the label that metrics have for them. */
  readonly touched: Readonly<Record<string, readonly string[]>>
  readonly incidents: readonly TruthIncident[]
  readonly alerts: readonly TruthAlert[]
  /** Affected customers that had failures, latency or stranded units while the fault lasted. */
  readonly customers: readonly { readonly id: number; readonly name: string }[]
  /** Revenue of these customers in the time in which they were affected. */
  readonly revenue_hurt_dollars: number
  /** Seconds until the first incident opened, its cause was confirmed, and the fault was repaired; null for never. */
  readonly noticed_after_s: number | null
  readonly confirmed_after_s: number | null
  readonly repaired_after_s: number | null
}
