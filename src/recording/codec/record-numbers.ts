import { Decimal } from './decimal.ts'

/**
 * Numbers in JSON text are recognized by bytes: a run of number characters after a colon, a comma or an opening
 * bracket. A match inside a string counts as well; encoder and decoder have the same matches.
 */
const precedesNumber = new Uint8Array(256)
const startsNumber = new Uint8Array(256)
const continuesNumber = new Uint8Array(256)
for (const byte of Buffer.from(':,[')) precedesNumber[byte] = 1
for (const byte of Buffer.from('-0123456789')) startsNumber[byte] = 1
for (const byte of Buffer.from('-0123456789.eE+')) continuesNumber[byte] = 1

const decimal = new Decimal()

/**
 * The numbers of a record, valid until other parts of its text change: their offsets, and the state from which their
 * next values are predicted. A value is predicted to stay, or to repeat its last delta.
 */
export class RecordNumbers {
  readonly count: number
  /** Offsets within the text. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** The most decimals that each number has had: its deltas are in units of the last decimal. */
  readonly scales: Uint8Array
  readonly #deltas: Float64Array
  /** Whether the last delta was nearer to its predecessor than to 0. */
  readonly #isTrending: Uint8Array

  constructor(bytes: Uint8Array, from: number, to: number) {
    let count = 0
    for (let at = nextNumber(bytes, from, to); at < to; at = nextNumber(bytes, at, to)) count++
    this.count = count
    this.starts = new Int32Array(count)
    this.ends = new Int32Array(count)
    this.scales = new Uint8Array(count)
    this.#deltas = new Float64Array(count)
    this.#isTrending = new Uint8Array(count)
    let at = from
    for (let slot = 0; slot < count; slot++) {
      at = nextNumber(bytes, at, to)
      const end = endOfNumber(bytes, at, to)
      this.starts[slot] = at - from
      this.ends[slot] = end - from
      this.scales[slot] = decimalsOf(bytes, at, end)
    }
  }

  predictDelta(slot: number): number {
    return this.#isTrending[slot] === 1 ? this.#deltas[slot] : 0
  }

  observeDelta(slot: number, delta: number): void {
    this.#isTrending[slot] = Math.abs(delta - this.#deltas[slot]) < Math.abs(delta) ? 1 : 0
    this.#deltas[slot] = delta
  }

  /** The number was replaced by one to which no delta is exact. */
  observeText(slot: number, bytes: Uint8Array, start: number, end: number): void {
    this.scales[slot] = Math.max(this.scales[slot], decimalsOf(bytes, start, end))
    this.#deltas[slot] = this.#isTrending[slot] = 0
  }
}

function decimalsOf(bytes: Uint8Array, start: number, end: number): number {
  decimal.parse(bytes, start, end)
  return decimal.isCanonical ? decimal.decimals : 0
}

/** The start of the first number after an offset; `to` if there is none. */
function nextNumber(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (precedesNumber[bytes[at - 1]] === 1 && startsNumber[bytes[at]] === 1) return at
  }
  return to
}

function endOfNumber(bytes: Uint8Array, start: number, to: number): number {
  let end = start + 1
  while (end < to && continuesNumber[bytes[end]] === 1) end++
  return end
}

/** Bytes with a DataView, to compare four at a time. */
export class ViewedBytes {
  readonly bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  isSame(from: number, other: ViewedBytes, otherFrom: number, length: number): boolean {
    let at = 0
    for (; at + 4 <= length; at += 4) {
      if (this.#view.getInt32(from + at) !== other.#view.getInt32(otherFrom + at)) return false
    }
    for (; at < length; at++) if (this.bytes[from + at] !== other.bytes[otherFrom + at]) return false
    return true
  }
}

/** Locates the numbers of a text, provided that it differs from a former one in numbers only. */
export class NumberLocator {
  /** Offsets within the text. */
  starts = new Int32Array(64)
  ends = new Int32Array(64)

  /** Returns false if more than numbers differs. */
  locate(
    text: ViewedBytes,
    from: number,
    to: number,
    former: ViewedBytes,
    formerFrom: number,
    formerTo: number,
    numbers: RecordNumbers,
  ): boolean {
    const { count } = numbers
    if (count > this.starts.length) {
      this.starts = new Int32Array(2 * count)
      this.ends = new Int32Array(2 * count)
    }
    let at = from
    let formerAt = formerFrom
    for (let slot = 0; slot < count; slot++) {
      const segment = formerFrom + numbers.starts[slot] - formerAt
      const start = at + segment
      if (start >= to || !text.isSame(at, former, formerAt, segment)) return false
      if (startsNumber[text.bytes[start]] === 0) return false
      at = endOfNumber(text.bytes, start, to)
      this.starts[slot] = start - from
      this.ends[slot] = at - from
      formerAt = formerFrom + numbers.ends[slot]
    }
    return to - at === formerTo - formerAt && text.isSame(at, former, formerAt, to - at)
  }
}
