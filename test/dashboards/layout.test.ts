import { expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { families } from '../../src/metrics/families/all.ts'
import { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import { tables } from '../../src/tables/catalog.ts'
import type { DashboardJson, Link, Panel } from './dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from './dashboard-json.ts'
import { parsed } from './promql-parts.ts'

const byUid = new Map(everyDashboard.map((dashboard) => [dashboard.uid, dashboard]))

const overlap = ({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

test('no two panels overlap', () => {
  const overlapping = everyDashboard.flatMap((dashboard) => {
    const { panels } = dashboard
    const pairs = panels.flatMap((one, at) => panels.slice(at + 1).map((other) => [one, other] as const))
    return pairs.filter(([one, other]) => overlap(one, other)).map(([one]) => placeOf(dashboard, one))
  })
  expect(overlapping).toStrictEqual([])
})

test('no panel sticks out, and no two have the same number', () => {
  for (const { panels } of everyDashboard) {
    expect(Math.max(...panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  }
})

test('the first section of every dashboard ends within the 25 rows that a screen of 1080 pixels has', () => {
  const ends = everyDashboard.map(({ panels }) => {
    const heading = panels.find(({ type }) => type === 'row')
    return heading?.gridPos.y ?? Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h))
  })
  expect(Math.max(...ends)).toBeLessThanOrEqual(25)
})

/** The links of a panel: of all its values, and of columns. */
function dataLinks({ fieldConfig, links = [] }: Panel): Link[] {
  const ofColumns = (fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.filter(({ id }) => id === 'links').flatMap(({ value }) => value as Link[]),
  )
  return [...links, ...(fieldConfig?.defaults.links ?? []), ...ofColumns]
}

/** Values of the column `leads_to` in tables: rows of one table link to several pages. */
const leadsTo = [...tables.values()].flatMap(({ row }) => row.fields['leads_to']?.values ?? [])
/** The user's range, or that of the row's incident. */
const timeRanges = ['${__url_time_range}', 'from=${__data.fields.graph_from}&to=now&']
const column = '${__data.fields.leads_to}'

/** The problems of a link on a dashboard. */
function wrongs(from: DashboardJson, { url = '' }: Link): string[] {
  const ways = url.includes(column) ? leadsTo.map((page) => url.replaceAll(column, page)) : [url]
  const parts = ways.map((way) => /^\/d\/([\w-]+)\/[\w-]+(?:\?(.*))?$/.exec(way))
  const [, uid, query = ''] = parts[0] ?? []
  const targets = parts.map((part) => byUid.get(part?.[1] ?? ''))
  if (targets.includes(undefined)) return [`${url} leads nowhere`]
  const targetVariables = new Set(
    targets.flatMap((target) => target!.templating.list.map(({ name }) => name)),
  )
  const ownVariables = new Set(from.templating.list.map(({ name }) => name))
  const set = [...query.matchAll(/var-(\w+)=/g)].map(([, name]) => name)
  const passed = [...query.matchAll(/\$\{(\w+):queryparam\}/g)].map(([, name]) => name)
  return [
    ...set
      .filter((name) => !targetVariables.has(name))
      .map((name) => `${url} sets ${name}, which ${uid} lacks`),
    ...passed
      .filter((name) => !targetVariables.has(name) || !ownVariables.has(name))
      .map((name) => `${url} passes ${name} on`),
    ...(query === '' || timeRanges.some((range) => query.includes(range))
      ? []
      : [`${url} loses the time range`]),
  ]
}

const everyPanel = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard).map((panel) => ({ dashboard, panel, place: placeOf(dashboard, panel) })),
)

/** A link to the page in a label of each row, once for each page that the query puts into the label. */
function opened({ targets = [] }: Panel, link: Link): Link[] {
  const { url = '' } = link
  if (!url.startsWith('/d/${__data.fields.page}?')) return [link]
  const pages = targets.flatMap(({ expr = '' }) => [...expr.matchAll(/"page", "(dcsim-[a-z]+)"/g)])
  return [...new Set(pages.map(([, page]) => page))].map((page) => ({
    title: link.title,
    url: url.replace('${__data.fields.page}', `${page}/page`).replace(/\$\{__data\.fields\.opens\}$/, ''),
  }))
}

test('every link of a panel leads to a dashboard and to variables that are there, and keeps the time range or that of its incident', () => {
  const links = everyPanel.flatMap(({ dashboard, panel }) =>
    dataLinks(panel).flatMap((link) => opened(panel, link).map((one) => ({ dashboard, link: one }))),
  )
  expect(links.flatMap(({ dashboard, link }) => wrongs(dashboard, link))).toStrictEqual([])
  expect(links.length).toBeGreaterThan(20)
})

test('a link that is dead, loses the time range or sets a missing variable is reported', () => {
  const from = byUid.get('dcsim-session')!
  for (const way of ['nowhere/nowhere', 'host/host?var-host=1', 'host/host?${__url_time_range}&var-pool=1'])
    expect(wrongs(from, { title: '', url: `/d/dcsim-${way}` })).toHaveLength(1)
})

test('a link from a row names a column that the row has', () => {
  const missing = everyPanel.flatMap(({ panel, place }) => {
    const urls = dataLinks(panel).map(({ url = '' }) => url)
    const columns = [...urls.join(' ').matchAll(/__data\.fields\.(\w+)/g)].map(([, column]) => column)
    const asked = JSON.stringify(panel.targets)
    return columns
      .filter((column) => !new RegExp(`\\b${column}\\b`).test(asked))
      .map((column) => `${place}: ${column}`)
  })
  expect(missing).toStrictEqual([])
})

test('on Network, the load of the WAN is that of its fuller direction, links are those of the chosen zones, and only the topology is of the mirror', () => {
  const panels = panelsOf(byUid.get('dcsim-network')!)
  const exprOf = (title: string) => panels.find((panel) => panel.title === title)!.targets![0].expr
  expect(exprOf('WAN load')).toContain('dcsim_az_wan_receive_bytes_per_second')
  for (const title of ['Fullest links', 'Links over limit', 'Links down', 'Links above their limit'])
    expect(exprOf(title)).toContain('az=~"$zone"')
  const asking = panels.filter(({ datasource }) => datasource?.type.endsWith('infinity-datasource'))
  expect(asking.map(({ title }) => title)).toStrictEqual(['Topology'])
})

test('from every dashboard one comes to Session and to all others, with the same choices and times', () => {
  for (const dashboard of everyDashboard) {
    const [menu] = dashboard.links
    expect(menu).toMatchObject({ type: 'dashboards', tags: ['dcsim'] })
    for (const link of dashboard.links) expect(link).toMatchObject({ includeVars: true, keepTime: true })
  }
})

test('every metric that is asked for is declared, or recorded by a rule', () => {
  const recordings = ruleGroups(defaultSettings).flatMap((group) => group.recordings)
  const declared = new Set([
    ...Object.keys({ ...families, ...collectorFamilies, ...mirrorFamilies }),
    ...recordings.map(({ record }) => record),
    'up',
    'ALERTS',
    'ALERTS_FOR_STATE',
  ])
  const shown = everyPanel.flatMap(({ panel }) => (panel.targets ?? []).map(({ expr = '' }) => expr))
  const marked = everyDashboard.flatMap(({ annotations }) => annotations.list.map(({ expr }) => expr))
  const asked = new Set(
    [...shown, ...marked].flatMap((expr) => parsed(expr).selectors.map(({ metric }) => metric)),
  )
  const isDeclared = (name: string): boolean =>
    declared.has(name) || declared.has(name.replace(/_bucket$/, ''))
  expect([...asked].filter((name) => !isDeclared(name))).toStrictEqual([])
  expect(asked.size).toBeGreaterThan(150)
})

test('names are joined from info families by id only, so that a changed label makes no second match', () => {
  const joins = everyPanel.flatMap(({ panel }) =>
    (panel.targets ?? []).flatMap(({ expr = '' }) => expr.match(/group_left \(\w[^)]*\) \S+/g) ?? []),
  )
  expect(joins.filter((join) => !join.endsWith(' max'))).toStrictEqual([])
  expect(joins.length).toBeGreaterThan(20)
})

test('where Infinity is missing, Session still shows figures, graphs and alerts', () => {
  const { panels } = byUid.get('dcsim-session')!
  const sentences = panels.filter(({ datasource }) => datasource?.uid === '${infinity_datasource}')
  expect(sentences.map(({ title }) => title)).toStrictEqual([
    'Is all well?',
    'Floor',
    'What is wrong, and what it costs',
    'What to do next',
    'Since you were away',
    'What happened',
  ])
  const prometheus = panels.filter(({ datasource }) => datasource?.uid === '${prometheus_datasource}')
  expect(prometheus).toHaveLength(7)
})

test('Compute, Customers, SLA and Compare ask Prometheus alone', () => {
  const alone = ['dcsim-sla', 'dcsim-compare', 'dcsim-compute', 'dcsim-customers']
  expect(alone.filter((uid) => JSON.stringify(byUid.get(uid)).includes('infinity'))).toStrictEqual([])
})

test('the first line of every page is the question that it answers', () => {
  for (const { panels, title } of everyDashboard) {
    const [{ type, options, gridPos }] = panels
    expect(type).toBe('text')
    expect(options!.content).toMatch(new RegExp(`<b>${title}</b><span>[A-Z].{20,}[.?]</span>`))
    expect(gridPos).toMatchObject({ x: 0, y: 0, w: 24, h: 1 })
  }
})

test('a picture is the background of its panel, by the text of its only column', () => {
  const pictured = everyPanel.filter(({ panel }) => panel.type === 'canvas')
  for (const { panel } of pictured) {
    const [{ url, columns }, ...others] = panel.targets!
    expect(others).toStrictEqual([])
    expect(url).toMatch(
      /^\/tables\/pictures\?picture=\w+&(?:\w+=\$\{[\w:]+\}&)*session=\$\{session\}&size=[\dx,]+$/,
    )
    expect(columns).toStrictEqual([{ selector: 'image', text: 'image', type: 'string' }])
    const { background, elements } = panel.options!.root!
    expect(elements).toStrictEqual([])
    expect(background).toMatchObject({ image: { mode: 'mapping', field: 'image' }, size: 'contain' })
  }
  expect(pictured.map(({ place }) => place)).toEqual(
    expect.arrayContaining([
      'Session / Floor',
      'Floor / All zones',
      'Network / Topology',
      'Rack / The rack',
      'Power and cooling / From feeds to racks, with heat',
      'Incident / From cause to customers',
      'Security / Where it passes',
    ]),
  )
})

test('every panel says why it is empty', () => {
  const silent = everyPanel.filter(
    ({ panel }) => panel.type !== 'text' && !/\w/.test(panel.fieldConfig?.defaults.noValue ?? ''),
  )
  expect(silent.map(({ place }) => place)).toStrictEqual([])
})

test('Infinity reads tables of the mirror, without a selector', () => {
  const asked = everyPanel.flatMap(({ panel }) =>
    (panel.targets ?? []).filter(({ root_selector: root }) => root !== undefined),
  )
  expect(asked.length).toBeGreaterThan(15)
  const others = asked.filter(({ url, root_selector: root }) => !url!.startsWith('/tables/') || root !== '')
  expect(others).toEqual([])
})

test('sources and mirrors are in the menu of controls, and what one chooses is in view', () => {
  const named = (isHidden: (hide: number) => boolean): string[] => [
    ...new Set(
      everyDashboard.flatMap(({ templating }) =>
        templating.list.filter(({ hide = 0 }) => isHidden(hide)).map(({ name }) => name),
      ),
    ),
  ]
  const inMenu = 3
  expect(named((hide) => hide === inMenu).toSorted()).toEqual(
    'band infinity_datasource instance job pool prometheus_datasource session'.split(' '),
  )
  expect(named((hide) => hide === 0)).toEqual(
    expect.arrayContaining(['zone', 'rack', 'host', 'device', 'customer', 'search']),
  )
})
