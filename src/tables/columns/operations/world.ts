import type { CollectionName, IncidentRecord, ZoneRecord } from '../../../contract/collections.ts'
import { bool, int, nullable, str } from '../../../contract/fields.ts'
import { clockText, isoTime } from '../../../words/moments.ts'
import { counted } from '../../../words/phrases.ts'
import { amount, momentColumn, severityColumn, someText, sumOf } from '../../engine/columns.ts'
import { byGravity } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable } from '../../engine/table.ts'
import { bandRank } from '../../../words/vocabulary.ts'

const bandNames = ['', 'Watch', 'Minor', 'Major', 'Critical']

/** `3 incidents: 2 Critical, 1 Watch`, the gravest first. */
function stateOf({ active }: WorldAtAGlance, { records }: TableWorld): string {
  if (records.isUnknown('incidents')) return 'Incidents are unknown'
  if (active.length === 0) return 'No active incident'
  const ranks = active.map(({ band }) => bandRank(band))
  const bands = [4, 3, 2, 1]
    .map((rank) => ({ name: bandNames[rank], count: ranks.filter((one) => one === rank).length }))
    .filter(({ count }) => count !== 0)
    .map(({ name, count }) => `${count} ${name}`)
  return `${counted(active.length, 'incident')}: ${bands.join(', ')}`
}

/** Values that several columns use. */
interface WorldAtAGlance {
  /** Active incidents, the gravest first. */
  readonly active: readonly IncidentRecord[]
  readonly zones: TableWorld['zones']
  readonly workOpen: number
  readonly workWaiting: number
  readonly revenuePerHour: number
  readonly atRiskPerHour: number
}

function glanceAt({ records, zones }: TableWorld): WorldAtAGlance {
  const active = records.all('incidents').toSorted(byGravity)
  const orders = records.all('workOrders').filter(({ resolved_at_ns }) => resolved_at_ns === null)
  const unless = (part: CollectionName, value: number): number =>
    records.isUnknown(part) ? Number.NaN : value
  return {
    active,
    zones,
    workOpen: unless('workOrders', orders.length),
    workWaiting: unless('workOrders', orders.filter(({ blocking }) => blocking !== null).length),
    revenuePerHour: unless(
      'customers',
      cents(sumOf(records.all('customers'), (one) => one.revenue_last_hour_dollars)),
    ),
    atRiskPerHour: unless('incidents', cents(sumOf(active, (one) => one.revenue_at_risk_per_hour_dollars))),
  }
}

const cents = (dollars: number): number => Math.round(dollars * 100) / 100

/** The sum over all zones; NaN without any, as there is no world without a zone. */
const totalOf = (zones: TableWorld['zones'], read: (zone: ZoneRecord) => number): number =>
  zones.length === 0 ? Number.NaN : sumOf(zones, read)

/** The row to read first. */
export const world = defineTable<WorldAtAGlance, TableWorld>({
  name: 'world',
  meaning: 'The world in one row: its clock, and what is wrong.',
  row: ['WorldRow', 'The world at a glance.'],
  entities: (world) => [world],
  itemsOf: (world) => [glanceAt(world)],
  filters: {},
  columns: {
    clock: column(str('Simulated day and time of day.'), (_, { nowNs }) => clockText(nowNs)),
    at: column(momentColumn('The simulated time of the snapshot.'), (_, { nowNs }) => isoTime(nowNs)),
    speed: column(
      amount('Simulated seconds a second of wall time.', 'none'),
      (_, world) => world.simulation.speed,
    ),
    paused: column(bool('Whether the world stands still.'), (_, { simulation }) => simulation.paused),
    scenario: column(nullable(str('Name of the scenario.')), (_, { simulation }) =>
      someText(simulation.scenario),
    ),
    severity: column(severityColumn, ({ active: [gravest] }, { records }) =>
      records.isUnknown('incidents') ? Number.NaN : gravest === undefined ? 0 : bandRank(gravest.band),
    ),
    state: column(str('The gravest active incident and how many there are, or that there is none.'), stateOf),
    incidents: column(int('Active incidents.'), (_, { records }) => records.count('incidents')),
    revenue_at_risk_dollars_per_hour: column(
      amount('Revenue at risk of all active incidents.', 'dollars_per_hour'),
      'atRiskPerHour',
    ),
    revenue_dollars_per_hour: column(
      amount('Revenue of the last simulated hour.', 'dollars_per_hour'),
      'revenuePerHour',
    ),
    customers: column(int('Customers.'), (_, { records }) => records.count('customers')),
    hosts: column(int('Hosts.'), ({ zones }) => totalOf(zones, ({ host_count }) => host_count)),
    hosts_online: column(int('Hosts that serve.'), ({ zones }) =>
      totalOf(zones, ({ hosts_online }) => hosts_online),
    ),
  },
})
