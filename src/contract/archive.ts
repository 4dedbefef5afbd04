/** Questions to the archive, and its answers. */
import type { CollectionName, EventRecord, IncidentRecord, WorkOrderRecord } from './collections.ts'

/** Kinds of archived records. A number is unique among records of a kind. */
export const archivedKinds = ['event', 'incident', 'order', 'day'] as const
export type ArchivedKind = (typeof archivedKinds)[number]

export interface ArchiveQuery {
  readonly kind: Exclude<ArchivedKind, 'day'>
  /** The number of a world in the archive; null for the current one. */
  readonly world: number | null
  /** Only records of this span of wall time, in ms since 1970; null for no bound. */
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Only records that contain all of these words; empty for all records. */
  readonly text: string
  /** Only incidents with these numbers, and orders that serve them. */
  readonly incidents: readonly bigint[] | null
  /** At most this many, the latest. */
  readonly limit: number
}

/** A question for days. */
export type DayQuery = Pick<ArchiveQuery, 'world' | 'fromMs' | 'toMs' | 'limit'>

/** A record of the archive. */
export interface ArchivedRecord<R = EventRecord | IncidentRecord | WorkOrderRecord> {
  readonly id: bigint
  readonly record: R
  readonly isOpen: boolean
}

/** The name and the place of an entity as of the time when a record mentioned it. */
export interface ArchivedEntity {
  readonly collection: CollectionName
  readonly id: bigint
  /** Some fields of its record. */
  readonly record: object
}

/** A world in the archive. */
export interface ArchivedWorld {
  readonly number: number
  readonly isCurrent: boolean
  readonly session: string
  readonly seed: string
  readonly scale: string
  readonly scenario: string
  /** Wall times of its first and last record, in ms since 1970; null before its first publish. */
  readonly beganMs: number | null
  readonly lastMs: number | null
  /** The simulated time that the archive knows last. */
  readonly simTimeNs: bigint
  /** How often events were missed, as the mirror did not run or did not publish. */
  readonly gaps: number
}

export interface ArchiveAnswer {
  readonly world: ArchivedWorld
  /** The requested records, in ascending order of their ids. */
  readonly found: readonly ArchivedRecord[]
  /** The incidents that requested events and orders refer to. */
  readonly incidents: readonly ArchivedRecord<IncidentRecord>[]
  /** The entities that the records mention. */
  readonly entities: readonly ArchivedEntity[]
}

/** The state of the archive, for metrics. */
export interface ArchiveFigures {
  readonly rows: Readonly<Record<ArchivedKind, number>>
  readonly bytes: number
  /** Wall time of the oldest record, in seconds since 1970; null for none. */
  readonly oldestSeconds: number | null
  /** Failed writes and reads since the start. */
  readonly errors: number
}

/** A day of a world, as the chronicle tells it. */
export interface ChronicleDay {
  readonly day: number
  /** Wall times of its beginning and end, in ms since 1970; null if the mirror does not know them. */
  readonly beganMs: number | null
  readonly endedMs: number | null
  readonly isOver: boolean
  /** Incidents that opened, by their highest band. */
  readonly critical: number
  readonly major: number
  readonly minor: number
  readonly watch: number
  /** The gravest incident of the day; null for none. */
  readonly worstId: string | null
  readonly worst: string | null
  /** Simulated minutes with an open Major or Critical incident. */
  readonly troubledMinutes: number
  /** Revenue at risk of all incidents, by their duration within the day. */
  readonly atRiskDollars: number
  readonly creditedDollars: number
  readonly spentDollars: number
  /** The chapters of the company that began, in words. */
  readonly chapters: readonly string[]
  readonly won: readonly string[]
  readonly lost: readonly string[]
  readonly events: number
  readonly ordersDone: number
}

/** The archive does not answer, or there is none. */
export class ArchiveUnavailable extends Error {
  override readonly name = 'ArchiveUnavailable'
}
