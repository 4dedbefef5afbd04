import type { HostPoolRecord } from '../../../contract/collections.ts'
import { HostPoolSchema } from '../../../contract/records/hosts.ts'
import type { TenantsPart } from '../../simulation/tenants/view.ts'
import { contendedMin, contentionState } from '../../simulation/tenants/view.ts'
import { round } from '../../simulation/numeric.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { iopsDone, monthlyCostCents, usedMilliCpu } from '../equipment/host-amounts.ts'

/** The contention of a pool is the 90th percentile of its hosts'. */
const contendedHostShareInverse = 10

export function createPoolRecords(state: RecordedWorld, part: TenantsPart): RecordList<HostPoolRecord> {
  const { topology } = state
  const members = topology.pools.map((_, pool) => membersOf(state, pool))
  let version = -1
  let isPlacementChanged = true
  const { records, update } = createRecordList(
    members.keys(),
    (pool) => createPool(state, pool, members[pool]),
    (record, pool) => {
      if (isPlacementChanged) updatePlacement(part, record, pool, members[pool])
      updateLoad(state, part, record, members[pool])
    },
  )
  return {
    records,
    update() {
      isPlacementChanged = version !== part.state.version
      version = part.state.version
      update()
    },
  }
}

const newPool = recordFactory(HostPoolSchema)

function membersOf({ topology }: RecordedWorld, pool: number): Int32Array {
  return Int32Array.from(topology.hosts.rows.filter((host) => topology.hosts.pool[host] === pool))
}

function createPool({ topology }: RecordedWorld, row: number, hosts: Int32Array): HostPoolRecord {
  const pool = topology.pools[row]
  const zones = [...new Set(Array.from(hosts, (host) => topology.hosts.zone[host]))].toSorted((a, b) => a - b)
  const total = (of: (sku: (typeof topology.hostSkus)[number]) => number): number =>
    hosts.reduce((sum, host) => sum + of(topology.hostSkus[topology.hosts.sku[host]]), 0)
  return newPool({
    id: idOf(row),
    name: pool.name,
    arch: pool.arch,
    accelerator: pool.accelerator,
    az_ids: zones.map(idOf),
    host_ids: Array.from(hosts, idOf),
    host_count: hosts.length,
    dedicated: pool.dedicated,
    service_classes: [...pool.classes],
    overcommit_target: pool.overcommitTarget,
    overcommit_max: pool.overcommitMax,
    physical_vcpu: total((sku) => sku.vcpu),
    physical_mem_mb: total((sku) => sku.memMb),
    physical_ssd_gb: total((sku) => sku.ssdGb),
    vgpu_slices_total: total((sku) => sku.vgpuSlices),
    iops_capacity: total((sku) => sku.iops),
  })
}

function updatePlacement(part: TenantsPart, record: HostPoolRecord, pool: number, hosts: Int32Array): void {
  const tally = part.state.capacity.pools[pool]
  record.allocated_millivcpu = tally.milli
  record.free_vcpu_milli = tally.maxMilli - tally.milli
  record.free_mem_mb = tally.memMbTotal - tally.memMb
  record.free_ssd_gb = tally.ssdGbTotal - tally.ssdGb
  record.vgpu_slices_used = tally.slices
  record.overcommit_now = round(tally.milli / tally.physicalMilli, 3)
  record.mem_allocated_pct = round((100 * tally.memMb) / tally.memMbTotal, 2)
  record.ssd_allocated_pct = round((100 * tally.ssdGb) / tally.ssdGbTotal, 2)
  record.unit_count = tally.units
  const customers = new Set<number>()
  for (const host of hosts) for (const id of part.view.onHost(host)) customers.add(id)
  record.customer_count = customers.size
}

function updateLoad(
  state: RecordedWorld,
  part: TenantsPart,
  record: HostPoolRecord,
  hosts: Int32Array,
): void {
  const { load, network } = state
  const { costs } = part.accounting
  let online = 0
  let used = 0
  let iops = 0
  let contended = 0
  let stranded = 0
  let cents = 0
  const contentions = new Float64Array(hosts.length)
  for (let i = 0; i < hosts.length; i++) {
    const host = hosts[i]
    online += network.hostReachable[host]
    used += usedMilliCpu(state, host)
    iops += iopsDone(state, host)
    stranded += load.strandedUnits[host]
    cents += monthlyCostCents(costs, host)
    contentions[i] = load.contention[host]
    if (load.contention[host] >= contendedMin) contended++
  }
  contentions.sort()
  record.hosts_online = online
  record.used_millivcpu = used
  record.iops_actual = iops
  record.cpu_used_pct = round((used / (record.physical_vcpu * 1000)) * 100, 2)
  record.contended_host_count = contended
  record.stranded_unit_count = stranded
  record.monthly_cost_dollars = cents / 100
  const worst = hosts.length - Math.ceil(hosts.length / contendedHostShareInverse)
  record.contention_state = contentionState(contentions[worst])
}
