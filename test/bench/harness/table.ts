import { isMet, verdictOf, type RowFinding } from './finding.ts'
import type { Run } from './history.ts'
import { isNoisy, quantile } from './statistics.ts'

export function digits(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 100 ? value.toFixed(0) : size < 0.001 ? value.toExponential(1) : value.toPrecision(3)
}

const boundOf = ({ better, floor }: RowFinding): string =>
  `${better === 'higher' ? '≥' : '≤'} ${digits(floor)}`

const aimOf = ({ aim }: RowFinding): string => (aim === null ? '—' : digits(aim))

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One run, for people. */
export function tableOf(findings: readonly RowFinding[]): string {
  const rows = findings.map((finding) => [
    verdictOf(finding),
    finding.row,
    finding.measured,
    finding.against,
    `${digits(finding.value)} ${finding.unit}`,
    `${digits(finding.low)}–${digits(finding.high)}`,
    boundOf(finding),
    aimOf(finding),
    finding.medians,
  ])
  return aligned([['', 'row', 'what', 'against', 'value', 'quartiles', 'floor', 'aim', 'medians'], ...rows])
}

/** How findings differ from those of another run. */
export function comparisonOf(findings: readonly RowFinding[], before: Run): string {
  const known = new Map(before.findings.map((finding) => [finding.row, finding]))
  const rows = findings.flatMap((now) => {
    const then = known.get(now.row)
    if (then === undefined) return []
    const change = now.value / then.value
    const overlap = now.low <= then.high && then.low <= now.high
    const isBetter = now.better === 'higher' ? change > 1 : change < 1
    const verdict = overlap ? 'same within quartiles' : isBetter ? 'better' : 'worse'
    return [[now.row, digits(then.value), digits(now.value), `${change.toFixed(2)}×`, verdict]]
  })
  const gone = before.findings.filter(({ row }) => !findings.some((finding) => finding.row === row))
  const missing = gone.length === 0 ? '' : `\nNot measured now: ${gone.map(({ row }) => row).join(', ')}.`
  return `${aligned([['row', `at ${before.takenAt}`, 'now', 'change', ''], ...rows])}${missing}`
}

/** What several runs found, as a table of docs/performance.md. */
export function summaryOf(runs: readonly Run[]): string {
  const byRow = Map.groupBy(
    runs.flatMap(({ findings }) => findings),
    ({ row }) => row,
  )
  const lines = [...byRow].map(([row, findings]) => {
    const newest = findings.at(-1)!
    const values = findings.map(({ value }) => value)
    // Held to the newest floor: it may have been set after the earlier runs.
    const held = findings.filter((finding) => isMet({ ...finding, floor: newest.floor })).length
    const noisy = findings.filter(isNoisy).length
    const cells = [
      `\`${row}\``,
      `${newest.measured}, against ${newest.against}`,
      newest.unit,
      digits(quantile(values, 0)),
      digits(quantile(values, 0.5)),
      digits(quantile(values, 1)),
      boundOf(newest),
      aimOf(newest),
      `${held} of ${findings.length}${noisy > 0 ? `, ${noisy} noisy` : ''}`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| Row | What | Unit | Lowest | Median | Highest | Floor | Aim | Floor held |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
