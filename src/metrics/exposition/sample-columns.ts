import { columnOrder, compileSampleReader } from '../../codegen/sample-reader.ts'
import type { SampleReader } from '../../codegen/sample-reader.ts'
import { numberOf } from '../declaration/family.ts'
import type { RowBatch } from '../../codegen/rows.ts'
import type { Family } from '../declaration/family.ts'

/** The current values of families that share their rows, one column per family. */
export class SampleColumns {
  columns: readonly Float64Array[]
  /** 1 for each family with a value that differs from the last update. */
  readonly changed: Uint8Array
  readonly #read: SampleReader
  readonly #derivations: readonly unknown[]
  /** The position of each family's column. */
  readonly #positions: readonly number[]
  /** All columns in one array: every further array costs the generated loop a register. */
  #values = new Float64Array(0)
  #columnLength = 0

  constructor(families: readonly Family[]) {
    const order = columnOrder(families)
    this.columns = families.map(() => this.#values)
    this.changed = new Uint8Array(families.length)
    this.#read = compileSampleReader(families, order)
    this.#derivations = families.map(({ source }) => (source.kind === 'derived' ? source.value : null))
    this.#positions = families.map((_, index) => order.indexOf(index))
  }

  update(rows: RowBatch<never, never>): void {
    this.changed.fill(0)
    if (rows.items.length > this.#columnLength) this.#grow(rows.items.length)
    this.#read(rows, this.#values, this.#columnLength, this.changed, numberOf, this.#derivations)
  }

  #grow(rowCount: number): void {
    const length = this.#columnLength === 0 ? rowCount : Math.ceil(rowCount * 1.25)
    const previous = this.columns
    this.#values = new Float64Array(length * previous.length)
    this.columns = this.#positions.map((position) =>
      this.#values.subarray(position * length, (position + 1) * length),
    )
    for (const [index, column] of previous.entries()) this.columns[index].set(column)
    this.#columnLength = length
  }
}
