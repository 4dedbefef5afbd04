import type { AlertCase } from '../alert-case.ts'

const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
const gatewayInfo = {
  'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",sku="Portcullis G20",form="Rack1U",wan_policy="ActiveActive"}':
    '1x60',
}
const switchInfo = {
  'dcsim_switch_info{switch="9",name="whm-b-core1",az="2",rack="4",role="core",sku="Lattice C9"}': '1x60',
}
const linkInfo = { 'dcsim_link_info{link="31",kind="Fiber",a="Switch/1",b="Switch/13"}': '1x60' }

const ofZone = { az: '2', display_name: 'Westholm B' }
const ofSwitch = { switch: '9', az: '2', role: 'core', name: 'whm-b-core1' }
const ofLink = { severity: 'warning', link: '31', kind: 'Fiber', a: 'Switch/1', b: 'Switch/13' }
const opensZone = '/d/dcsim-network?var-session=s&var-instance=a&var-zone=2'
const opensAll = '/d/dcsim-network?var-session=s&var-instance=a'
const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '6m15s' } as const
const soon = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const

export const networkCases = {
  DcsimZoneAnnouncesNoRoutes: {
    ...atOnce,
    series: { ...zoneInfo, 'dcsim_az_bgp_advertising{az="2"}': '1x3 0x20 1x9' },
    labels: { ...ofZone, severity: 'critical' },
    description:
      'No gateway of zone Westholm B announces routes: its users come in over other zones, if at all.',
    opens: opensZone,
  },
  DcsimGatewayAnnouncesNoRoutes: {
    ...atOnce,
    series: { ...gatewayInfo, 'dcsim_gateway_bgp_advertising{gateway="2",az="2"}': '1x3 0x20 1x9' },
    labels: { severity: 'warning', gateway: '2', az: '2', name: 'whm-b-gw1' },
    description: 'Gateway whm-b-gw1 in zone 2 announces no routes, so that no traffic comes in over it.',
    opens: opensZone,
  },
  DcsimBroadcastStorm: {
    ...atOnce,
    series: { ...switchInfo, 'dcsim_switch_broadcast_storm{switch="9",az="2",role="core"}': '0x3 1x20 0x9' },
    labels: { ...ofSwitch, severity: 'critical' },
    description:
      'A broadcast storm runs through the core switch whm-b-core1 in zone 2 and drowns its traffic.',
    opens: opensZone,
  },
  DcsimZoneDropsTraffic: {
    ...soon,
    series: {
      ...zoneInfo,
      'dcsim_az_wan_receive_bytes_per_second{az="2"}': '4e8x60',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': '6e8x60',
      'dcsim_az_dropped_bytes_per_second{az="2"}': '1e6x3 2e7x20 0x9',
    },
    labels: { ...ofZone, severity: 'warning' },
    description:
      'In zone Westholm B, 2% of the traffic with the outside is dropped. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimZoneWanFull: {
    ...soon,
    series: {
      ...zoneInfo,
      'dcsim_az_wan_capacity_bytes_per_second{az="2"}': '1e9x60',
      'dcsim_az_wan_receive_bytes_per_second{az="2"}': '4e8x60',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': '9e8x3 9.5e8x20 6e8x9',
    },
    labels: { ...ofZone, severity: 'warning' },
    description:
      'The WAN links of zone Westholm B carry 95% of what they can. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimLinkDown: {
    ...soon,
    series: { ...linkInfo, 'dcsim_link_up{link="31",kind="Fiber"}': '1x3 0x20 1x9' },
    labels: ofLink,
    description:
      'The Fiber link 31 between Switch/1 and Switch/13 is down. It has been so for 20s of real time or longer.',
    opens: opensAll,
  },
  DcsimLinkFull: {
    ...soon,
    series: {
      ...linkInfo,
      'dcsim_link_capacity_bytes_per_second{link="31",kind="Fiber"}': '1e9x60',
      'dcsim_link_forward_bytes_per_second{link="31",kind="Fiber"}': '1e8x60',
      'dcsim_link_reverse_bytes_per_second{link="31",kind="Fiber"}': '9e8x3 9.7e8x20 6e8x9',
    },
    labels: ofLink,
    description:
      'The Fiber link 31 between Switch/1 and Switch/13 carries 97% of what it can. It has been so for 20s of real time or longer.',
    opens: opensAll,
  },
  DcsimSwitchFabricFull: {
    ...soon,
    series: {
      ...switchInfo,
      'dcsim_switch_fabric_capacity_bytes_per_second{switch="9",az="2",role="core"}': '1e9x60',
      'dcsim_switch_fabric_load_bytes_per_second{switch="9",az="2",role="core"}': '8e8x3 8.5e8x20 6e8x9',
    },
    labels: { ...ofSwitch, severity: 'warning' },
    description:
      'The fabric of core switch whm-b-core1 in zone 2 carries 85% of its rating and hardly more. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimSwitchLosesFrames: {
    series: {
      ...switchInfo,
      // 900 seconds of the game go by between two samples: two frames a second from the ninth on.
      'dcsim_switch_errors_total{switch="9",az="2",role="core"}': '0x7 1800+1800x20 37800x40',
    },
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '8m15s',
    labels: { ...ofSwitch, severity: 'warning' },
    description: 'Switch whm-b-core1 in zone 2 loses 1.2 frames a second of game time to errors.',
    opens: opensZone,
  },
  DcsimSwitchLinksFlap: {
    series: {
      ...switchInfo,
      'dcsim_switch_link_flaps_total{switch="9",az="2",role="core"}': '0x7 1+1x20 21x40',
    },
    silentAt: '3m15s',
    firesAt: '3m30s',
    resolvedAt: '8m',
    labels: { ...ofSwitch, severity: 'info' },
    description: 'Links of switch whm-b-core1 in zone 2 flap 3.5 times an hour of game time.',
    opens: opensZone,
  },
  DcsimInspectionFull: {
    ...soon,
    series: {
      'dcsim_appliance_info{appliance="4",name="whm-b-ips1",az="2",kind="IntrusionPrevention",sku="Bastion I10"}':
        '1x60',
      'dcsim_appliance_inspection_capacity_bytes_per_second{appliance="4",az="2",kind="IntrusionPrevention"}':
        '1e9x60',
      'dcsim_appliance_inspection_load_bytes_per_second{appliance="4",az="2",kind="IntrusionPrevention"}':
        '8e8x3 8.5e8x20 6e8x9',
    },
    labels: {
      severity: 'warning',
      appliance: '4',
      az: '2',
      kind: 'IntrusionPrevention',
      name: 'whm-b-ips1',
    },
    description:
      'The IntrusionPrevention whm-b-ips1 in zone 2 inspects 85% of what it can; the rest waits or is dropped. It has been so for 20s of real time or longer.',
    opens: '/d/dcsim-security?var-session=s&var-instance=a',
  },
  DcsimGatewayThrottled: {
    ...soon,
    series: {
      ...gatewayInfo,
      'dcsim_gateway_addon_throttled{gateway="2",az="2"}': '0x3 1x20 0x9',
      'dcsim_gateway_addon_throttle_ratio{gateway="2",az="2"}': '0.35x60',
    },
    labels: { severity: 'warning', gateway: '2', az: '2', name: 'whm-b-gw1' },
    description:
      'Add-ons take 35% of the forwarding of gateway whm-b-gw1 in zone 2, and it needs it now. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
} satisfies Record<string, AlertCase>
