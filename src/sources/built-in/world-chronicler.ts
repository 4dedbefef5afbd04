import type { WorldStory } from '../../contract/collections.ts'
import { eventWindow } from '../../contract/collections.ts'
import type { WorldFigures } from '../../encoding/frames/story.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import type { Chronicler } from '../source.ts'
import type { StoryParts } from '../story-builder.ts'
import type { PastStories } from './past-stories.ts'

/** A story is due after so many events, long before one of them leaves the window, … */
const newEventsMax = eventWindow / 3
/** … after so much simulated time, long before a resolved incident leaves its list, … */
const simulatedNsMax = 3_600_000_000_000n
/** … and after so much wall time. */
const intervalMs = 2_000

type ToldWorld = Pick<BuiltInWorld, 'nowNs' | 'eventsEmitted' | 'story'>

interface WorldChroniclerOptions {
  readonly worldId: string
  readonly figures: WorldFigures
  /** The stories of a warm-up that another process lived through. */
  readonly past: readonly StoryParts[]
  /** Keeps the stories of the warm-up; null if it is not kept. */
  readonly keeper: PastStories | null
}

/** Tells what happens in the built-in world, during its warm-up too. */
export class WorldChronicler implements Chronicler {
  readonly worldId: string
  readonly figures: WorldFigures
  readonly past: readonly StoryParts[]
  readonly keep?: (parts: StoryParts) => void
  readonly #world: ToldWorld
  #toldEvents = -1
  #toldNs = -1n
  #toldMs = -Infinity

  constructor(world: ToldWorld, { worldId, figures, past, keeper }: WorldChroniclerOptions) {
    this.#world = world
    this.worldId = worldId
    this.figures = figures
    this.past = past
    if (keeper !== null) this.keep = (parts) => keeper.add(parts)
  }

  story(nowMs: number): WorldStory | null {
    const { nowNs, eventsEmitted } = this.#world
    if (nowNs === this.#toldNs) return null
    const isDue =
      eventsEmitted - this.#toldEvents >= newEventsMax ||
      nowNs - this.#toldNs >= simulatedNsMax ||
      nowMs - this.#toldMs >= intervalMs
    if (!isDue) return null
    this.#toldEvents = eventsEmitted
    this.#toldNs = nowNs
    this.#toldMs = nowMs
    return this.#world.story()
  }
}
