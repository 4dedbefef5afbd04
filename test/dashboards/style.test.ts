import { expect, test } from 'vitest'
import type { DashboardJson, Panel } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'
import { parsed } from './promql-parts.ts'

const everyPanel = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard).map((panel) => ({ panel, place: placeOf(dashboard, panel) })),
)

const placesOf = (isWrong: (panel: Panel) => boolean): string[] =>
  everyPanel.filter(({ panel }) => isWrong(panel)).map(({ place }) => place)

test('links stand above the dashboard, the switches of marks take no space there', () => {
  for (const { links, annotations } of everyDashboard) {
    expect(JSON.stringify(links)).not.toContain('inControlsMenu')
    expect(annotations.list.filter(({ hide }) => hide !== true)).toStrictEqual([])
  }
})

test('states are colored by their mappings, which color thresholds would disable, and named in the legend', () => {
  const timelines = everyPanel.filter(({ panel }) => panel.type === 'state-timeline')
  expect(timelines.length).toBeGreaterThan(3)
  const wrong = timelines.filter(({ panel }) => {
    const { color, mappings = [] } = panel.fieldConfig!.defaults
    const look = [color?.mode, panel.options?.showValue, ...mappings.map(({ type }) => type)]
    return look.join(' ') !== 'fixed never value special'
  })
  expect(wrong.map(({ place }) => place)).toStrictEqual([])
})

test('no name of a state is cut in a short band: bands have none, and the legend has all', () => {
  const timelines = everyPanel.filter(({ panel }) => panel.type === 'state-timeline')
  for (const { panel, place } of timelines)
    expect({ place, ...panel.options }).toMatchObject({
      place,
      showValue: 'never',
      legend: { showLegend: true },
    })
})

test('the columns of a table have their own text for an empty cell, not that of an empty panel', () => {
  const wrong = placesOf(({ type, fieldConfig }) => {
    const columns = fieldConfig?.overrides ?? []
    const empty = columns.map(({ properties }) => properties.find(({ id }) => id === 'noValue')?.value)
    return type === 'table' && (columns.length === 0 || empty.some((text) => text !== '–'))
  })
  expect(wrong).toStrictEqual([])
})

test('an empty table of the mirror says so in one plain sentence', () => {
  const readers = everyPanel.filter(
    ({ panel }) => panel.type === 'table' && panel.targets!.some(({ url }) => url !== undefined),
  )
  expect(readers.length).toBeGreaterThan(20)
  const wrong = readers.filter(({ panel }) => /[()]/.test(panel.fieldConfig!.defaults.noValue!))
  expect(wrong.map(({ place }) => place)).toStrictEqual([])
})

test('all values of a table are asked of the things that the first one shows', () => {
  const tables = everyPanel.filter(
    ({ panel }) =>
      panel.type === 'table' && panel.targets!.filter(({ expr }) => expr !== undefined).length > 1,
  )
  expect(tables.length).toBeGreaterThan(5)
  const wrong = tables.filter(({ panel }) => {
    const [first, ...others] = panel.targets!.map(({ expr = '' }) => expr)
    const ownRows = /\nand on .*(?<rows>\n\(.+\))$/.exec(others[0])?.groups!['rows'] ?? ''
    const rows = others[0].endsWith(`)\n(${first})`) ? `\n(${first})` : ownRows
    const isShown = parsed(rows).selectors.every(({ metric }) => first.includes(metric))
    return rows === '' || !isShown || others.some((expr) => !expr.endsWith(rows))
  })
  expect(wrong.map(({ place }) => place)).toStrictEqual([])
})

test('a legend in a table takes no room from a narrow graph', () => {
  const narrow = placesOf(({ options, gridPos }) => options?.legend?.placement === 'right' && gridPos.w < 12)
  expect(narrow).toStrictEqual([])
})

const marksOf = ({ annotations }: DashboardJson): string[] => annotations.list.map(({ name }) => name)

test('graphs have annotations that explain them', () => {
  const marked = (name: string): string[] =>
    everyDashboard.filter((dashboard) => marksOf(dashboard).includes(name)).map(({ uid }) => uid)
  expect(marked('Attacks')).toStrictEqual(['dcsim-security'])
  expect(marked('Attacks on the customer')).toStrictEqual(['dcsim-customer'])
  expect(marked('Quests done')).toStrictEqual(['dcsim-business'])
  expect(marked('Major and Critical incidents')).not.toContain('dcsim-trends')
  expect(marked('Major and Critical incidents').length).toBeGreaterThan(8)
})

test('a time with grave incidents is one region, however many there are, and leads to them', () => {
  const incidents = everyDashboard.flatMap(({ annotations }) =>
    annotations.list.filter(({ name }) => name.endsWith(' incidents')),
  )
  for (const { textFormat, expr } of incidents) {
    expect(textFormat).toContain('href="/d/dcsim-incidents/incidents?var-session={{session}}&')
    expect(expr).toMatch(/^max by \(job, instance, session\) \(max_over_time\(dcsim_incident_info\{/)
  }
})

test('a page about one thing marks the incidents that concern it', () => {
  const marked = everyDashboard.flatMap(({ uid, annotations }) =>
    annotations.list
      .filter(
        ({ name, expr }) =>
          name === 'Major and Critical incidents' && expr.includes('dcsim_incident_scope_info'),
      )
      .map(({ expr }) => [uid, /dcsim_incident_scope_info\{.*?,\s*(\w+)=~"\$\w+"\}/.exec(expr)![1]]),
  )
  expect(Object.fromEntries(marked)).toStrictEqual({
    'dcsim-customer': 'customer',
    'dcsim-device': 'subject',
    'dcsim-host': 'host',
    'dcsim-power': 'az',
  })
})

test('a count over the time shown says that the world was changed where it is empty, not that nothing answers', () => {
  const counts = everyPanel.filter(
    ({ panel }) => panel.type === 'stat' && JSON.stringify(panel.targets).includes('[$__range]'),
  )
  expect(counts.length).toBeGreaterThan(3)
  const silent = counts.filter(({ panel }) => panel.fieldConfig!.defaults.noValue!.startsWith('No answer'))
  expect(silent.map(({ place }) => place)).toStrictEqual([])
})
