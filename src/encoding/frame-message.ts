import type { CollectionName } from '../contract/collections.ts'

/**
 * A list as it crosses the threads: `count` ids of 8 bytes, `count + 1` starts of 4 bytes, `count` positions in
 * ascending order of id where the items are in another, then the JSON.
 */
export interface ListPart {
  readonly buffer: ArrayBuffer
  readonly count: number
  readonly jsonLength: number
  readonly isAscending: boolean
}

/** Text that crosses the threads, at the beginning of its buffer. */
export interface TextPart {
  readonly buffer: ArrayBuffer
  readonly length: number
}

export interface FamilyPart extends TextPart {
  readonly family: string
}

/** What making the frame took in the world's thread. */
export interface FrameCost {
  readonly projectMs: number
  readonly encodeMs: number
  readonly recordsEncoded: number
  readonly recordsTotal: number
}

/**
 * A frame on its way from the world to the mirror. It holds only the parts that differ from those of the message
 * before; every buffer is moved, not copied, and is given back once no reader needs it.
 */
export interface FrameMessage {
  readonly simTimeNs: bigint
  readonly capturedAtMs: number
  readonly collections: Partial<Record<CollectionName, ListPart>>
  readonly events: ListPart | null
  readonly newestEvictedNs: bigint
  readonly diagnostics: TextPart | null
  readonly totals: TextPart | null
  /** Every metric family, in the order of the exposition. */
  readonly families: readonly string[]
  readonly changedFamilies: readonly FamilyPart[]
  readonly cost: FrameCost
}

/** Where the starts, the positions by id and the JSON of a list begin in its buffer, and how long it is in all. */
export function listLayout({ count, jsonLength, isAscending }: Omit<ListPart, 'buffer'>) {
  const startsAt = count * BigInt64Array.BYTES_PER_ELEMENT
  const byIdAt = startsAt + (count + 1) * Uint32Array.BYTES_PER_ELEMENT
  const jsonAt = byIdAt + (isAscending ? 0 : count * Uint32Array.BYTES_PER_ELEMENT)
  return { startsAt, byIdAt, jsonAt, byteLength: jsonAt + jsonLength }
}

/** Every buffer of a message: what has to be moved rather than copied when it is posted. */
export function buffersOf(message: FrameMessage): ArrayBuffer[] {
  const parts: { readonly buffer: ArrayBuffer }[] = [
    ...Object.values(message.collections),
    ...message.changedFamilies,
  ]
  if (message.events !== null) parts.push(message.events)
  if (message.diagnostics !== null) parts.push(message.diagnostics)
  if (message.totals !== null) parts.push(message.totals)
  return parts.map((part) => part.buffer)
}
