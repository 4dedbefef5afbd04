import type { Estimate } from './turns.ts'

/** The unit of a value, and its limits. The bench fails beyond the floor; the aim is the desired value, if it is better. */
interface Bound {
  readonly better: 'higher' | 'lower'
  readonly floor: number
  readonly unit: string
  readonly aim?: number
}

export const atLeast = (floor: number, aim?: number, unit = '×'): Bound => ({
  better: 'higher',
  floor,
  unit,
  ...(aim !== undefined && { aim }),
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

export function verdictOf(found: Finding): string {
  const { value, low, high, aim = value } = found
  const verdict = isMet(found) ? (value >= aim ? 'ok' : 'ok, below aim') : 'FAILS'
  return (high - low) / value > noisySpread ? `${verdict}, noisy` : verdict
}

/** Formats with three significant digits. */
export function digits(value: number): string {
  if (value === 0) return '0'
  return value >= 100 ? value.toFixed(0) : value < 0.001 ? value.toExponential(1) : value.toPrecision(3)
}

const boundOf = ({ better, floor }: Bound): string => `${better === 'higher' ? '≥' : '≤'} ${digits(floor)}`

/** One run, as a table for a terminal. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map((found) => {
    const { row, measured, value, unit, low, high, sides } = found
    const quartiles = `${digits(low)}–${digits(high)}`
    return [verdictOf(found), row, measured, `${digits(value)} ${unit}`, quartiles, boundOf(found), sides]
  })
  const lines = [['', 'row', 'measured', 'value', 'quartiles', 'floor', 'medians'], ...rows]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Several runs as a table for the docs: the extremes of each row, and the sides of the last run. */
export function markdownOf(runs: readonly (readonly Finding[])[]): string {
  const rows = Array.from(
    Map.groupBy(runs.flat(), ({ row }) => row),
    ([row, findings]) => {
      const last = findings.at(-1)!
      const values = findings.map(({ value }) => value).toSorted((one, other) => one - other)
      const extremes = [values[0], values[values.length >> 1], values.at(-1)!].map(digits)
      const { measured, unit, aim, sides } = last
      return [
        `\`${row}\``,
        measured,
        unit,
        ...extremes,
        boundOf(last),
        aim === undefined ? '' : digits(aim),
        sides,
      ]
    },
  )
  const heads = ['Row', 'Measured', 'Unit', 'Lowest', 'Median', 'Highest', 'Floor', 'Aim', 'Medians']
  const lines = [heads, heads.map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
