import { ln } from './numeric.ts'

/** Index of the counter among the state words; it makes every period at least 2^32 draws long. */
const counter = 3

/**
 * A stream of random integers (sfc32). Each subsystem draws from its own streams, named for their decisions, so that
 * a change in one subsystem does not reshuffle another.
 */
export class RandomStream {
  /** The entire state of the generator. */
  readonly words: Int32Array

  /** Continues from `words`, if given. */
  constructor(seed: bigint, name: string, words?: Int32Array) {
    this.words = words ?? seededWords(seed, name)
    if (words === undefined) for (let i = 0; i < 16; i++) this.next()
  }

  /** 32 random bits, as an integer from 0. */
  next(): number {
    const { words } = this
    const b = words[1]
    const c = words[2]
    const sum = (((words[0] + b) | 0) + words[counter]) | 0
    words[counter]++
    words[0] = b ^ (b >>> 9)
    words[1] = c + (c << 3)
    words[2] = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }

  /** Uniform integer in [0, bound); `bound` is at most 2^32. */
  below(bound: number): number {
    return Math.floor((this.next() / 4294967296) * bound)
  }

  /** Uniform integer in [low, high]. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** Uniform number in [0, 1). */
  fraction(): number {
    return this.next() / 4294967296
  }

  /** Uniform number in [low, high). */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.fraction()
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]
  }

  /** An index of `weights`, with probability proportional to its weight. */
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

  /** Exponentially distributed with the given mean. */
  exponential(mean: number): number {
    return -mean * ln((this.next() + 1) / 4294967297)
  }

  /** Approximately standard normal: the scaled sum of four uniform draws. */
  bell(): number {
    return (this.fraction() + this.fraction() + this.fraction() + this.fraction() - 2) * 1.7320508075688772
  }
}

function seededWords(seed: bigint, name: string): Int32Array {
  let hash = 0xcbf29ce484222325n ^ BigInt.asUintN(64, seed * 0x9e3779b97f4a7c15n)
  for (let i = 0; i < name.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(name.charCodeAt(i))) * 0x100000001b3n)
  }
  return Int32Array.of(
    Number(hash & 0xffffffffn) | 0,
    Number(hash >> 32n) | 0,
    Number(BigInt.asUintN(32, seed)) | 0,
    1,
  )
}

/** The streams of a world, created on first use. */
export class RandomStreams {
  /** The words of each stream by its name. */
  readonly state = new Map<string, Int32Array>()
  readonly #streams = new Map<string, RandomStream>()
  readonly #seed: bigint

  constructor(seed: bigint) {
    this.#seed = seed
  }

  stream(name: string): RandomStream {
    const known = this.#streams.get(name)
    if (known !== undefined) return known
    const stream = new RandomStream(this.#seed, name, this.state.get(name))
    this.state.set(name, stream.words)
    this.#streams.set(name, stream)
    return stream
  }

  /** Drops a stream that is never used again. */
  forget(name: string): void {
    this.state.delete(name)
    this.#streams.delete(name)
  }
}
