import type { WorldStory } from '../../contract/collections.ts'
import { eventWindow } from '../../contract/collections.ts'
import type { WorldFigures } from '../../encoding/frames/story.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import type { Chronicler } from '../source.ts'

/** A story is due after so many events, long before one of them leaves the window, … */
const newEventsMax = eventWindow / 3
/** … after so much simulated time, long before a resolved incident leaves its list, … */
const simulatedNsMax = 3_600_000_000_000n
/** … and after so much wall time. */
const intervalMs = 2_000

type ToldWorld = Pick<BuiltInWorld, 'nowNs' | 'eventsEmitted' | 'story'>

/** Tells what happens in the built-in world, during its warm-up too. */
export class WorldChronicler implements Chronicler {
  readonly worldId: string
  readonly figures: WorldFigures
  readonly #world: ToldWorld
  #toldEvents = -1
  #toldNs = -1n
  #toldMs = -Infinity

  constructor(world: ToldWorld, worldId: string, figures: WorldFigures) {
    this.#world = world
    this.worldId = worldId
    this.figures = figures
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
