import { unknownList } from '../contract/records/unknown.ts'
import type { RowBatch, ValueSource } from './rows.ts'

interface Sampled {
  readonly source: ValueSource
}

/** Reads all families of one labeled set of rows into their columns and marks the families that changed. */
export type SampleReader = (
  rows: RowBatch<never, never>,
  values: Float64Array,
  columnLength: number,
  changed: Uint8Array,
  numberOf: unknown,
  derivations: readonly unknown[],
) => void

/** The expression that reads a family's value from row `r` with parent `p`. */
function valueExpression({ source }: Sampled, index: number): string {
  if (source.kind === 'derived') return `numberOf(d${index}(r, p))`
  if (source.kind === 'sum') return `s${index} * ${source.factor}`
  const { field, factor } = source
  if (source.kind === 'bool') return `(v = r.${field}) === true ? 1 : v === false ? 0 : NaN`
  if (source.kind === 'nullable') return `numberOf(r.${field}) * ${factor}`
  return `r.${field} * ${factor}`
}

/** Statements that add up fields of listed records, in one pass per list. A sum with an unknown part is unknown. */
function sumStatements(families: readonly Sampled[], indices: readonly number[]): string {
  const summed = indices.flatMap((index) => {
    const { source } = families[index]
    return source.kind === 'sum' ? [{ index, list: source.list, field: source.field }] : []
  })
  const zeros = summed.map(({ index, list }) => `\n    let s${index} = r.${list} === unknownList ? NaN : 0`)
  const passes = [...Map.groupBy(summed, ({ list }) => list)].map(([list, sums]) => {
    const additions = sums.map(
      ({ index, field }) => `
      x = q.${field}
      s${index} += typeof x === 'number' ? x : x === null ? NaN : Number(x)`,
    )
    return `
    for (let k = 0, l = r.${list}; k < l.length; k++) {
      const q = l[k]
      let x${additions.join('')}
    }`
  })
  return [...zeros, ...passes].join('')
}

/** The loop over one block of rows for the families at `indices`, whose columns start at `firstColumn`. */
function blockLoop(families: readonly Sampled[], indices: readonly number[], firstColumn: number): string {
  if (indices.length === 0) return ''
  const reads = indices.map(
    (index) => `
    v = ${valueExpression(families[index], index)}
    b = values[at]
    if (v !== b && (v === v || b === b)) { values[at] = v; changed[${index}] = 1 }
    at += columnLength`,
  )
  return `
  for (let i = from; i < end; i++) {
    const r = items[i]
    const p = hasParents ? parents[i] : undefined
    let at = ${firstColumn} * columnLength + i${sumStatements(families, indices)}${reads.join('')}
  }`
}

/** Rows per block: a block stays in the processor's cache across all loops. */
const rowsPerBlock = 128

const loops = ['field', 'sum', 'derived'] as const

const loopOf = ({ source: { kind } }: Sampled): (typeof loops)[number] =>
  kind === 'sum' || kind === 'derived' ? kind : 'field'

/** The order of the columns: families that are read by the same loop are neighbors. */
export function columnOrder(families: readonly Sampled[]): number[] {
  const indices = families.map((_, index) => index)
  return loops.flatMap((loop) => indices.filter((index) => loopOf(families[index]) === loop))
}

/** The body of the generated function. All names in it come from the contract; nothing comes from input. */
export function sampleReaderSource(families: readonly Sampled[], order: readonly number[]): string {
  const bodies = loops.map((loop) => {
    const indices = order.filter((index) => loopOf(families[index]) === loop)
    return blockLoop(families, indices, order.indexOf(indices[0]))
  })
  return `
  const [${families.map((_, index) => `d${index}`).join(', ')}] = derivations
  const { items, parents } = rows
  const hasParents = parents.length > 0
  let v = 0
  let b = 0
  for (let from = 0, end = 0; from < items.length; from = end) {
  end = Math.min(from + ${rowsPerBlock}, items.length)${bodies.join('')}
  }`
}

/**
 * Compiles the reader of all families that share their rows. Plain fields, sums and derived values have a loop
 * each: one loop with everything in it is slower.
 */
export const compileSampleReader = (families: readonly Sampled[], order: readonly number[]): SampleReader =>
  // oxlint-disable-next-line typescript/no-implied-eval -- the text comes from the contract alone
  new Function(
    'unknownList',
    `return (rows, values, columnLength, changed, numberOf, derivations) => {${sampleReaderSource(families, order)}}`,
  )(unknownList) as SampleReader
