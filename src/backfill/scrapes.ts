import { stepNs } from '../world/built-in-world.ts'
import type { BuiltInWorld } from '../world/built-in-world.ts'
import type { ExpositionChunk } from '../contract/exposition-chunk.ts'
import type { Exposition } from '../metrics/exposition/exposition.ts'

/** Wall time between two scrapes of a backfill, unless another one is asked for. */
export const defaultIntervalSeconds = 20
/** promtool loads this number of samples within seconds. It bounds a backfill whose length is not asked for. */
const samplesMax = 8_000_000

const nsPerSecond = 1_000_000_000
const newline = 10
const headerLinesPerFamily = 2

/** Simulated time between two scrapes. */
export const scrapeEveryNs = (intervalSeconds: number, speed: number): bigint =>
  BigInt(Math.round(intervalSeconds * speed * nsPerSecond))

/** The mirror's own metrics have no history: it did not run before the first publish. */
export const withoutMirrorMetrics = (chunks: readonly ExpositionChunk[]): ExpositionChunk[] =>
  chunks.filter(({ family }) => !family.startsWith('dcsim_mirror_'))

/**
 * The number of intervals in the longest backfill that ends at `endNs`, of a world that begins with these series. It begins
 * after the first step, before which nothing runs.
 */
export function intervalsUntil(endNs: bigint, everyNs: bigint, chunks: readonly ExpositionChunk[]): number {
  let series = 0
  for (const { bytes } of withoutMirrorMetrics(chunks)) {
    for (const byte of bytes) if (byte === newline) series++
    series -= headerLinesPerFamily
  }
  return Math.min(Number((endNs > stepNs ? endNs - stepNs : 0n) / everyNs), Math.floor(samplesMax / series))
}

interface BackfillScrape {
  /** The world's time: at most one step before the requested time. */
  readonly simTimeNs: bigint
  /** Valid until the next scrape. */
  readonly chunks: readonly ExpositionChunk[]
}

interface BackfillOptions {
  readonly world: Pick<BuiltInWorld, 'nowNs' | 'step' | 'snapshot'>
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
