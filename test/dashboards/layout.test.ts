import { expect, test } from 'vitest'
import { families } from '../../src/metrics/families/all.ts'
import { collectorFamilies } from '../../src/metrics/exposition.ts'
import { serviceFamilies } from '../../src/metrics/service-families.ts'
import type { CommittedDashboard, Link, Panel } from './committed.ts'
import { committedDashboards, panelsOf, placeOf } from './committed.ts'
import { parsed } from './promql-parts.ts'

const byUid = new Map(committedDashboards.map((dashboard) => [dashboard.uid, dashboard]))

const overlap = ({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

test('no two panels overlap, and none sticks out', () => {
  for (const dashboard of committedDashboards) {
    const { panels, title } = dashboard
    const pairs = panels.flatMap((one, at) => panels.slice(at + 1).map((other) => [one, other] as const))
    expect(
      pairs.filter(([one, other]) => overlap(one, other)).map(([one]) => placeOf(dashboard, one)),
    ).toStrictEqual([])
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
    expect(new Set(panels.map(({ id }) => id)).size, title).toBe(panels.length)
  }
})

test('what matters most fits on one screen: Session is at most 28 rows high', () => {
  const lowest = Math.max(...byUid.get('dcsim-session')!.panels.map(({ gridPos }) => gridPos.y + gridPos.h))
  expect(lowest).toBeLessThanOrEqual(28)
})

/** The links of a panel: of all its values, and of columns. */
function dataLinks({ fieldConfig }: Panel): Link[] {
  const ofColumns = (fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.filter(({ id }) => id === 'links').flatMap(({ value }) => value as Link[]),
  )
  return [...(fieldConfig?.defaults.links ?? []), ...ofColumns]
}

/** What is wrong with a link, as seen from where it stands. */
function wrongs(from: CommittedDashboard, { url = '' }: Link): string[] {
  const [, uid, query = ''] = /^\/d\/([\w-]+)\/[\w-]+(?:\?(.*))?$/.exec(url) ?? []
  const target = byUid.get(uid)
  if (target === undefined) return [`${url} leads nowhere`]
  const there = new Set(target.templating.list.map(({ name }) => name))
  const here = new Set(from.templating.list.map(({ name }) => name))
  const set = [...query.matchAll(/var-(\w+)=/g)].map(([, name]) => name)
  const passed = [...query.matchAll(/\$\{(\w+):queryparam\}/g)].map(([, name]) => name)
  return [
    ...set.filter((name) => !there.has(name)).map((name) => `${url} sets ${name}, which ${uid} lacks`),
    ...passed.filter((name) => !there.has(name) || !here.has(name)).map((name) => `${url} passes ${name} on`),
    ...(query === '' || query.includes('${__url_time_range}') ? [] : [`${url} loses the time range`]),
  ]
}

test('every link of a panel leads to a dashboard and to variables that are there, and keeps the time range', () => {
  let found = 0
  for (const dashboard of committedDashboards) {
    for (const panel of panelsOf(dashboard)) {
      const links = dataLinks(panel)
      found += links.length
      expect(
        links.flatMap((link) => wrongs(dashboard, link)),
        placeOf(dashboard, panel),
      ).toStrictEqual([])
    }
  }
  expect(found).toBeGreaterThan(20)
})

test('a link from a row names a column that the row has', () => {
  for (const dashboard of committedDashboards) {
    for (const panel of panelsOf(dashboard)) {
      const columns = [
        ...dataLinks(panel)
          .map(({ url = '' }) => url)
          .join(' ')
          .matchAll(/__data\.fields\.(\w+)/g),
      ]
      const text = JSON.stringify(panel.targets)
      for (const [, column] of columns)
        expect(text, placeOf(dashboard, panel)).toMatch(new RegExp(`\\b${column}\\b`))
    }
  }
})

test('from every dashboard one comes to Session and to all others, with the same choices and times', () => {
  for (const dashboard of committedDashboards) {
    const [home, menu] = dashboard.links
    expect(home.url).toBe('/d/dcsim-session/session')
    expect(menu).toMatchObject({ type: 'dashboards', tags: ['dcsim'] })
    for (const link of dashboard.links) expect(link).toMatchObject({ includeVars: true, keepTime: true })
  }
})

test('every metric that is asked for is declared', () => {
  const declared = new Set([...Object.keys({ ...families, ...collectorFamilies, ...serviceFamilies }), 'up'])
  for (const dashboard of committedDashboards) {
    const written = [
      ...panelsOf(dashboard).flatMap(({ targets = [] }) => targets.map(({ expr = '' }) => expr)),
      ...dashboard.annotations.list.map(({ expr }) => expr),
    ]
    const asked = written.flatMap((expr) => parsed(expr).selectors.map(({ metric }) => metric))
    const unknown = asked.filter(
      (name) => !declared.has(name.replace(/_(?:bucket|sum|count)$/, '')) && !declared.has(name),
    )
    expect(unknown, dashboard.title).toStrictEqual([])
  }
})

test('Session, Network, Compute, Customers and Security ask Prometheus alone', () => {
  for (const uid of [
    'dcsim-session',
    'dcsim-network',
    'dcsim-compute',
    'dcsim-customers',
    'dcsim-security',
  ]) {
    expect(JSON.stringify(byUid.get(uid)), uid).not.toContain('infinity')
  }
})

test('every panel says why it is empty', () => {
  for (const dashboard of committedDashboards) {
    for (const panel of panelsOf(dashboard).filter(({ type }) => type !== 'text')) {
      expect(panel.fieldConfig?.defaults.noValue, placeOf(dashboard, panel)).toMatch(/\w/)
    }
  }
})
