/** Sums and differences of numbers below this are exact in a double. */
export const exactBelow = 2 ** 51

const exactDigitsMax = 15
const int64DigitsMax = 19
const decimalsMax = 9

const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39

const powersOfTen = Array.from({ length: decimalsMax + 1 }, (_, exponent) => 10 ** exponent)

/** A number in JSON text, if its text is identical to the output of JSON.stringify and has no exponent. */
export class Decimal {
  isCanonical = false
  /** Whether the integer is too large for a double; `wide` then has all digits. */
  isWide = false
  wide = 0n
  /** All digits as an integer, with the sign. */
  digits = 0
  /** The number of decimals among the digits. */
  decimals = 0

  parse(bytes: Uint8Array, start: number, end: number): void {
    this.isCanonical = false
    const isNegative = bytes[start] === minus
    const first = isNegative ? start + 1 : start
    let digits = 0
    let pointAt = end
    for (let at = first; at < end; at++) {
      const byte = bytes[at]
      if (byte >= zero && byte <= nine) digits = digits * 10 + byte - zero
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
    this.isWide = wholeDigits + decimals > exactDigitsMax
    if (this.isWide && (decimals > 0 || wholeDigits > int64DigitsMax)) return
    if (this.isWide)
      this.wide = BigInt(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'))
    this.isCanonical = true
    this.decimals = decimals
    this.digits = isNegative ? -digits : digits
  }

  /** The value in units of the last of `scale` decimals; NaN if a double does not hold it exactly. */
  scaled(scale: number): number {
    if (!this.isCanonical || this.isWide || this.decimals > scale) return Number.NaN
    const value = this.digits * powersOfTen[scale - this.decimals]
    return value < exactBelow && value > -exactBelow ? value : Number.NaN
  }

  /** The difference from another number, in units of the last of `scale` decimals; NaN if it is not exact. */
  deltaFrom(other: Decimal, scale: number): number {
    if (!this.isCanonical || !other.isCanonical || this.decimals > scale) return Number.NaN
    if (!this.isWide && !other.isWide) return this.scaled(scale) - other.scaled(scale)
    return scale > 0 ? Number.NaN : Number(this.#toBigInt() - other.#toBigInt())
  }

  /** The text of the sum of this number and a difference. */
  formatPlus(delta: number, scale: number): string {
    return this.isWide ? String(this.wide + BigInt(delta)) : formatScaled(this.scaled(scale) + delta, scale)
  }

  #toBigInt(): bigint {
    return this.isWide ? this.wide : BigInt(this.digits)
  }
}

/** The text of a value in units of the last of `scale` decimals. */
function formatScaled(value: number, scale: number): string {
  if (scale === 0) return String(value)
  const digits = String(Math.abs(value)).padStart(scale + 1, '0')
  let end = digits.length
  const wholeEnd = end - scale
  while (end > wholeEnd && digits.charCodeAt(end - 1) === zero) end--
  const whole = `${value < 0 ? '-' : ''}${digits.slice(0, wholeEnd)}`
  return end === wholeEnd ? whole : `${whole}.${digits.slice(wholeEnd, end)}`
}
