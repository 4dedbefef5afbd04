/** Pages in Grafana 13 on a phone of 390 pixels, and with its menu open on a laptop of 1366 × 768 and on a screen of 1920 × 1080. Below headings, it indents. */
import { expect, test } from 'vitest'
import type { Override, Panel } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'

const pageWidths = { phone: 348, laptop: 968, screen: 1522 }
type Screen = keyof typeof pageWidths
const screens: readonly Screen[] = ['phone', 'laptop', 'screen']
const [indent, gap, gridRow] = [24, 8, 38]
const belowHeadings = new Set(
  everyDashboard.flatMap(({ panels }) => {
    const heading = panels.findIndex(({ type }) => type === 'row')
    return heading < 0 ? [] : panels.slice(heading)
  }),
)
function widthOf(panel: Panel, on: Screen = 'laptop'): number {
  const width = pageWidths[on] - (belowHeadings.has(panel) ? indent : 0)
  return on === 'phone' ? width : ((width + gap) * panel.gridPos.w) / 24 - gap
}

/** Of a letter of 14 pixels in a title, where an m or a w takes 12, and of a head's padding, its mark with the description, and its menu, which Grafana hides. */
const [letterWidth, headWidth] = [7.3, 104]
const headWordWidth = (word: string) => letterWidth * word.length + 4.7 * word.replace(/[^mw]/gi, '').length

test.each(screens)('no title is cut on a %s', (on) => {
  const cut = everyDashboard.flatMap((dashboard) =>
    panelsOf(dashboard)
      .filter((panel) => panel.title.length * letterWidth > widthOf(panel, on) - headWidth)
      .map((panel) => placeOf(dashboard, panel)),
  )
  expect(cut).toStrictEqual([])
})

test.each([
  ['laptop', 17],
  ['screen', 25],
])('on a %s, what begins in the upper half of the first %i rows ends there', (_, rows) => {
  const cut = everyDashboard.flatMap((dashboard) =>
    panelsOf(dashboard)
      .filter(({ gridPos: { y, h } }) => y < rows / 2 && y + h > rows)
      .map((panel) => placeOf(dashboard, panel)),
  )
  expect(cut).toStrictEqual([])
})

test('on a phone, which has one column, figures stand below what answers a page, but for that of the mirror', () => {
  const byPlace = ({ gridPos: a }: Panel, { gridPos: b }: Panel): number => a.y - b.y || a.x - b.x
  const first = everyDashboard.filter(({ panels }) => panels.toSorted(byPlace)[1].type === 'stat')
  expect(first.map(({ title }) => title)).toStrictEqual(['Mirror'])
})

const valueOf = ({ properties }: Override, id: string): unknown =>
  properties.find((property) => property.id === id)?.value

/** Of a panel, and around its table. */
const [borders, frame] = [2, 18]
const tableWidthOf = (panel: Panel, on: Screen): number => Math.floor(widthOf(panel, on)) - frame

/** The columns that a table shows, as wide as Grafana makes them: what is left is shared by those without a width. */
function columnsOf(panel: Panel, on: Screen) {
  const shown = (panel.fieldConfig?.overrides ?? []).filter(
    (one) => valueOf(one, 'displayName') !== undefined && valueOf(one, 'custom.hidden') !== true,
  )
  const widths = shown.map((one) => Number(valueOf(one, 'custom.width') ?? 0))
  const defined = widths.reduce((sum, width) => sum + width, 0)
  const share = (tableWidthOf(panel, on) - defined) / widths.filter((width) => width === 0).length
  return shown.map((one, at) => ({
    head: String(valueOf(one, 'displayName')),
    width: widths[at] || Math.max(Number(valueOf(one, 'custom.minWidth')), share),
    isText: widths[at] === 0 && valueOf(one, 'custom.wrapText') === true,
  }))
}

const tables = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard)
    .filter(({ type }) => type === 'table')
    .map((panel) => ({ place: placeOf(dashboard, panel), panel })),
)
const tablesOn = (on: Screen) =>
  tables.map(({ place, panel }) => ({ place, panel, columns: columnsOf(panel, on) }))

test.each(screens.slice(1))('no column of a table is outside on a %s', (on) => {
  const outside = tablesOn(on).flatMap(({ place, panel, columns }) => {
    const [needed, has] = [columns.reduce((sum, { width }) => sum + width, 0), tableWidthOf(panel, on)]
    return needed > has + 0.1 ? [`${place}: ${Math.round(needed)} of ${has}`] : []
  })
  expect(outside).toStrictEqual([])
})

test.each(screens)('columns of sentences are wide enough for words on a %s', (on) => {
  const narrow = tablesOn(on).flatMap(({ place, columns }) =>
    columns.filter(({ isText, width }) => isText && width < 85).map(({ head }) => `${place}: ${head}`),
  )
  expect(narrow).toStrictEqual([])
})

/** Of a row of one line, by its name in Grafana. */
const rowHeights = { sm: 36, md: 42, lg: 48 } as const

/** Of a cell, and of the arrow behind the title by which rows are sorted. */
const [padding, arrow] = [12, 30]

