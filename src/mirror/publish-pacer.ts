/** Allowance for timers that fire late and messages in a queue. */
const leadMarginMs = 25

/** The share of the longest recent delay that still counts after one more publish. */
const decayPerPublish = 0.9

/**
 * Decides when to request the next frame. Clients must never find a frame older than one cadence, so its successor is
 * requested ahead of that by what recent requests took, but by half a cadence at most.
 */
export class PublishPacer {
  readonly #cadenceMs: number
  #delayMs = 0

  constructor(cadenceMs: number) {
    this.#cadenceMs = cadenceMs
  }

  /** Records how long a frame took from being due to being published. */
  observe(delayMs: number): void {
    this.#delayMs = Math.max(delayMs, this.#delayMs * decayPerPublish)
  }

  nextRequestMs(capturedAtMs: number): number {
    const leadMs = Math.min(this.#delayMs + leadMarginMs, this.#cadenceMs / 2)
    return capturedAtMs + this.#cadenceMs - leadMs
  }
}
