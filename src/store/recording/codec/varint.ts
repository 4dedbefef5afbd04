/** Bytes of an encoded frame: little-endian base-128 varints and raw text. */

const continuation = 0x80
const payloadBits = 7
const payloadSize = 2 ** payloadBits
/** Up to this value, bitwise operators are exact. */
const int31Max = 2 ** 31 - 1
/** Longer varints exceed the exact integers of a double. */
const varintBytesMax = 8

/** Maps 0, -1, 1, -2, … to 0, 1, 2, 3, …: integers of small magnitude to small non-negative ones. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (code: number): number => (code % 2 === 1 ? -(code + 1) / 2 : code / 2)

export class ByteWriter {
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(1 << 12)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Valid until the next write. */
  get written(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  /** A non-negative integer below 2^53. */
  varint(value: number): void {
    this.#reserve(varintBytesMax)
    let rest = value
    while (rest > int31Max) {
      this.#bytes[this.#length++] = (rest % payloadSize) | continuation
      rest = Math.floor(rest / payloadSize)
    }
    while (rest >= payloadSize) {
      this.#bytes[this.#length++] = (rest & (payloadSize - 1)) | continuation
      rest >>>= payloadBits
    }
    this.#bytes[this.#length++] = rest
  }

  /** An integer between -2^52 and 2^52. It is never written as 0, which remains for another meaning. */
  biased(value: number): void {
    this.varint(1 + zigzag(value))
  }

  int64(value: bigint): void {
    this.#reserve(BigInt64Array.BYTES_PER_ELEMENT)
    this.#length = this.#bytes.writeBigInt64LE(value, this.#length)
  }

  raw(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from)
    this.#bytes.set(bytes.subarray(from, to), this.#length)
    this.#length += to - from
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** `text` must be ASCII. */
  latin1(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more))
    larger.set(this.written)
    this.#bytes = larger
  }
}

/** Reads the output of a ByteWriter. Throws a RangeError past the end, and on varints that no writer produces. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get remaining(): number {
    return this.#bytes.length - this.#at
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (let i = 0; i < varintBytesMax; i++) {
      if (this.#at === this.#bytes.length) throw new RangeError('a frame that ends early')
      const byte = this.#bytes[this.#at++]
      value += (byte % payloadSize) * scale
      if (byte < continuation) {
        if (value > Number.MAX_SAFE_INTEGER) break
        return value
      }
      scale *= payloadSize
    }
    throw new RangeError('an integer beyond 2^53')
  }

  /** Null if 0 was written instead of an integer. */
  biased(): number | null {
    const code = this.varint()
    return code === 0 ? null : unzigzag(code - 1)
  }

  int64(): bigint {
    const bytes = this.raw(BigInt64Array.BYTES_PER_ELEMENT)
    return bytes.readBigInt64LE(0)
  }

  raw(length: number): Buffer {
    if (length > this.remaining) throw new RangeError('a frame that ends early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}
