/** Trivial rules, whose scores are known before anyone claims a result. They read the metrics of a case alone. */
import type { Answer } from './answers.ts'
import { calmSeconds } from './plan.ts'
import { isStatus } from './series.ts'

type Diagnosis = Omit<Answer, 'case'>

/** A series of a case. */
interface Column {
  readonly entity: string
  readonly metric: string
  readonly values: readonly number[]
}

interface ReadTable {
  readonly columns: readonly Column[]
  /** Seconds since the beginning, row by row. */
  readonly seconds: readonly number[]
}

export function readTable(text: string): ReadTable {
  const [head, ...lines] = text.trimEnd().split('\n')
  const rows = lines.map((line) => line.split(',').map((cell) => (cell === '' ? Number.NaN : Number(cell))))
  const columns = head.split(',').map((name, position) => {
    const [entity, metric = ''] = name.split('_')
    return { entity, metric, values: rows.map((row) => row[position]) }
  })
  const [{ values: times }, ...series] = columns
  return { columns: series, seconds: times.map((time) => time - times[0]) }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Deviations below this are taken for noise. */
const deviationMin = 8
/** Share of the value that counts as its usual deviation, where it does not change at all. */
const leastSpread = 0.02

/** The distance of each value from the calm rows, in their median deviations. */
function deviations(values: readonly number[], calmRows: number): number[] {
  const calm = values.slice(0, calmRows).filter((value) => !Number.isNaN(value))
  if (calm.length === 0) return []
  const middle = median(calm)
  const usual = median(calm.map((value) => Math.abs(value - middle)))
  const spread = Math.max(usual, Math.abs(middle) * leastSpread, 1e-6)
  return values.map((value) => (Number.isNaN(value) ? 0 : Math.abs(value - middle) / spread))
}

interface Deviation {
  readonly entity: string
  readonly metric: string
  /** The first row that deviates. */
  readonly row: number
  readonly largest: number
}

function deviationsIn({ columns, seconds }: ReadTable): Deviation[] {
  const calmRows = seconds.filter((time) => time <= calmSeconds).length
  return columns.flatMap(({ entity, metric, values }) => {
    const far = deviations(values, calmRows)
    const row = far.findIndex((value, index) => index >= calmRows && value >= deviationMin)
    return row < 0 ? [] : [{ entity, metric, row, largest: far.reduce((a, b) => Math.max(a, b)) }]
  })
}

/** Blames those that deviate by their rank, the smallest first. */
const ranking =
  (rankOf: (found: Deviation) => number, isMeant: (found: Deviation) => boolean = () => true) =>
  (table: ReadTable): Diagnosis => {
    const found = deviationsIn(table)
      .filter(isMeant)
      .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.entity < b.entity ? -1 : 1))
    return {
      entities: [...new Set(found.map(({ entity }) => entity))],
      ...(found.length > 0 && { at_seconds: table.seconds[found[0].row] }),
    }
  }

export const baselines: Readonly<Record<string, (table: ReadTable) => Diagnosis>> = {
  'largest deviation': ranking(({ largest }) => -largest),
  'first to deviate': ranking(({ row }) => row),
  'status gauge': ranking(
    ({ row }) => row,
    ({ metric }) => isStatus(metric),
  ),
}
