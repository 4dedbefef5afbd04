import type { FeedSnapshot } from '../../contract/collections.ts'
import { eventWindow } from '../../contract/collections.ts'
import type { WorldFigures } from '../../encoding/frames/changes.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import type { ChangeFeed } from '../source.ts'
import type { ChangeParts } from '../change-builder.ts'
import type { WarmUpChanges } from './warm-up-changes.ts'

/** A batch of changes is due after so many events, long before one of them leaves the window, … */
const newEventsMax = eventWindow / 3
/** … after so much simulated time, long before a resolved incident leaves its list, … */
const simulatedNsMax = 3_600_000_000_000n
/** … and after so much wall time. */
const intervalMs = 2_000

type ObservedWorld = Pick<BuiltInWorld, 'nowNs' | 'eventsEmitted' | 'feedSnapshot'>

interface WorldChangeFeedOptions {
  readonly worldId: string
  readonly figures: WorldFigures
  /** The changes of a warm-up that another process simulated. */
  readonly warmUpChanges: readonly ChangeParts[]
  /** Keeps the changes of the warm-up; null if it is not kept. */
  readonly keeper: WarmUpChanges | null
}

/** Tells what happens in the built-in world, during its warm-up too. */
export class WorldChangeFeed implements ChangeFeed {
  readonly worldId: string
  readonly figures: WorldFigures
  readonly warmUpChanges: readonly ChangeParts[]
  readonly keep?: (parts: ChangeParts) => void
  readonly #world: ObservedWorld
  #sentEvents = -1
  #sentNs = -1n
  #sentMs = -Infinity

  constructor(world: ObservedWorld, { worldId, figures, warmUpChanges, keeper }: WorldChangeFeedOptions) {
    this.#world = world
    this.worldId = worldId
    this.figures = figures
    this.warmUpChanges = warmUpChanges
    if (keeper !== null) this.keep = (parts) => keeper.add(parts)
  }

  next(nowMs: number, isDue = false): FeedSnapshot | null {
    const { nowNs, eventsEmitted } = this.#world
    if (nowNs === this.#sentNs) return null
    const isLate =
      eventsEmitted - this.#sentEvents >= newEventsMax ||
      nowNs - this.#sentNs >= simulatedNsMax ||
      nowMs - this.#sentMs >= intervalMs
    if (!isDue && !isLate) return null
    this.#sentEvents = eventsEmitted
    this.#sentNs = nowNs
    this.#sentMs = nowMs
    return this.#world.feedSnapshot()
  }
}
