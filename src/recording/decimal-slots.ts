/**
 * Numbers in JSON text, found by their bytes alone: a run of the characters that numbers are made of, behind a colon,
 * a comma or an opening bracket. What stands so inside of a string counts as well, which does no harm: both sides of
 * a recording find the same.
 */

const isOpener = new Uint8Array(256)
const beginsNumber = new Uint8Array(256)
const isOfNumber = new Uint8Array(256)
for (const byte of Buffer.from(':,[')) isOpener[byte] = 1
for (const byte of Buffer.from('-0123456789')) beginsNumber[byte] = 1
for (const byte of Buffer.from('-0123456789.eE+')) isOfNumber[byte] = 1

const minus = 0x2d
const point = 0x2e
const zero = 0x30

/** Whether the same bytes stand in two places. */
function isSame(one: DataView, oneFrom: number, other: DataView, otherFrom: number, length: number): boolean {
  let at = 0
  for (; at + 4 <= length; at += 4) {
    if (one.getInt32(oneFrom + at) !== other.getInt32(otherFrom + at)) return false
  }
  for (; at < length; at++) {
    if (one.getUint8(oneFrom + at) !== other.getUint8(otherFrom + at)) return false
  }
  return true
}

/** Where the numbers of one record stand. */
export class DecimalSlots {
  count = 0
  starts = new Int32Array(256)
  ends = new Int32Array(256)

  find(bytes: Uint8Array, from: number, to: number): void {
    this.count = 0
    const last = to - 1
    for (let at = from; at < last; at++) {
      if (isOpener[bytes[at]] === 0 || beginsNumber[bytes[at + 1]] === 0) continue
      const start = at + 1
      let end = start + 1
      while (end < to && isOfNumber[bytes[end]] === 1) end++
      this.#add(start, end)
      at = end - 1
    }
  }

  /** Takes over where the numbers stand in a text that begins at `from`. */
  place(offsets: Int32Array, widths: Int32Array, base: number, count: number, from: number): void {
    this.count = 0
    for (let slot = base; slot < base + count; slot++) {
      this.#add(from + offsets[slot], from + offsets[slot] + widths[slot])
    }
  }

  /**
   * Finds the numbers of a text in which nothing but numbers differs from another one, whose numbers are known.
   * Says whether that is so: otherwise they are not found.
   */
  findAlike(
    view: DataView,
    from: number,
    to: number,
    other: DataView,
    otherFrom: number,
    otherTo: number,
    known: DecimalSlots,
  ): boolean {
    this.count = 0
    let at = from
    let otherAt = otherFrom
    for (let index = 0; index < known.count; index++) {
      const otherStart = known.starts[index]
      const start = at + otherStart - otherAt
      if (start >= to || !isSame(view, at, other, otherAt, start - at)) return false
      if (beginsNumber[view.getUint8(start)] === 0) return false
      at = start + 1
      while (at < to && isOfNumber[view.getUint8(at)] === 1) at++
      this.#add(start, at)
      otherAt = known.ends[index]
    }
    return to - at === otherTo - otherAt && isSame(view, at, other, otherAt, to - at)
  }

  #add(start: number, end: number): void {
    if (this.count === this.starts.length) this.#grow()
    this.starts[this.count] = start
    this.ends[this.count++] = end
  }

  #grow(): void {
    const [starts, ends] = [this.starts, this.ends]
    this.starts = new Int32Array(2 * starts.length)
    this.ends = new Int32Array(2 * ends.length)
    this.starts.set(starts)
    this.ends.set(ends)
  }
}

/** Below this, sums and differences of two numbers, and of these once more, are exact in a double. */
export const plainBelow = 2 ** 51
const plainDigitsMax = 15
const longDigitsMax = 19
export const decimalsMax = 9

const powers = Array.from({ length: decimalsMax + 1 }, (_, exponent) => 10 ** exponent)

/** A number as it is written. Only what would be written the same again is read. */
export class Decimal {
  /** Whether it was read. */
  isRead = false
  /** An integer of more digits than a double holds for sure; `digits` is then no more than near it. */
  isLong = false
  /** All its digits, as an integer with its sign. */
  digits = 0
  /** How many of them stand behind the point. */
  decimals = 0

  read(bytes: Uint8Array, start: number, end: number): void {
    this.isRead = false
    const isNegative = bytes[start] === minus
    const first = isNegative ? start + 1 : start
    let digits = 0
    let pointAt = end
    for (let at = first; at < end; at++) {
      const byte = bytes[at]
      if (byte >= zero && byte <= 0x39) digits = digits * 10 + byte - zero
      else if (byte === point && pointAt === end) pointAt = at
      else return
    }
    const wholeDigits = pointAt - first
    const decimals = pointAt === end ? 0 : end - pointAt - 1
    const isOdd =
      wholeDigits === 0 ||
      (wholeDigits > 1 && bytes[first] === zero) ||
      (pointAt < end && (decimals === 0 || bytes[end - 1] === zero)) ||
      (isNegative && digits === 0)
    if (isOdd || decimals > decimalsMax) return
    this.isLong = wholeDigits + decimals > plainDigitsMax
    if (this.isLong && (decimals > 0 || wholeDigits > longDigitsMax)) return
    this.isRead = true
    this.decimals = decimals
    this.digits = isNegative ? -digits : digits
  }

  /** The number in units of the last of so many decimals; NaN where it has more, or too many digits for that. */
  scaled(scale: number): number {
    if (!this.isRead || this.decimals > scale) return Number.NaN
    if (this.isLong) return scale === 0 ? this.digits : Number.NaN
    const value = this.digits * powers[scale - this.decimals]
    return value < plainBelow && value > -plainBelow ? value : Number.NaN
  }
}

/** The text of a number in units of the last of so many decimals. */
export function decimalText(value: number, scale: number): string {
  if (scale === 0) return String(value)
  const digits = String(Math.abs(value)).padStart(scale + 1, '0')
  let end = digits.length
  const wholeEnd = end - scale
  while (end > wholeEnd && digits.charCodeAt(end - 1) === zero) end--
  const whole = `${value < 0 ? '-' : ''}${digits.slice(0, wholeEnd)}`
  return end === wholeEnd ? whole : `${whole}.${digits.slice(wholeEnd, end)}`
}
