import type { EncodedCollection } from '../../encoding/frames/frame.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation, Slice } from '../responses/representation.ts'

/** The position of the item with an id; -1 if there is none. */
function positionOf({ ids, byId }: EncodedCollection, id: bigint): number {
  if (ids.length === 0) return -1
  // Ids are mostly consecutive, so the first guess is mostly right.
  const guess = id - ids[0]
  if (byId === null && guess >= 0n && guess < ids.length && ids[Number(guess)] === id) return Number(guess)
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const position = byId === null ? middle : byId[middle]
    if (ids[position] === id) return position
    if (ids[position] < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The members of an encoded record, if it has any, follow `meta`; its own opening brace is left out. */
function record(name: string, { source, start, end }: Slice): Representation {
  const separator = end - start > '{}'.length ? ',' : ''
  return {
    name,
    mediaType: jsonMediaType,
    head: (published, ageMs) => published.meta(ageMs) + separator,
    slices: [{ source, start: start + 1, end }],
    tail: '',
  }
}

export const recordRepresentation = (name: string, bytes: Uint8Array): Representation =>
  record(name, wholeSlice(bytes))

/** The record with an id, from the first collection that has one. */
export function recordWithId(
  name: string,
  collections: readonly EncodedCollection[],
  id: bigint,
): Representation | null {
  for (const collection of collections) {
    const position = positionOf(collection, id)
    if (position < 0) continue
    const { bytes, starts } = collection
    return record(`${name}.${id}`, {
      source: bytes,
      start: starts[position],
      end: starts[position + 1] - 1,
    })
  }
  return null
}
