import { TableCellHeight } from '@grafana/grafana-foundation-sdk/common'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { gap, gridRow, panelWidths } from '../style/screens.ts'
import type { GridPlace } from '../style/screens.ts'
import { columnTitle, isColumn, tableFrame, valueOf, wordWidth } from './column-widths.ts'

/** Pixels of a row of one line, by its name in Grafana. */
const rowHeights = [
  [TableCellHeight.Sm, 36],
  [TableCellHeight.Md, 42],
] as const

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
  return Math.max(34, 6 + 22 * Math.max(...lines))
}

/** Letters stand in the middle of a row, with tails below them. */
function cutsLetters(space: number, row: number): boolean {
  const rest = space % row
  return rest > (row - 16) / 2 && rest < (row + 16) / 2
}

/** Tables with all of their rows in view, in the lowest rows. */
const whole = new Set(['Pools'])

/** On no screen a table ends within the letters of a row of one line: rows are as much higher as that takes. */
export function withUncutLetters(panel: Panel, place: GridPlace): Panel {
  if (panel.type !== 'table') return panel
  const options = panel.options as { readonly showHeader?: boolean }
  const height = place.rows * gridRow - gap - aboveTable
  const spaces = panelWidths(place).map((width) =>
    options.showHeader === false ? height : height - titleHeight(panel, width - tableFrame),
  )
  const fitting = rowHeights.find(([, row]) => !spaces.some((space) => cutsLetters(space, row)))
  const [cellHeight] = whole.has(panel.title ?? '') ? rowHeights[0] : (fitting ?? rowHeights[0])
  return { ...panel, options: { ...options, cellHeight } }
}
