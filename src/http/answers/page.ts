import type { EncodedList } from '../../encoding/frame.ts'
import { jsonMediaType } from '../media-types.ts'
import type { Representation, Slice } from '../representation.ts'

/** The bytes of the items from one position to another, commas between them included. */
export function itemsSlice({ bytes, starts }: EncodedList, from: number, to: number): Slice {
  return { source: bytes, start: starts[from], end: from === to ? starts[from] : starts[to] - 1 }
}

/** A page of a list. An offset past the end gives an empty page. */
export function page(
  name: string,
  list: EncodedList,
  asked: { offset: number; limit: number },
): Representation {
  const total = list.starts.length - 1
  const offset = Math.min(asked.offset, total)
  const count = Math.min(asked.limit, total - offset)
  return {
    name: `${name}.${offset}.${count}`,
    mediaType: jsonMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs)},"items":[`,
    slices: [itemsSlice(list, offset, offset + count)],
    tail: `],"total":${total},"offset":${offset},"count":${count}}`,
  }
}
