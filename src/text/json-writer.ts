import { NumberText, numberMargin, numberBytesMax } from './number-text.ts'

const quote = 0x22
const backslash = 0x5c
/** Longer strings are encoded by the runtime: their length outweighs its fixed cost. */
const shortString = 64
/** The longest encoding of one UTF-16 unit: six bytes for an escape such as \u001f. */
const bytesPerUnit = 6
/** The longest number plus the margin around it. */
const numberRoom = numberBytesMax + numberMargin

const nullText = Buffer.from('null')
const trueText = Buffer.from('true')
const falseText = Buffer.from('false')

const mustBe = (label: string, wanted: string, got: unknown): RangeError =>
  new RangeError(`${label} must be ${wanted}, but is ${String(got)} (${typeof got}).`)

/** The error for a number that JSON cannot represent. */
function unprintable(value: unknown, label: string): RangeError {
  return mustBe(label, Number.isFinite(value) ? 'a safe integer' : 'a finite number', value)
}

/** Writes one value as JSON; `label` names the field in errors. */
export type ScalarEncoder = (writer: JsonWriter, value: unknown, label: string) => void

/** Writes JSON into a growing buffer. Values that JSON cannot represent are rejected with the label of their field. */
export class JsonWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(4096)
  /** The end of the text, which starts after a margin. */
  end = numberMargin
  #view = new DataView(this.bytes.buffer)
  readonly #decimal = new NumberText()
  readonly #measured = new Float64Array(1)

  get length(): number {
    return this.end - numberMargin
  }

  /** The text so far, valid until the next write. */
  get json(): Buffer {
    return this.bytes.subarray(numberMargin, this.end)
  }

  clear(): void {
    this.end = numberMargin
  }

  raw(text: Uint8Array): void {
    this.#room(text.length)
    const { bytes, end } = this
    for (let i = 0; i < text.length; i++) bytes[end + i] = text[i]
    this.end += text.length
  }

  byte(value: number): void {
    this.#room(1)
    this.bytes[this.end++] = value
  }

  null(): void {
    this.raw(nullText)
  }

  bool(value: unknown, label: string): void {
    if (typeof value !== 'boolean') throw mustBe(label, 'true or false', value)
    this.raw(value ? trueText : falseText)
  }

  /** Returns the width of the text. */
  int(value: unknown, label: string): number {
    if (!Number.isSafeInteger(value)) throw unprintable(value, label)
    return this.#number(value as number)
  }

  int64(value: unknown, label: string): number {
    if (typeof value !== 'bigint') return this.int(value, label)
    if (BigInt.asIntN(64, value) !== value) throw mustBe(label, 'within 64 bits', value)
    const text = value.toString()
    this.#room(numberRoom)
    this.end += this.bytes.write(text, this.end, 'latin1')
    return text.length
  }

  num(value: unknown, label: string): number {
    if (!Number.isFinite(value)) throw unprintable(value, label)
    return this.#number(value as number)
  }

  string(value: unknown, label: string): void {
    if (typeof value !== 'string') throw mustBe(label, 'a string', value)
    this.#room(value.length * bytesPerUnit + 2)
    const { bytes } = this
    const start = this.end
    let at = start
    bytes[at++] = quote
    if (value.length > shortString) return this.#anyString(value)
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i)
      if (unit < 0x20 || unit > 0x7e || unit === quote || unit === backslash) return this.#anyString(value)
      bytes[at++] = unit
    }
    bytes[at++] = quote
    this.end = at
  }

  /** JSON.stringify handles every escape, including lone surrogates. */
  #anyString(value: string): void {
    this.end += this.bytes.write(JSON.stringify(value), this.end)
  }

  #number(value: number): number {
    this.#room(numberRoom)
    this.#measured[0] = value
    const width = this.#decimal.measure(this.#measured, 0)
    this.#decimal.write(this.#view, this.end)
    this.end += width
    return width
  }

  #room(more: number): void {
    if (this.end + more <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.end + more))
    larger.set(this.bytes.subarray(0, this.end))
    this.bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
