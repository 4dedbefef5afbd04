/** Zones, racks, pools, hosts. */
import {
  each,
  gbps,
  gigabytes,
  hours,
  kilowatts,
  mebibytes,
  overPorts,
  percent,
  states,
  thousandths,
} from './expected-family.ts'
import { placed, places } from './places.ts'
import type { ExpectedFamilies, WorldJson } from './expected-family.ts'

const zones = ({ collections }: WorldJson) => collections.azs
const pools = ({ collections }: WorldJson) => collections.hostPools
const hosts = ({ collections }: WorldJson) => collections.hosts
const feeds = (world: WorldJson) =>
  zones(world).flatMap(({ id: az, power_feeds: feeds }) => feeds.map((feed) => ({ ...feed, az })))
const coolingUnits = (world: WorldJson) =>
  zones(world).flatMap(({ id: az, cooling_units: units }) => units.map((unit) => ({ ...unit, az })))
const racks = (world: WorldJson) =>
  zones(world).flatMap(({ id: az, display_name: zone, racks }) =>
    racks.map((rack) => Object.assign({}, rack, { az, zone, place: `${zone}, ${rack['name']}` })),
  )

const contention = ['None', 'Light', 'Contended', 'Starved']

export const expectedZones: ExpectedFamilies = {
  ...each(
    zones,
    { az: 'id', name: 'name', display_name: 'display_name', region: 'region_name' },
    { dcsim_az_info: () => 1 },
  ),
  ...states('dcsim_az_status', zones, { az: 'id' }, 'status', ['Healthy', 'Degraded', 'Impaired', 'Down']),
  ...states('dcsim_az_cooling_status', zones, { az: 'id' }, 'cooling_state', [
    'Normal',
    'Strained',
    'Overheating',
    'Failed',
  ]),
  ...each(
    zones,
    { az: 'id' },
    {
      dcsim_az_health_ratio: 'health',
      dcsim_az_power_capacity_watts: ['power_capacity_kw', kilowatts],
      dcsim_az_power_draw_watts: ['power_draw_kw', kilowatts],
      dcsim_az_power_redundant: 'power_redundant',
      dcsim_az_power_usage_effectiveness: 'pue',
      dcsim_az_cooling_capacity_watts: ['cooling_capacity_kw', kilowatts],
      dcsim_az_cooling_load_watts: ['cooling_load_kw', kilowatts],
      dcsim_az_inlet_celsius: 'inlet_celsius',
      dcsim_az_racks: 'rack_count',
      dcsim_az_hosts: 'host_count',
      dcsim_az_hosts_online: 'hosts_online',
      dcsim_az_switches: 'switch_count',
      dcsim_az_gateways: 'gateway_count',
      dcsim_az_appliances: 'appliance_count',
      dcsim_az_patch_panels: 'patch_panel_count',
      dcsim_az_customers: 'customer_count',
      dcsim_az_units: 'unit_count',
      dcsim_az_units_stranded: 'stranded_unit_count',
      dcsim_az_cpu_physical_vcpus: 'physical_vcpu',
      dcsim_az_cpu_allocated_vcpus: ['allocated_millivcpu', thousandths],
      dcsim_az_cpu_used_vcpus: ['used_millivcpu', thousandths],
      dcsim_az_cpu_free_vcpus: ['free_vcpu_milli', thousandths],
      dcsim_az_memory_physical_bytes: ['physical_mem_mb', mebibytes],
      dcsim_az_memory_free_bytes: ['free_mem_mb', mebibytes],
      dcsim_az_disk_physical_bytes: ['physical_ssd_gb', gigabytes],
      dcsim_az_disk_free_bytes: ['free_ssd_gb', gigabytes],
      dcsim_az_gpu_slices: 'vgpu_slices_total',
      dcsim_az_gpu_slices_used: 'vgpu_slices_used',
      dcsim_az_wan_receive_bytes_per_second: ['wan_ingress_gbps', gbps],
      dcsim_az_wan_transmit_bytes_per_second: ['wan_egress_gbps', gbps],
      dcsim_az_wan_capacity_bytes_per_second: ['wan_capacity_gbps', gbps],
      dcsim_az_east_west_bytes_per_second: ['east_west_gbps', gbps],
      dcsim_az_dropped_bytes_per_second: ['dropped_gbps', gbps],
      dcsim_az_bgp_advertising: 'bgp_advertising',
      dcsim_az_incidents_active: 'active_incident_count',
      dcsim_az_cost_monthly_dollars: 'monthly_cost_dollars',
    },
  ),
  ...each(
    feeds,
    { az: 'az', feed: 'feed' },
    {
      dcsim_az_power_feed_up: 'powered',
      dcsim_az_power_feed_capacity_watts: ['capacity_kw', kilowatts],
      dcsim_az_power_feed_load_watts: ['load_kw', kilowatts],
    },
  ),
  ...each(
    coolingUnits,
    { az: 'az', unit: 'id', name: 'name' },
    {
      dcsim_az_cooling_unit_up: 'working',
      dcsim_az_cooling_unit_capacity_watts: ['capacity_kw', kilowatts],
      dcsim_az_cooling_unit_load_watts: ['load_kw', kilowatts],
      dcsim_az_cooling_unit_condition_ratio: ['condition_pct', percent],
    },
  ),
}

