import type { SeriesScale, SeriesUnit } from '../contract/vocabularies.ts'

export interface PathList {
  /** In a stable order, at most `metricPathsMax` of them. */
  readonly paths: string[]
  /** How many begin with the prefix, those beyond the bound included. */
  readonly total: number
}

export interface Series {
  /** Oldest to newest, without gaps. */
  readonly values: number[]
  readonly scale: SeriesScale
  readonly unit: SeriesUnit
  readonly stepNs: number
  /** Simulated time of the newest value; 0 where there is none. */
  readonly lastNs: bigint
}

/** History as the service thread reads it: from shared memory, without asking the world. */
export interface SeriesReader {
  paths(prefix: string): PathList
  /** Null where there is no such path. */
  series(path: string): Series | null
}
