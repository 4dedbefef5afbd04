import { Decimal } from './decimal.ts'

const quote = 0x22
const backslash = 0x5c
/** Longer strings are written by the runtime, whose fixed cost they outweigh. */
const shortString = 64
/** The most bytes that one UTF-16 unit can become: six for an escape such as \u001f. */
const bytesPerUnit = 6
/** More than any number takes. */
const numberRoom = 32

const nullText = Buffer.from('null')
const trueText = Buffer.from('true')
const falseText = Buffer.from('false')

const mustBe = (label: string, wanted: string, got: unknown): RangeError =>
  new RangeError(`${label} must be ${wanted}, but is ${String(got)} (${typeof got}).`)

/** Why a number cannot be printed. */
export function unprintable(value: unknown, label: string): RangeError {
  return mustBe(label, Number.isFinite(value) ? 'a safe integer' : 'a finite number', value)
}

/** JSON in the making, in a buffer that grows. Values that JSON cannot carry are refused by the label of their field. */
export class JsonText {
  bytes: Buffer = Buffer.allocUnsafeSlow(4096)
  length = 0
  readonly #decimal = new Decimal()

  clear(): void {
    this.length = 0
  }

  raw(text: Uint8Array): void {
    this.#room(text.length)
    const { bytes, length } = this
    for (let i = 0; i < text.length; i++) bytes[length + i] = text[i]
    this.length += text.length
  }

  byte(value: number): void {
    this.#room(1)
    this.bytes[this.length++] = value
  }

  null(): void {
    this.raw(nullText)
  }

  bool(value: unknown, label: string): void {
    if (typeof value !== 'boolean') throw mustBe(label, 'true or false', value)
    this.raw(value ? trueText : falseText)
  }

  /** Returns the width. */
  int(value: unknown, label: string): number {
    if (!Number.isSafeInteger(value)) throw unprintable(value, label)
    this.#room(numberRoom)
    return this.#written(this.#decimal.measureInteger(value as number))
  }

  int64(value: unknown, label: string): number {
    if (typeof value !== 'bigint') return this.int(value, label)
    if (BigInt.asIntN(64, value) !== value) throw mustBe(label, 'within 64 bits', value)
    const text = value.toString()
    this.#room(numberRoom)
    this.length += this.bytes.write(text, this.length, 'latin1')
    return text.length
  }

  num(value: unknown, decimals: number, label: string): number {
    if (!Number.isFinite(value)) throw unprintable(value, label)
    this.#room(numberRoom)
    return this.#written(this.#decimal.measure(value as number, decimals))
  }

  string(value: unknown, label: string): void {
    if (typeof value !== 'string') throw mustBe(label, 'a string', value)
    this.#room(value.length * bytesPerUnit + 2)
    const { bytes } = this
    const start = this.length
    let at = start
    bytes[at++] = quote
    if (value.length > shortString) return this.#anyString(value)
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i)
      if (unit < 0x20 || unit > 0x7e || unit === quote || unit === backslash) return this.#anyString(value)
      bytes[at++] = unit
    }
    bytes[at++] = quote
    this.length = at
  }

  /** JSON.stringify knows every escape, lone surrogates included. */
  #anyString(value: string): void {
    this.length += this.bytes.write(JSON.stringify(value), this.length)
  }

  #written(width: number): number {
    this.#decimal.write(this.bytes, this.length, width)
    this.length += width
    return width
  }

  #room(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + more))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}
