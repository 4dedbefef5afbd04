/** On a laptop of 1366 × 768 pixels, Grafana 13 with its menu open leaves 968 to a page. */
import { expect, test } from 'vitest'
import type { Override, Panel } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'

const pageWidth = 968
const gap = 8
const widthOf = ({ gridPos }: Panel): number => ((pageWidth + gap) * gridPos.w) / 24 - gap

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

/** The columns that a table shows. */
const columnsOf = ({ fieldConfig }: Panel): Column[] =>
  (fieldConfig?.overrides ?? [])
    .filter((one) => valueOf(one, 'displayName') !== undefined && valueOf(one, 'custom.hidden') !== true)
    .map((one) => ({
      head: String(valueOf(one, 'displayName')),
      width: Number(valueOf(one, 'custom.width') ?? valueOf(one, 'custom.minWidth')),
    }))

const tables = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard)
    .filter(({ type }) => type === 'table')
    .map((panel) => ({ place: placeOf(dashboard, panel), panel, columns: columnsOf(panel) })),
)

/** Of a panel, and between it and a table. */
const [borders, tablePadding] = [2, 16]

test('no column of a table is outside', () => {
  const outside = tables.flatMap(({ place, panel, columns }) => {
    const needed = columns.reduce((sum, { width }) => sum + width, 0)
    const has = Math.floor(widthOf(panel)) - borders - tablePadding
    return needed > has ? [`${place}: ${needed} of ${has}`] : []
  })
  expect(outside).toStrictEqual([])
})

const padding = 12

test('no word of a head is cut', () => {
  const cut = tables.flatMap(({ place, columns }) =>
    columns
      .filter(({ head, width }) =>
        head.split(/[ /]/).some((word) => word.length * letterWidth > width - padding),
      )
      .map(({ head, width }) => `${place}: ${head} in ${width}`),
  )
  expect(cut).toStrictEqual([])
})

test('every picture is asked for in the size of its panel, below a title of 40 pixels', () => {
  const pictures = everyDashboard.flatMap(panelsOf).filter(({ type }) => type === 'canvas')
  expect(pictures.length).toBeGreaterThan(7)
  for (const panel of pictures) {
    const size = `${Math.floor(widthOf(panel)) - borders}x${38 * panel.gridPos.h - gap - borders - 40}`
    expect(panel.targets![0].url).toContain(`,${size},`)
  }
})
