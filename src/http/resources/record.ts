import type { EncodedCollection } from '../../encoding/frames/frame.ts'
import { positionOfId } from '../../encoding/frames/item-position.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation, Slice } from '../responses/representation.ts'

/** The members of an encoded record follow `meta`, without the record's own opening brace. */
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

/** The record with an id, from the first collection that has it. */
export function recordWithId(
  name: string,
  collections: readonly EncodedCollection[],
  id: bigint,
): Representation | null {
  for (const collection of collections) {
    const position = positionOfId(collection, id)
    if (position < 0) continue
    const { bytes, starts } = collection
    return record(`${name}.${id}`, { source: bytes, start: starts[position], end: starts[position + 1] - 1 })
  }
  return null
}
