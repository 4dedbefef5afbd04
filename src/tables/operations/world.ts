import { bool, defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { clockText, isoTime } from '../../words/moments.ts'
import { counted, dollarsText } from '../../words/phrases.ts'
import { amount, momentColumn, severityColumn } from '../columns.ts'
import { bandRank, byGravity } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'

const bandNames = ['', 'Watch', 'Minor', 'Major', 'Critical']

/** `2 Critical, 1 Watch`; what is worst comes first. */
function bandCounts({ records }: TableWorld): string {
  const ranks = records.all('incidents').map(({ band }) => bandRank(band))
  const counts = [4, 3, 2, 1].map((rank) => [bandNames[rank], ranks.filter((one) => one === rank).length])
  return counts
    .filter(([, count]) => count !== 0)
    .map(([band, count]) => `${count} ${band}`)
    .join(', ')
}

/** The first row to look at. */
export const world = defineTable({
  name: 'world',
  meaning: 'The world in one row: its clock, and what is wrong.',
  row: defineRecord('WorldRow', 'The world at a glance.', {
    clock: str('Simulated day and time of day.'),
    weekday: nullable(str('Simulated day of the week.')),
    at: momentColumn('The simulated time of the snapshot.'),
    speed: amount('Simulated seconds a second of wall time.', 'none'),
    paused: bool('Whether the world stands still.'),
    scenario: nullable(str('Name of the scenario.')),
    scale: str('Size of the world.'),
    severity: severityColumn,
    state: str('The gravest active incident and how many there are, or that there is none.'),
    incidents: int('Active incidents.'),
    incident: nullable(str('The gravest active incident, as a sentence.')),
    revenue_at_risk_dollars_per_hour: amount('Revenue at risk of all active incidents.', 'dollars_per_hour'),
    revenue_dollars_per_hour: amount('Revenue of the last simulated hour.', 'dollars_per_hour'),
    revenue: str('The same in words.'),
    customers: int('Customers.'),
    prospects: int('Prospects that wait.'),
    hosts: int('Hosts.'),
    hosts_online: int('Hosts that serve.'),
    work_open: int('Work orders that are not finished.'),
    work_waiting: int('Work orders that wait for something.'),
    stranded_units: int('Units on hosts that cannot serve them.'),
  }),
  reads: ['incidents', 'customers', 'azs', 'workOrders'],
  items: (source: TableWorld) => [source],
  filters: {},
  toRow(source) {
    const { records, nowNs } = source
    const { simulation } = records.diagnostics
    const active = records.all('incidents').toSorted(byGravity)
    const customers = records.all('customers')
    const orders = records.all('workOrders').filter(({ resolved_at_ns }) => resolved_at_ns === null)
    const risk = sum(active.map((one) => one.revenue_at_risk_per_hour_dollars))
    const revenue = sum(customers.map((one) => one.revenue_last_hour_dollars))
    const severity = active.length === 0 ? 0 : bandRank(active[0].band)
    const bands = bandCounts(source)
    return {
      clock: clockText(nowNs),
      weekday: simulation.weekday === '' ? null : simulation.weekday,
      at: isoTime(nowNs),
      speed: simulation.speed,
      paused: simulation.paused,
      scenario: simulation.scenario === '' ? null : simulation.scenario,
      scale: simulation.scale,
      severity,
      state: active.length === 0 ? 'No active incident' : `${counted(active.length, 'incident')}: ${bands}`,
      incidents: active.length,
      incident: active.length === 0 ? null : (active[0].timeline[0]?.detail ?? null),
      revenue_at_risk_dollars_per_hour: risk,
      revenue_dollars_per_hour: revenue,
      revenue: `${dollarsText(revenue)} an hour`,
      customers: customers.length,
      prospects: records.frame.collections.prospects.ids.length,
      hosts: sum(source.zones.map((zone) => zone.host_count)),
      hosts_online: sum(source.zones.map((zone) => zone.hosts_online)),
      work_open: orders.length,
      work_waiting: orders.filter(({ blocking }) => blocking !== null).length,
      stranded_units: sum(source.zones.map((zone) => zone.stranded_unit_count)),
    }
  },
})

const sum = (numbers: readonly number[]): number => {
  const total = numbers.reduce((one, other) => one + other, 0)
  return Math.round(total * 100) / 100
}
