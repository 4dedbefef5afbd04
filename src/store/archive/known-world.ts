/** A world as the archive knows it. */
export interface KnownWorld {
  readonly number: number
  simNs: bigint
  /** The time of the latest event; -1 if there is none. */
  eventNs: bigint
}
