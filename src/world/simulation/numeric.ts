/**
 * Bit-exact functions. `Math.exp` and its relatives may differ in the last bit between builds of a runtime, so the
 * world uses only + - * / and these functions.
 */

const ln2 = Math.LN2

/** e^x, for |x| up to 700. */
export function exp(x: number): number {
  if (x > 700) return exp(700)
  if (x < -700) return 0
  const halvings = Math.round(x / ln2)
  const rest = x - halvings * ln2
  let term = 1
  let sum = 1
  for (let n = 1; n <= 16; n++) {
    term = (term * rest) / n
    sum += term
  }
  let scale = 1
  const base = halvings < 0 ? 0.5 : 2
  for (let n = Math.abs(halvings); n > 0; n--) scale *= base
  return sum * scale
}

/** x to the power of a whole number. */
export function power(x: number, exponent: number): number {
  let product = 1
  for (let n = 0; n < exponent; n++) product *= x
  return product
}

/** Natural logarithm, for x > 0. */
export function ln(x: number): number {
  let exponent = 0
  let mantissa = x
  while (mantissa > 1.5) {
    mantissa /= 2
    exponent++
  }
  while (mantissa < 0.75) {
    mantissa *= 2
    exponent--
  }
  const ratio = (mantissa - 1) / (mantissa + 1)
  const square = ratio * ratio
  let power = ratio
  let sum = 0
  for (let n = 1; n <= 31; n += 2) {
    sum += power / n
    power *= square
  }
  return 2 * sum + exponent * ln2
}

export const clamp = (value: number, low: number, high: number): number =>
  value < low ? low : value > high ? high : value

export function round(value: number, decimals: number): number {
  const scale = powersOfTen[decimals]
  const rounded = Math.round(value * scale) / scale
  return rounded === 0 ? 0 : rounded
}

const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

/** Interpolates in a periodic table; `phase` 0…1 is one period. */
export function interpolatePeriodic(table: readonly number[], phase: number): number {
  const at = (phase - Math.floor(phase)) * table.length
  const index = Math.floor(at)
  const next = index + 1 === table.length ? 0 : index + 1
  return table[index] + (table[next] - table[index]) * (at - index)
}
