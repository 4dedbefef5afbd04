import { keptQuads, keptWidths, minus, octetBelow, point, quadBelow, quads, widths } from './digits.ts'

/** The longest text of a number: a sign, seventeen digits, a point, and an exponent of three digits. */
export const numberBytesMax = 26

/** Bytes before the text that writing a number may overwrite. The caller restores them. */
export const scratchBytesBefore = 4

const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

/** Largest relative error of a short decimal after a unit conversion. */
const conversionError = 1e-15

/** Writes an integer below 10^8. */
function writeShortBefore(view: DataView, end: number, value: number): number {
  if (value < quadBelow) {
    view.setInt32(end - 4, quads[value], true)
    return end - widths[value]
  }
  const high = (value / quadBelow) | 0
  view.setInt32(end - 4, quads[value - high * quadBelow], true)
  view.setInt32(end - 8, quads[high], true)
  return end - 4 - widths[high]
}

/** Writes a non-negative integer of any size that a double holds exactly. */
function writeIntegerBefore(view: DataView, end: number, value: number): number {
  if (value < octetBelow) return writeShortBefore(view, end, value | 0)
  const upper = Math.floor(value / octetBelow)
  const lower = (value - upper * octetBelow) | 0
  const high = (lower / quadBelow) | 0
  view.setInt32(end - 4, quads[lower - high * quadBelow], true)
  view.setInt32(end - 8, quads[high], true)
  return writeShortBefore(view, end - 8, upper | 0)
}

/** Writes a fraction, given in units of 10^-decimals, without trailing zeros, and the point before it. */
function writeFractionBefore(view: DataView, end: number, parts: number, decimals: number): number {
  const eight = (parts * powers[8 - decimals]) | 0
  const high = (eight / quadBelow) | 0
  const low = eight - high * quadBelow
  let at = end
  if (low > 0) {
    view.setInt32(at - 4, keptQuads[low], true)
    at -= keptWidths[low]
    view.setInt32(at - 4, quads[high], true)
    at -= 5
  } else {
    view.setInt32(at - 4, keptQuads[high], true)
    at -= keptWidths[high] + 1
  }
  view.setUint8(at, point)
  return at
}

function writeTextBefore(view: DataView, end: number, text: string): number {
  const start = end - text.length
  for (let i = 0; i < text.length; i++) view.setUint8(start + i, text.charCodeAt(i))
  return start
}

/**
 * Writes a finite number that ends before `end` and returns its start. A value within the conversion error of a decimal
 * with at most `decimals` places is written as that decimal without creating a string; any other value is written with
 * all its digits. Minus zero is written as zero. The number is read from an array, because passing a double as an
 * argument would allocate it on the heap.
 */
export function writeNumberBefore(
  view: DataView,
  end: number,
  values: Float64Array,
  index: number,
  decimals: number,
): number {
  const value = values[index]
  const size = value < 0 ? -value : value
  let whole = Math.floor(size)
  let at = end
  if (whole !== size) {
    const power = powers[decimals]
    const magnitude = size * power
    const rounded = Math.round(magnitude)
    const isDecimal = Math.abs(magnitude - rounded) <= magnitude * conversionError
    if (!isDecimal || rounded > Number.MAX_SAFE_INTEGER) return writeTextBefore(view, end, String(value))
    let parts = rounded - whole * power
    if (parts === power) {
      whole++
      parts = 0
    }
    if (parts > 0) at = writeFractionBefore(view, at, parts, decimals)
  }
  if (whole > Number.MAX_SAFE_INTEGER) return writeTextBefore(view, end, String(value))
  at = writeIntegerBefore(view, at, whole)
  if (value < 0) view.setUint8(--at, minus)
  return at
}
