import type { CollectionName } from '../../contract/collections.ts'
import type { UnknownParts } from '../../contract/collections.ts'
import type { FramePart } from './frame-parts.ts'

/**
 * A list that crosses the thread boundary: `count` ids of 8 bytes, `count + 1` starts of 4 bytes, `count` positions by
 * id if the items are not in ascending order of id, then the JSON.
 */
export interface ListPart {
  readonly buffer: ArrayBufferLike
  readonly count: number
  readonly jsonLength: number
  readonly isAscending: boolean
}

/** Text that crosses the thread boundary, at the start of its buffer. */
export interface TextPart {
  readonly buffer: ArrayBufferLike
  readonly length: number
}

export interface FamilyPart extends TextPart {
  readonly family: string
}

/** The cost of making the frame in the world thread. */
export interface FrameCost {
  readonly projectMs: number
  readonly encodeMs: number
  readonly recordsEncoded: number
  readonly recordsTotal: number
}

/**
 * A frame on its way from the world thread to the mirror, with only the parts that differ from the previous message.
 * Buffers are shared, not copied, and are returned once no response and no table needs them.
 */
export interface FrameMessage {
  readonly simTimeNs: bigint
  readonly capturedAtMs: number
  /** The parts that the frame has. The samples of an earlier one stay, for scrapes that find no others. */
  readonly parts: readonly FramePart[]
  readonly collections: Partial<Record<CollectionName, ListPart>>
  readonly events: ListPart | null
  readonly newestEvictedNs: bigint
  readonly unknown: UnknownParts
  readonly diagnostics: TextPart | null
  readonly totals: TextPart | null
  /** Every metric family in the order of the exposition; null without samples. */
  readonly families: readonly string[] | null
  readonly changedFamilies: readonly FamilyPart[]
  readonly cost: FrameCost
}

/** Offsets of the starts, the positions by id and the JSON in a list's buffer, and the total length. */
export function listLayout({ count, jsonLength, isAscending }: Omit<ListPart, 'buffer'>) {
  const startsAt = count * BigInt64Array.BYTES_PER_ELEMENT
  const byIdAt = startsAt + (count + 1) * Uint32Array.BYTES_PER_ELEMENT
  const jsonAt = byIdAt + (isAscending ? 0 : count * Uint32Array.BYTES_PER_ELEMENT)
  return { startsAt, byIdAt, jsonAt, byteLength: jsonAt + jsonLength }
}

/** Every buffer of a message. */
export function buffersOf(message: FrameMessage): ArrayBufferLike[] {
  const parts: { readonly buffer: ArrayBufferLike }[] = [
    ...Object.values(message.collections),
    ...message.changedFamilies,
  ]
  if (message.events !== null) parts.push(message.events)
  if (message.diagnostics !== null) parts.push(message.diagnostics)
  if (message.totals !== null) parts.push(message.totals)
  return parts.map((part) => part.buffer)
}
