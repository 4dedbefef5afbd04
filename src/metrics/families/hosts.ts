import { HostSchema, HostPoolSchema } from '../../contract/records/hosts.ts'
import { contentionStates } from '../../contract/vocabularies.ts'
import { isKnown } from '../../contract/records/unknown.ts'
import { familiesOf, infoFamily, stateFamily } from '../declaration/family.ts'
import { rowPerRecord, rowPerState, relabel } from '../declaration/labeled-rows.ts'
import { placedRows, portTotals } from './places.ts'

const pools = rowPerRecord('pools', 'hostPools', { pool: (pool) => pool.id })
const pool = familiesOf(HostPoolSchema, pools)
const poolInfo = relabel(pools, {
  pool: (pool) => pool.id,
  name: (pool) => pool.name,
  arch: (pool) => pool.arch,
  accelerator: (pool) => pool.accelerator,
  dedicated: (pool) => pool.dedicated,
})

const hosts = rowPerRecord('hosts', 'hosts', {
  host: (host) => host.id,
  az: (host) => host.az_id,
  pool: (host) => host.pool_id,
})
const host = familiesOf(HostSchema, hosts)
const hostInfo = placedRows('hosts', 'hosts', {
  host: (host) => host.id,
  name: (host) => host.display_name_plain,
  az: (host) => host.az_id,
  rack: (host) => host.rack_id,
  pool: (host) => host.pool_id,
  sku: (host) => host.sku_name,
  arch: (host) => host.arch,
  accelerator: (host) => host.accelerator,
})

const hostContention = rowPerState('hosts', 'hosts', contentionStates, (host) => host.contention_state, {
  host: (host) => host.id,
  az: (host) => host.az_id,
  pool: (host) => host.pool_id,
})

export const poolFamilies = {
  dcsim_pool_info: infoFamily(poolInfo, 'Name and kind of a host pool.'),
  dcsim_pool_hosts: pool.gauge('host_count'),
  dcsim_pool_hosts_online: pool.gauge('hosts_online'),
  dcsim_pool_hosts_contended: pool.gauge('contended_host_count'),
  dcsim_pool_overcommit_ratio: pool.gaugeIn({ unit: 'ratio', factor: 1 }, 'overcommit_now'),
  dcsim_pool_cpu_physical_vcpus: pool.gauge('physical_vcpu'),
  dcsim_pool_cpu_used_vcpus: pool.gauge('used_millivcpu', 'CPU used by units now.'),
  dcsim_pool_cpu_free_vcpus: pool.gauge(
    'free_vcpu_milli',
    'CPU still to be allocated, with the overcommit allowed.',
  ),
  dcsim_pool_cpu_used_ratio: pool.gauge('cpu_used_pct'),
  dcsim_pool_memory_physical_bytes: pool.gauge('physical_mem_mb'),
  dcsim_pool_memory_free_bytes: pool.gauge('free_mem_mb'),
  dcsim_pool_memory_allocated_ratio: pool.gauge('mem_allocated_pct'),
  dcsim_pool_disk_physical_bytes: pool.gauge('physical_ssd_gb'),
  dcsim_pool_disk_free_bytes: pool.gauge('free_ssd_gb'),
  dcsim_pool_disk_allocated_ratio: pool.gauge('ssd_allocated_pct'),
  dcsim_pool_disk_operations_per_second: pool.gauge('iops_actual'),
  dcsim_pool_disk_capacity_operations_per_second: pool.gauge('iops_capacity'),
  dcsim_pool_gpu_slices: pool.gauge('vgpu_slices_total'),
  dcsim_pool_gpu_slices_used: pool.gauge('vgpu_slices_used'),
  dcsim_pool_units: pool.gauge('unit_count'),
  dcsim_pool_units_stranded: pool.gauge('stranded_unit_count'),
  dcsim_pool_cost_dollars_per_month: pool.gauge('monthly_cost_dollars'),
}

export const hostFamilies = {
  dcsim_host_info: infoFamily(hostInfo, 'Name, place and model of a host.'),
  dcsim_host_online: host.gauge('online'),
  dcsim_host_in_maintenance: host.derivedGauge({
    help: 'Whether it was taken out of service for work.',
    value: ({ inv_status: status }) => (isKnown(status) ? status === 'Maintenance' : null),
  }),
  dcsim_host_powered: host.gauge('powered'),
  dcsim_host_power_feeds_live: host.gauge('power_feeds'),
  dcsim_host_units: host.gauge('unit_count'),
  dcsim_host_units_stranded: host.gauge('stranded_unit_count'),
  dcsim_host_contention: stateFamily(
    hostContention,
    "How much its units get in each other's way: 1 for the state that holds.",
  ),
  dcsim_host_cpu_physical_vcpus: host.gauge('physical_vcpu'),
  dcsim_host_cpu_allocated_vcpus: host.gauge('allocated_millivcpu', 'CPU allocated to units.'),
  dcsim_host_cpu_used_vcpus: host.gauge('used_millivcpu', 'CPU used by units now.'),
  dcsim_host_memory_physical_bytes: host.gauge('physical_mem_mb'),
  dcsim_host_memory_free_bytes: host.gauge('free_mem_mb'),
  dcsim_host_memory_requested_ratio: host.gauge('mem_requested_pct'),
  dcsim_host_disk_used_ratio: host.gauge('ssd_used_pct'),
  dcsim_host_disk_operations_per_second: host.gauge('iops_actual'),
  dcsim_host_disk_capacity_operations_per_second: host.gauge('iops_capacity'),
  dcsim_host_gpu_slices: host.gauge('vgpu_slices_total'),
  dcsim_host_gpu_slices_used: host.gauge('vgpu_slices_used'),
  dcsim_host_receive_bytes_per_second: host.gauge('ingress_gbps'),
  dcsim_host_transmit_bytes_per_second: host.gauge('egress_gbps'),
  ...portTotals('dcsim_host', host),
  dcsim_host_condition_ratio: host.gauge('condition_pct', 'Condition: 1 new, 0 worn out.'),
  dcsim_host_disk_wear_ratio: host.gauge('wear_factor'),
}
