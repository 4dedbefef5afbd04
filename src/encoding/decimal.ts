/** The digits of 00 … 99, two bytes each. */
const pairs = new Uint8Array(200)
for (let i = 0; i < 100; i++) {
  pairs[2 * i] = 0x30 + Math.floor(i / 10)
  pairs[2 * i + 1] = 0x30 + (i % 10)
}

const powersOfTen = new Float64Array(16).map((_, i) => 10 ** i)

/**
 * Below this, two decimals with the same number of digits never read back as the same double, so the digits that
 * were asked for are also the shortest once trailing zeros are gone.
 */
const exactBelow = 1e15

const int32Below = 2 ** 31
/** A safe integer is at most nine digits, which fit into 32 bits, and these eight. */
const lowerDigits = 8
const lowerBelow = 1e8

const minus = 0x2d
const point = 0x2e
const zero = 0x30

/** How many digits a non-negative integer below 2^31 has. */
function digitsIn(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4
  if (value < 100_000_000) {
    return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8
  }
  return value < 1_000_000_000 ? 9 : 10
}

/** Writes the last `width` digits of a non-negative integer below 2^31, so that they end before `end`. */
function putDigits(bytes: Uint8Array, end: number, value: number, width: number): void {
  let rest = value | 0
  let at = end
  const begin = end - width
  while (at - 2 >= begin) {
    const next = (rest / 100) | 0
    const pair = (rest - next * 100) * 2
    rest = next
    at -= 2
    bytes[at] = pairs[pair]
    bytes[at + 1] = pairs[pair + 1]
  }
  if (at > begin) bytes[at - 1] = zero + (rest % 10)
}

/**
 * A number as JSON prints it: first measured, so that room can be made for it, then written. Holds one number at a
 * time, in 32-bit pieces, which the engine keeps out of the heap.
 */
export class Decimal {
  /** The digits of the number without its point, in two pieces; the upper is 0 where one piece holds all. */
  upper = 0
  lower = 0
  /** How many of the digits stand behind the point. */
  decimals = 0
  isNegative = false
  /** What to write instead where the number is no such thing. */
  text = ''

  /** The width of an integer, which must be a safe one. */
  measureInteger(value: number): number {
    const size = value < 0 ? -value : value
    this.isNegative = value < 0
    this.decimals = 0
    this.text = ''
    const sign = value < 0 ? 1 : 0
    if (size < int32Below) {
      const digits = size | 0
      this.upper = 0
      this.lower = digits
      return sign + digitsIn(digits)
    }
    const upper = Math.floor(size / lowerBelow)
    this.upper = upper | 0
    this.lower = (size - upper * lowerBelow) | 0
    return sign + digitsIn(upper | 0) + lowerDigits
  }

  /** The width of a finite number, which most often has no more than that many decimals. */
  measure(value: number, decimals: number): number {
    const size = value < 0 ? -value : value
    const scale = powersOfTen[decimals]
    const scaled = size * scale + 0.5
    if (scaled < int32Below) {
      const digits = scaled | 0
      if (digits / scale === size) return this.#measureScaled(value < 0, digits, decimals)
    }
    if (Number.isInteger(value) && size < exactBelow) return this.measureInteger(value)
    this.text = String(value)
    return this.text.length
  }

  #measureScaled(isNegative: boolean, scaled: number, decimals: number): number {
    let digits = scaled
    let kept = decimals
    while (kept > 0) {
      const tenth = (digits / 10) | 0
      if (tenth * 10 !== digits) break
      digits = tenth
      kept--
    }
    this.isNegative = isNegative
    this.decimals = kept
    this.upper = 0
    this.lower = digits
    this.text = ''
    const width = digitsIn(digits) + (isNegative ? 1 : 0)
    if (kept === 0) return width
    return (digits < powersOfTen[kept] ? kept + 1 + (isNegative ? 1 : 0) : width) + 1
  }

  /** Writes what was measured last; `width` is what measuring said. */
  write(bytes: Uint8Array, start: number, width: number): void {
    if (this.text !== '') return this.#writeText(bytes, start)
    const end = start + width
    let begin = start
    if (this.isNegative) bytes[begin++] = minus
    if (this.decimals > 0) this.#writeFraction(bytes, begin, end)
    else if (this.upper === 0) putDigits(bytes, end, this.lower, end - begin)
    else {
      putDigits(bytes, end, this.lower, lowerDigits)
      putDigits(bytes, end - lowerDigits, this.upper, end - lowerDigits - begin)
    }
  }

  #writeFraction(bytes: Uint8Array, begin: number, end: number): void {
    let rest = this.lower
    let at = end
    for (let left = this.decimals; left > 0; left--) {
      const next = (rest / 10) | 0
      bytes[--at] = zero + (rest - next * 10)
      rest = next
    }
    bytes[--at] = point
    putDigits(bytes, at, rest, at - begin)
  }

  #writeText(bytes: Uint8Array, start: number): void {
    for (let i = 0; i < this.text.length; i++) bytes[start + i] = this.text.charCodeAt(i)
  }
}
