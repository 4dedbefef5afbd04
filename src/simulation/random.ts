import { ln } from './numeric.ts'

/**
 * A stream of random integers (sfc32). Each subsystem draws from streams of its own, named after what they
 * decide, so that a change in one does not reshuffle another.
 */
export class RandomStream {
  private a: number
  private b: number
  private c: number
  private counter = 1

  constructor(seed: bigint, name: string) {
    let hash = 0xcbf29ce484222325n ^ BigInt.asUintN(64, seed * 0x9e3779b97f4a7c15n)
    for (let i = 0; i < name.length; i++) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(name.charCodeAt(i))) * 0x100000001b3n)
    }
    this.a = Number(hash & 0xffffffffn) | 0
    this.b = Number(hash >> 32n) | 0
    this.c = Number(BigInt.asUintN(32, seed)) | 0
    for (let i = 0; i < 16; i++) this.next()
  }

  /** 32 random bits, as an integer from 0. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** An integer from 0 up to, but not including, `bound` (at most 2^32). */
  below(bound: number): number {
    return Math.floor((this.next() / 4294967296) * bound)
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** A fraction from 0 up to, but not including, 1. */
  fraction(): number {
    return this.next() / 4294967296
  }

  /** A number from `low` up to `high`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.fraction()
  }

  /** True once in `1 / probability` draws. */
  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]
  }

  /** An index of `weights`, drawn in proportion to them. */
  weighted(weights: readonly number[]): number {
    let rest = 0
    for (const weight of weights) rest += weight
    rest *= this.fraction()
    for (let i = 0; i < weights.length; i++) {
      rest -= weights[i]
      if (rest < 0) return i
    }
    return weights.length - 1
  }

  /** A waiting time with the given mean. */
  exponential(mean: number): number {
    return -mean * ln((this.next() + 1) / 4294967297)
  }

  /** Roughly normal with mean 0 and deviation 1: the sum of four uniform draws, scaled. */
  bell(): number {
    return (this.fraction() + this.fraction() + this.fraction() + this.fraction() - 2) * 1.7320508075688772
  }
}

export class RandomStreams {
  private readonly streams = new Map<string, RandomStream>()
  private readonly seed: bigint

  constructor(seed: bigint) {
    this.seed = seed
  }

  /** The stream of that name; always the same one. */
  stream(name: string): RandomStream {
    let stream = this.streams.get(name)
    if (stream === undefined) {
      stream = new RandomStream(this.seed, name)
      this.streams.set(name, stream)
    }
    return stream
  }
}
