import type { HostRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { listed } from '../../words/phrases.ts'
import { acceleratorWords, contentionWords, serviceWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  idOrNone,
  percentOf,
  placeColumns,
  severityColumn,
  someText,
} from '../columns.ts'
import { placeCells, placeFilters } from '../places.ts'
import { idOrNull, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { Filters } from '../table.ts'

export interface RowState {
  readonly state: string
  readonly severity: number
}

const inOrder: RowState = { state: 'in order', severity: 0 }

/** The worst thing that can be said of a host. */
export function hostCondition(host: HostRecord): RowState {
  if (!host.online) {
    if (host.inv_status === 'Maintenance') return { state: 'under maintenance', severity: 2 }
    return { state: host.powered ? 'down' : 'no power', severity: 4 }
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
  severity: { meaning: 'Its severity, 0 to 4.', values: (host) => [hostCondition(host).severity] },
}

export const hosts = defineTable({
  name: 'hosts',
  meaning: 'Hosts in the order of their ids.',
  row: defineRecord('HostRow', 'A host.', {
    host_id: idColumn('host'),
    host: str('Name.'),
    severity: severityColumn,
    state: str('The worst that can be said of it, in words.'),
    online: bool('Whether it runs and can be reached.'),
    ...placeColumns,
    start_u: amountOrNone('Lowest rack unit that it takes.', 'rack_units'),
    size_u: int('Height.', 'rack_units'),
    pool_id: idOrNone('pool'),
    pool: nullable(str('Name of the pool.')),
    model: str('Model.'),
    architecture: str('Processor architecture.'),
    accelerator: nullable(str('Accelerator, in words.')),
    units: int('Units placed on it.'),
    stranded_units: int('Units on it that it cannot serve.'),
    customers: int('Customers with units on it.'),
    customer_names: nullable(str('Their names, the first three.')),
    services: nullable(str('Classes of the units on it, in words.')),
    incidents: int('Active incidents that affect it.'),
    incident_id: idOrNone('gravest active incident that affects it'),
    band: nullable(str('Band of that incident.')),
    cpu_used_pct: amountOrNone('CPU used, of the physical CPU.', 'pct'),
    cpu_allocated_pct: amountOrNone('CPU allocated, of the most that may be.', 'pct'),
    memory_allocated_pct: amountOrNone('Memory allocated.', 'pct'),
    disk_allocated_pct: amountOrNone('Disk allocated.', 'pct'),
    disk_operations_pct: amountOrNone('Disk operations, of what it can do.', 'pct'),
    gpu_slices_pct: amountOrNone('GPU slices allocated.', 'pct'),
    contention: str('How much units contend for CPU, in words.'),
    sent_gbps: amount('Traffic sent.', 'gbps'),
    received_gbps: amount('Traffic received.', 'gbps'),
    power_feeds: int('Power feeds that are live.'),
    condition_pct: int('Condition: 100 new, 0 worn out.', 'pct'),
    disk_wear_pct: amountOrNone('Disk wear, of its rated life.', 'pct'),
    age_seconds: amount('Simulated time since it was installed.', 's'),
    mean_time_between_failures_seconds: amount('At its condition.', 's'),
    cost_dollars_per_month: amount('Running cost, facility included.', 'dollars_per_month'),
    resale_dollars: amount('What it would sell for.', 'dollars'),
  }),
  reads: ['hosts', 'azs', 'incidents'],
  items: ({ records }: TableWorld) => records.all('hosts'),
  byId: {
    filter: 'host',
    items(id, { records }) {
      const host = records.get('hosts', id)
      return host === undefined ? null : [host]
    },
  },
  filters: hostFilters,
  toRow(host, world) {
    const active = world.activeIncidentsOf('host', host.id)
    return {
      host_id: idText(host.id),
      host: host.display_name_plain,
      ...reordered(hostCondition(host)),
      online: host.online,
      ...placeCells(host, world),
      start_u: host.start_u,
      size_u: host.u_size,
      pool_id: idOrNull(host.pool_id),
      pool: world.poolName(host.pool_id),
      model: host.sku_name,
      architecture: host.arch,
      accelerator: host.accelerator === null ? null : acceleratorWords(host.accelerator),
      units: host.unit_count,
      stranded_units: host.stranded_unit_count,
      customers: host.served_customer_ids.length,
      customer_names: someText(listed(host.served_customer_ids.map((id) => world.customerName(id)!))),
      services: someText(host.service_classes.map(serviceWords).join(', ')),
      incidents: active.length,
      incident_id: idOrNull(active[0]?.id),
      band: active[0]?.band ?? null,
      ...loadOf(host),
      contention: contentionWords(host.contention_state),
      sent_gbps: host.egress_gbps,
      received_gbps: host.ingress_gbps,
      power_feeds: host.power_feeds,
      condition_pct: host.condition_pct,
      disk_wear_pct: percentOf(host.wear_factor, 1),
      age_seconds: host.age_hours * 3600,
      mean_time_between_failures_seconds: host.mtbf_hours * 3600,
      cost_dollars_per_month: host.monthly_cost_total_dollars,
      resale_dollars: host.resale_dollars,
    }
  },
})

/** Severity before state, as in every table. */
const reordered = ({ state, severity }: RowState) => ({ severity, state })

const loadOf = (host: HostRecord) => ({
  cpu_used_pct: percentOf(host.used_millivcpu / 1000, host.physical_vcpu),
  cpu_allocated_pct: host.cpu_requested_pct,
  memory_allocated_pct: host.mem_requested_pct,
  disk_allocated_pct: host.ssd_used_pct,
  disk_operations_pct: percentOf(host.iops_actual, host.iops_capacity),
  gpu_slices_pct: percentOf(host.vgpu_slices_used, host.vgpu_slices_total),
})
