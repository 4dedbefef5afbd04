import type { CollectionName, Collections, Snapshot } from '../../../src/contract/collections.ts'
import type { Truth } from '../../../src/world/simulation/truth/truth.ts'
import type { WorldView } from '../../../src/world/simulation/state.ts'

/** The ground truth of a world at one publish. */
export interface Sight {
  /** Wall seconds since the run began; at speed 60 each is a simulated minute. */
  readonly at: number
  readonly state: WorldView
  readonly snapshot: Snapshot
  readonly truths: readonly Truth[]
}

/** An entity, by the labels of the alert, and the strength of its condition: the alert fires from 1 on. */
export type KeyedStrength = readonly [key: string, strength: number]

/** An amount in a text besides names, and its notation. */
export interface Amount {
  readonly unit: 'percent' | 'celsius' | 'times' | 'count' | 'dollars' | 'duration'
  /** The amount at strength 1; by default `of` yields the amounts. */
  readonly scale?: number
  readonly of?: (sight: Sight) => Iterable<KeyedStrength>
  /**
   * Seconds until the window is full at the start of a run. promtool evaluates recordings that depend on each other
   * some seconds apart, a large part of a window that is not full.
   */
  readonly fills?: number
  /** Relative tolerance for windows with other boundaries. */
  readonly tolerance?: number
}

/** The condition that an alert claims, computed without Prometheus. */
export interface Claim {
  /** The labels that distinguish alerts of this name. */
  readonly key: readonly string[]
  readonly look: (sight: Sight) => Iterable<KeyedStrength>
  /** Relative tolerance for windows with other boundaries. */
  readonly tolerance?: number
  /** The amounts in the alert's texts. */
  readonly amount?: Amount
  /** Wall seconds for which a window still contains a condition that has ended. */
  readonly lingers?: number
}

/** In the embedded world, ids of records are row numbers plus one. */
export const idOf = (row: number): string => String(row + 1)

/** The keys of the items that satisfy a predicate. */
export function* where<T>(items: Iterable<T>, holds: (item: T) => boolean, key: (item: T) => string) {
  for (const item of items) if (holds(item)) yield [key(item), 2] as const
}

/** Values as shares of a limit, by key. */
export function* shares<T>(
  items: Iterable<T>,
  value: (item: T) => number,
  limit: number,
  key: (item: T) => string,
): Iterable<KeyedStrength> {
  for (const item of items) {
    const strength = value(item) / limit
    if (strength > 0.5) yield [key(item), strength]
  }
}

export const rows = (count: number): number[] => Array.from({ length: count }, (_, row) => row)
export const keyOf = (...parts: readonly (string | number | bigint)[]): string => parts.join('/')

type RecordOf<C extends CollectionName> = Collections[C][number]

/** A claim on the records of a collection, by their ids. */
export const ofRecords = <C extends CollectionName>(
  label: string,
  name: C,
  holds: (record: RecordOf<C>, sight: Sight) => boolean,
): Claim => ({
  key: [label],
  look: (sight) =>
    where(
      sight.snapshot.collections[name] as readonly RecordOf<C>[],
      (record) => holds(record, sight),
      ({ id }) => String(id),
    ),
})

/** A claim on rows of the world's own state. */
export const ofRows = (
  label: string,
  rowsOf: (state: WorldView) => Iterable<number>,
  holds: (row: number, sight: Sight) => boolean,
): Claim => ({
  key: [label],
  look: (sight) => where(rowsOf(sight.state), (row) => holds(row, sight), idOf),
})
