/** The longest text of a number: a sign, seventeen digits, a point, and an exponent of three digits. */
export const numberBytesMax = 26

const zero = 48
const encoder = new TextEncoder()

/** Writes `count` digits of a non-negative integer below 2^31, leading zeros included, and returns their end. */
function writeDigits(bytes: Uint8Array, at: number, value: number, count: number): number {
  let rest = value | 0
  for (let place = at + count - 1; place >= at; place--) {
    const tenth = (rest / 10) | 0
    bytes[place] = zero + (rest - tenth * 10)
    rest = tenth
  }
  return at + count
}

function digitCount(value: number): number {
  if (value < 100_000) {
    if (value < 100) return value < 10 ? 1 : 2
    if (value < 10_000) return value < 1_000 ? 3 : 4
    return 5
  }
  if (value < 10_000_000) return value < 1_000_000 ? 6 : 7
  if (value < 1_000_000_000) return value < 100_000_000 ? 8 : 9
  return 10
}

const billion = 1_000_000_000

/** A non-negative integer of any size that a double holds exactly. */
function writeInteger(bytes: Uint8Array, at: number, value: number): number {
  if (value < billion) return writeDigits(bytes, at, value, digitCount(value))
  const upper = Math.floor(value / billion)
  const next = writeDigits(bytes, at, upper, digitCount(upper))
  return writeDigits(bytes, next, value - upper * billion, 9)
}

/** The digits after the point, without the zeros at their end. */
function writeFraction(bytes: Uint8Array, at: number, fraction: number, decimals: number): number {
  bytes[at] = 46
  let end = writeDigits(bytes, at + 1, fraction, decimals)
  while (bytes[end - 1] === zero) end--
  return end
}

const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const

/** How far a value may be from a short decimal through the rounding of one unit into another alone. */
const conversionError = 1e-15

/**
 * Writes a finite number and returns the end of its text. A value that is a decimal of at most `decimals` places,
 * give or take the error of a conversion, is written as that decimal without making a string. Any other is
 * written with all its digits. Minus zero is written as zero.
 */
export function writeNumber(bytes: Uint8Array, at: number, value: number, decimals: number): number {
  const power = powers[decimals]
  const scaled = value * power
  const magnitude = Math.abs(scaled)
  const rounded = Math.round(magnitude)
  if (Math.abs(magnitude - rounded) > magnitude * conversionError || rounded > Number.MAX_SAFE_INTEGER) {
    return at + encoder.encodeInto(String(value), bytes.subarray(at)).written
  }
  let next = at
  if (scaled < 0) bytes[next++] = 45
  if (decimals === 0) return writeInteger(bytes, next, rounded)
  const whole = Math.floor(rounded / power)
  const fraction = rounded - whole * power
  next = writeInteger(bytes, next, whole)
  return fraction === 0 ? next : writeFraction(bytes, next, fraction, decimals)
}
