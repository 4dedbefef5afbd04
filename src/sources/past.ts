import type { Exposition, ExpositionChunk } from '../metrics/exposition.ts'
import type { SteppedWorld } from './simulation.ts'

const stepNs = 10_000_000_000n

/** What would have been scraped from a world at one moment of its past. */
export interface Moment {
  /** How far the world was: at most one step before the moment that was asked for. */
  readonly simTimeNs: bigint
  /** The bytes hold until the next moment. */
  readonly chunks: readonly ExpositionChunk[]
}

export interface PastOptions {
  readonly world: Omit<SteppedWorld, 'history'>
  readonly exposition: Exposition
  /** Simulated time of the first moment; the world lives through what is before it. */
  readonly fromNs: bigint
  /** Simulated time of the last moment, if it is a whole number of intervals after the first. */
  readonly untilNs: bigint
  readonly everyNs: bigint
  /** Told after every step. */
  readonly onStep?: (simTimeNs: bigint) => void
}

/** Lets a world live as fast as it can, and shows it at even distances. */
export function* past(options: PastOptions): Generator<Moment> {
  const { world, exposition, fromNs, untilNs, everyNs, onStep } = options
  for (let dueNs = fromNs; dueNs <= untilNs; dueNs += everyNs) {
    while (world.nowNs + stepNs <= dueNs) {
      world.step()
      onStep?.(world.nowNs)
    }
    yield { simTimeNs: world.nowNs, chunks: exposition.render(world.snapshot()) }
  }
}
