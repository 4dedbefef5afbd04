import type { Int64 } from '../../contract/fields.ts'
import type { SeriesScale, SeriesUnit } from '../../contract/vocabularies.ts'

export interface PathList {
  /** In a stable order, at most `metricPathsMax` paths. */
  readonly paths: string[]
  /** The number of paths with the prefix, including those beyond the bound. */
  readonly total: number
}

export interface Series {
  /** Oldest to newest, without gaps. */
  readonly values: readonly number[]
  readonly scale: SeriesScale
  readonly unit: SeriesUnit
  readonly stepNs: Int64
  /** Simulated time of the newest value; 0 if there is none. */
  readonly lastNs: bigint
}

/** Reads metric history as of a simulated time, from any storage: later values are invisible. */
export interface HistoryReader {
  paths(prefix: string, atNs: bigint): PathList | Promise<PathList>
  /** Null if there is no such path. */
  series(path: string, atNs: bigint): Series | null | Promise<Series | null>
}

/** The history of a world without one, or before its start. */
export const noHistory: HistoryReader = { paths: () => ({ paths: [], total: 0 }), series: () => null }

/** The storage of the history (the upstream) does not answer. */
export class HistoryUnavailable extends Error {
  override readonly name = 'HistoryUnavailable'
}
