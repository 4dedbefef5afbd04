/** How much there is of something, by what it is. */
export interface Tally {
  readonly labels: readonly string[]
  amount: number
}

/** Adds up by the values of a few labels. Combinations that are given at the start are there with zero. */
export interface TallySheet {
  add(labels: readonly string[], amount: number): void
  /** Those given at the start in that order, then the others as they came. */
  readonly rows: readonly Tally[]
}

export function createTallySheet(always: Iterable<readonly string[]>): TallySheet {
  const rows: Tally[] = []
  const index = new Map<string, Tally>()
  const row = (labels: readonly string[]): Tally => {
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

/** Every pair of one value of the first and one of the second list. */
export const pairs = (first: readonly string[], second: readonly string[]): string[][] =>
  first.flatMap((one) => second.map((other) => [one, other]))
