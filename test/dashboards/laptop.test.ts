/** On a laptop of 1366 × 768 pixels, Grafana 13 with its menu open leaves 968 to a page. */
import { expect, test } from 'vitest'
import type { Override, Panel } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'

const [pageWidth, indent, gap] = [968, 24, 8]
/** Grafana 13 indents what stands below the heading of a section. */
const belowHeadings = new Set(
  everyDashboard.flatMap(({ panels }) => {
    const heading = panels.findIndex(({ type }) => type === 'row')
    return heading < 0 ? [] : panels.slice(heading)
  }),
)
const widthOf = (panel: Panel): number =>
  ((pageWidth - (belowHeadings.has(panel) ? indent : 0) + gap) * panel.gridPos.w) / 24 - gap

/** Of a letter of 14 pixels in a title, and of a head's padding, its mark with the description, and its menu, which Grafana hides. */
const [letterWidth, headWidth] = [7.3, 104]

test('no title is cut', () => {
  const cut = everyDashboard.flatMap((dashboard) =>
    panelsOf(dashboard)
      .filter((panel) => panel.title.length * letterWidth > widthOf(panel) - headWidth)
      .map((panel) => placeOf(dashboard, panel)),
  )
  expect(cut).toStrictEqual([])
})

const valueOf = ({ properties }: Override, id: string): unknown =>
  properties.find((property) => property.id === id)?.value

interface Column {
  readonly head: string
  readonly width: number
}

/** Of a panel, and between it and a table. */
const [borders, tablePadding] = [2, 16]
const tableWidthOf = (panel: Panel): number => Math.floor(widthOf(panel)) - borders - tablePadding

/** The columns that a table shows, as wide as Grafana makes them: what is left is shared by those without a width. */
function columnsOf(panel: Panel): Column[] {
  const shown = (panel.fieldConfig?.overrides ?? []).filter(
    (one) => valueOf(one, 'displayName') !== undefined && valueOf(one, 'custom.hidden') !== true,
  )
  const widths = shown.map((one) => Number(valueOf(one, 'custom.width') ?? 0))
  const defined = widths.reduce((sum, width) => sum + width, 0)
  const share = (tableWidthOf(panel) - defined) / widths.filter((width) => width === 0).length
  return shown.map((one, at) => ({
    head: String(valueOf(one, 'displayName')),
    width: widths[at] || Math.max(Number(valueOf(one, 'custom.minWidth')), share),
  }))
}

const tables = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard)
    .filter(({ type }) => type === 'table')
    .map((panel) => ({ place: placeOf(dashboard, panel), panel, columns: columnsOf(panel) })),
)

test('no column of a table is outside', () => {
  const outside = tables.flatMap(({ place, panel, columns }) => {
    const needed = columns.reduce((sum, { width }) => sum + width, 0)
    const has = tableWidthOf(panel)
    return needed > has + 0.1 ? [`${place}: ${Math.round(needed)} of ${has}`] : []
  })
  expect(outside).toStrictEqual([])
})

/** Of a cell, and of the arrow behind the title by which rows are sorted. */
const [padding, arrow] = [12, 30]

test('no word of a head is cut', () => {
  const cut = tables.flatMap(({ place, panel, columns }) =>
    columns
      .filter(({ head, width }) => {
        const words = head.split(/[ /]/).map((word) => word.length * letterWidth)
        if (head === panel.options?.sortBy?.[0]?.displayName) words.push(words.at(-1)! + arrow)
        return Math.max(...words) > width - padding
      })
      .map(({ head, width }) => `${place}: ${head} in ${Math.round(width)}`),
  )
  expect(cut).toStrictEqual([])
})

test('bars with their names above them fit their panel', () => {
  const [bar, between, frame] = [26, 10, 66]
  const named = everyDashboard.flatMap(panelsOf).filter(({ options }) => options?.namePlacement === 'top')
  const most = named.map(({ title, targets, gridPos }) => {
    const count = Number(/(?:top|bottom)k\((\d+)/.exec(targets![0].expr ?? '')?.[1] ?? 6)
    return { title, fits: count * (bar + between) - between <= 38 * gridPos.h - frame }
  })
  expect(most.length).toBeGreaterThan(7)
  expect(most.filter(({ fits }) => !fits)).toStrictEqual([])
})

test('every picture is asked for in the size of its panel, below a title of 40 pixels', () => {
  const pictures = everyDashboard.flatMap(panelsOf).filter(({ type }) => type === 'canvas')
  expect(pictures.length).toBeGreaterThan(7)
  for (const panel of pictures) {
    const size = `${Math.floor(widthOf(panel)) - borders}x${38 * panel.gridPos.h - gap - borders - 40}`
    expect(panel.targets![0].url).toContain(`,${size},`)
  }
})
