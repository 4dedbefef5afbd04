import type { Estimate } from './turns.ts'

/** The unit of a value, and what it may be. The bench fails beyond the floor; docs/measured/limits.md shows the limit. */
interface Bound {
  readonly better: 'higher' | 'lower'
  readonly floor: number
  readonly unit: string
  readonly limit?: number
}

export const atLeast = (floor: number, limit?: number, unit = '×'): Bound => ({
  better: 'higher',
  floor,
  unit,
  ...(limit !== undefined && { limit }),
})

export const atMost = (floor: number, unit = 'of it'): Bound => ({ better: 'lower', floor, unit })

/** The value of a row, what it compares with its yardstick, and the two sides of the ratio for display. */
export interface Finding extends Bound, Estimate {
  readonly row: string
  readonly measured: string
  readonly sides: string
}

export const finding = (
  row: string,
  measured: string,
  bound: Bound,
  estimate: Estimate,
  sides: string,
): Finding => ({ row, measured, ...bound, ...estimate, sides })

/** A measurement with one or several findings. */
export interface Row {
  readonly name: string
  readonly measure: () => Promise<readonly Finding[]>
}

export const isMet = ({ value, better, floor }: Finding): boolean =>
  better === 'higher' ? value >= floor : value <= floor

/** Quartiles further apart than this share of the median: other programs on the machine dominate the value. */
const noisySpread = 0.25

function verdictOf(found: Finding): string {
  const { value, low, high } = found
  const verdict = isMet(found) ? 'ok' : 'FAILS'
  return (high - low) / value > noisySpread ? `${verdict}, noisy` : verdict
}

/** Formats with three significant digits. */
export function digits(value: number): string {
  if (value === 0) return '0'
  return value >= 100 ? value.toFixed(0) : value < 0.001 ? value.toExponential(1) : value.toPrecision(3)
}

const boundOf = ({ better, floor }: Bound): string => `${better === 'higher' ? '≥' : '≤'} ${digits(floor)}`

const heads = ['', 'Row', 'Measured', 'Value', 'Quartiles', 'Floor', 'Limit', 'Medians']

function cellsOf(found: Finding): string[] {
  const { row, measured, value, unit, low, high, limit, sides } = found
  const quartiles = `${digits(low)}–${digits(high)}`
  const most = limit === undefined ? '' : digits(limit)
  return [verdictOf(found), row, measured, `${digits(value)} ${unit}`, quartiles, boundOf(found), most, sides]
}

/** A table for a terminal. */
export function tableOf(findings: readonly Finding[]): string {
  const lines = [heads, ...findings.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const aligned = (line: readonly string[]): string =>
    line
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd()
  return lines.map(aligned).join('\n')
}

/** The same for the docs. */
export const markdownOf = (findings: readonly Finding[]): string =>
  [heads, heads.map(() => '---'), ...findings.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
