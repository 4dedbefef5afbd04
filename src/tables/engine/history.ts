import type { Int64 } from '../../contract/fields.ts'

/** The history of one metric path. */
export interface PathHistory {
  readonly path: string
  /** Oldest to newest. */
  readonly values: readonly number[]
  readonly stepNs: Int64
  readonly lastNs: bigint
  readonly unit: string
}
