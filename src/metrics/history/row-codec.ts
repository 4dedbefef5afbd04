import type { HistoryMetric } from '../../contract/history.ts'
import type { SeriesScale } from '../../contract/vocabularies.ts'

/** The largest code of a value. */
const codeMax = 65_534

/** Float32 mantissa bits that a logarithmic code drops; it keeps eleven. */
const droppedBits = 12
const roundingBit = 1 << (droppedBits - 1)

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

function bitsOf(value: number): number {
  float[0] = value
  return bits[0]
}

/**
 * Encodes the values of a row as 16-bit codes and back, column by column. A linear code divides the range evenly. A
 * logarithmic code is the upper bits of the value's float32 minus those of the smallest value: no logarithm is
 * computed, and twelve significant bits remain.
 */
export class RowCodec {
  readonly #logarithmic: Uint8Array
  readonly #min: Float64Array
  readonly #part: Float64Array
  readonly #partsAUnit: Float64Array
  readonly #firstBits: Int32Array
  /** The columns by scale, so that the inner loops do not branch. */
  readonly #logarithmicColumns: Uint16Array
  readonly #linearColumns: Uint16Array
  readonly #floats: Float32Array
  readonly #floatBits: Int32Array

  /** The metrics of one slot; they repeat for each of `places` slots. */
  constructor(metrics: readonly HistoryMetric[], places: number) {
    const columns = Array.from({ length: places }, () => metrics).flat()
    const columnsOn = (wanted: SeriesScale): Uint16Array =>
      Uint16Array.from(columns.flatMap(({ scale }, column) => (scale === wanted ? [column] : [])))
    this.#logarithmic = Uint8Array.from(columns, ({ scale }) => (scale === 'log' ? 1 : 0))
    this.#min = Float64Array.from(columns, ({ min }) => min)
    this.#part = Float64Array.from(columns, ({ min, max }) => (max - min) / codeMax)
    this.#partsAUnit = this.#part.map((size) => 1 / size)
    this.#firstBits = Int32Array.from(columns, ({ min }) => (bitsOf(min) >>> droppedBits) - 1)
    this.#logarithmicColumns = columnsOn('log')
    this.#linearColumns = columnsOn('linear')
    this.#floats = new Float32Array(columns.length)
    this.#floatBits = new Int32Array(this.#floats.buffer)
  }

  encode(values: Float64Array, row: Uint16Array, rowAt: number): void {
    const firstBits = this.#firstBits
    const floatBits = this.#floatBits
    const floats = this.#floats
    for (let column = 0; column < floats.length; column++) floats[column] = values[column]
    const logarithmicColumns = this.#logarithmicColumns
    for (let index = 0; index < logarithmicColumns.length; index++) {
      const column = logarithmicColumns[index]
      // Values below the smallest one, zero and negative ones included, become code 0.
      const code = ((floatBits[column] + roundingBit) >> droppedBits) - firstBits[column]
      row[rowAt + column] = code > 0 ? (code > codeMax ? codeMax : code) : 0
    }
    const min = this.#min
    const partsAUnit = this.#partsAUnit
    const linearColumns = this.#linearColumns
    for (let index = 0; index < linearColumns.length; index++) {
      const column = linearColumns[index]
      const parts = (values[column] - min[column]) * partsAUnit[column] + 0.5
      row[rowAt + column] = parts > 0 ? (parts > codeMax ? codeMax : parts) : 0
    }
  }

  decode(column: number, code: number): number {
    if (this.#logarithmic[column] === 0) return this.#min[column] + code * this.#part[column]
    if (code === 0) return 0
    bits[0] = (code + this.#firstBits[column]) << droppedBits
    return float[0]
  }
}
