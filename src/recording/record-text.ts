import type { DecimalSlots } from './decimal-slots.ts'

/** JSON texts joined by commas, with the id of each. */
export interface TextList {
  readonly bytes: Uint8Array
  /** Where each text begins, and one past the end plus one. */
  readonly starts: Uint32Array
  readonly ids: BigInt64Array
}

export const noTexts: TextList = {
  bytes: new Uint8Array(0),
  starts: new Uint32Array(1),
  ids: new BigInt64Array(0),
}

/** A text within bytes, with where its numbers stand. */
export interface SlottedText {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
  readonly slots: DecimalSlots
}

/** How many numbers at both ends of two texts stand in the same places, with the same text around them. */
export interface Alignment {
  readonly first: number
  readonly last: number
}

const segmentFrom = ({ from, slots }: SlottedText, index: number): number =>
  index === 0 ? from : slots.ends[index - 1]
const segmentTo = ({ to, slots }: SlottedText, index: number): number =>
  index === slots.count ? to : slots.starts[index]

/** Whether the same text stands before a number of one and before a number of the other, or behind the last. */
function isSameSegment(one: SlottedText, oneIndex: number, other: SlottedText, otherIndex: number): boolean {
  const from = segmentFrom(one, oneIndex)
  const length = segmentTo(one, oneIndex) - from
  const otherFrom = segmentFrom(other, otherIndex)
  if (segmentTo(other, otherIndex) - otherFrom !== length) return false
  const [bytes, otherBytes] = [one.bytes, other.bytes]
  for (let i = 0; i < length; i++) if (bytes[from + i] !== otherBytes[otherFrom + i]) return false
  return true
}

export function align(before: SlottedText, now: SlottedText): Alignment {
  const [count, nowCount] = [before.slots.count, now.slots.count]
  const most = Math.min(count, nowCount)
  let first = 0
  while (first < most && isSameSegment(before, first, now, first)) first++
  let last = 0
  while (first + last < most && isSameSegment(before, count - last, now, nowCount - last)) last++
  return { first, last }
}
