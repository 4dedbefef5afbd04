import type { EncodedEvents } from '../../encoding/frames/frame.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import type { Representation } from '../responses/representation.ts'
import { sliceOfItems } from './page.ts'

interface EventsQuery {
  readonly sinceNs: bigint | null
  readonly eventLimit: number
}

/** Events after a cursor, oldest first. Events of the same time are never separated, even beyond the limit. */
export function eventsRepresentation(
  events: EncodedEvents,
  { sinceNs, eventLimit }: EventsQuery,
): Representation {
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
    head: (published, ageMs) => `${published.meta(ageMs)},"items":[`,
    slices: [sliceOfItems(events, from, to)],
    tail: `],${cursors},"possible_gap":${possibleGap},"count":${to - from}}`,
  }
}
