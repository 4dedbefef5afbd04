import type { SwitchRecord } from '../../contract/collections.ts'
import {
  ApplianceSchema,
  GatewaySchema,
  SecurityAddonSchema,
  SegmentSchema,
  SwitchSchema,
} from '../../contract/records/network.ts'
import { familiesOf, infoFamily } from '../declaration/family.ts'
import { rowPerPart, rowPerRecord, relabel } from '../declaration/labeled-rows.ts'
import { placedRows, portTotals } from './places.ts'
import { packetsPerSecond } from './threats.ts'

/** Whether a device itself works, regardless of its ports and links. */
const works = ({ powered, inv_status: status }: Pick<SwitchRecord, 'powered' | 'inv_status'>): boolean =>
  status === 'Failed' ? false : powered
const up = { help: 'Whether it works: it has power and has not failed.', value: works }

const switches = rowPerRecord('switches', 'switches', {
  switch: (device) => device.id,
  az: (device) => device.az_id,
  role: (device) => device.role,
})
const switching = familiesOf(SwitchSchema, switches)
const switchInfo = placedRows('switches', 'switches', {
  switch: (device) => device.id,
  name: (device) => device.display_name_plain,
  az: (device) => device.az_id,
  rack: (device) => device.rack_id,
  role: (device) => device.role,
  sku: (device) => device.sku_name,
})

const gateways = rowPerRecord('gateways', 'gateways', {
  gateway: (device) => device.id,
  az: (device) => device.az_id,
})
const gateway = familiesOf(GatewaySchema, gateways)
const gatewayInfo = placedRows('gateways', 'gateways', {
  gateway: (device) => device.id,
  name: (device) => device.display_name_plain,
  az: (device) => device.az_id,
  rack: (device) => device.rack_id,
  sku: (device) => device.sku_name,
  form: (device) => device.form,
  wan_policy: (device) => device.wan_policy,
})
const addon = familiesOf(
  SecurityAddonSchema,
  rowPerPart('gateways', 'gateways', (device) => device.security_addons, {
    gateway: (_, device) => device.id,
    addon: (addon) => addon.addon,
    class: (addon) => addon.class_label,
  }),
)

const appliances = rowPerRecord('appliances', 'appliances', {
  appliance: (device) => device.id,
  az: (device) => device.az_id,
  kind: (device) => device.appliance_kind,
})
const appliance = familiesOf(ApplianceSchema, appliances)
const applianceInfo = placedRows('appliances', 'appliances', {
  appliance: (device) => device.id,
  name: (device) => device.display_name_plain,
  az: (device) => device.az_id,
  rack: (device) => device.rack_id,
  kind: (device) => device.appliance_kind,
  sku: (device) => device.sku_name,
})

const segments = rowPerRecord('segments', 'segments', { segment: (segment) => segment.id })
const segment = familiesOf(SegmentSchema, segments)
const segmentInfo = relabel(segments, {
  segment: (segment) => segment.id,
  name: (segment) => segment.name,
  vni: (segment) => segment.vni,
  tier_rule: (segment) => segment.tier_rule,
})

export const switchFamilies = {
  dcsim_switch_info: infoFamily(switchInfo, 'Name, place and model of a switch.'),
  dcsim_switch_up: switching.derivedGauge(up),
  dcsim_switch_powered: switching.gauge('powered'),
  dcsim_switch_power_feeds_live: switching.gauge('power_feeds'),
  dcsim_switch_fabric_capacity_bytes_per_second: switching.gauge('fabric_capacity_gbps'),
  dcsim_switch_fabric_load_bytes_per_second: switching.gauge('fabric_load_gbps'),
  dcsim_switch_fabric_saturated: switching.gauge('fabric_saturated'),
  dcsim_switch_saturated: switching.gauge('saturated'),
  dcsim_switch_broadcast_storm: switching.gauge('broadcast_storm'),
  dcsim_switch_receive_bytes_per_second: switching.gauge('ingress_gbps'),
  dcsim_switch_transmit_bytes_per_second: switching.gauge('egress_gbps'),
  ...portTotals('dcsim_switch', switching),
  dcsim_switch_errors_total: switching.sumCounter(
    'ports',
    'error_count',
    'Frames lost to errors on all ports since it was installed.',
  ),
  dcsim_switch_link_flaps_total: switching.sumCounter(
    'ports',
    'link_flaps',
    'How often a link of it went down and came back.',
  ),
  dcsim_switch_condition_ratio: switching.gauge('condition_pct', 'Condition: 1 new, 0 worn out.'),
  dcsim_switch_cost_dollars_per_month: switching.gauge('monthly_opex_dollars'),
}