test.each(screens)('no word of a head is cut on a %s', (on) => {
  const cut = tablesOn(on).flatMap(({ place, panel, columns }) =>
    columns
      .filter(({ head, width }) => {
        const words = head.split(/[ /]/).map(headWordWidth)
        if (head === panel.options?.sortBy?.[0]?.displayName) words.push(words.at(-1)! + arrow)
        return Math.max(...words) > width - padding
      })
      .map(({ head, width }) => `${place}: ${head} in ${Math.round(width)}`),
  )
  expect(cut).toStrictEqual([])
})

test('on a phone, what arrives of each class of attack is in view beside it', () => {
  const lines = tablesOn('phone').find(({ place }) => place === 'Security / Lines of defense')!
  const [kind, arrives] = lines.columns
  expect(kind.width + arrives.width).toBeLessThanOrEqual(tableWidthOf(lines.panel, 'phone'))
})

/** The lines of a head, as Grafana breaks it between words. */
function linesOf({ head, width }: ReturnType<typeof columnsOf>[number]): number {
  let [lines, used] = [0, width]
  for (const word of head.split(' ')) {
    const own = headWordWidth(word)
    ;[lines, used] = used + 4 + own > width - padding ? [lines + 1, own] : [lines, used + 4 + own]
  }
  return lines
}

/** These have as many rows as fit. */
const ofKnownRows = /Lines of defense|Pools|margin, by plan/
/** Facts, of which a page has a known number, and tables with few rows: each is as high as its texts. */
const ofOwnHeights =
  /Is all well|Incident \/ Incident|What it is$|Who it is$|Hardware and cost|Money \/ Prospects/

test.each(screens)('rows end whole at the end of a table on a %s', (on) => {
  const halves = tablesOn(on).flatMap(({ place, panel, columns }) => {
    const { cellHeight, showHeader, maxRowHeight } = panel.options as {
      cellHeight?: keyof typeof rowHeights
      showHeader?: boolean
      maxRowHeight?: number
    }
    const row = maxRowHeight === undefined ? rowHeights[cellHeight!] : Math.max(36, maxRowHeight + padding)
    const letters = 22 * (maxRowHeight === undefined ? 1 : Math.floor(maxRowHeight / 22)) - 6
    const head = showHeader === false ? 0 : Math.max(34, 6 + 22 * Math.max(...columns.map(linesOf)))
    const rest = (gridRow * panel.gridPos.h - 66 - head) % row
    const isHalf = rest > (row - letters) / 2 && rest < (row + letters) / 2
    return isHalf && !ofKnownRows.test(place) && !ofOwnHeights.test(place)
      ? [`${place}: ${rest} of ${row}`]
      : []
  })
  expect(halves).toStrictEqual([])
})

test('where texts wrap, all rows are as high as a number in words that is before them, but for facts', () => {
  const tall = tables.filter(({ panel }) => JSON.stringify(panel.options).includes('maxRowHeight'))
  const uneven = tall.filter(({ panel }) => {
    const wraps = panel.fieldConfig!.overrides.filter((one) => valueOf(one, 'custom.wrapText') === true)
    const number = wraps.find((one) => JSON.stringify(one).includes(String.raw`\t`))
    const order = (panel.transformations!.at(-1)!.options as { indexByName: Record<string, number> })
      .indexByName
    const at = ({ matcher }: Override): number => order[matcher.options]
    return number === undefined || wraps.some((one) => at(one) < at(number))
  })
  expect(uneven.filter(({ place }) => !ofOwnHeights.test(place)).map(({ place }) => place)).toStrictEqual([])
  expect(tall.length).toBeGreaterThan(20)
})

test('bars with their names above them fit their panel', () => {
  const [bar, between, frame] = [26, 10, 66]
  const named = everyDashboard.flatMap(panelsOf).filter(({ options }) => options?.namePlacement === 'top')
  const most = named.map(({ title, targets, gridPos }) => {
    const count = Number(/(?:top|bottom)k\((\d+)/.exec(targets![0].expr ?? '')?.[1] ?? 6)
    return { title, fits: count * (bar + between) - between <= gridRow * gridPos.h - frame }
  })
  expect(most.length).toBeGreaterThan(7)
  expect(most.filter(({ fits }) => !fits)).toStrictEqual([])
})

test('every picture is asked for in the size of its panel, below a title of 40 pixels', () => {
  const pictures = everyDashboard.flatMap(panelsOf).filter(({ type }) => type === 'canvas')
  expect(pictures.length).toBeGreaterThan(7)
  for (const panel of pictures) {
    const size = `${Math.floor(widthOf(panel)) - borders}x${gridRow * panel.gridPos.h - gap - borders - 40}`
    expect(panel.targets![0].url).toContain(`,${size},`)
  }
})

test('no graph runs through the number of a tile', () => {
  const modes = everyDashboard.flatMap(panelsOf).filter(({ type }) => type === 'stat')
  expect([...new Set(modes.map(({ options }) => options!.graphMode))]).toStrictEqual(['none'])
})
