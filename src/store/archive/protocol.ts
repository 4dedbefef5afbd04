/** Messages between the service thread and the archive. */
import type { ArchiveFigures } from '../../contract/archive.ts'
import type { Changes } from '../../encoding/frames/changes.ts'
import type { EntityId, FoundEntity } from './mentioned-entities.ts'

export interface ArchiveData {
  /** Null for an archive in memory. */
  readonly path: string | null
  readonly session: string
  /** The size of what is kept of what happened: beyond it the oldest goes. */
  readonly bytesMax: number
  /** Whether a team works on a blind world: see `ArchiveReader.worlds`. */
  readonly isBlind: boolean
}

export type ToArchive =
  | { readonly kind: 'changes'; readonly changes: Changes }
  | { readonly kind: 'entities'; readonly found: readonly FoundEntity[] }
  | { readonly kind: 'close' }

export type FromArchive =
  /** A batch of changes was stored, or failed. */
  | { readonly kind: 'stored'; readonly figures: ArchiveFigures }
  /** Asks for the records of entities in the current snapshot. */
  | { readonly kind: 'want'; readonly entities: readonly EntityId[] }
  | { readonly kind: 'note'; readonly isProblem: boolean; readonly message: string }
  /** It has failed for good: changes are no longer stored. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'closed' }