export const gatewayFamilies = {
  dcsim_gateway_info: infoFamily(gatewayInfo, 'Name, place and model of a gateway.'),
  dcsim_gateway_up: gateway.derivedGauge(up),
  dcsim_gateway_powered: gateway.gauge('powered'),
  dcsim_gateway_power_feeds_live: gateway.gauge('power_feeds'),
  dcsim_gateway_fabric_capacity_bytes_per_second: gateway.gauge('fabric_capacity_gbps'),
  dcsim_gateway_fabric_load_bytes_per_second: gateway.gauge('fabric_load_gbps'),
  dcsim_gateway_fabric_saturated: gateway.gauge('fabric_saturated'),
  dcsim_gateway_forwarding_ceiling_bytes_per_second: gateway.gauge('forwarding_ceiling_gbps'),
  dcsim_gateway_receive_bytes_per_second: gateway.gauge('ingress_gbps'),
  dcsim_gateway_transmit_bytes_per_second: gateway.gauge('egress_gbps'),
  dcsim_gateway_wan_receive_bytes_per_second: gateway.gauge('wan_ingress_gbps'),
  dcsim_gateway_wan_transmit_bytes_per_second: gateway.gauge('wan_egress_gbps'),
  ...portTotals('dcsim_gateway', gateway),
  dcsim_gateway_bgp_advertising: gateway.gauge('bgp_advertising'),
  dcsim_gateway_firewall_enabled: gateway.gauge('builtin_firewall_enabled'),
  dcsim_gateway_addon_throttled: gateway.gauge('addon_throttled'),
  dcsim_gateway_addon_throttle_ratio: gateway.gauge('addon_throttle'),
  dcsim_gateway_addon_enabled: addon.gauge('enabled'),
  dcsim_gateway_addon_owned: addon.gauge('owned'),
  dcsim_gateway_cost_dollars_per_month: gateway.gauge('monthly_opex_dollars'),
}

export const applianceFamilies = {
  dcsim_appliance_info: infoFamily(applianceInfo, 'Name, place and model of a network appliance.'),
  dcsim_appliance_up: appliance.derivedGauge(up),
  dcsim_appliance_powered: appliance.gauge('powered'),
  dcsim_appliance_power_feeds_live: appliance.gauge('power_feeds'),
  dcsim_appliance_fabric_capacity_bytes_per_second: appliance.gauge('fabric_capacity_gbps'),
  dcsim_appliance_fabric_load_bytes_per_second: appliance.gauge('fabric_load_gbps'),
  dcsim_appliance_receive_bytes_per_second: appliance.gauge('ingress_gbps'),
  dcsim_appliance_transmit_bytes_per_second: appliance.gauge('egress_gbps'),
  dcsim_appliance_inspection_capacity_bytes_per_second: appliance.gauge('inspection_capacity_gbps'),
  dcsim_appliance_inspection_load_bytes_per_second: appliance.gauge('inspection_load_gbps'),
  dcsim_appliance_inspection_saturated: appliance.gauge('inspection_saturated'),
  dcsim_appliance_inspection_enabled: appliance.gauge('inspection_enabled'),
  dcsim_appliance_dropped_packets_per_second: appliance.gaugeIn(packetsPerSecond, 'dropped_per_sec'),
  dcsim_appliance_security_events_per_second: appliance.gaugeIn(
    { unit: 'events_per_second', factor: 1 },
    'events_per_sec',
  ),
  dcsim_appliance_scrubbed_bytes_per_second: appliance.gauge('scrubbed_gbps'),
  dcsim_appliance_cost_dollars_per_month: appliance.gauge('monthly_opex_dollars'),
}

export const segmentFamilies = {
  dcsim_segment_info: infoFamily(segmentInfo, 'Name and rule of a segment.'),
  dcsim_segment_members: segment.gauge('member_count'),
  dcsim_segment_dedicated_hosts: segment.gauge('dedicated_host_count'),
  dcsim_segment_dedicated_cpu_vcpus: segment.gauge('dedicated_total_vcpu_milli', 'CPU of reserved hosts.'),
  dcsim_segment_dedicated_cpu_free_vcpus: segment.gauge(
    'dedicated_free_vcpu_milli',
    'Free CPU of reserved hosts.',
  ),
  dcsim_segment_dedicated_memory_bytes: segment.gauge('dedicated_total_mem_mb', 'Memory of reserved hosts.'),
  dcsim_segment_dedicated_memory_free_bytes: segment.gauge(
    'dedicated_free_mem_mb',
    'Free memory of reserved hosts.',
  ),
  dcsim_segment_dedicated_disk_bytes: segment.gauge('dedicated_total_disk_gb', 'Disk of reserved hosts.'),
  dcsim_segment_dedicated_disk_free_bytes: segment.gauge(
    'dedicated_free_disk_gb',
    'Free disk of reserved hosts.',
  ),
}
