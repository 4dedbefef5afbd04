import type { LabelValue, RowBatch } from './rows.ts'

/** Returns the first row whose labels differ from the known ones; `count` if none does. */
type LabelComparison = (
  rows: RowBatch<never, never>,
  count: number,
  known: readonly LabelValue[],
  readers: readonly unknown[],
) => number

/** The body of the generated function for rows with `width` labels. */
export function labelComparisonSource(width: number): string {
  const readers = Array.from({ length: width }, (_, label) => `l${label}`)
  const differences = readers.map((reader, label) => `${reader}(r, p) !== known[at + ${label}]`)
  return `
  const [${readers.join(', ')}] = readers
  const { items, parents } = rows
  const hasParents = parents.length > 0
  for (let row = 0, at = 0; row < count; row++, at += ${width}) {
    const r = items[row]
    const p = hasParents ? parents[row] : undefined
    if (${[...differences, 'false'].join(' || ')}) return row
  }
  return count`
}

/**
 * Compiles the loop that runs over all rows at every publish and nearly always finds no change. Each set of rows
 * gets a function of its own, in which the engine inlines the label readers.
 */
export const compileLabelComparison = (width: number): LabelComparison =>
  // oxlint-disable-next-line typescript/no-implied-eval -- the text holds nothing but indices
  new Function('rows', 'count', 'known', 'readers', labelComparisonSource(width)) as LabelComparison