export const expectedRacks: ExpectedFamilies = {
  ...each(
    racks,
    { rack: 'id', az: 'az', name: 'name', zone: 'zone', place: 'place' },
    { dcsim_rack_info: () => 1 },
  ),
  ...each(
    racks,
    { rack: 'id', az: 'az' },
    {
      dcsim_rack_units: 'u_size',
      dcsim_rack_units_used: 'used_u',
      dcsim_rack_hosts: 'host_count',
      dcsim_rack_hosts_online: 'hosts_online',
      dcsim_rack_power_feeds_live: 'power_feeds',
      dcsim_rack_power_capacity_watts: ['power_capacity_kw', kilowatts],
      dcsim_rack_power_draw_watts: ['power_draw_kw', kilowatts],
      dcsim_rack_inlet_celsius: 'inlet_celsius',
    },
  ),
}

export const expectedPools: ExpectedFamilies = {
  ...each(
    pools,
    { pool: 'id', name: 'name', arch: 'arch', accelerator: 'accelerator', dedicated: 'dedicated' },
    { dcsim_pool_info: () => 1 },
  ),
  ...states('dcsim_pool_contention', pools, { pool: 'id' }, 'contention_state', contention),
  ...each(
    pools,
    { pool: 'id' },
    {
      dcsim_pool_hosts: 'host_count',
      dcsim_pool_hosts_online: 'hosts_online',
      dcsim_pool_hosts_contended: 'contended_host_count',
      dcsim_pool_overcommit_target_ratio: 'overcommit_target',
      dcsim_pool_overcommit_max_ratio: 'overcommit_max',
      dcsim_pool_overcommit_ratio: 'overcommit_now',
      dcsim_pool_cpu_physical_vcpus: 'physical_vcpu',
      dcsim_pool_cpu_allocated_vcpus: ['allocated_millivcpu', thousandths],
      dcsim_pool_cpu_used_vcpus: ['used_millivcpu', thousandths],
      dcsim_pool_cpu_free_vcpus: ['free_vcpu_milli', thousandths],
      dcsim_pool_cpu_used_ratio: ['cpu_used_pct', percent],
      dcsim_pool_memory_physical_bytes: ['physical_mem_mb', mebibytes],
      dcsim_pool_memory_free_bytes: ['free_mem_mb', mebibytes],
      dcsim_pool_memory_allocated_ratio: ['mem_allocated_pct', percent],
      dcsim_pool_disk_physical_bytes: ['physical_ssd_gb', gigabytes],
      dcsim_pool_disk_free_bytes: ['free_ssd_gb', gigabytes],
      dcsim_pool_disk_allocated_ratio: ['ssd_allocated_pct', percent],
      dcsim_pool_disk_operations_per_second: 'iops_actual',
      dcsim_pool_disk_capacity_operations_per_second: 'iops_capacity',
      dcsim_pool_gpu_slices: 'vgpu_slices_total',
      dcsim_pool_gpu_slices_used: 'vgpu_slices_used',
      dcsim_pool_units: 'unit_count',
      dcsim_pool_units_stranded: 'stranded_unit_count',
      dcsim_pool_customers: 'customer_count',
      dcsim_pool_cost_monthly_dollars: 'monthly_cost_dollars',
    },
  ),
}

