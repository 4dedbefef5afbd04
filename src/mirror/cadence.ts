/** Room for timers that fire late and messages that wait. */
const marginMs = 25

/** How much of the longest recent delay is still reckoned with one publish later. */
const forgetting = 0.9

/**
 * When to ask for the next frame. A reader may never find the present frame older than one cadence, so its
 * successor is asked for ahead of that by what such a request lately took, but by half a cadence at most.
 */
export class Cadence {
  readonly #cadenceMs: number
  #delayMs = 0

  constructor(cadenceMs: number) {
    this.#cadenceMs = cadenceMs
  }

  /** Takes in how long a frame took from being due to being readable. */
  learn(delayMs: number): void {
    this.#delayMs = Math.max(delayMs, this.#delayMs * forgetting)
  }

  nextRequestMs(capturedAtMs: number): number {
    const leadMs = Math.min(this.#delayMs + marginMs, this.#cadenceMs / 2)
    return capturedAtMs + this.#cadenceMs - leadMs
  }
}
