import { RandomStream } from '../../../src/world/simulation/random.ts'

/** A constant stream: 0 draws the minimum of every range, 0.5 its middle, 1 its maximum. */
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
