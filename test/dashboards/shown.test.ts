import { expect, test } from 'vitest'
import { everyDashboard } from './dashboard-json.ts'
import { formula } from './panel-text.ts'

const hidden = 2

test('a variable is labeled with what it selects', () => {
  const labels = everyDashboard.flatMap(({ templating }) =>
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
