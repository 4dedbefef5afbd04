/** Switches, gateways, appliances, threats, segments and subnets. */
import {
  each,
  gbps,
  gigabytes,
  hours,
  mebibytes,
  overPorts,
  percent,
  states,
  thousandths,
} from './expected-family.ts'
import type { ExpectedFamilies, WorldJson } from './expected-family.ts'
import { placed, places } from './places.ts'

const works = ({ powered, inv_status: status }: { powered: boolean; inv_status: string }): boolean =>
  powered && status !== 'Failed'

const switches = ({ collections }: WorldJson) => collections.switches
const gateways = ({ collections }: WorldJson) => collections.gateways
const appliances = ({ collections }: WorldJson) => collections.appliances
const addons = (world: WorldJson) =>
  gateways(world).flatMap(({ id: gateway, security_addons: addons }) =>
    addons.map((addon) => ({ ...addon, gateway })),
  )
const firewalls = (world: WorldJson) =>
  gateways(world).map(({ id, builtin_firewall: firewall }) => Object.assign({ gateway: id }, firewall))
const gatewayThreats = (world: WorldJson) =>
  gateways(world).flatMap(({ id: gateway, threats }) => threats.map((threat) => ({ ...threat, gateway })))
const applianceThreats = (world: WorldJson) =>
  appliances(world).flatMap(({ id: appliance, threats }) =>
    threats.map((threat) => ({ ...threat, appliance })),
  )

export const expectedSwitches: ExpectedFamilies = {
  ...each(
    placed(switches),
    {
      ...places,
      switch: 'id',
      name: 'display_name_plain',
      az: 'az_id',
      rack: 'rack_id',
      role: 'role',
      sku: 'sku_name',
    },
    { dcsim_switch_info: () => 1 },
  ),
  ...each(
    switches,
    { switch: 'id', az: 'az_id', role: 'role' },
    {
      dcsim_switch_up: works,
      dcsim_switch_powered: 'powered',
      dcsim_switch_power_feeds_live: 'power_feeds',
      dcsim_switch_ports: 'port_count',
      dcsim_switch_fabric_capacity_bytes_per_second: ['fabric_capacity_gbps', gbps],
      dcsim_switch_fabric_load_bytes_per_second: ['fabric_load_gbps', gbps],
      dcsim_switch_fabric_saturated: 'fabric_saturated',
      dcsim_switch_saturated: 'saturated',
      dcsim_switch_broadcast_storm: 'broadcast_storm',
      dcsim_switch_receive_bytes_per_second: ['ingress_gbps', gbps],
      dcsim_switch_transmit_bytes_per_second: ['egress_gbps', gbps],
      dcsim_switch_receive_bytes_total: overPorts('bytes_ingress_total'),
      dcsim_switch_transmit_bytes_total: overPorts('bytes_egress_total'),
      dcsim_switch_errors_total: overPorts('error_count'),
      dcsim_switch_link_flaps_total: overPorts('link_flaps'),
      dcsim_switch_condition_ratio: ['condition_pct', percent],
      dcsim_switch_age_seconds: ['age_hours', hours],
      dcsim_switch_mtbf_seconds: ['mtbf_hours', hours],
      dcsim_switch_cost_monthly_dollars: 'monthly_opex_dollars',
    },
  ),
}

export const expectedGateways: ExpectedFamilies = {
  ...each(
    placed(gateways),
    {
      ...places,
      gateway: 'id',
      name: 'display_name_plain',
      az: 'az_id',
      rack: 'rack_id',
      sku: 'sku_name',
      form: 'form',
      wan_policy: 'wan_policy',
    },
    { dcsim_gateway_info: () => 1 },
  ),
  ...each(
    gateways,
    { gateway: 'id', az: 'az_id' },
    {
      dcsim_gateway_up: works,
      dcsim_gateway_powered: 'powered',
      dcsim_gateway_power_feeds_live: 'power_feeds',
      dcsim_gateway_ports_used: 'used_ports',
      dcsim_gateway_wan_ports: 'wan_port_count',
      dcsim_gateway_lan_ports: 'lan_port_count',
      dcsim_gateway_fabric_capacity_bytes_per_second: ['fabric_capacity_gbps', gbps],
      dcsim_gateway_fabric_load_bytes_per_second: ['fabric_load_gbps', gbps],
      dcsim_gateway_fabric_saturated: 'fabric_saturated',
      dcsim_gateway_forwarding_ceiling_bytes_per_second: ['forwarding_ceiling_gbps', gbps],
      dcsim_gateway_receive_bytes_per_second: ['ingress_gbps', gbps],
      dcsim_gateway_transmit_bytes_per_second: ['egress_gbps', gbps],
      dcsim_gateway_wan_receive_bytes_per_second: ['wan_ingress_gbps', gbps],
      dcsim_gateway_wan_transmit_bytes_per_second: ['wan_egress_gbps', gbps],
      dcsim_gateway_lan_receive_bytes_per_second: ['lan_ingress_gbps', gbps],
      dcsim_gateway_lan_transmit_bytes_per_second: ['lan_egress_gbps', gbps],
      dcsim_gateway_receive_bytes_total: overPorts('bytes_ingress_total'),
      dcsim_gateway_transmit_bytes_total: overPorts('bytes_egress_total'),
      dcsim_gateway_bgp_advertising: 'bgp_advertising',
      dcsim_gateway_firewall_enabled: 'builtin_firewall_enabled',
      dcsim_gateway_addon_throttled: 'addon_throttled',
      dcsim_gateway_addon_throttle_ratio: 'addon_throttle',
      dcsim_gateway_cost_monthly_dollars: 'monthly_opex_dollars',
    },
  ),
  ...each(
    addons,
    { gateway: 'gateway', addon: 'addon', class: 'class_label' },
    { dcsim_gateway_addon_enabled: 'enabled', dcsim_gateway_addon_owned: 'owned' },
  ),
}

