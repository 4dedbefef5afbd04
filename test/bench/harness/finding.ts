import type { Estimate } from './statistics.ts'
import { isNoisy } from './statistics.ts'

/** The measured value of a row, and its bound. */
export interface Finding extends Estimate {
  readonly row: string
  readonly measured: string
  /** The yardstick, measured in the same run. */
  readonly against: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** The bench fails beyond this bound. */
  readonly floor: number
  /** The desired value, if it is better than the floor. */
  readonly aim?: number
  /** The two sides of the ratio, for display. */
  readonly medians: string
}

/** A measurement with one or several findings. */
export interface Row {
  readonly name: string
  /** Calls `progress` with the current activity. */
  readonly measure: (progress: (activity: string) => void) => Promise<readonly Finding[]>
}

/** Thrown by a row whose program is not installed. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'
}

export const isMet = ({ value, better, floor }: Finding): boolean =>
  better === 'higher' ? value >= floor : value <= floor

export function verdictOf(finding: Finding): string {
  const { better, value, aim = value } = finding
  const reached = better === 'higher' ? value >= aim : value <= aim
  const verdict = isMet(finding) ? (reached ? 'ok' : 'ok, below aim') : 'FAILS'
  return isNoisy(finding) ? `${verdict}, noisy` : verdict
}

/** Formats with three significant digits. */
export function digits(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 100 ? value.toFixed(0) : size < 0.001 ? value.toExponential(1) : value.toPrecision(3)
}

const boundOf = ({ better, floor }: Finding): string => `${better === 'higher' ? '≥' : '≤'} ${digits(floor)}`

/** One run, as a table for a terminal. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    verdictOf(finding),
    finding.row,
    `${finding.measured}, against ${finding.against}`,
    `${digits(finding.value)} ${finding.unit}`,
    `${digits(finding.low)}–${digits(finding.high)}`,
    boundOf(finding),
    finding.medians,
  ])
  const lines = [['', 'row', 'measured', 'value', 'quartiles', 'floor', 'medians'], ...rows]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at])).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Several runs as a table for the docs: the extremes of each row, and the medians of the last run. */
export function markdownOf(runs: readonly (readonly Finding[])[]): string {
  const rows = Array.from(
    Map.groupBy(runs.flat(), ({ row }) => row),
    ([row, findings]) => {
      const last = findings.at(-1)!
      const values = findings.map(({ value }) => value).toSorted((one, other) => one - other)
      const extremes = [values[0], values[Math.floor(values.length / 2)], values.at(-1)!].map(digits)
      const { measured, against, unit, aim, medians } = last
      const limits = [boundOf(last), aim === undefined ? '' : digits(aim)]
      return [`\`${row}\``, `${measured}, against ${against}`, unit, ...extremes, ...limits, medians]
    },
  )
  const heads = ['Row', 'Measured', 'Unit', 'Lowest', 'Median', 'Highest', 'Floor', 'Aim', 'Medians']
  const lines = [heads, heads.map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
