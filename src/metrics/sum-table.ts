/** An amount with its label values. */
export interface Sum {
  readonly labels: readonly string[]
  amount: number
}

/** Sums amounts by label values. The initial combinations start at zero. */
interface SumTable {
  add(labels: readonly string[], amount: number): void
  /** The initial combinations in their order, then the others in order of appearance. */
  readonly rows: readonly Sum[]
}

export function createSumTable(always: Iterable<readonly string[]>): SumTable {
  const rows: Sum[] = []
  const index = new Map<string, Sum>()
  const row = (labels: readonly string[]): Sum => {
    const key = labels.join('\n')
    const known = index.get(key)
    if (known !== undefined) return known
    const made = { labels, amount: 0 }
    index.set(key, made)
    rows.push(made)
    return made
  }
  for (const labels of always) row(labels)
  return {
    add(labels, amount) {
      row(labels).amount += amount
    },
    rows,
  }
}

/** The Cartesian product of two lists. */
export const pairs = (first: readonly string[], second: readonly string[]): string[][] =>
  first.flatMap((one) => second.map((other) => [one, other]))