export const expectedAppliances: ExpectedFamilies = {
  ...each(
    placed(appliances),
    {
      ...places,
      appliance: 'id',
      name: 'display_name_plain',
      az: 'az_id',
      rack: 'rack_id',
      kind: 'appliance_kind',
      sku: 'sku_name',
    },
    { dcsim_appliance_info: () => 1 },
  ),
  ...states('dcsim_appliance_inspection_state', appliances, { appliance: 'id' }, 'inspection_state', [
    'Off',
    'Idle',
    'Inspecting',
    'Saturated',
    'Bypassed',
  ]),
  ...each(
    appliances,
    { appliance: 'id', az: 'az_id', kind: 'appliance_kind' },
    {
      dcsim_appliance_up: works,
      dcsim_appliance_powered: 'powered',
      dcsim_appliance_power_feeds_live: 'power_feeds',
      dcsim_appliance_fabric_capacity_bytes_per_second: ['fabric_capacity_gbps', gbps],
      dcsim_appliance_fabric_load_bytes_per_second: ['fabric_load_gbps', gbps],
      dcsim_appliance_fabric_saturated: 'fabric_saturated',
      dcsim_appliance_forwarding_ceiling_bytes_per_second: ['forwarding_ceiling_gbps', gbps],
      dcsim_appliance_receive_bytes_per_second: ['ingress_gbps', gbps],
      dcsim_appliance_transmit_bytes_per_second: ['egress_gbps', gbps],
      dcsim_appliance_wan_receive_bytes_per_second: ['wan_ingress_gbps', gbps],
      dcsim_appliance_wan_transmit_bytes_per_second: ['wan_egress_gbps', gbps],
      dcsim_appliance_lan_receive_bytes_per_second: ['lan_ingress_gbps', gbps],
      dcsim_appliance_lan_transmit_bytes_per_second: ['lan_egress_gbps', gbps],
      dcsim_appliance_inspection_capacity_bytes_per_second: ['inspection_capacity_gbps', gbps],
      dcsim_appliance_inspection_load_bytes_per_second: ['inspection_load_gbps', gbps],
      dcsim_appliance_inspection_saturated: 'inspection_saturated',
      dcsim_appliance_inspection_enabled: 'inspection_enabled',
      dcsim_appliance_dropped_packets_per_second: 'dropped_per_sec',
      dcsim_appliance_security_events_per_second: 'events_per_sec',
      dcsim_appliance_scrubbed_bytes_per_second: ['scrubbed_gbps', gbps],
      dcsim_appliance_cost_monthly_dollars: 'monthly_opex_dollars',
    },
  ),
}

export const expectedThreats: ExpectedFamilies = {
  ...each(
    gatewayThreats,
    { gateway: 'gateway', class: 'class', unit: 'unit' },
    {
      dcsim_gateway_threat_reaching: 'reaching',
      dcsim_gateway_threat_mitigated: 'mitigated',
      dcsim_gateway_threat_residual: 'residual',
      dcsim_gateway_threat_capacity: 'capacity',
    },
  ),
  ...each(
    firewalls,
    { gateway: 'gateway', class: 'class_label', unit: 'unit' },
    {
      dcsim_gateway_firewall_reaching: 'reaching',
      dcsim_gateway_firewall_mitigated: 'mitigated',
      dcsim_gateway_firewall_residual: 'residual',
      dcsim_gateway_firewall_capacity: 'capacity',
      dcsim_gateway_firewall_dropped_packets_per_second: 'dropped_per_sec',
    },
  ),
  ...each(
    applianceThreats,
    { appliance: 'appliance', class: 'class', unit: 'unit' },
    {
      dcsim_appliance_threat_reaching: 'reaching',
      dcsim_appliance_threat_mitigated: 'mitigated',
      dcsim_appliance_threat_residual: 'residual',
      dcsim_appliance_threat_capacity: 'capacity',
    },
  ),
}

export const expectedSegments: ExpectedFamilies = {
  ...each(
    ({ collections }) => collections.segments,
    { segment: 'id', name: 'name', vni: 'vni', tier_rule: 'tier_rule' },
    { dcsim_segment_info: () => 1 },
  ),
  ...each(
    ({ collections }) => collections.segments,
    { segment: 'id' },
    {
      dcsim_segment_members: 'member_count',
      dcsim_segment_dedicated_hosts: 'dedicated_host_count',
      dcsim_segment_dedicated_cpu_vcpus: ['dedicated_total_vcpu_milli', thousandths],
      dcsim_segment_dedicated_cpu_free_vcpus: ['dedicated_free_vcpu_milli', thousandths],
      dcsim_segment_dedicated_memory_bytes: ['dedicated_total_mem_mb', mebibytes],
      dcsim_segment_dedicated_memory_free_bytes: ['dedicated_free_mem_mb', mebibytes],
      dcsim_segment_dedicated_disk_bytes: ['dedicated_total_disk_gb', gigabytes],
      dcsim_segment_dedicated_disk_free_bytes: ['dedicated_free_disk_gb', gigabytes],
    },
  ),
  ...each(
    ({ collections }) => collections.subnets,
    { subnet: 'id', segment: 'vrf_id', service: 'service' },
    { dcsim_subnet_members: 'member_count' },
  ),
}
