/**
 * Adaptive binary range coding, as in LZMA: each bit costs what its surprise is worth, by a probability that learns
 * from it. The one model that predicts bits runs on either side, so that what is written and what is read cannot
 * drift apart: it hands every bit to a coder, which writes it, or gives back the one that was written.
 */
export interface BitCoder {
  /** A bit, under a learning probability. A reader ignores `bit`. */
  bit(probabilities: Uint16Array, index: number, bit: number): number
  /** The lowest `count` bits of a number, which nothing can predict. At most 30. */
  raw(count: number, value: number): number
}

/** Probabilities that a bit is 0, of 2^16. */
const probabilityBits = 16
export const evens = 1 << (probabilityBits - 1)
/** How fast probabilities learn: each bit moves them by 1/32 of the way. */
const learning = 5
const narrow = 2 ** 24
const whole = 2 ** 32

export class BitWriter implements BitCoder {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0
  #low = 0
  #range = 0xffff_ffff
  /** The last byte that a carry may still change, and how many there are of it and of the 0xff behind it. */
  #held = 0
  #heldCount = 1

  /** How many bytes were written so far, but for the last few. */
  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = this.#low = this.#held = 0
    this.#heldCount = 1
    this.#range = 0xffff_ffff
  }

  bit(probabilities: Uint16Array, index: number, bit: number): number {
    const probability = probabilities[index]
    const bound = (this.#range >>> probabilityBits) * probability
    if (bit === 0) {
      this.#range = bound
      probabilities[index] = probability + ((0xffff - probability) >>> learning)
    } else {
      this.#low += bound
      this.#range -= bound
      probabilities[index] = probability - ((probability - 1) >>> learning)
    }
    while (this.#range < narrow) {
      this.#range = (this.#range << 8) >>> 0
      this.#shift()
    }
    return bit
  }

  raw(count: number, value: number): number {
    for (let place = count - 1; place >= 0; place--) {
      this.#range >>>= 1
      if (((value >>> place) & 1) === 1) this.#low += this.#range
      if (this.#range < narrow) {
        this.#range = (this.#range << 8) >>> 0
        this.#shift()
      }
    }
    return value
  }

  /** All that was written, until it is cleared. The first byte is always 0: it only stood there to be held. */
  finish(): Buffer {
    for (let i = 0; i < 5; i++) this.#shift()
    return this.#bytes.subarray(1, this.#length)
  }

  #shift(): void {
    const carries = this.#low >= whole
    if (carries || this.#low < 0xff00_0000) {
      this.#put(carries ? this.#held + 1 : this.#held)
      for (let i = 1; i < this.#heldCount; i++) this.#put(carries ? 0 : 0xff)
      this.#held = Math.floor(this.#low / narrow) & 0xff
      this.#heldCount = 0
    }
    this.#heldCount++
    this.#low = (this.#low % narrow) * 256
  }

  #put(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#bytes.length)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[this.#length++] = byte
  }
}

export class BitReader implements BitCoder {
  readonly #bytes: Uint8Array
  #at = 0
  #code = 0
  #range = 0xffff_ffff

  /** How many bytes were read so far. */
  get read(): number {
    return this.#at
  }

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    for (let i = 0; i < 4; i++) this.#code = ((this.#code << 8) | this.#next()) >>> 0
  }

  bit(probabilities: Uint16Array, index: number): number {
    const probability = probabilities[index]
    const bound = (this.#range >>> probabilityBits) * probability
    const bit = this.#code < bound ? 0 : 1
    if (bit === 0) {
      this.#range = bound
      probabilities[index] = probability + ((0xffff - probability) >>> learning)
    } else {
      this.#code -= bound
      this.#range -= bound
      probabilities[index] = probability - ((probability - 1) >>> learning)
    }
    while (this.#range < narrow) this.#widen()
    return bit
  }

  raw(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) {
      this.#range >>>= 1
      const bit = this.#code < this.#range ? 0 : 1
      if (bit === 1) this.#code -= this.#range
      value = value * 2 + bit
      if (this.#range < narrow) this.#widen()
    }
    return value
  }

  #widen(): void {
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | this.#next()) >>> 0
  }

  /** Whoever reads past the end finds zeros: the checksum has told before that nothing is missing. */
  #next(): number {
    return this.#at < this.#bytes.length ? this.#bytes[this.#at++] : 0
  }
}
