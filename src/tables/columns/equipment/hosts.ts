import type { HostRecord } from '../../../contract/collections.ts'
import { HostSchema } from '../../../contract/records/hosts.ts'
import { nullable, num, str } from '../../../contract/fields.ts'
import { isFalse } from '../../../contract/records/unknown.ts'
import { listed } from '../../../words/phrases.ts'
import { contentionWords, serviceWords } from '../../../words/vocabulary.ts'
import {
  amountOrNone,
  idColumn,
  inOrder,
  percentOf,
  severityFilter,
  someText,
  stateColumns,
} from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { placeColumns, placeFilters } from '../places.ts'
import { idText } from '../../engine/table-world.ts'
import { column, columnsOf, defineTable, each } from '../../engine/table.ts'
import type { Filters, Origin } from '../../engine/table.ts'

/** The worst condition of a host. */
export function hostCondition(host: HostRecord): RowState {
  if (isFalse(host.online)) {
    if (host.inv_status === 'Maintenance') return { state: 'under maintenance', severity: 2 }
    return { state: isFalse(host.powered) ? 'no power' : 'down', severity: 4 }
  }
  if (host.visual.status === 'Overheating') return { state: 'overheating', severity: 3 }
  if (host.contention_state === 'Starved') return { state: 'starved of CPU', severity: 3 }
  if (host.power_feeds === 1) return { state: 'on one power feed', severity: 2 }
  if (host.visual.fan === 'Failed') return { state: 'fan failed', severity: 2 }
  if (host.visual.status === 'Hot') return { state: 'hot', severity: 2 }
  if (host.contention_state === 'Contended') return { state: 'contended', severity: 2 }
  if (host.ports.some(({ state }) => state === 'NoLight' || state === 'Errored'))
    return { state: 'link trouble', severity: 2 }
  return host.visual.status === 'Maintenance' ? { state: 'under maintenance', severity: 1 } : inOrder
}

/** All hosts, or one by its id. */
export const hostsOrOne: Pick<Origin<HostRecord>, 'entities'> & Required<Pick<Origin<HostRecord>, 'byId'>> = {
  entities: ({ records }) => records.all('hosts'),
  byId: { filter: 'host', find: (id, { records }) => records.get('hosts', id) },
}

export const hostFilters: Filters<HostRecord> = {
  host: {
    meaning: 'Id or name of a host.',
    values: ({ id, display_name_plain }) => [id, display_name_plain],
  },
  ...placeFilters((host: HostRecord) => host),
  pool: {
    meaning: 'Id or name of a pool.',
    values: ({ pool_id }, world) => [pool_id, world.poolName(pool_id)],
  },
  customer: {
    meaning: 'Id or name of a customer with units on it.',
    values: ({ served_customer_ids }, world) =>
      served_customer_ids.flatMap((id) => [id, world.customerName(id)]),
  },
  incident: {
    meaning: 'Id of an incident that affects it, active or resolved.',
    values: ({ id }, world) => world.incidentsOf('host', id).map((incident) => incident.id),
  },
  ...severityFilter(hostCondition),
}

export const cpuUsedPct = ({ used_millivcpu, physical_vcpu }: HostRecord): number | null =>
  percentOf(used_millivcpu / 1000, physical_vcpu)

const host = columnsOf(HostSchema)

export const hosts = defineTable<HostRecord>({
  name: 'hosts',
  meaning: 'Hosts in the order of their ids.',
  row: ['HostRow', 'A host.'],
  worldParts: ['hosts'],
  ...each(hostsOrOne.entities),
  byId: hostsOrOne.byId,
  filters: hostFilters,
  columns: {
    host_id: column(idColumn('host'), ({ id }) => idText(id)),
    host: column(str('Name.'), 'display_name_plain'),
    ...stateColumns(hostCondition),
    ...placeColumns((host: HostRecord) => host),
    pool: column(nullable(str('Name of the pool.')), ({ pool_id }, world) => world.poolName(pool_id)),
    model: host('sku_name'),
    units: host('unit_count'),
    customer_names: column(nullable(str('The name of the first, and how many others.')), (host, world) =>
      someText(listed(world.customerNames(host.served_customer_ids), 1)),
    ),
    services: column(nullable(str('Classes of the units on it, in words.')), ({ service_classes }) =>
      someText(service_classes.map(serviceWords).join(', ')),
    ),
    cpu_used_pct: column(amountOrNone('CPU used, of the physical CPU.', 'pct'), cpuUsedPct),
    memory_allocated_pct: host('mem_requested_pct'),
    disk_allocated_pct: host('ssd_used_pct'),
    contention: column(str('How much units contend for CPU, in words.'), ({ contention_state }) =>
      contentionWords(contention_state),
    ),
    condition_pct: host('condition_pct'),
    disk_wear_pct: column(amountOrNone('Disk wear, of its rated life.', 'pct'), ({ wear_factor }) =>
      percentOf(wear_factor, 1),
    ),
    age_seconds: column(
      num('Simulated time since it was installed.', 's'),
      ({ age_hours }) => age_hours * 3600,
    ),
    mean_time_between_failures_seconds: column(
      num('At its condition.', 's'),
      ({ mtbf_hours }) => mtbf_hours * 3600,
    ),
    cost_dollars_per_month: host('monthly_cost_total_dollars'),
    resale_dollars: host('resale_dollars'),
  },
})
