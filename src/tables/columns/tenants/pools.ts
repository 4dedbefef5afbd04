import type { HostPoolRecord } from '../../../contract/collections.ts'
import { HostPoolSchema } from '../../../contract/records/hosts.ts'
import { str } from '../../../contract/fields.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import { contentionWords } from '../../../words/vocabulary.ts'
import { amountOrNone, asPercent, idColumn, inOrder, percentOf, stateColumns } from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { idText } from '../../engine/table-world.ts'
import { column, columnsOf, defineTable, each } from '../../engine/table.ts'

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

const pool = columnsOf(HostPoolSchema)

export const pools = defineTable<HostPoolRecord>({
  name: 'pools',
  meaning: 'Host pools in the order of their ids.',
  row: ['PoolRow', 'A host pool.'],
  worldParts: ['hostPools'],
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
    pool: pool('name'),
    ...stateColumns(poolCondition),
    zones: column(str('Names of the zones with hosts of it.'), ({ az_ids }, world) =>
      az_ids.map((id) => world.zoneName(id)).join(', '),
    ),
    hosts: pool('host_count'),
    hosts_online: pool('hosts_online'),
    cpu_used_pct: pool('cpu_used_pct'),
    cpu_allocated_pct: column(
      amountOrNone('CPU allocated, of the most that may be.', 'pct'),
      cpuAllocatedPct,
    ),
    memory_allocated_pct: pool('mem_allocated_pct'),
    disk_allocated_pct: pool('ssd_allocated_pct'),
    gpu_slices_pct: column(
      amountOrNone('GPU slices allocated.', 'pct'),
      ({ vgpu_slices_used, vgpu_slices_total }) => percentOf(vgpu_slices_used, vgpu_slices_total),
    ),
    contention: column(str('Contention of its worst tenth of hosts, in words.'), ({ contention_state }) =>
      contentionWords(contention_state),
    ),
  },
})
