import type { CollectionName } from '../contract/collections.ts'

/** Records as JSON, joined by commas. */
export interface EncodedList {
  readonly bytes: Uint8Array
  /** Where each item begins, and one past the end plus one: item i is bytes[starts[i], starts[i + 1] - 1). */
  readonly starts: Uint32Array
}

export interface EncodedCollection extends EncodedList {
  /** The id of each item, in the order of the items. */
  readonly ids: BigInt64Array
  /** Positions of the items in ascending order of id; null where the items themselves are in that order. */
  readonly byId: Uint32Array | null
}

export interface EncodedEvents extends EncodedList {
  /** `at_ns` of each event, in the order of the items. */
  readonly atNs: BigInt64Array
  /** `at_ns` of the newest event that has left the window; -1 while none has. */
  readonly newestEvictedNs: bigint
}

/** The text exposition of one metric family, HELP and TYPE lines included. */
export interface ExpositionChunk {
  readonly family: string
  readonly bytes: Uint8Array
}

/**
 * Everything that a reader can ask for, of one instant, already encoded. Never changed once published: a buffer
 * is written again only after the frame was given back and no response reads it any more.
 */
export interface Frame {
  readonly publishSeq: number
  readonly simTimeNs: bigint
  /** When the world's state was captured, on the process-wide monotonic clock. */
  readonly capturedAtMs: number
  readonly collections: Readonly<Record<CollectionName, EncodedCollection>>
  readonly events: EncodedEvents
  /** The diagnostics record. */
  readonly diagnostics: Uint8Array
  /** What the world has counted, as JSON. */
  readonly totals: Uint8Array
  readonly exposition: readonly ExpositionChunk[]
}
