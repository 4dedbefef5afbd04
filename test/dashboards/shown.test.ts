import { expect, test } from 'vitest'
import { dashboardUids } from '../../dashboards/uids.ts'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'
import { panelsOf } from './dashboard-json.ts'
import type { DashboardJson } from './dashboard-json.ts'
import { formula, pageText, panelText } from './panel-text.ts'

const reviewed = reviewedTexts(new URL('./shown/', import.meta.url))
const nameOf = (uid: string): string => uid.replace('dcsim-', '')

test('dashboards show what test/dashboards/shown has of them', async () => {
  // Imported here, so that `npm run node test/mutants/main.ts` reloads the modules for each mutant.
  const { generatedDashboard } = await import('../../dashboards/all.ts')
  for (const uid of dashboardUids) {
    const dashboard = JSON.parse(generatedDashboard(uid)) as DashboardJson
    // The line that says what a page answers is text.
    const panels = panelsOf(dashboard).slice(1).map(panelText)
    expect.soft(`${[pageText(dashboard), ...panels].join('\n\n')}\n`, uid).toBe(reviewed.text(nameOf(uid)))
  }
  expect(reviewed.names).toEqual(dashboardUids.map(nameOf).toSorted())
})

const hidden = 2

test('a variable is labeled with what it selects', async () => {
  const { generatedDashboard } = await import('../../dashboards/all.ts')
  const dashboards = dashboardUids.map((uid) => JSON.parse(generatedDashboard(uid)) as DashboardJson)
  const labels = dashboards.flatMap(({ templating }) =>
    templating.list.filter(({ hide }) => hide !== hidden).map(({ name, label }) => [name, label]),
  )
  expect(Object.fromEntries(labels)).toEqual({
    prometheus_datasource: 'Prometheus data source',
    infinity_datasource: 'Infinity data source',
    job: 'Job',
    session: 'Session',
    instance: 'Instance',
    zone: 'Zone',
    pool: 'Pool',
    tier: 'Plan',
    customer: 'Customer',
    host: 'Host',
    device: 'Device',
    rack: 'Rack',
    band: 'Band',
    incident: 'Incident',
    search: 'Search',
  })
})

test('a formula leaves out the session, words and names', () => {
  const selected = 'job=~"$job", instance=~"$instance", session="$session"'
  expect(
    formula(
      `label_replace(sum by (job, instance, session, kind) (dcsim_work_orders_open{${selected}, kind!="a,(b"}), "kind", "A, b", "kind", "ab") > 0`,
    ),
  ).toBe('sum by (kind) (work_orders_open{kind!="a,(b"}) > 0')
  expect(
    formula(
      `(dcsim_host_units{${selected}}) * on (job, instance, session, host) group_left (name) max by (job, instance, session, host, name) (dcsim_host_info{${selected}})`,
    ),
  ).toBe('(host_units)')
})
