import { numberOf } from './family.ts'
import type { Family, Rows } from './family.ts'

type RowReader = (
  rows: Rows<never, never>,
  values: Float64Array,
  room: number,
  changed: Uint8Array,
  numberOf: unknown,
  derivations: readonly unknown[],
) => void

/** How a family's value is read from the row `r` with the parent `p`, in the words of the compiled loop. */
function expressionOf({ source }: Family, index: number): string {
  if (source.kind === 'derived') return `numberOf(d${index}(r, p))`
  if (source.kind === 'sum') return `s${index} * ${source.factor}`
  const { field, factor } = source
  if (source.kind === 'bool') return `r.${field} ? 1 : 0`
  if (source.kind === 'nullable') return `numberOf(r.${field}) * ${factor}`
  return `r.${field} * ${factor}`
}

/** Adds up fields of the records that the row lists, all those of a list in one pass over it. */
function sumsOf(families: readonly Family[], indices: readonly number[]): string {
  const summed = indices.flatMap((index) => {
    const { source } = families[index]
    return source.kind === 'sum' ? [{ index, list: source.list, field: source.field }] : []
  })
  const passes = [...Map.groupBy(summed, ({ list }) => list)].map(([list, sums]) => {
    const adding = sums.map(
      ({ index, field }) => `
      x = q.${field}
      s${index} += typeof x === 'number' ? x : Number(x)`,
    )
    return `
    for (let k = 0, l = r.${list}; k < l.length; k++) {
      const q = l[k]
      let x${adding.join('')}
    }`
  })
  const zeros = summed.map(
    ({ index }) => `
    let s${index} = 0`,
  )
  return [...zeros, ...passes].join('')
}

/** The loop over all rows that reads some of the families, whose columns follow one another from the `first` on. */
function loopOf(families: readonly Family[], indices: readonly number[], first: number): string {
  if (indices.length === 0) return ''
  const reads = indices.map(
    (index) => `
    v = ${expressionOf(families[index], index)}
    b = values[at]
    if (v !== b && (v === v || b === b)) { values[at] = v; changed[${index}] = 1 }
    at += room`,
  )
  return `
  for (let i = from; i < end; i++) {
    const r = items[i]
    const p = hasParents ? parents[i] : undefined
    let at = ${first} * room + i${sumsOf(families, indices)}${reads.join('')}
  }`
}

/** So many rows go through all loops before the next: what one loop has brought near, the others find there. */
const rowsAtOnce = 128

const loops = ['field', 'sum', 'derived'] as const

/** Which of the loops reads a family. */
const loopReading = ({ source: { kind } }: Family): (typeof loops)[number] =>
  kind === 'sum' || kind === 'derived' ? kind : 'field'

/**
 * Compiles what reads all families of a subject, row by row, and tells which of them have changed. Looking up each
 * property by its name, or going over the records once for each family, would take several times as long as
 * writing the text. Fields are read apart from sums and from what is derived: one loop with everything in it is
 * slower. The names in it are the contract's own; nothing in it comes from outside. The columns stand in the given
 * order, in which the families of each loop follow one another.
 */
function compileReader(families: readonly Family[], order: readonly number[]): RowReader {
  const text = loops.map((loop) => {
    const indices = order.filter((index) => loopReading(families[index]) === loop)
    return loopOf(families, indices, order.indexOf(indices[0]))
  })
  const body = `
  const [${families.map((_, index) => `d${index}`).join(', ')}] = derivations
  const { items, parents } = rows
  const hasParents = parents.length > 0
  let v = 0
  let b = 0
  for (let from = 0, end = 0; from < items.length; from = end) {
  end = Math.min(from + ${rowsAtOnce}, items.length)${text.join('')}
  }`
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return new Function('rows', 'values', 'room', 'changed', 'numberOf', 'derivations', body) as RowReader
}

/** The present values of a subject's families, a column for each. */
export class SampleColumns {
  columns: readonly Float64Array[]
  /** 1 for each family in which a value differs from what it was at the last update. */
  readonly changed: Uint8Array
  readonly #read: RowReader
  readonly #derivations: readonly unknown[]
  /** Where each family's column stands among all of them. */
  readonly #places: readonly number[]
  /** All columns in one, because each array more costs the loop a register. */
  #values = new Float64Array(0)
  #room = 0

  constructor(families: readonly Family[]) {
    const indices = families.map((_, index) => index)
    const order = loops.flatMap((loop) => indices.filter((index) => loopReading(families[index]) === loop))
    this.columns = families.map(() => this.#values)
    this.changed = new Uint8Array(families.length)
    this.#read = compileReader(families, order)
    this.#derivations = families.map(({ source }) => (source.kind === 'derived' ? source.value : null))
    this.#places = indices.map((index) => order.indexOf(index))
  }

  update(rows: Rows<never, never>): void {
    this.changed.fill(0)
    if (rows.items.length > this.#room) this.#makeRoom(rows.items.length)
    this.#read(rows, this.#values, this.#room, this.changed, numberOf, this.#derivations)
  }

  #makeRoom(count: number): void {
    const room = this.#room === 0 ? count : Math.ceil(count * 1.25)
    const before = this.columns
    this.#values = new Float64Array(room * before.length)
    this.columns = this.#places.map((place) => this.#values.subarray(place * room, (place + 1) * room))
    for (const [index, column] of before.entries()) this.columns[index].set(column)
    this.#room = room
  }
}
