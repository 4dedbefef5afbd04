/** Text that nothing predicts, gathered so that it is compressed in one piece. */
export class LiteralWriter {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0

  get text(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#length + to - from
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * length)
      larger.set(this.text)
      this.#bytes = larger
    }
    this.#bytes.set(bytes.subarray(from, to), this.#length)
    this.#length = length
  }
}

export class LiteralReader {
  readonly #text: Buffer
  #at = 0

  constructor(text: Buffer) {
    this.#text = text
  }

  /** How much was taken so far. */
  get taken(): number {
    return this.#at
  }

  take(length: number): Buffer {
    const from = this.#at
    this.#at += length
    if (this.#at > this.#text.length) throw new RangeError('more text is asked for than there is')
    return this.#text.subarray(from, this.#at)
  }
}
