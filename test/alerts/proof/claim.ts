import type { Snapshot, ZoneRecord } from '../../../src/contract/collections.ts'
import type { Truth } from '../../../src/world/simulation/truth/truth.ts'
import type { WorldView } from '../../../src/world/simulation/state.ts'

/** A world at one publish, as it knows itself. */
export interface Sight {
  /** Wall seconds since the run began; at speed 60 each is a simulated minute. */
  readonly at: number
  readonly state: WorldView
  readonly snapshot: Snapshot
  readonly truths: readonly Truth[]
}

/** Which thing, by the labels of the alert, and how much of what makes it fire: 1 and more is enough. */
export type Holding = readonly [key: string, strength: number]

/** What a text states of a thing besides its names, and how it writes that. */
export interface Amount {
  readonly unit: 'percent' | 'celsius' | 'times' | 'count' | 'dollars' | 'duration'
  /** The amount at which the claim has strength 1; where left out, `of` says the amounts. */
  readonly scale?: number
  readonly of?: (sight: Sight) => Iterable<Holding>
  /**
   * Seconds of a run in which its window fills. promtool evaluates recordings that build on each other some seconds
   * apart, which is much of a window then.
   */
  readonly fills?: number
  /** Share by which a window that is cut otherwise may come out differently. */
  readonly tolerance?: number
}

/** What an alert claims about the world, said without Prometheus. */
export interface Claim {
  /** The labels that tell one such alert from another. */
  readonly key: readonly string[]
  readonly look: (sight: Sight) => Iterable<Holding>
  /** Share by which a window that is cut otherwise may come out differently. */
  readonly tolerance?: number
  /** What its texts state in numbers. */
  readonly amount?: Amount
  /** Wall seconds for which a window still contains what is over. */
  readonly lingers?: number
}

/** Ids in the records of the embedded world are row plus one. */
export const idOf = (row: number): string => String(row + 1)

/** The key of those for which something holds. */
export function* where<T>(items: Iterable<T>, holds: (item: T) => boolean, key: (item: T) => string) {
  for (const item of items) if (holds(item)) yield [key(item), 2] as const
}

/** How much of a limit there is of something. */
export function* shares<T>(
  items: Iterable<T>,
  value: (item: T) => number,
  limit: number,
  key: (item: T) => string,
): Iterable<Holding> {
  for (const item of items) {
    const strength = value(item) / limit
    if (strength > 0.5) yield [key(item), strength]
  }
}

export const rows = (count: number): number[] => Array.from({ length: count }, (_, row) => row)
export const keyOf = (...parts: readonly (string | number | bigint)[]): string => parts.join('/')

/** What holds of zones, by their records. */
export const ofZones = (holds: (zone: ZoneRecord, sight: Sight) => boolean): Claim => ({
  key: ['az'],
  look: (sight) =>
    where(
      sight.snapshot.collections.azs,
      (zone) => holds(zone, sight),
      ({ id }) => String(id),
    ),
})
