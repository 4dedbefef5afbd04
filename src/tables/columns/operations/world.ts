import type { IncidentRecord, ZoneRecord } from '../../../contract/collections.ts'
import { bool, int, nullable, num, str } from '../../../contract/fields.ts'
import { clockText, isoTime } from '../../../words/moments.ts'
import { counted, dollarsText } from '../../../words/phrases.ts'
import { momentColumn, severityColumn, someText, sumOf } from '../../engine/columns.ts'
import { byGravity } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable } from '../../engine/table.ts'
import { wholeOf } from '../../../words/incidents.ts'
import { bandRank } from '../../../words/vocabulary.ts'
import { isBelowSla } from '../tenants/customers.ts'
import { nextTask } from './tasks.ts'

const bandNames = ['', 'Watch', 'Minor', 'Major', 'Critical']

/** `3 incidents: 2 Critical, 1 Watch`, the gravest first. */
function incidentsText({ active }: WorldAtAGlance, { records }: TableWorld): string {
  if (records.isUnknown('incidents')) return 'Incidents are unknown'
  if (active.length === 0) return 'No incident'
  const counts = [4, 3, 2, 1].map((rank) => [
    active.filter(({ band }) => bandRank(band) === rank).length,
    rank,
  ])
  const bands = counts.filter(([count]) => count > 0).map(([count, rank]) => `${count} ${bandNames[rank]}`)
  return `${counted(active.length, 'incident')}: ${bands.join(', ')}`
}

/** Incidents, money and promises, each in a sentence: `No incident. 8 customers are below their SLA this period`. */
function stateOf(glance: WorldAtAGlance, world: TableWorld): string {
  const { atRiskPerHour, belowSla } = glance
  const risk = atRiskPerHour > 0 ? `${dollarsText(atRiskPerHour)}/h at risk` : ''
  const one = belowSla === 1 ? '1 customer is below its SLA' : `${belowSla} customers are below their SLA`
  const promises = belowSla > 0 ? `${one} this period` : ''
  return [incidentsText(glance, world), risk, promises].filter((text) => text !== '').join('. ')
}

/** The first task; without incidents, one of unknown cause that hit a customer below its SLA. */
function nextOf({ active, belowSla }: WorldAtAGlance, world: TableWorld): string {
  const { records } = world
  const below = new Set(
    belowSla === 0
      ? []
      : records
          .all('customers')
          .filter(isBelowSla)
          .map(({ id }) => String(id)),
  )
  const unknown = records
    .all('resolvedIncidents')
    .find((one) => !isExplained(one) && one.affected_customer_ids.some((id) => below.has(String(id))))
  if (active.length === 0 && unknown !== undefined) return `Find out what caused incident ${unknown.id}.`
  return nextTask(world) ?? 'Nothing waits.'
}

const isExplained = (incident: IncidentRecord): boolean =>
  incident.confirmed || wholeOf(incident) !== undefined

/** Values that several columns use. */
interface WorldAtAGlance {
  /** Active incidents, the gravest first. */
  readonly active: readonly IncidentRecord[]
  readonly zones: TableWorld['zones']
  /** Customers of whom fewer requests were answered in their SLA period than their plan promises. */
  readonly belowSla: number
  readonly revenuePerHour: number
  readonly atRiskPerHour: number
}

function glanceAt({ records, zones }: TableWorld): WorldAtAGlance {
  const active = records.all('incidents').toSorted(byGravity)
  const unless = (part: 'customers' | 'incidents', dollars: number): number =>
    records.isUnknown(part) ? Number.NaN : cents(dollars)
  return {
    active,
    zones,
    belowSla: records.all('customers').filter(isBelowSla).length,
    revenuePerHour: unless(
      'customers',
      sumOf(records.all('customers'), (one) => one.revenue_last_hour_dollars),
    ),
    atRiskPerHour: unless(
      'incidents',
      sumOf(active, (one) => one.revenue_at_risk_per_hour_dollars),
    ),
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
  worldParts: [],
  entities: (world) => [world],
  itemsOf: (world) => [glanceAt(world)],
  filters: {},
  columns: {
    clock: column(str('Simulated day and time of day.'), (_, { nowNs }) => clockText(nowNs)),
    at: column(momentColumn('The simulated time of the snapshot.'), (_, { nowNs }) => isoTime(nowNs)),
    speed: column(
      num('Simulated seconds a second of wall time.', 'none'),
      (_, world) => world.simulation.speed,
    ),
    paused: column(bool('Whether the world stands still.'), (_, { simulation }) => simulation.paused),
    scenario: column(nullable(str('Name of the scenario.')), (_, { simulation }) =>
      someText(simulation.scenario),
    ),
    severity: column(severityColumn, ({ active: [gravest], belowSla }, { records }) =>
      records.isUnknown('incidents')
        ? Number.NaN
        : Math.max(gravest === undefined ? 0 : bandRank(gravest.band), belowSla > 0 ? bandRank('Minor') : 0),
    ),
    state: column(
      str('Active incidents, revenue at risk, and customers below their SLA, in sentences.'),
      stateOf,
    ),
    next: column(str('What to do next, in a sentence.'), nextOf),
    revenue_at_risk_dollars_per_hour: column(
      num('Revenue at risk of all active incidents.', 'dollars_per_hour'),
      'atRiskPerHour',
    ),
    revenue_dollars_per_hour: column(
      num('Revenue of the last simulated hour.', 'dollars_per_hour'),
      'revenuePerHour',
    ),
    customers: column(int('Customers.'), (_, { records }) => records.count('customers')),
    hosts: column(int('Hosts.'), ({ zones }) => totalOf(zones, ({ host_count }) => host_count)),
    hosts_online: column(int('Hosts that serve.'), ({ zones }) =>
      totalOf(zones, ({ hosts_online }) => hosts_online),
    ),
  },
})
