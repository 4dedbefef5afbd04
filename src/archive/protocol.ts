/** Messages between the service thread and the thread of the archive. */
import type {
  ArchiveAnswer,
  ArchivedList,
  ArchivedWorld,
  ArchiveFigures,
  ArchiveQuery,
} from '../contract/archive.ts'
import type { Story } from '../encoding/frames/story.ts'
import type { EntityId } from './mentioned-entities.ts'
import type { Retention } from './retention.ts'
import type { FoundEntity } from './wanted-entities.ts'

export interface ArchiveThreadData {
  /** Null for an archive in memory. */
  readonly path: string | null
  readonly session: string
  readonly retention: Retention
  /** Whether a team works on a blind world: see `ArchiveReader.worlds`. */
  readonly isBlind: boolean
}

export type ToArchive =
  | { readonly kind: 'story'; readonly story: Story }
  | { readonly kind: 'query'; readonly id: number; readonly query: ArchiveQuery | 'worlds' }
  | { readonly kind: 'entities'; readonly found: readonly FoundEntity[] | null }
  | { readonly kind: 'close' }

export type ArchiveResult = ArchiveAnswer | readonly ArchivedWorld[] | null

export type FromArchive =
  /** A story was stored, or failed. */
  | { readonly kind: 'told'; readonly figures: ArchiveFigures }
  | { readonly kind: 'answer'; readonly id: number; readonly result: ArchiveResult }
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string }
  /** Asks for the records of entities in the current snapshot. */
  | { readonly kind: 'want'; readonly entities: readonly EntityId[] }
  | { readonly kind: 'note'; readonly isProblem: boolean; readonly message: string }
  | { readonly kind: 'closed' }

const buffersOfList = ({ bytes, starts, ids }: ArchivedList): ArrayBuffer[] => [
  bytes.buffer,
  starts.buffer,
  ids.buffer,
]

/** The buffers of a message, which are moved with it. */
export function movedBuffers(message: FromArchive): ArrayBuffer[] {
  if (message.kind !== 'answer' || message.result === null || !('found' in message.result)) return []
  const { found, isOpen, incidents } = message.result
  return [...buffersOfList(found), isOpen.buffer, ...buffersOfList(incidents)]
}
