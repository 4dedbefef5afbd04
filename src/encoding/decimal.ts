/** The digits of 00 … 99, two bytes each. */
const pairs = new Uint8Array(200)
for (let i = 0; i < 100; i++) {
  pairs[2 * i] = 0x30 + Math.floor(i / 10)
  pairs[2 * i + 1] = 0x30 + (i % 10)
}

const powersOfTen = Array.from({ length: 16 }, (_, i) => 10 ** i)

/**
 * Below this, two decimals with the same number of digits never read back as the same double, so the digits that
 * were asked for are also the shortest once trailing zeros are gone.
 */
const exactBelow = 1e15

const int32Below = 2 ** 31

const minus = 0x2d
const point = 0x2e

/** How many digits a non-negative safe integer has. */
function digitsIn(value: number): number {
  if (value < 1e4) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4
  if (value < 1e8) return value < 1e6 ? (value < 1e5 ? 5 : 6) : value < 1e7 ? 7 : 8
  let digits = 9
  while (digits < 16 && value >= powersOfTen[digits]) digits++
  return digits
}

/** Writes the last `width` digits of an integer below 2^31, so that they end before `end`. */
function putDigits(bytes: Uint8Array, end: number, value: number, width: number): void {
  let rest = value | 0
  let at = end
  let left = width
  for (; left >= 2; left -= 2) {
    const next = (rest / 100) | 0
    const pair = (rest - next * 100) * 2
    rest = next
    at -= 2
    bytes[at] = pairs[pair]
    bytes[at + 1] = pairs[pair + 1]
  }
  if (left === 1) bytes[at - 1] = 0x30 + (rest % 10)
}

/** Writes a non-negative safe integer, padded with zeros on the left, so that it ends before `end`. */
function putInteger(bytes: Uint8Array, end: number, value: number, width: number): void {
  let rest = value
  let at = end
  let left = width
  while (rest >= int32Below) {
    const high = Math.floor(rest / 1e8)
    putDigits(bytes, at, rest - high * 1e8, 8)
    rest = high
    at -= 8
    left -= 8
  }
  putDigits(bytes, at, rest, left)
}

/**
 * A number as JSON prints it: first measured, so that room can be made for it, then written. Holds one number at a
 * time.
 */
export class Decimal {
  /** The value is `digits / 10^decimals`, unless `text` says it all. */
  #digits = 0
  #decimals = 0
  #negative = false
  #text = ''

  /** The width of an integer, which must be a safe one. */
  measureInteger(value: number): number {
    this.#negative = value < 0
    this.#digits = this.#negative ? -value : value
    this.#decimals = 0
    this.#text = ''
    return digitsIn(this.#digits) + (this.#negative ? 1 : 0)
  }

  /** The width of a finite number, which most often has no more than that many decimals. */
  measure(value: number, decimals: number): number {
    const negative = value < 0
    const size = negative ? -value : value
    const scale = powersOfTen[decimals]
    let digits = Math.round(size * scale)
    if (digits >= exactBelow || digits / scale !== size) return this.#measureText(value)
    let kept = decimals
    if (digits < int32Below) digits = digits | 0
    while (kept > 0 && digits % 10 === 0) {
      digits /= 10
      kept--
    }
    this.#negative = negative
    this.#digits = digits
    this.#decimals = kept
    this.#text = ''
    const width = digitsIn(digits) + (negative ? 1 : 0)
    if (kept === 0) return width
    return Math.max(width, kept + 1 + (negative ? 1 : 0)) + 1
  }

  #measureText(value: number): number {
    this.#text = String(value)
    return this.#text.length
  }

  /** Writes what was measured last; `width` is what measuring said. */
  write(bytes: Uint8Array, start: number, width: number): void {
    if (this.#text !== '') {
      for (let i = 0; i < width; i++) bytes[start + i] = this.#text.charCodeAt(i)
      return
    }
    let at = start
    if (this.#negative) bytes[at++] = minus
    const end = start + width
    if (this.#decimals === 0) putInteger(bytes, end, this.#digits, end - at)
    else this.#writeFraction(bytes, at, end)
  }

  #writeFraction(bytes: Uint8Array, at: number, end: number): void {
    const scale = powersOfTen[this.#decimals]
    const whole = Math.floor(this.#digits / scale)
    const pointAt = end - this.#decimals - 1
    putInteger(bytes, pointAt, whole, pointAt - at)
    bytes[pointAt] = point
    putInteger(bytes, end, this.#digits - whole * scale, this.#decimals)
  }
}
