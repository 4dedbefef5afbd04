import type { HostPoolRecord, SegmentRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { listed } from '../../words/phrases.ts'
import { acceleratorWords, contentionWords, plainWords, serviceWords } from '../../words/vocabulary.ts'
import { amount, amountOrNone, idColumn, asPercent, percentOf, severityColumn, someText } from '../columns.ts'
import type { RowState } from '../equipment/hosts.ts'
import { idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'

/** CPU allocated, of the most that may be allocated. */
const cpuAllocatedPct = ({ allocated_millivcpu, free_vcpu_milli }: HostPoolRecord): number | null =>
  percentOf(allocated_millivcpu, allocated_millivcpu + free_vcpu_milli)

function poolCondition(pool: HostPoolRecord): RowState {
  const offline = pool.host_count - pool.hosts_online
  const isNearlyFull =
    (cpuAllocatedPct(pool) ?? 0) >= asPercent(thresholds.cpuPromisedHigh) ||
    pool.mem_allocated_pct >= asPercent(thresholds.memoryPromisedHigh) ||
    pool.ssd_allocated_pct >= asPercent(thresholds.diskPromisedHigh)
  if (pool.host_count > 0 && pool.hosts_online === 0) return { state: 'all hosts offline', severity: 4 }
  if (pool.contention_state === 'Starved') return { state: 'starved of CPU', severity: 3 }
  if (pool.stranded_unit_count > 0) return { state: 'stranded units', severity: 3 }
  if (pool.contention_state === 'Contended') return { state: 'contended', severity: 2 }
  if (offline > 0) return { state: 'hosts offline', severity: 2 }
  return isNearlyFull ? { state: 'nearly full', severity: 2 } : { state: 'in order', severity: 0 }
}

export const pools = defineTable({
  name: 'pools',
  meaning: 'Host pools in the order of their ids.',
  row: defineRecord('PoolRow', 'A host pool.', {
    pool_id: idColumn('pool'),
    pool: str('Name.'),
    severity: severityColumn,
    state: str('The worst that can be said of it, in words.'),
    zones: str('Names of the zones with hosts of it.'),
    architecture: str('Processor architecture.'),
    accelerator: nullable(str('Accelerator, in words.')),
    dedicated: bool('Whether whole hosts are given to one customer.'),
    services: nullable(str('Service classes that it takes, in words.')),
    hosts: int('Hosts.'),
    hosts_online: int('Hosts that serve.'),
    units: int('Units placed.'),
    stranded_units: int('Units on hosts that cannot serve them.'),
    customers: int('Customers with units there.'),
    cpu_used_pct: amount('CPU used.', 'pct'),
    cpu_allocated_pct: amountOrNone('CPU allocated, of the most that may be.', 'pct'),
    memory_allocated_pct: amount('Memory allocated.', 'pct'),
    disk_allocated_pct: amount('Disk allocated.', 'pct'),
    disk_operations_pct: amountOrNone('Disk operations, of what it can do.', 'pct'),
    gpu_slices_pct: amountOrNone('GPU slices allocated.', 'pct'),
    contention: str('Contention of its worst tenth of hosts, in words.'),
    contended_hosts: int('Hosts that are contended or starved.'),
    cost_dollars_per_month: amount('Running cost, facility included.', 'dollars_per_month'),
  }),
  reads: ['hostPools', 'azs'],
  items: ({ records }: TableWorld) => records.all('hostPools'),
  filters: {
    pool: { meaning: 'Id or name of a pool.', values: ({ id, name }) => [id, name] },
    zone: {
      meaning: 'Id or name of a zone with hosts of it.',
      values: ({ az_ids }, world) => az_ids.flatMap((id) => [id, world.zoneName(id)]),
    },
  },
  toRow(pool, world) {
    const { state, severity } = poolCondition(pool)
    return {
      pool_id: idText(pool.id),
      pool: pool.name,
      severity,
      state,
      zones: pool.az_ids.map((id) => world.zoneName(id)).join(', '),
      architecture: pool.arch,
      accelerator: pool.accelerator === null ? null : acceleratorWords(pool.accelerator),
      dedicated: pool.dedicated,
      services: someText(pool.service_classes.map(serviceWords).join(', ')),
      hosts: pool.host_count,
      hosts_online: pool.hosts_online,
      units: pool.unit_count,
      stranded_units: pool.stranded_unit_count,
      customers: pool.customer_count,
      cpu_used_pct: pool.cpu_used_pct,
      cpu_allocated_pct: cpuAllocatedPct(pool),
      memory_allocated_pct: pool.mem_allocated_pct,
      disk_allocated_pct: pool.ssd_allocated_pct,
      disk_operations_pct: percentOf(pool.iops_actual, pool.iops_capacity),
      gpu_slices_pct: percentOf(pool.vgpu_slices_used, pool.vgpu_slices_total),
      contention: contentionWords(pool.contention_state),
      contended_hosts: pool.contended_host_count,
      cost_dollars_per_month: pool.monthly_cost_dollars,
    }
  },
})

export const segments = defineTable({
  name: 'segments',
  meaning: 'Segments: which customers share a network, and what is reserved for them.',
  row: defineRecord('SegmentRow', 'A segment.', {
    segment_id: idColumn('segment'),
    segment: str('Name.'),
    members: int('Customers in it.'),
    rule: str('Who belongs to it by plan, in words.'),
    named_customers: nullable(str('Customers that are named one by one.')),
    hosts: int('Hosts that carry units of its members.'),
    reserved_hosts: int('Hosts reserved for it.'),
    reserved_cpu_used_pct: amountOrNone('CPU allocated, of the reserved hosts.', 'pct'),
    reserved_memory_used_pct: amountOrNone('Memory allocated, of the reserved hosts.', 'pct'),
    reserved_disk_used_pct: amountOrNone('Disk allocated, of the reserved hosts.', 'pct'),
  }),
  reads: ['segments'],
  items: ({ records }: TableWorld) => records.all('segments'),
  filters: {
    segment: { meaning: 'Id or name of a segment.', values: ({ id, name }) => [id, name] },
    customer: {
      meaning: 'Id or name of a customer that is named in it.',
      values: ({ explicit_customer_ids }, world) =>
        explicit_customer_ids.flatMap((id) => [id, world.customerName(id)]),
    },
  },
  toRow: (segment, world) => ({
    segment_id: idText(segment.id),
    segment: segment.name,
    members: segment.member_count,
    rule: plainWords(segment.tier_rule),
    named_customers: someText(listed(segment.explicit_customer_ids.map((id) => world.customerName(id)!))),
    hosts: segment.carrier_host_ids.length,
    reserved_hosts: segment.dedicated_host_count,
    ...reservedOf(segment),
  }),
})

const used = (free: number, total: number): number | null => percentOf(total - free, total)

const reservedOf = (segment: SegmentRecord) => ({
  reserved_cpu_used_pct: used(segment.dedicated_free_vcpu_milli, segment.dedicated_total_vcpu_milli),
  reserved_memory_used_pct: used(segment.dedicated_free_mem_mb, segment.dedicated_total_mem_mb),
  reserved_disk_used_pct: used(segment.dedicated_free_disk_gb, segment.dedicated_total_disk_gb),
})
