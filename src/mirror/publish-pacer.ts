/** Allowance for late timers and queued messages. */
const leadMarginMs = 25

/** Decay of the longest recent delay, per publish. */
const decayPerPublish = 0.9

/**
 * Decides when to request the next frame. Clients must never find a frame older than one cadence, so its successor is
 * requested ahead of that by the recent delay of requests, but by half a cadence at most.
 */
export class PublishPacer {
  readonly #cadenceMs: number
  #delayMs = 0

  constructor(cadenceMs: number) {
    this.#cadenceMs = cadenceMs
  }

  /** Records the delay of a frame from its due time to its publish. */
  observe(delayMs: number): void {
    this.#delayMs = Math.max(delayMs, this.#delayMs * decayPerPublish)
  }

  nextRequestMs(capturedAtMs: number): number {
    const leadMs = Math.min(this.#delayMs + leadMarginMs, this.#cadenceMs / 2)
    return capturedAtMs + this.#cadenceMs - leadMs
  }
}
