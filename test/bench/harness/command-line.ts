import { commandLine } from '../../fixtures/command-line.ts'
import type { Row } from './finding.ts'

export interface BenchOptions {
  readonly rows: readonly Row[]
  /** Null, or a history whose newest run is compared with. */
  readonly compare: string | null
  /** Where runs are added. */
  readonly history: string
  /** Prints the table of this many runs of the history instead of measuring; 0 measures. */
  readonly summary: number
}

/** Rows by how long they take. */
export interface RowSets {
  /** Seconds each, and no other program: CI. */
  readonly short: readonly Row[]
  readonly standard: readonly Row[]
  /** Minutes each, or other programs. */
  readonly long: readonly Row[]
}

export const usage = `Usage: npm run bench -- [--short | --long | --only NAME] [--compare FILE] [--history FILE] | --summary RUNS
  --short         The rows that guard CI.
  --long          The rows that take minutes or need other programs.
  --only NAME     The row of this name or, if there is none, the rows whose names contain it.
  --compare FILE  Compares with the newest run of a history.
  --history FILE  Adds the run to this history. (default: test/bench/results.json)
  --summary RUNS  Prints the table of the last RUNS runs of the history instead.`

function chosen({ short, standard, long }: RowSets, values: Record<string, unknown>): readonly Row[] {
  const { only } = values
  if ([values['short'], values['long'], only].filter((value) => value !== undefined).length > 1)
    throw new Error('--short, --long and --only choose rows: expected one of them at most.')
  if (values['short'] === true) return short
  if (values['long'] === true) return long
  const all = [...new Set([...short, ...standard, ...long])]
  if (typeof only !== 'string') return [...new Set([...short, ...standard])]
  const exact = all.filter(({ name }) => name === only)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.includes(only))
  const known = all.map(({ name }) => name).join(', ')
  if (found.length === 0) throw new Error(`No row is called ${JSON.stringify(only)}; there are ${known}.`)
  return found
}

export function optionsOf(words: readonly string[], sets: RowSets, defaultHistory: string): BenchOptions {
  const { values } = commandLine(usage, {
    args: [...words],
    options: {
      short: { type: 'boolean' },
      long: { type: 'boolean' },
      only: { type: 'string' },
      compare: { type: 'string' },
      history: { type: 'string', default: defaultHistory },
      summary: { type: 'string', default: '0' },
    },
  })
  const summary = Number(values.summary)
  if (!Number.isSafeInteger(summary) || summary < 0)
    throw new Error(`--summary expects a number of runs, not ${JSON.stringify(values.summary)}.`)
  return {
    rows: chosen(sets, values),
    compare: values.compare ?? null,
    history: values.history,
    summary,
  }
}
