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
  const shown = (panel.fieldConfig?.overrides ?? [])
    .filter((one) => valueOf(one, 'displayName') !== undefined && valueOf(one, 'custom.hidden') !== true)
    .toSorted((one, other) => orderOf(panel)[one.matcher.options] - orderOf(panel)[other.matcher.options])
  const widths = shown.map((one) => Number(valueOf(one, 'custom.width') ?? 0))
  const defined = widths.reduce((sum, width) => sum + width, 0)
  const share = (tableWidthOf(panel, on) - defined) / widths.filter((width) => width === 0).length
  return shown.map((one, at) => ({
    head: String(valueOf(one, 'displayName')),
    field: one.matcher.options,
    width: widths[at] || Math.max(Number(valueOf(one, 'custom.minWidth')), share),
    isText: widths[at] === 0 && valueOf(one, 'custom.wrapText') === true,
    wraps: valueOf(one, 'custom.wrapText') === true,
    isEvening: JSON.stringify(one).includes(String.raw`\t`),
    cell: (valueOf(one, 'custom.cellOptions') as { readonly type: string } | undefined)?.type,
  }))
}

const orderOf = ({ transformations }: Panel) =>
  (transformations!.at(-1)!.options as { readonly indexByName: Readonly<Record<string, number>> }).indexByName

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
    // A bar fills its row.
    const around = columns.some(({ cell }) => cell === 'gauge') ? 6 : (row - letters) / 2
    const isHalf = rest > around && rest < row - around
    return isHalf && !ofKnownRows.test(place) && !ofOwnHeights.test(place)
      ? [`${place}: ${rest} of ${row}`]
      : []
  })
  expect(halves).toStrictEqual([])
})

const rowLimitOf = ({ options }: Panel) => (options as { readonly maxRowHeight?: number }).maxRowHeight

test('where texts wrap, all rows are as high as a number before them, after which longer ones end in an ellipsis', () => {
  const tall = tablesOn('laptop').filter(({ panel }) => rowLimitOf(panel) !== undefined)
  const first = tall.map(({ place, columns }) => ({ place, column: columns.find(({ wraps }) => wraps)! }))
  // Of a cell for Markdown, the styles come before those of wrapped texts: in the other order, Grafana cuts above and below.
  const uneven = first.filter(({ column }) => !column.isEvening || column.cell !== 'markdown')
  expect(uneven.filter(({ place }) => !ofOwnHeights.test(place)).map(({ place }) => place)).toStrictEqual([])
  expect(tall.length).toBeGreaterThan(20)
})

test('on a page, rows with space for as many lines have one limit, as their texts share styles', () => {
  for (const dashboard of everyDashboard) {
    const limits = panelsOf(dashboard).flatMap((panel) =>
      panel.type === 'table' ? (rowLimitOf(panel) ?? []) : [],
    )
    const lines = new Set([...new Set(limits)].map((limit) => Math.floor(limit / 22)))
    expect({ page: dashboard.title, limits: new Set(limits).size }).toStrictEqual({
      page: dashboard.title,
      limits: lines.size,
    })
  }
})

/**
 * Pixels of long texts in Grafana's font, as measured in worlds in which everything fails: of 100, all but three are shorter,
 * and names are the longest.
 */
const textPixels = new Map(
  `
  events.what 1362, events.when 110, timeline.what 1415, timeline.when 111, incidents.symptom 627,
  incidents.cause 1076, incidents.work 1018, incidents.hit 269, incidents.opened 111, incidents.resolved 110,
  incidents.lasted 72, incident-groups.what 612, causes.cause 462, evidence.observed 403, evidence.reading 253,
  facility.if_it_fails 456, tasks.task 516, tasks.advice 1348, work.what 607, work.step 520,
  work.waits_for 166, work.by 75, work.started 109, work-steps.work 625, work-steps.what 449,
  work-steps.took 69, quests.goal 488, quests.reward 273, quests.title 143, prospects.wants 469,
  prospects.fit 225, prospects.prospect 164, prospects.advice 120, calendar.hit 438, calendar.advice 326,
  calendar.what 123, calendar.where 204, calendar.kind 79, calendar.state 74, hosts.host 106, hosts.state 130,
  hosts.customer_names 270, racks.state 102, rack.device 169, rack.state 170, ports.connected_to 173,
  ports.state 67, ports.media 139, facility.zone 91, hosts.zone 91, racks.zone 91, threats.state 121,
  threats.unit 138, threats.class 120, customers.customer 200, customers.state 164, services.reason 252,
  work-steps.state 71, worlds.from 184, worlds.to 188, worlds.scenario 79, dcsim_customer_info.name 200`
    .trim()
    .split(/,\s+/)
    .map((each) => [each.split(' ')[0], Number(each.split(' ')[1])]),
)
/** Of a cell, with its border; and what a line lacks at its end, before a word that does not fit. */
const [cellPadding, lineEnd] = [13, 16]

const sourceOf = ({ targets }: Panel): string =>
  /tables\/([a-z-]+)/.exec(targets![0].url ?? '')?.[1] ??
  /dcsim_[a-z]+_info/.exec(targets![0].expr ?? '')?.[0] ??
  ''

test.each(screens.slice(1))('texts are whole in their rows on a %s', (on) => {
  const texts = tablesOn(on).flatMap(({ place, panel, columns }) => {
    const { columns: fields = [] } = panel.targets![0]
    return columns.map(({ field, head, width, wraps }) => {
      const column = fields.find(({ text }) => text === field)?.selector ?? field
      const pixels = textPixels.get(`${sourceOf(panel)}.${column}`) ?? 0
      const room = width - cellPadding
      const lines = wraps ? Math.floor((rowLimitOf(panel) ?? Infinity) / 22) : 1
      return {
        text: `${place}: ${head}`,
        pixels,
        isWhole: pixels <= room || pixels <= lines * (room - lineEnd),
      }
    })
  })
  const known = texts.filter(({ pixels }) => pixels > 0)
  expect(known.filter(({ isWhole }) => !isWhole).map(({ text }) => text)).toStrictEqual([])
  expect(known.length).toBeGreaterThan(80)
})

test('on a phone, the first sentence of a row is in view beside what is before it', () => {
  // Of feeds and cooling units, their state is.
  const withSentence = tablesOn('phone').filter(({ place }) => !/Feeds and cooling units/.test(place))
  const outside = withSentence.flatMap(({ place, panel, columns }) => {
    const at = columns.findIndex(({ wraps, isEvening }) => wraps && !isEvening)
    const end = columns.slice(0, at + 1).reduce((sum, { width }) => sum + width, 0)
    return end > tableWidthOf(panel, 'phone') + 0.1 ? [`${place}: ${Math.round(end)}`] : []
  })
  expect(outside).toStrictEqual([])
})

test('no column is narrower than Grafana makes it', () => {
  const narrow = tablesOn('laptop').flatMap(({ place, columns }) =>
    columns.filter(({ width }) => width < 50).map(({ head }) => `${place}: ${head}`),
  )
  expect(narrow).toStrictEqual([])
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
