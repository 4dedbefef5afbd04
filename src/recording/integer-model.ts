import { evens, type BitCoder } from './bit-coder.ts'

/** How many bits an integer has, up to 53, and a mark for what is none. */
const classBits = 6
const classes = 1 << classBits
export const noInteger = classes - 1

/** So many bits behind the first of an integer are worth predicting. */
const predictedBits = 2
const prefixes = 1 << predictedBits
/** What a coder takes at a time. */
const rawAtOnce = 26
const rawBelow = 2 ** rawAtOnce

/** How many bits a non-negative integer below 2^53 has. */
function bitLength(value: number): number {
  if (value < 2 ** 31) return 32 - Math.clz32(value)
  const high = Math.floor(value / 2 ** 31)
  return 63 - Math.clz32(high)
}

/**
 * Integers between -2^53 and 2^53, each under one of several contexts: how long it is, its sign, and its first bits
 * are predicted by those that came before it under the same context.
 */
export class IntegerModel {
  readonly #lengths: Uint16Array
  readonly #signs: Uint16Array
  readonly #prefixes: Uint16Array
  /** How many bits the last integer had, its sign apart; `noInteger` for NaN. */
  class = 0

  constructor(contexts: number) {
    this.#lengths = new Uint16Array(contexts * classes)
    this.#signs = new Uint16Array(contexts)
    this.#prefixes = new Uint16Array(classes * prefixes)
    this.forget()
  }

  forget(): void {
    this.#lengths.fill(evens)
    this.#signs.fill(evens)
    this.#prefixes.fill(evens)
  }

  /** NaN stands for what is no such integer. */
  code(coder: BitCoder, context: number, value: number): number {
    const size = value < 0 ? -value : value
    const length = this.#codeClass(coder, context, size === size ? bitLength(size) : noInteger)
    this.class = length
    if (length === noInteger) return Number.NaN
    if (length === 0) return 0
    const isNegative = coder.bit(this.#signs, context, value < 0 ? 1 : 0)
    const read = this.#codeSize(coder, length, size)
    return isNegative === 1 ? -read : read
  }

  /** As `code`, for what is never negative. */
  codeCount(coder: BitCoder, value: number, context = 0): number {
    const length = this.#codeClass(coder, context, bitLength(value))
    return length === 0 ? 0 : this.#codeSize(coder, length, value)
  }

  #codeClass(coder: BitCoder, context: number, length: number): number {
    const base = context * classes
    let node = 1
    for (let place = classBits - 1; place >= 0; place--) {
      node = node * 2 + coder.bit(this.#lengths, base + node, (length >>> place) & 1)
    }
    return node - classes
  }

  /** The bits behind the first one. */
  #codeSize(coder: BitCoder, length: number, size: number): number {
    let left = length - 1
    let read = 1
    let node = 1
    while (left > 0 && node < prefixes) {
      left--
      const bit = coder.bit(this.#prefixes, length * prefixes + node, Math.floor(size / 2 ** left) & 1)
      node = node * 2 + bit
      read = read * 2 + bit
    }
    while (left > 0) {
      const count = Math.min(left, rawAtOnce)
      left -= count
      const part = coder.raw(count, Math.floor(size / 2 ** left) % rawBelow)
      read = read * 2 ** count + (part % 2 ** count)
    }
    return read
  }
}
