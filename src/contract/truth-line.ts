import type { Band, CauseKind, EntityKind } from './vocabularies.ts'

/** Larger truth files are not read. */
export const truthBytesMax = 200 << 20

/** An incident that a fault brought about, or that shows it. Times are seconds since the fault began. */
export interface TruthIncident {
  readonly id: number
  /** Every band that it reached, the least grave first. */
  readonly bands: readonly Band[]
  readonly opened_after_s: number
  /** When operators confirmed this fault as its cause; null if they did not. */
  readonly confirmed_after_s: number | null
  readonly resolved_after_s: number | null
}

/** An alert that may rightly fire for a fault, by its name and the labels that tell it from others. */
export interface TruthAlert {
  readonly alert: string
  readonly labels: Readonly<Record<string, string>>
}

/** A moment: simulated seconds since the world began, and the wall time that belongs to it. */
interface TruthMoment {
  readonly sim_s: number
  /** Seconds since 1970. */
  readonly wall_s: number
}

/** One fault, as the world knows it: a line of a truth file. */
export interface TruthLine {
  /** The world that the fault is in: of lines with the same world and fault, the last one counts. */
  readonly world: string
  readonly fault: number
  readonly kind: CauseKind
  /** Its origin. */
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
  /** Whether it ended by itself; null if it has not ended. */
  readonly ended_by: 'repair' | 'itself' | null
  /** Ids of what it touched, by the label that metrics have for them. */
  readonly touched: Readonly<Record<string, readonly string[]>>
  readonly incidents: readonly TruthIncident[]
  readonly alerts: readonly TruthAlert[]
  /** Customers within its reach that failed, waited or had stranded units while it lasted. */
  readonly customers: readonly { readonly id: number; readonly name: string }[]
  /** Revenue of these customers in the time in which they felt it. */
  readonly revenue_hurt_dollars: number
  /** Until the first incident opened, its cause was confirmed, and it was repaired; null for never. */
  readonly noticed_after_s: number | null
  readonly confirmed_after_s: number | null
  readonly repaired_after_s: number | null
}
