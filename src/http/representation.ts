import type { Edition } from './edition.ts'

/** Bytes that were encoded beforehand: a range of a buffer that does not change while it is held. */
export interface Slice {
  readonly source: Uint8Array
  readonly start: number
  readonly end: number
}

export const wholeOf = (source: Uint8Array): Slice => ({ source, start: 0, end: source.length })

/**
 * A body about to be sent, in three parts: a head that tells its age and so differs from response to response,
 * slices of what was encoded beforehand, and a tail.
 */
export interface Representation {
  /** Names it among all that are made from one frame; null where two of the same name could still differ. */
  readonly name: string | null
  readonly mediaType: string
  readonly head: (edition: Edition, ageMs: number) => string
  readonly slices: readonly Slice[]
  readonly tail: string
  /** Further headers, names and values in turn. */
  readonly headers?: readonly string[]
}

export const lengthOf = ({ start, end }: Slice): number => end - start
export const bytesOf = ({ source, start, end }: Slice): Uint8Array => source.subarray(start, end)
