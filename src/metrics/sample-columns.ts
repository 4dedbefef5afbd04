import { numberOf } from './family.ts'
import type { Family, Rows } from './family.ts'

type RowReader = (
  rows: Rows<never, never>,
  columns: readonly Float64Array[],
  changed: Uint8Array,
  numberOf: unknown,
  derivations: readonly unknown[],
) => void

/** How a family's value is read from the row `r` with the parent `p`, in the words of the compiled loop. */
function expressionOf({ source }: Family, index: number): string {
  if (source.kind === 'derived') return `numberOf(d${index}(r, p))`
  const { field, factor } = source
  if (source.kind === 'bool') return `r.${field} ? 1 : 0`
  if (source.kind === 'nullable') return `numberOf(r.${field}) * ${factor}`
  return `r.${field} * ${factor}`
}

/**
 * Compiles the loop that reads all families of a subject, row by row, and tells which of them have changed. Looking
 * up each property by its name, or going over the records once for each family, would take several times as long
 * as writing the text. The names in it are the contract's own; nothing in it comes from outside.
 */
function compileReader(families: readonly Family[]): RowReader {
  const columns = families.map((_, index) => `c${index}`).join(', ')
  const derivations = families.map((_, index) => `d${index}`).join(', ')
  const reads = families.map(
    (family, index) => `
    v = ${expressionOf(family, index)}
    if (v !== c${index}[i] && (v === v || c${index}[i] === c${index}[i])) { c${index}[i] = v; changed[${index}] = 1 }`,
  )
  const body = `
  const [${columns}] = columns
  const [${derivations}] = derivations
  const { items, parents } = rows
  const hasParents = parents.length > 0
  let v = 0
  for (let i = 0; i < items.length; i++) {
    const r = items[i]
    const p = hasParents ? parents[i] : undefined${reads.join('')}
  }`
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return new Function('rows', 'columns', 'changed', 'numberOf', 'derivations', body) as RowReader
}

/** The present values of a subject's families, a column for each. */
export class SampleColumns {
  readonly columns: Float64Array[]
  /** 1 for each family in which a value differs from what it was at the last update. */
  readonly changed: Uint8Array
  readonly #read: RowReader
  readonly #derivations: readonly unknown[]

  constructor(families: readonly Family[]) {
    this.columns = families.map(() => new Float64Array(0))
    this.changed = new Uint8Array(families.length)
    this.#read = compileReader(families)
    this.#derivations = families.map(({ source }) => (source.kind === 'derived' ? source.value : null))
  }

  update(rows: Rows<never, never>): void {
    const count = rows.items.length
    this.changed.fill(0)
    for (const [index, column] of this.columns.entries()) {
      if (column.length >= count) continue
      const grown = new Float64Array(column.length === 0 ? count : Math.ceil(count * 1.25))
      grown.set(column)
      this.columns[index] = grown
    }
    this.#read(rows, this.columns, this.changed, numberOf, this.#derivations)
  }
}
