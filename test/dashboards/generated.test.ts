import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dashboardManifests, generatedDashboards, importableDashboards } from '../../dashboards/all.ts'
import { dashboards, dashboardTag } from '../../dashboards/uids.ts'
import { everyDashboard, committedFiles } from './dashboard-json.ts'
import type { DashboardJson } from './dashboard-json.ts'

test('what is committed is what the programs write (npm run dashboards)', () => {
  const generated = generatedDashboards()
  expect([...committedFiles.keys()].toSorted()).toStrictEqual([...generated.keys()].toSorted())
  const stale = [...generated]
    .filter(([name, text]) => committedFiles.get(name) !== text)
    .map(([name]) => name)
  expect(stale).toStrictEqual([])
})

test('every dashboard keeps its address, title and tag', () => {
  const shown = everyDashboard.map(({ uid, title }) => [uid, expect.objectContaining({ title })])
  expect(dashboards).toStrictEqual(Object.fromEntries(shown))
  for (const { tags } of everyDashboard) expect(tags).toStrictEqual([dashboardTag])
})

/** Grafana that finds another uid under a known path deletes the dashboard, and then adds none. */
test('the file of a dashboard has its uid as name, so that no upgrade changes the uid of a path', () => {
  const names = [...committedFiles].map(([name, text]) => [
    name,
    `${(JSON.parse(text) as { uid: string }).uid}.json`,
  ])
  expect(names.filter(([name, expected]) => name !== expected)).toStrictEqual([])
})

test('every dashboard is of the classic schema and says what it is for', () => {
  for (const { schemaVersion, description } of everyDashboard) {
    expect(schemaVersion).toBe(42)
    expect(description).toMatch(/^[A-Z].{30,}[.?]$/)
  }
})

test('those for an import ask for Prometheus, begin with it, and are otherwise the same', () => {
  for (const [name, text] of importableDashboards()) {
    const { __inputs: inputs } = JSON.parse(text) as { __inputs: Record<string, string>[] }
    expect(inputs).toStrictEqual([
      {
        name: 'DS_PROMETHEUS',
        label: 'Prometheus',
        description: 'The Prometheus that scrapes the mirror.',
        type: 'datasource',
        pluginId: 'prometheus',
        pluginName: 'Prometheus',
      },
    ])
    const { templating, ...rest } = JSON.parse(text) as DashboardJson
    const committed = JSON.parse(committedFiles.get(name)!) as DashboardJson
    const [source, ...others] = templating.list
    expect(source).toMatchObject({
      name: 'prometheus_datasource',
      current: { text: '${DS_PROMETHEUS}', value: '${DS_PROMETHEUS}' },
    })
    expect(others).toStrictEqual(committed.templating.list.slice(1))
    expect(rest).toStrictEqual({ ...rest, panels: committed.panels, annotations: committed.annotations })
    expect(text.match(/DS_PROMETHEUS/g)).toHaveLength(3)
  }
})

test('manifests for Git Sync and gcx have the uid as name, and the committed dashboard as spec', () => {
  const manifests = dashboardManifests()
  expect([...manifests.keys()]).toStrictEqual([...generatedDashboards().keys()])
  for (const [name, text] of manifests) {
    const {
      __inputs: _,
      __requires: __,
      uid,
      ...spec
    } = JSON.parse(committedFiles.get(name)!) as Record<string, unknown>
    expect(JSON.parse(text)).toStrictEqual({
      apiVersion: 'dashboard.grafana.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name: uid },
      spec,
    })
    expect(name).toBe(`${String(uid)}.json`)
  }
})

test('an import by hand asks for no input, and names the plugins that are needed', () => {
  for (const text of committedFiles.values()) {
    const { __inputs: inputs, __requires: requires } = JSON.parse(text) as {
      __inputs: unknown[]
      __requires: { id: string }[]
    }
    expect(inputs).toStrictEqual([])
    const needed = requires.map(({ id }) => id)
    expect(needed.slice(0, 2)).toStrictEqual(['grafana', 'prometheus'])
    expect(needed.includes('yesoreyeram-infinity-datasource')).toBe(text.includes('"root_selector"'))
  }
})

test.each(['docs/dashboards.md', 'docs/measured/dashboards.md'])(
  '%s has a row for each dashboard',
  (file) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    const titles = Object.values(dashboards).map(({ title }) => title)
    const [table] = text.match(/^\| Dashboard \|.*\n(?:\|.*\n)+/m)!
    const rows = [...table.matchAll(/^\| ([^|]*) \|/gm)].map(([, title]) => title).slice(2)
    expect(rows.toSorted()).toStrictEqual(titles.toSorted())
  },
)

test('the page of the dashboards has their uids', () => {
  const text = readFileSync(new URL('../../docs/dashboards.md', import.meta.url), 'utf8')
  for (const [uid, { title }] of Object.entries(dashboards))
    expect(text).toContain(`| ${title} | \`${uid}\` |`)
})
