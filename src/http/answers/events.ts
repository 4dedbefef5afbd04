import type { EncodedEvents } from '../../encoding/frame.ts'
import { jsonMediaType } from '../media-types.ts'
import type { Representation } from '../representation.ts'
import { itemsSlice } from './page.ts'

interface Asked {
  readonly sinceNs: bigint | null
  readonly eventLimit: number
}

/** Events after a cursor, oldest first. Events of the same moment are never parted, even past the limit. */
export function eventsPage(events: EncodedEvents, { sinceNs, eventLimit }: Asked): Representation {
  const { atNs, newestEvictedNs } = events
  let from = 0
  if (sinceNs !== null) while (from < atNs.length && atNs[from] <= sinceNs) from++
  let to = Math.min(from + eventLimit, atNs.length)
  while (to > from && to < atNs.length && atNs[to] === atNs[to - 1]) to++
  const nextSinceNs = to > from ? atNs[to - 1] : (sinceNs ?? 0n)
  const oldestNs = atNs.length > 0 ? atNs[0] : 0n
  const possibleGap = sinceNs !== null && newestEvictedNs > sinceNs
  const cursors = `"next_since_ns":${nextSinceNs},"oldest_retained_ns":${oldestNs}`
  return {
    name: `events.${sinceNs ?? ''}.${from}.${to}`,
    mediaType: jsonMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs)},"items":[`,
    slices: [itemsSlice(events, from, to)],
    tail: `],${cursors},"possible_gap":${possibleGap},"count":${to - from}}`,
  }
}
