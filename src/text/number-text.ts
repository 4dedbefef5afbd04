import { keptWidths, minus, octetBelow, octetDigits, point, quadBelow, quads, widths } from './digits.ts'

/** Masks that keep the first n of four bytes, by n. */
const firstBytes = new Int32Array([0, 0xff, 0xffff, 0xffffff, -1])

/**
 * Below this, at most one decimal with four fraction digits parses as a given double: without trailing zeros it is the
 * shortest representation.
 */
const exactBelow = 1e15
const safeBelow = 2 ** 53
/** The decimals of numbers that take the fast path. Those of samples follow from their units. */
const jsonDecimals = 4
const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
/** Largest relative error of a short decimal after a unit conversion. */
const conversionError = 1e-15
/** Bytes around a number's text that are read and written back unchanged. */
export const numberMargin = 8
/** The longest text of a number: a sign, a point, seventeen digits behind six zeros. */
export const numberBytesMax = 26

/** The number of digits of a non-negative integer below 10^8. */
const digitsIn = (value: number): number =>
  value < quadBelow ? widths[value] : 4 + widths[(value / quadBelow) | 0]

/** Writes the last `width` digits of an integer below 10^8, ending before `end`. The bytes before them are restored. */
function putDigits(view: DataView, end: number, value: number, width: number): void {
  const high = (value / quadBelow) | 0
  const low = value - high * quadBelow
  if (width <= 4) {
    const kept = firstBytes[4 - width]
    view.setInt32(end - 4, (view.getInt32(end - 4, true) & kept) | (quads[low] & ~kept), true)
    return
  }
  const kept = firstBytes[8 - width]
  view.setInt32(end - 8, (view.getInt32(end - 8, true) & kept) | (quads[high] & ~kept), true)
  view.setInt32(end - 4, quads[low], true)
}

/** Writes the first `width` of four digits. The bytes behind them are restored. */
function putLeading(view: DataView, start: number, quad: number, width: number): void {
  const written = firstBytes[width]
  view.setInt32(start, (quads[quad] & written) | (view.getInt32(start, true) & ~written), true)
}

/**
 * Writes a number: `measure` returns its width so that the caller can reserve space, `write` writes it. Holds one number
 * at a time in 32-bit pieces, which the engine does not allocate on the heap.
 */
export class NumberText {
  /** The integer part: its last eight digits, and the digits before them. */
  lower = 0
  upper = 0
  wholeWidth = 0
  /** The fraction as eight digits, and the number of them that are written. */
  fraction = 0
  fractionWidth = 0
  isNegative = false
  /** The text of a number that does not fit these fields; otherwise empty. */
  text = ''

  /**
   * The width of a finite number, with all digits that tell it from others. The number is read from an array, because
   * passing a double as an argument would allocate it on the heap.
   */
  measure(values: Float64Array, index: number): number {
    return this.#measure(values, index, jsonDecimals, false)
  }

  /** The same for a converted value: one within the conversion error of a decimal is that decimal. */
  measureSample(values: Float64Array, index: number, decimals: number): number {
    return this.#measure(values, index, decimals, true)
  }

  #measure(values: Float64Array, index: number, decimals: number, isConverted: boolean): number {
    const value = values[index]
    const size = value < 0 ? -value : value
    let whole = Math.floor(size)
    let fractionWidth = 0
    if (whole !== size) {
      const power = powers[decimals]
      const scaled = Math.floor(size * power + 0.5)
      const error = Math.abs(scaled / power - size)
      if (scaled >= exactBelow || error > (isConverted ? size * conversionError : 0))
        return this.#measureText(value)
      whole = Math.floor(scaled / power)
      const fraction = ((scaled - whole * power) * powers[8 - decimals]) | 0
      const low = fraction % quadBelow
      this.fraction = fraction
      fractionWidth = low === 0 ? keptWidths[(fraction / quadBelow) | 0] : 4 + keptWidths[low]
    }
    let wholeWidth
    if (whole < octetBelow) {
      this.upper = 0
      this.lower = whole | 0
      wholeWidth = digitsIn(whole | 0)
    } else {
      if (whole >= safeBelow) return this.#measureText(value)
      const upper = Math.floor(whole / octetBelow) | 0
      this.upper = upper
      this.lower = (whole - upper * octetBelow) | 0
      wholeWidth = octetDigits + digitsIn(upper)
    }
    this.wholeWidth = wholeWidth
    this.fractionWidth = fractionWidth
    this.isNegative = value < 0
    this.text = ''
    return wholeWidth + (fractionWidth === 0 ? 0 : fractionWidth + 1) + (value < 0 ? 1 : 0)
  }

  #measureText(value: number): number {
    this.text = String(value)
    return this.text.length
  }

  /** Writes the number measured last. There must be `numberMargin` bytes before and after it. */
  write(view: DataView, start: number): void {
    if (this.text !== '') return this.#writeText(view, start)
    let end = start + this.wholeWidth
    if (this.isNegative) {
      view.setUint8(start, minus)
      end++
    }
    if (this.upper === 0) putDigits(view, end, this.lower, this.wholeWidth)
    else {
      putDigits(view, end, this.lower, octetDigits)
      putDigits(view, end - octetDigits, this.upper, this.wholeWidth - octetDigits)
    }
    if (this.fractionWidth === 0) return
    view.setUint8(end, point)
    const high = (this.fraction / quadBelow) | 0
    if (this.fractionWidth <= 4) putLeading(view, end + 1, high, this.fractionWidth)
    else {
      view.setInt32(end + 1, quads[high], true)
      putLeading(view, end + 5, this.fraction - high * quadBelow, this.fractionWidth - 4)
    }
  }

  #writeText(view: DataView, start: number): void {
    for (let i = 0; i < this.text.length; i++) view.setUint8(start + i, this.text.charCodeAt(i))
  }
}
