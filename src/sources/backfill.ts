import { stepNs } from '../world/built-in-world.ts'
import type { ExpositionChunk } from '../contract/exposition-chunk.ts'
import type { Exposition } from '../metrics/exposition/exposition.ts'
import type { SteppedWorld } from './built-in/simulation-source.ts'

interface BackfillScrape {
  /** The world's time: at most one step before the requested time. */
  readonly simTimeNs: bigint
  /** Valid until the next scrape. */
  readonly chunks: readonly ExpositionChunk[]
}

interface BackfillOptions {
  readonly world: Omit<SteppedWorld, 'history'>
  readonly exposition: Exposition
  /** Simulated time of the first scrape. */
  readonly fromNs: bigint
  /** Simulated time of the last scrape, if it is a whole number of intervals after the first. */
  readonly untilNs: bigint
  readonly everyNs: bigint
  /** Called after every step. */
  readonly onStep?: (simTimeNs: bigint) => void
}

/** Steps a world as fast as possible and scrapes it at a fixed interval of simulated time. */
export function* generateBackfill(options: BackfillOptions): Generator<BackfillScrape> {
  const { world, exposition, fromNs, untilNs, everyNs, onStep } = options
  for (let dueNs = fromNs; dueNs <= untilNs; dueNs += everyNs) {
    while (world.nowNs + stepNs <= dueNs) {
      world.step()
      onStep?.(world.nowNs)
    }
    yield { simTimeNs: world.nowNs, chunks: exposition.render(world.snapshot()) }
  }
}
