import type {
  ArchiveAnswer,
  ArchivedWorld,
  ArchiveQuery,
  ChronicleDay,
  DayQuery,
} from '../../contract/archive.ts'

/** The archive as tables read it. */
export interface ArchiveAccess {
  /** Null if it has no such world. */
  read(query: ArchiveQuery): ArchiveAnswer | null
  /** Oldest first; none of a world that it does not have. */
  days(query: DayQuery): readonly ChronicleDay[]
  worlds(): readonly ArchivedWorld[]
}

/** Which part of the archive a request is about. */
export interface ArchiveRange extends Pick<ArchiveQuery, 'world' | 'fromMs' | 'toMs' | 'text'> {
  /** A session whose last world is meant where no number is given; null for the current one. */
  readonly session: string | null
}

/** The parameters of tables that reach into the archive. */
export const archiveParameters = {
  from: 'Only what was so at or after this wall time: ISO 8601, or milliseconds since 1970.',
  to: 'Only what was so at or before this wall time.',
  text: 'Only rows of records that contain all of these words, or words that begin with them.',
  world: 'Number of a world, as /tables/worlds has it. Left out: the current one.',
} as const

export const everything: ArchiveRange = { world: null, fromMs: null, toMs: null, text: '', session: null }
