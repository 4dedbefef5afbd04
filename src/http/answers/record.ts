import type { EncodedCollection } from '../../encoding/frame.ts'
import { jsonMediaType } from '../media-types.ts'
import { wholeOf } from '../representation.ts'
import type { Representation, Slice } from '../representation.ts'

/** The position of the item with an id; -1 where none has it. */
export function positionOf({ ids, byId }: EncodedCollection, id: bigint): number {
  if (ids.length === 0) return -1
  // Ids are mostly given out one after the other, so the first guess is mostly right.
  const guess = id - ids[0]
  if (byId === null && guess >= 0n && guess < ids.length && ids[Number(guess)] === id) return Number(guess)
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const position = byId === null ? middle : byId[middle]
    const found = ids[position]
    if (found === id) return position
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The members of an encoded record follow `meta`: its own opening brace is left out. */
function record(name: string, { source, start, end }: Slice): Representation {
  return {
    name,
    mediaType: jsonMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs)},`,
    slices: [{ source, start: start + 1, end }],
    tail: '',
  }
}

export const soleRecord = (name: string, bytes: Uint8Array): Representation => record(name, wholeOf(bytes))

/** The record with an id, out of the first collection that has it. */
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
