/** A list that knows its own JSON, wherever it has it from. */
export interface EncodedItems {
  readonly count: number
  readonly jsonLength: number
  /** Writes the items, joined by commas, with the id and the start of each, and the start of the one after the last. */
  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void
}

/** One that also knows the ids of its items, in whatever order they stand. */
export interface KeyedItems extends EncodedItems {
  readonly keys: BigInt64Array
}
