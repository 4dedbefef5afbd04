import { nameOfZone } from '../../words/places.ts'
import {
  CoolingUnitSchema,
  PowerFeedSchema,
  RackSchema,
  ZoneSchema,
} from '../../contract/records/facility.ts'
import { isKnown } from '../../contract/records/unknown.ts'
import { coolingStates, zoneStatuses } from '../../contract/vocabularies.ts'
import { familiesOf, infoFamily, stateFamily } from '../declaration/family.ts'
import { rowPerPart, rowPerRecord, rowPerState, relabel } from '../declaration/labeled-rows.ts'

const az = rowPerRecord('azs', 'azs', { az: (zone) => zone.id })
const zone = familiesOf(ZoneSchema, az)
const zoneInfo = relabel(az, {
  az: (zone) => zone.id,
  name: (zone) => zone.name,
  display_name: (zone) => zone.display_name,
  region: (zone) => zone.region_name,
})
const status = rowPerState('azs', 'azs', zoneStatuses, (zone) => zone.status, { az: (zone) => zone.id })
const cooling = rowPerState('azs', 'azs', coolingStates, (zone) => zone.cooling_state, {
  az: (zone) => zone.id,
})
const feed = familiesOf(
  PowerFeedSchema,
  rowPerPart('azs', 'azs', (zone) => zone.power_feeds, {
    az: (_, zone) => zone.id,
    feed: (feed) => (isKnown(feed.feed) ? feed.feed : feed.id),
  }),
)
const unit = familiesOf(
  CoolingUnitSchema,
  rowPerPart('azs', 'azs', (zone) => zone.cooling_units, {
    az: (_, zone) => zone.id,
    unit: (unit) => unit.id,
    name: (unit) => unit.name,
  }),
)
const racks = rowPerPart('racks', 'azs', (zone) => zone.racks, {
  rack: (rack) => rack.id,
  az: (_, zone) => zone.id,
})
const rack = familiesOf(RackSchema, racks)
const rackInfo = relabel(racks, {
  rack: (rack) => rack.id,
  az: (_, zone) => zone.id,
  name: (rack) => rack.name,
  zone: (_, zone) => nameOfZone(zone),
  place: (rack, zone) => `${nameOfZone(zone)}, ${rack.name}`,
})

export const azFamilies = {
  dcsim_az_info: infoFamily(zoneInfo, 'Names of an availability zone.'),
  dcsim_az_status: stateFamily(status, 'How the zone is doing: 1 for the state that it is in.'),
  dcsim_az_health_ratio: zone.gauge('health'),
  dcsim_az_power_capacity_watts: zone.gauge('power_capacity_kw'),
  dcsim_az_power_draw_watts: zone.gauge('power_draw_kw'),
  dcsim_az_power_redundant: zone.gauge('power_redundant'),
  dcsim_az_power_usage_effectiveness_ratio: zone.gaugeIn({ unit: 'ratio', factor: 1 }, 'pue'),
  dcsim_az_cooling_status: stateFamily(cooling, 'How cooling copes: 1 for the state that it is in.'),
  dcsim_az_cooling_capacity_watts: zone.gauge('cooling_capacity_kw'),
  dcsim_az_cooling_load_watts: zone.gauge('cooling_load_kw'),
  dcsim_az_inlet_celsius: zone.gauge('inlet_celsius'),
  dcsim_az_racks: zone.gauge('rack_count'),
  dcsim_az_hosts: zone.gauge('host_count'),
  dcsim_az_hosts_online: zone.gauge('hosts_online'),
  dcsim_az_switches: zone.gauge('switch_count'),
  dcsim_az_gateways: zone.gauge('gateway_count'),
  dcsim_az_appliances: zone.gauge('appliance_count'),
  dcsim_az_patch_panels: zone.gauge('patch_panel_count'),
  dcsim_az_customers: zone.gauge('customer_count'),
  dcsim_az_units: zone.gauge('unit_count'),
  dcsim_az_units_stranded: zone.gauge('stranded_unit_count'),
  dcsim_az_cpu_physical_vcpus: zone.gauge('physical_vcpu'),
  dcsim_az_cpu_allocated_vcpus: zone.gauge('allocated_millivcpu', 'CPU allocated to units.'),
  dcsim_az_cpu_used_vcpus: zone.gauge('used_millivcpu', 'CPU used by units now.'),
  dcsim_az_cpu_free_vcpus: zone.gauge(
    'free_vcpu_milli',
    'CPU still to be allocated, with the overcommit allowed.',
  ),
  dcsim_az_memory_physical_bytes: zone.gauge('physical_mem_mb'),
  dcsim_az_memory_free_bytes: zone.gauge('free_mem_mb'),
  dcsim_az_disk_physical_bytes: zone.gauge('physical_ssd_gb'),
  dcsim_az_disk_free_bytes: zone.gauge('free_ssd_gb'),
  dcsim_az_gpu_slices: zone.gauge('vgpu_slices_total'),
  dcsim_az_gpu_slices_used: zone.gauge('vgpu_slices_used'),
  dcsim_az_wan_receive_bytes_per_second: zone.gauge('wan_ingress_gbps'),
  dcsim_az_wan_transmit_bytes_per_second: zone.gauge('wan_egress_gbps'),
  dcsim_az_wan_capacity_bytes_per_second: zone.gauge('wan_capacity_gbps'),
  dcsim_az_east_west_bytes_per_second: zone.gauge('east_west_gbps'),
  dcsim_az_dropped_bytes_per_second: zone.gauge('dropped_gbps'),
  dcsim_az_bgp_advertising: zone.gauge('bgp_advertising'),
  dcsim_az_incidents_active: zone.gauge('active_incident_count'),
  dcsim_az_cost_dollars_per_month: zone.gauge('monthly_cost_dollars'),
  dcsim_az_power_feed_up: feed.gauge('powered'),
  dcsim_az_power_feed_capacity_watts: feed.gauge('capacity_kw'),
  dcsim_az_power_feed_load_watts: feed.gauge('load_kw'),
  dcsim_az_cooling_unit_up: unit.gauge('working'),
  dcsim_az_cooling_unit_capacity_watts: unit.gauge('capacity_kw'),
  dcsim_az_cooling_unit_load_watts: unit.gauge('load_kw'),
  dcsim_az_cooling_unit_condition_ratio: unit.gauge('condition_pct', 'Condition: 1 new, 0 worn out.'),
}

export const rackFamilies = {
  dcsim_rack_info: infoFamily(rackInfo, 'Name of a rack, alone and with its zone.'),
  dcsim_rack_units: rack.gauge('u_size', 'Height in rack units.'),
  dcsim_rack_units_used: rack.gauge('used_u'),
  dcsim_rack_hosts: rack.gauge('host_count'),
  dcsim_rack_hosts_online: rack.gauge('hosts_online'),
  dcsim_rack_power_feeds_live: rack.gauge('power_feeds'),
  dcsim_rack_power_capacity_watts: rack.gauge('power_capacity_kw'),
  dcsim_rack_power_draw_watts: rack.gauge('power_draw_kw'),
  dcsim_rack_inlet_celsius: rack.gauge('inlet_celsius'),
}
