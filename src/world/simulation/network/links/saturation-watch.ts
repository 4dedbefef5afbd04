export interface SaturationState {
  /** By cable: minutes for which it has been saturated or, once announced, recovered. */
  readonly minutes: Uint8Array
  readonly announced: Uint8Array
}

export const createSaturationState = (cables: number): SaturationState => ({
  minutes: new Uint8Array(cables),
  announced: new Uint8Array(cables),
})
