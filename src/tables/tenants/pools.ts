import { lengthOf } from '../../contract/records/unknown.ts'
import type { HostPoolRecord, SegmentRecord } from '../../contract/collections.ts'
import { bool, int, nullable, str } from '../../contract/fields.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { listed } from '../../words/phrases.ts'
import { acceleratorWords, contentionWords, plainWords, serviceWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  asPercent,
  idColumn,
  inOrder,
  percentOf,
  someText,
  stateColumns,
  wordsOrNone,
} from '../columns.ts'
import type { RowState } from '../columns.ts'
import { idText } from '../table-world.ts'
import { column, defineTable, each } from '../table.ts'

/** Allocated CPU, as a share of the maximum. */
const cpuAllocatedPct = ({ allocated_millivcpu, free_vcpu_milli }: HostPoolRecord): number | null =>
  percentOf(allocated_millivcpu, allocated_millivcpu + free_vcpu_milli)

export function poolCondition(pool: HostPoolRecord): RowState {
  const offline = pool.host_count - pool.hosts_online
  const isNearlyFull =
    (cpuAllocatedPct(pool) ?? 0) >= asPercent(thresholds.cpuAllocatedHigh) ||
    pool.mem_allocated_pct >= asPercent(thresholds.memoryAllocatedHigh) ||
    pool.ssd_allocated_pct >= asPercent(thresholds.diskAllocatedHigh)
  if (pool.host_count > 0 && pool.hosts_online === 0) return { state: 'all hosts offline', severity: 4 }
  if (pool.contention_state === 'Starved') return { state: 'starved of CPU', severity: 3 }
  if (pool.stranded_unit_count > 0) return { state: 'stranded units', severity: 3 }
  if (pool.contention_state === 'Contended') return { state: 'contended', severity: 2 }
  if (offline > 0) return { state: 'hosts offline', severity: 2 }
  return isNearlyFull ? { state: 'nearly full', severity: 2 } : inOrder
}

export const pools = defineTable<HostPoolRecord>({
  name: 'pools',
  meaning: 'Host pools in the order of their ids.',
  row: ['PoolRow', 'A host pool.'],
  ...each(({ records }) => records.all('hostPools')),
  filters: {
    pool: { meaning: 'Id or name of a pool.', values: ({ id, name }) => [id, name] },
    zone: {
      meaning: 'Id or name of a zone with hosts of it.',
      values: ({ az_ids }, world) => az_ids.flatMap((id) => [id, world.zoneName(id)]),
    },
  },
  columns: {
    pool_id: column(idColumn('pool'), ({ id }) => idText(id)),
    pool: column(str('Name.'), 'name'),
    ...stateColumns(poolCondition),
    zones: column(str('Names of the zones with hosts of it.'), ({ az_ids }, world) =>
      az_ids.map((id) => world.zoneName(id)).join(', '),
    ),
    architecture: column(str('Processor architecture.'), 'arch'),
    accelerator: column(nullable(str('Accelerator, in words.')), ({ accelerator }) =>
      wordsOrNone(accelerator, acceleratorWords),
    ),
    dedicated: column(bool('Whether whole hosts are given to one customer.'), 'dedicated'),
    services: column(nullable(str('Service classes that it takes, in words.')), ({ service_classes }) =>
      someText(service_classes.map(serviceWords).join(', ')),
    ),
    hosts: column(int('Hosts.'), 'host_count'),
    hosts_online: column(int('Hosts that serve.'), 'hosts_online'),
    units: column(int('Units placed.'), 'unit_count'),
    stranded_units: column(int('Units on hosts that cannot serve them.'), 'stranded_unit_count'),
    customers: column(int('Customers with units there.'), 'customer_count'),
    cpu_used_pct: column(amount('CPU used.', 'pct'), 'cpu_used_pct'),
    cpu_allocated_pct: column(
      amountOrNone('CPU allocated, of the most that may be.', 'pct'),
      cpuAllocatedPct,
    ),
    memory_allocated_pct: column(amount('Memory allocated.', 'pct'), 'mem_allocated_pct'),
    disk_allocated_pct: column(amount('Disk allocated.', 'pct'), 'ssd_allocated_pct'),
    disk_operations_pct: column(
      amountOrNone('Disk operations, of what it can do.', 'pct'),
      ({ iops_actual, iops_capacity }) => percentOf(iops_actual, iops_capacity),
    ),
    gpu_slices_pct: column(
      amountOrNone('GPU slices allocated.', 'pct'),
      ({ vgpu_slices_used, vgpu_slices_total }) => percentOf(vgpu_slices_used, vgpu_slices_total),
    ),
    contention: column(str('Contention of its worst tenth of hosts, in words.'), ({ contention_state }) =>
      contentionWords(contention_state),
    ),
    contended_hosts: column(int('Hosts that are contended or starved.'), 'contended_host_count'),
    cost_dollars_per_month: column(
      amount('Running cost, facility included.', 'dollars_per_month'),
      'monthly_cost_dollars',
    ),
  },
})

const used = (free: number, whole: number): number | null => percentOf(whole - free, whole)

export const segments = defineTable<SegmentRecord>({
  name: 'segments',
  meaning: 'Segments: which customers share a network, and what is reserved for them.',
  row: ['SegmentRow', 'A segment.'],
  ...each(({ records }) => records.all('segments')),
  filters: {
    segment: { meaning: 'Id or name of a segment.', values: ({ id, name }) => [id, name] },
    customer: {
      meaning: 'Id or name of a customer that is named in it.',
      values: ({ explicit_customer_ids }, world) =>
        explicit_customer_ids.flatMap((id) => [id, world.customerName(id)]),
    },
  },
  columns: {
    segment_id: column(idColumn('segment'), ({ id }) => idText(id)),
    segment: column(str('Name.'), 'name'),
    members: column(int('Customers in it.'), 'member_count'),
    rule: column(str('Who belongs to it by plan, in words.'), ({ tier_rule }) => plainWords(tier_rule)),
    named_customers: column(
      nullable(str('Customers that are named one by one.')),
      ({ explicit_customer_ids }, world) => someText(listed(world.customerNames(explicit_customer_ids))),
    ),
    hosts: column(int('Hosts that carry units of its members.'), ({ carrier_host_ids }) =>
      lengthOf(carrier_host_ids),
    ),
    reserved_hosts: column(int('Hosts reserved for it.'), 'dedicated_host_count'),
    reserved_cpu_used_pct: column(amountOrNone('CPU allocated, of the reserved hosts.', 'pct'), (segment) =>
      used(segment.dedicated_free_vcpu_milli, segment.dedicated_total_vcpu_milli),
    ),
    reserved_memory_used_pct: column(
      amountOrNone('Memory allocated, of the reserved hosts.', 'pct'),
      (segment) => used(segment.dedicated_free_mem_mb, segment.dedicated_total_mem_mb),
    ),
    reserved_disk_used_pct: column(amountOrNone('Disk allocated, of the reserved hosts.', 'pct'), (segment) =>
      used(segment.dedicated_free_disk_gb, segment.dedicated_total_disk_gb),
    ),
  },
})
