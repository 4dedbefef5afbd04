import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { CollectionName } from '../../contract/collections.ts'
import type { UnknownParts } from '../../contract/collections.ts'
import type { FramePart } from './frame-parts.ts'

/** Records as JSON, joined by commas. */
export interface EncodedList {
  readonly bytes: Uint8Array
  /** Start offsets plus one final entry: item i is bytes[starts[i], starts[i + 1] - 1). */
  readonly starts: Uint32Array
}

export interface EncodedCollection extends EncodedList {
  /** The id of each item, in the order of the items. */
  readonly ids: BigInt64Array
  /** Positions of the items in ascending order of id; null if the items are in that order. */
  readonly byId: Uint32Array | null
}

export interface EncodedEvents extends EncodedList {
  /** `at_ns` of each event, in the order of the items. */
  readonly atNs: BigInt64Array
  /** `at_ns` of the newest event that has left the window; -1 if none has. */
  readonly newestEvictedNs: bigint
}

export interface PublishMoment {
  readonly publishSeq: number
  readonly simTimeNs: bigint
  /** When the world's state was captured, on the process-wide monotonic clock. */
  readonly capturedAtMs: number
}

/**
 * The parts of one snapshot that clients read, already encoded. Immutable once published: its buffers are reused only
 * after the frame was returned and no response reads them.
 */
export interface Frame extends PublishMoment {
  /** Of `collections` and `diagnostics` there is only what is among these. */
  readonly parts: ReadonlySet<FramePart>
  readonly collections: Readonly<Record<CollectionName, EncodedCollection>>
  readonly events: EncodedEvents
  readonly diagnostics: Uint8Array
  /** The world's totals as JSON. */
  readonly totals: Uint8Array
  /** The newest samples, and the publish that they are of; none before the first scrape. */
  readonly exposition: readonly ExpositionChunk[]
  readonly sampled: PublishMoment | null
  readonly unknown: UnknownParts
}
