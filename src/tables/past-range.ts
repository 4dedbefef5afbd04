import type { ArchiveAnswer, ArchivedWorld, ArchiveQuery } from '../contract/archive.ts'

/** The archive as tables read it. */
export interface Past {
  /** Null if it has no such world. */
  read(query: ArchiveQuery): Promise<ArchiveAnswer | null>
  worlds(): Promise<readonly ArchivedWorld[]>
}

/** Which part of the archive a request is about. */
export type PastRange = Pick<ArchiveQuery, 'world' | 'fromMs' | 'toMs' | 'text'>

/** The parameters of tables that reach into the archive. */
export const pastParameters = {
  from: 'Only what was so at or after this wall time: ISO 8601, or milliseconds since 1970.',
  to: 'Only what was so at or before this wall time.',
  text: 'Only rows of records that contain all of these words, or words that begin with them.',
  world: 'Number of a world, as /tables/worlds has it. Left out: the current one.',
} as const

export const everything: PastRange = { world: null, fromMs: null, toMs: null, text: '' }
