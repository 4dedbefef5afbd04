/** The exposition text of one metric family, HELP and TYPE lines included. */
export interface ExpositionChunk {
  readonly family: string
  readonly bytes: Uint8Array
}
