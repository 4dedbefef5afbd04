/** The longest text of a number: a sign, seventeen digits, a point, and an exponent of three digits. */
export const numberBytesMax = 26

const zero = 48
const minus = 45
const point = 46
const encoder = new TextEncoder()
const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

/** How far a value may be from a short decimal through the rounding of one unit into another alone. */
const conversionError = 1e-15

/** The largest power of ten whose digits are split off with 32-bit arithmetic. */
const eightDigits = 100_000_000

/** The digits of 00 to 99, one after the other. */
const digitPairs = encoder.encode(
  Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0')).join(''),
)

/** Writes the last `count` digits of an integer below 2^31 before `end`, leading zeros included. */
function writeDigitsBefore(bytes: Uint8Array, end: number, value: number, count: number): number {
  let rest = value | 0
  let at = end
  const start = end - count
  while (at - start >= 2) {
    const hundredth = (rest / 100) | 0
    const pair = (rest - hundredth * 100) * 2
    bytes[--at] = digitPairs[pair + 1]
    bytes[--at] = digitPairs[pair]
    rest = hundredth
  }
  if (at > start) bytes[--at] = zero + (rest % 10)
  return start
}

/** A non-negative integer of any size that a double holds exactly. */
function writeIntegerBefore(bytes: Uint8Array, end: number, value: number): number {
  let at = end
  let upper = value
  while (upper >= eightDigits) {
    const rest = Math.floor(upper / eightDigits)
    at = writeDigitsBefore(bytes, at, upper - rest * eightDigits, 8)
    upper = rest
  }
  let rest = upper | 0
  while (rest >= 100) {
    const hundredth = (rest / 100) | 0
    const pair = (rest - hundredth * 100) * 2
    bytes[--at] = digitPairs[pair + 1]
    bytes[--at] = digitPairs[pair]
    rest = hundredth
  }
  if (rest >= 10) {
    bytes[--at] = digitPairs[rest * 2 + 1]
    bytes[--at] = digitPairs[rest * 2]
  } else bytes[--at] = zero + rest
  return at
}

/** A fraction in parts of 10^-decimals, without the zeros at its end, and the point before it. */
function writeFractionBefore(bytes: Uint8Array, end: number, parts: number, decimals: number): number {
  let rest = parts | 0
  let count = decimals
  let tenth = (rest / 10) | 0
  while (rest === tenth * 10) {
    rest = tenth
    tenth = (rest / 10) | 0
    count--
  }
  const at = writeDigitsBefore(bytes, end, rest, count) - 1
  bytes[at] = point
  return at
}

function writeTextBefore(bytes: Uint8Array, end: number, text: string): number {
  const start = end - text.length
  encoder.encodeInto(text, bytes.subarray(start, end))
  return start
}

/**
 * Writes a finite number so that its text ends before `end`, and returns where it begins. A value that is a
 * decimal of at most `decimals` places, give or take the error of a conversion, is written as that decimal without
 * making a string. Any other is written with all its digits. Minus zero is written as zero.
 */
export function writeNumberBefore(bytes: Uint8Array, end: number, value: number, decimals: number): number {
  const power = powers[decimals]
  const magnitude = Math.abs(value) * power
  const rounded = Math.round(magnitude)
  if (Math.abs(magnitude - rounded) > magnitude * conversionError || rounded > Number.MAX_SAFE_INTEGER) {
    return writeTextBefore(bytes, end, String(value))
  }
  let at = end
  let whole = rounded
  if (power > 1) {
    whole = Math.floor(rounded / power)
    const parts = rounded - whole * power
    if (parts > 0) at = writeFractionBefore(bytes, at, parts, decimals)
  }
  at = writeIntegerBefore(bytes, at, whole)
  if (value < 0) bytes[--at] = minus
  return at
}