export const expectedHosts: ExpectedFamilies = {
  ...each(
    placed(hosts),
    {
      ...places,
      host: 'id',
      name: 'display_name_plain',
      az: 'az_id',
      rack: 'rack_id',
      pool: 'pool_id',
      sku: 'sku_name',
      arch: 'arch',
      accelerator: 'accelerator',
    },
    { dcsim_host_info: () => 1 },
  ),
  ...each(
    hosts,
    { host: 'id', az: 'az_id', pool: 'pool_id' },
    {
      dcsim_host_online: 'online',
      dcsim_host_in_maintenance: ({ inv_status: status }) => status === 'Maintenance',
      dcsim_host_powered: 'powered',
      dcsim_host_power_feeds_live: 'power_feeds',
      dcsim_host_units: 'unit_count',
      dcsim_host_units_stranded: 'stranded_unit_count',
      dcsim_host_contention_level: ({ contention_state: state }) => contention.indexOf(state),
      dcsim_host_cpu_physical_vcpus: 'physical_vcpu',
      dcsim_host_cpu_allocated_vcpus: ['allocated_millivcpu', thousandths],
      dcsim_host_cpu_used_vcpus: ['used_millivcpu', thousandths],
      dcsim_host_cpu_free_vcpus: ['free_vcpu_milli', thousandths],
      dcsim_host_cpu_requested_ratio: ['cpu_requested_pct', percent],
      dcsim_host_memory_physical_bytes: ['physical_mem_mb', mebibytes],
      dcsim_host_memory_free_bytes: ['free_mem_mb', mebibytes],
      dcsim_host_memory_requested_ratio: ['mem_requested_pct', percent],
      dcsim_host_disk_physical_bytes: ['physical_ssd_gb', gigabytes],
      dcsim_host_disk_free_bytes: ['free_ssd_gb', gigabytes],
      dcsim_host_disk_used_ratio: ['ssd_used_pct', percent],
      dcsim_host_disk_operations_per_second: 'iops_actual',
      dcsim_host_disk_capacity_operations_per_second: 'iops_capacity',
      dcsim_host_gpu_slices: 'vgpu_slices_total',
      dcsim_host_gpu_slices_used: 'vgpu_slices_used',
      dcsim_host_gpu_memory_bytes: ['gpu_mem_mb_total', mebibytes],
      dcsim_host_gpu_memory_used_bytes: ['gpu_mem_mb_used', mebibytes],
      dcsim_host_receive_bytes_per_second: ['ingress_gbps', gbps],
      dcsim_host_transmit_bytes_per_second: ['egress_gbps', gbps],
      dcsim_host_receive_bytes_total: overPorts('bytes_ingress_total'),
      dcsim_host_transmit_bytes_total: overPorts('bytes_egress_total'),
    },
  ),
  ...each(
    hosts,
    { host: 'id', az: 'az_id' },
    {
      dcsim_host_age_seconds: ['age_hours', hours],
      dcsim_host_power_on_seconds: ['power_on_hours', hours],
      dcsim_host_condition_ratio: ['condition_pct', percent],
      dcsim_host_mtbf_seconds: ['mtbf_hours', hours],
      dcsim_host_disk_wear_ratio: 'wear_factor',
      dcsim_host_resale_dollars: 'resale_dollars',
      dcsim_host_cost_direct_monthly_dollars: 'monthly_cost_direct_dollars',
      dcsim_host_cost_facility_monthly_dollars: 'monthly_cost_facility_dollars',
      dcsim_host_overcommit_target_ratio: 'overcommit_target',
      dcsim_host_overcommit_max_ratio: 'overcommit_max',
      dcsim_host_nic_modules: 'nic_modules_installed',
      dcsim_host_nic_module_slots: 'nic_module_slots',
    },
  ),
}
