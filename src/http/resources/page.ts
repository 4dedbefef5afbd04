import type { EncodedList } from '../../encoding/frames/frame.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import type { Representation, Slice } from '../responses/representation.ts'

/** The bytes of a half-open range of items, with the commas between them. */
export function sliceOfItems({ bytes, starts }: EncodedList, from: number, to: number): Slice {
  return { source: bytes, start: starts[from], end: from === to ? starts[from] : starts[to] - 1 }
}

/** A page of a list. An offset past the end yields an empty page. */
export function pageRepresentation(
  name: string,
  list: EncodedList,
  { offset: offsetRequested, limit }: { offset: number; limit: number },
): Representation {
  const total = list.starts.length - 1
  const offset = Math.min(offsetRequested, total)
  const count = Math.min(limit, total - offset)
  return {
    name: `${name}.${offset}.${count}`,
    mediaType: jsonMediaType,
    head: (published, ageMs) => `${published.meta(ageMs)},"items":[`,
    slices: [sliceOfItems(list, offset, offset + count)],
    tail: `],"total":${total},"offset":${offset},"count":${count}}`,
  }
}
