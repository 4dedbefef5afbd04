import { TableCellHeight } from '@grafana/grafana-foundation-sdk/common'
import type { Panel, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { gap, gridRow, panelWidths } from '../style/screens.ts'
import type { GridPlace } from '../style/screens.ts'
import { columnTitle, isColumn, isEvened, tableFrame, valueOf, wordWidth } from './column-widths.ts'
import { withRowLimit } from './newer-grafana.ts'

/** Pixels of a line of text; of the paddings of a row, and of the lowest row. */
export const lineHeight = 22
const [rowPadding, rowMin] = [12, 36]

/** More lines than any row has, for Grafana, which counts every tab; in the cell, white space is one space. */
const manyLines = ` ${'\t'.repeat(30)}`.repeat(6)

/**
 * Grafana makes a row as high as the highest of its wrapped cells, within a limit. With this text in the first of them, all
 * rows have the height of the limit.
 */
export const evening = (mapping: ValueMapping): ValueMapping => {
  const results = Object.entries(mapping.options).map(([value, result]: [string, { text?: string }]) => [
    value,
    { ...result, text: `${result.text}${manyLines}` },
  ])
  return { ...mapping, options: Object.fromEntries(results) }
}

/** The unit of numbers with this text, behind their own. */
export const evenNumber = (own: string): string => `suffix:${own}${manyLines}`

/** Pixels of a row of one line, by its name in Grafana. */
const rowHeights = new Map([
  [36, TableCellHeight.Sm],
  [42, TableCellHeight.Md],
  [48, TableCellHeight.Lg],
])

/** Between a panel and its table: its borders, title and paddings. */
const aboveTable = 58

/** As Grafana measures it: lines of 22 pixels, in which words of a title stand. */
function titleHeight(panel: Panel, width: number): number {
  const shown = panel.fieldConfig!.overrides.filter(isColumn)
  const widths = shown.map((column) => Number(valueOf(column, 'custom.width') ?? 0))
  const share = (width - widths.reduce((sum, one) => sum + one, 0)) / widths.filter((one) => one === 0).length
  const lines = shown.map((column, at) => {
    const room = (widths[at] || Math.max(share, Number(valueOf(column, 'custom.minWidth')))) - 12
    let [count, used] = [1, -4]
    for (const word of columnTitle(column).split(' ')) {
      const own = wordWidth(word)
      used += 4 + own
      if (used > room && used > own) [count, used] = [count + 1, own]
    }
    return count
  })
  return Math.max(34, 6 + lineHeight * Math.max(...lines))
}

/** Of a row in part: letters stand in the middle of a row, with tails below them; a bar fills its cell but for its padding. */
function waste(space: number, row: number, seen: number): number {
  const rest = space % row
  return rest > (row - seen) / 2 && rest < (row + seen) / 2 ? 1_000 + rest : Math.min(rest, row - rest)
}

const hasBars = (panel: Panel): boolean => JSON.stringify(panel.fieldConfig).includes('"type":"gauge"')

/** Tables with all of their rows in view, in the lowest rows. */
const whole = new Set(['Pools', 'Lines of defense', 'From revenue to margin, by plan'])

/** The limits of rows on a page, by the lines that fit into them. */
export type RowLimits = Map<number, number>

/**
 * On no screen a table ends within the letters of a row: rows are as much higher as that takes. Tables of a page share the
 * styles of texts with as many lines: with two limits for these, Grafana would cut those of one table above and below.
 */
export function withWholeRows(panel: Panel, place: GridPlace, limits: RowLimits): Panel {
  const options = panel.options as { readonly showHeader?: boolean; readonly maxRowHeight?: number }
  const height = place.rows * gridRow - gap - aboveTable
  const spaces = panelWidths(place).map((width) =>
    options.showHeader === false ? height : height - titleHeight(panel, width - tableFrame),
  )
  const lines = (options.maxRowHeight ?? lineHeight) / lineHeight
  const isEven = panel.fieldConfig!.overrides.some(isEvened)
  const lowest = Math.max(rowMin, lineHeight * lines + rowPadding)
  const linesIn = (row: number) => Math.floor((row - rowPadding) / lineHeight)
  const isFree = (row: number) => (limits.get(linesIn(row)) ?? row) === row
  const heights = isEven
    ? Array.from({ length: lowest }, (_, more) => lowest + more).filter(isFree)
    : [...rowHeights.keys()]
  const seen = (row: number) => (hasBars(panel) ? row - rowPadding : lineHeight * lines - 6)
  const cost = (row: number) => row + spaces.reduce((sum, space) => sum + waste(space, row, seen(row)), 0)
  const best = heights.reduce((least, row) => (cost(row) < cost(least) ? row : least))
  if (isEven) {
    limits.set(linesIn(best), best)
    return withRowLimit(panel, best - rowPadding)
  }
  const cellHeight = rowHeights.get(lines > 1 || whole.has(panel.title ?? '') ? 36 : best)
  return { ...panel, options: { ...options, cellHeight } }
}
