/** A list that can write its own JSON. */
export interface EncodedItems {
  readonly count: number
  readonly jsonLength: number
  /** Writes the items, joined by commas, the id and the start offset of each, and the offset after the last one. */
  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void
}

/** A list that also knows the ids of its items, in any order. */
export interface KeyedItems extends EncodedItems {
  readonly keys: BigInt64Array
}
