import type { CollectorName } from '../../metrics/declaration/collectors.ts'
import type { SampledRows } from '../../metrics/exposition/sampler.ts'

/** A series that is not the same in two worlds. A value is NaN where the series is missing. */
export interface SeriesDifference {
  readonly family: string
  /** As in the exposition: `{host="3",az="1"}`; empty without labels. */
  readonly labels: string
  readonly collector: CollectorName
  /** The first sample that differs, in seconds since the worlds were alike. */
  readonly sinceSeconds: number
  /** The values at the largest difference. */
  baseline: number
  changed: number
}

/** Follows all series of two worlds. Values are compared exactly: equal worlds have equal bits. */
export class SeriesComparison {
  /** By set of rows and labels, one entry for each family. */
  readonly #differences: Map<string, (SeriesDifference | undefined)[]>[] = []

  compare(seconds: number, baseline: readonly SampledRows[], changed: readonly SampledRows[]): void {
    for (const [index, rows] of baseline.entries()) {
      const known = (this.#differences[index] ??= new Map())
      compareRows(seconds, rows, changed[index], known)
    }
  }

  /** In order of time. */
  differences(): SeriesDifference[] {
    const all = this.#differences.flatMap((known) => Array.from(known.values(), (found) => found).flat())
    return all
      .filter((difference) => difference !== undefined)
      .toSorted((a, b) => a.sinceSeconds - b.sinceSeconds)
  }
}

function compareRows(
  seconds: number,
  baseline: SampledRows,
  changed: SampledRows,
  known: Map<string, (SeriesDifference | undefined)[]>,
): void {
  const note = (labels: string, rowA: number, rowB: number): void => {
    for (const [index, column] of baseline.columns.entries()) {
      const a = rowA < 0 ? Number.NaN : column[rowA]
      const b = rowB < 0 ? Number.NaN : changed.columns[index][rowB]
      if (Object.is(a, b)) continue
      let found = known.get(labels)
      if (found === undefined) known.set(labels, (found = []))
      const { collector, families } = baseline
      const at = { sinceSeconds: seconds, baseline: a, changed: b }
      const difference = (found[index] ??= { family: families[index], labels, collector, ...at })
      if (Math.abs(b - a) > Math.abs(difference.changed - difference.baseline))
        Object.assign(difference, { baseline: a, changed: b })
    }
  }
  const isAligned =
    baseline.labels.length === changed.labels.length &&
    baseline.labels.every((labels, row) => labels === changed.labels[row])
  if (isAligned) {
    for (const [row, labels] of baseline.labels.entries()) note(labels, row, row)
    return
  }
  const rows = new Map(changed.labels.map((labels, row) => [labels, row]))
  for (const [row, labels] of baseline.labels.entries()) {
    note(labels, row, rows.get(labels) ?? -1)
    rows.delete(labels)
  }
  for (const [labels, row] of rows) note(labels, -1, row)
}
