import { RandomStream } from '../../../src/world/simulation/random.ts'

/** A stream whose every draw is the same: 0 for the least of a range, 0.5 for its middle, 1 for the most. */
export class FixedStream extends RandomStream {
  readonly #fraction: number

  constructor(fraction: number) {
    super(0n, 'fixed', new Int32Array(4))
    this.#fraction = fraction
  }

  override next(): number {
    return this.#fraction * 2 ** 32
  }
}
