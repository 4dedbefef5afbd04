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

  /** The number of bytes, at most `length`, that are the same from two offsets on. */
  sameBytes(from: number, other: ViewedBytes, otherFrom: number, length: number): number {
    let at = 0
    while (at + 4 <= length && this.#view.getInt32(from + at) === other.#view.getInt32(otherFrom + at))
      at += 4
    while (at < length && this.bytes[from + at] === other.bytes[otherFrom + at]) at++
    return at
  }
}

/** Locates the numbers of a text, provided that it differs from a former one in numbers only. */
export class NumberLocator {
  /** Offsets within the text. */
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  /** The numbers that differ, in order. */
  changed = new Int32Array(64)

  /** Returns how many numbers differ; null if more than numbers does. */
  locate(
    text: ViewedBytes,
    from: number,
    to: number,
    former: ViewedBytes,
    formerFrom: number,
    formerTo: number,
    { count, starts, ends }: RecordNumbers,
  ): number | null {
    this.#makeRoom(count)
    let changes = 0
    let slot = 0
    let [at, formerAt] = [from, formerFrom]
    for (;;) {
      const rest = Math.min(to - at, formerTo - formerAt)
      const same = text.sameBytes(at, former, formerAt, rest)
      const isEnd = same === rest && to - at === formerTo - formerAt
      const differsAt = isEnd ? Infinity : formerAt - formerFrom + same
      const shift = at - from - (formerAt - formerFrom)
      for (; slot < count && ends[slot] < differsAt; slot++) {
        this.starts[slot] = starts[slot] + shift
        this.ends[slot] = ends[slot] + shift
      }
      if (isEnd) return changes
      if (slot === count || starts[slot] > differsAt) return null
      const start = from + starts[slot] + shift
      if (start >= to || startsNumber[text.bytes[start]] === 0) return null
      at = endOfNumber(text.bytes, start, to)
      formerAt = formerFrom + ends[slot]
      this.starts[slot] = start - from
      this.ends[slot] = at - from
      this.changed[changes++] = slot++
    }
  }

  #makeRoom(count: number): void {
    if (count <= this.starts.length) return
    this.starts = new Int32Array(2 * count)
    this.ends = new Int32Array(2 * count)
    this.changed = new Int32Array(2 * count)
  }
}
