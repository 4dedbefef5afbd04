/** JSON texts joined by commas, each with its id. */
export interface TextList {
  readonly bytes: Uint8Array
  /** The offset of each text, and the offset after the last one and its comma. */
  readonly starts: Uint32Array
  readonly ids: BigInt64Array
}

export const emptyTextList: TextList = {
  bytes: new Uint8Array(0),
  starts: new Uint32Array(1),
  ids: new BigInt64Array(0),
}
