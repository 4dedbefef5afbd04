import type { Int64 } from '../contract/fields.ts'

/** The history of one metric path. */
export interface PathHistory {
  /** Oldest to newest. */
  readonly values: readonly number[]
  readonly stepNs: Int64
  readonly lastNs: bigint
  readonly unit: string
}

/** Reads the history of a path as of a simulated time; null if there is none. */
export type ReadHistory = (path: string, atNs: bigint) => Promise<PathHistory | null>
