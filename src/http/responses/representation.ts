import { createHash } from 'node:crypto'
import type { PublishedFrame } from './published-frame.ts'

/** A range of a buffer of encoded bytes, which does not change while its frame is leased. */
export interface Slice {
  readonly source: Uint8Array
  readonly start: number
  readonly end: number
}

export const wholeSlice = (source: Uint8Array): Slice => ({ source, start: 0, end: source.length })

/**
 * A response body in three parts: a head, which contains the age and so differs between responses, slices of encoded
 * bytes, and a tail.
 */
export interface Representation {
  /** Identifies the body among all representations of one frame; null if it can change within a frame. */
  readonly name: string | null
  readonly mediaType: string
  readonly head: (published: PublishedFrame, ageMs: number) => string
  readonly slices: readonly Slice[]
  readonly tail: string
  /** Further headers, alternating names and values. */
  readonly headers?: readonly string[]
}

export const sliceLength = ({ start, end }: Slice): number => end - start
export const sliceBytes = ({ source, start, end }: Slice): Uint8Array => source.subarray(start, end)

/** A fixed-length digest of what was asked for, for a name. */
export const digestOf = (text: string): string => createHash('sha1').update(text).digest('base64url')

/** A body that is the same in all responses of a frame. */
export const wholeBody = (
  name: string | null,
  mediaType: string,
  slices: readonly Slice[],
  headers: readonly string[] = [],
): Representation => ({ name, mediaType, head: () => '', slices, tail: '', headers })
