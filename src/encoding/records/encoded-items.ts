/** A list that can write its own JSON. */
export interface EncodedItems {
  readonly count: number
  readonly jsonLength: number
  /** Writes the items, joined by commas, with each item's id and start, and the start after the last one. */
  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void
}

/** A list that also knows the ids of its items, in any order. */
export interface KeyedItems extends EncodedItems {
  readonly keys: BigInt64Array
}
