import type { FeedCollection } from '../../contract/collections.ts'
import type { ListPart } from './frame-message.ts'

/** The identity and the pace of a world. */
export interface WorldFigures {
  readonly seed: string
  readonly scale: string
  readonly scenario: string
  /** Simulated seconds per wall second. */
  readonly speed: number
}

/**
 * The history of a world so far, on its way to an archive. A part that did not change since the previous batch is
 * null. Buffers are moved.
 */
export interface Changes {
  /** The id of a world that its source knows again after a restart; null if only its figures tell it from others. */
  readonly worldId: string | null
  readonly figures: WorldFigures
  readonly simTimeNs: bigint
  /** The wall time of `simTimeNs`; null during the warm-up. */
  readonly wallMs: number | null
  readonly newestEvictedNs: bigint
  /** The window of events; its ids are their times. */
  readonly events: ListPart | null
  readonly collections: Partial<Record<FeedCollection, ListPart>>
}

export function buffersOfChanges({ events, collections }: Changes): ArrayBuffer[] {
  const parts = Object.values(collections)
  if (events !== null) parts.push(events)
  return parts.map(({ buffer }) => buffer as ArrayBuffer)
}
