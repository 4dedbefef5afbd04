/** The row of the current world. */
export interface CurrentWorld {
  readonly number: number
  simNs: bigint
  /** The time of the latest event; -1 if there is none. */
  eventNs: bigint
}
