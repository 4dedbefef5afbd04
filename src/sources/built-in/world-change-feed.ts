import { eventWindow } from '../../contract/collections.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import type { ChangeFeed } from '../source.ts'

/** A batch of changes is due after so many events, long before one of them leaves the window, … */
const newEventsMax = eventWindow / 3
/** … after so much simulated time, long before a resolved incident leaves its list, … */
const simulatedNsMax = 3_600_000_000_000n
/** … and after so much wall time. */
const intervalMs = 2_000

type ObservedWorld = Pick<BuiltInWorld, 'nowNs' | 'eventsEmitted' | 'feedSnapshot'>

/** Tells what happens in the built-in world, during its warm-up too. */
export function worldChangeFeed(world: ObservedWorld, about: Omit<ChangeFeed, 'next'>): ChangeFeed {
  let sent = { events: -1, ns: -1n, ms: -Infinity }
  return {
    ...about,
    next(nowMs, isDue = false) {
      const { nowNs, eventsEmitted } = world
      if (nowNs === sent.ns) return null
      const isLate =
        eventsEmitted - sent.events >= newEventsMax ||
        nowNs - sent.ns >= simulatedNsMax ||
        nowMs - sent.ms >= intervalMs
      if (!isDue && !isLate) return null
      sent = { events: eventsEmitted, ns: nowNs, ms: nowMs }
      return world.feedSnapshot()
    },
  }
}
