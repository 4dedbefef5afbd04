/** Who is hit, and when: a row for each, with bars over time. */
import { severityFills } from '../../../pictures/palette.ts'
import type { Theme } from '../../../pictures/palette.ts'
import { at, line, path, rect, svg } from '../../../pictures/svg.ts'

export interface OutageRow {
  readonly name: string
  /** Text at the end of the row. */
  readonly note: string
  /** Half-open intervals in seconds. */
  readonly bars: readonly (readonly [from: number, until: number])[]
  /** The rank of its severity, 1 to 4. */
  readonly severity: number
}

interface DescribedOutages {
  readonly title: string
  readonly lastsSeconds: number
  readonly rows: readonly OutageRow[]
  /** A sentence where there are no rows. */
  readonly none: string
}

const width = 1100
const left = 260
const right = 180
const top = 60
const rowHeight = 24
const rowsMax = 40
/** Steps between marks of time, from which one is chosen that leaves room for them. */
const stepsHours = [0.25, 0.5, 1, 2, 3, 6, 12, 24, 48]
const marksMax = 12

export function drawOutages({ title, lastsSeconds, rows, none }: DescribedOutages, theme: Theme): string {
  const shown = rows.slice(0, rowsMax)
  const hidden = rows.length - shown.length
  const lines = Math.max(1, shown.length) + (hidden > 0 ? 1 : 0)
  const height = top + lines * rowHeight + 16
  const x = (seconds: number): number => left + (seconds / lastsSeconds) * (width - left - right)
  const hours = lastsSeconds / 3600
  const step = stepsHours.find((candidate) => hours / candidate <= marksMax) ?? 96
  const marks = Array.from({ length: Math.floor(hours / step) + 1 }, (_, index) => index * step)
  const grid = marks.map((hour) => `M${at(x(hour * 3600))} ${top - 8}V${height - 16}`).join('')
  return svg({
    width,
    height,
    title,
    description: rows.map(({ name, note }) => `${name}: ${note}`).join('; ') || none,
    definitions: '',
    content:
      (theme.paper === null ? '' : rect({ x: 0, y: 0, width, height }, { fill: theme.paper })) +
      line(8, 22, title, { size: 15, bold: true, fill: theme.ink, width: width - 16 }) +
      path(grid, { stroke: theme.line, fill: 'none' }) +
      marks
        .map((hour) => line(x(hour * 3600), top - 14, `${hour} h`, { anchor: 'middle', fill: theme.soft }))
        .join('') +
      shown.map((row, index) => drawRow(row, top + index * rowHeight, x, theme)).join('') +
      (shown.length === 0 ? line(8, top + 16, none, { fill: theme.soft }) : '') +
      (hidden > 0
        ? line(8, top + shown.length * rowHeight + 16, `and ${hidden} more`, { fill: theme.soft })
        : ''),
  })
}

function drawRow(
  { name, note, bars, severity }: OutageRow,
  y: number,
  x: (seconds: number) => number,
  theme: Theme,
): string {
  const fill = severityFills[Math.min(4, Math.max(1, severity))]
  return (
    line(8, y + 16, name, { fill: theme.ink, width: left - 16 }) +
    bars
      .map(([from, until]) =>
        rect(
          { x: x(from), y: y + 4, width: Math.max(2, x(until) - x(from)), height: rowHeight - 8 },
          { rx: 2, fill },
        ),
      )
      .join('') +
    line(width - right + 12, y + 16, note, { fill: theme.soft, width: right - 16 })
  )
}
