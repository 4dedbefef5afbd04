import type { EncodedCollection, EncodedList } from './frame.ts'

/** The position of the item with an id; -1 if there is none. */
export function positionOfId({ ids, byId }: EncodedCollection, id: bigint): number {
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

/** The JSON of the item at a position. */
export const textOfItem = ({ bytes, starts }: EncodedList, position: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'utf8',
    starts[position],
    starts[position + 1] - 1,
  )
