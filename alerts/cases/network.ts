import type { AlertCase } from './alert-case.ts'
import { atOnce, switchSubject, gatewaySubject, linkSubject, soon, zoneSubject } from './subjects.ts'

const opensZone = '/d/dcsim-network?var-session=s&var-instance=a&var-zone=2'

export const networkCases = {
  DcsimZoneAnnouncesNoRoutes: {
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '7m',
    series: { ...zoneSubject.info, 'dcsim_az_bgp_advertising{az="2"}': '1x3 0x20 1x9' },
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'Westholm B announces no routes',
    description:
      'No gateway of Westholm B announces routes: users reach it through other zones, if at all. Check whether its gateways are down, and what was last changed on them.',
    opens: opensZone,
  },
  DcsimGatewayAnnouncesNoRoutes: {
    ...atOnce,
    series: {
      ...gatewaySubject.info,
      'dcsim_gateway_bgp_advertising{gateway="2",az="2"}': '1x3 0x20 1x9',
      'dcsim_az_bgp_advertising{az="2"}': '1x60',
      // The only gateway of its zone: another alert names the zone.
      'dcsim_gateway_info{gateway="3",name="whm-a-gw1",az="1",rack="1",zone="Westholm A"}': '1x60',
      'dcsim_gateway_bgp_advertising{gateway="3",az="1"}': '0x60',
      'dcsim_az_bgp_advertising{az="1"}': '0x60',
    },
    labels: { ...gatewaySubject.labels, severity: 'warning' },
    summary: 'Gateway whm-b-gw1 in Westholm B announces no routes',
    description:
      'No traffic enters through whm-b-gw1; the other gateways of Westholm B carry its share. Check its WAN links and its last change.',
    opens: gatewaySubject.opens,
  },
  DcsimBroadcastStorm: {
    ...atOnce,
    resolvedAt: '7m45s',
    series: {
      ...switchSubject.info,
      'dcsim_switch_broadcast_storm{switch="9",az="2",role="core"}': '0x3 1x20 0x9',
    },
    labels: { ...switchSubject.labels, severity: 'warning' },
    summary: 'Broadcast storm on switch whm-b-core1 in Westholm B',
    description:
      'Traffic through the core switch whm-b-core1 is lost. Find the loop: look for a port that receives its own frames.',
    opens: switchSubject.opens,
  },
  DcsimZoneDropsTraffic: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...zoneSubject.info,
      'dcsim_az_wan_receive_bytes_per_second{az="2"}': '4e8x60',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': '6e8x60',
      'dcsim_az_dropped_bytes_per_second{az="2"}': '1e6x3 2e7x20 0x9',
    },
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'Westholm B drops 1.9% of its WAN traffic',
    description:
      'Requests through Westholm B fail. The Network dashboard shows which link, fabric or ceiling is full, and what loses or denies traffic.',
    opens: opensZone,
  },
  DcsimZoneWanFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...zoneSubject.info,
      'dcsim_az_wan_capacity_bytes_per_second{az="2"}': '1e9x60',
      'dcsim_az_wan_receive_bytes_per_second{az="2"}': '4e8x60',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': '9e8x3 9.5e8x20 6e8x9',
    },
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'WAN links of Westholm B are 95% full',
    description:
      'The WAN links of Westholm B are nearly full in one direction. Check for an attack or a failed link before ordering more.',
    opens: opensZone,
  },
  DcsimLinkDown: {
    ...soon,
    resolvedAt: '7m',
    series: { ...linkSubject.info, 'dcsim_link_up{link="31",kind="Fiber"}': '1x3 0x20 1x9' },
    labels: { ...linkSubject.labels, severity: 'warning' },
    summary: 'Link whm-b-core1–whm-b-b03-edge1 in Westholm B is down',
    description: 'The fiber link at port Eth1/3 carries nothing. Check that other links carry its traffic.',
    opens: opensZone,
  },
  DcsimLinkFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...linkSubject.info,
      'dcsim_link_capacity_bytes_per_second{link="31",kind="Fiber"}': '1e9x60',
      'dcsim_link_forward_bytes_per_second{link="31",kind="Fiber"}': '1e8x60',
      'dcsim_link_reverse_bytes_per_second{link="31",kind="Fiber"}': '9e8x3 9.7e8x20 6e8x9',
    },
    labels: { ...linkSubject.labels, severity: 'warning' },
    summary: 'Link whm-b-core1–whm-b-b03-edge1 in Westholm B is 97% full',
    description:
      'The fiber link at port Eth1/3 carries 97% of its capacity in one direction. If its parallel link is down, repair that first; otherwise traffic has grown.',
    opens: opensZone,
  },
  DcsimSwitchFabricFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...switchSubject.info,
      'dcsim_switch_fabric_capacity_bytes_per_second{switch="9",az="2",role="core"}': '1e9x60',
      'dcsim_switch_fabric_load_bytes_per_second{switch="9",az="2",role="core"}': '8e8x3 8.5e8x20 6e8x9',
    },
    labels: { ...switchSubject.labels, severity: 'warning' },
    summary: 'Fabric of switch whm-b-core1 in Westholm B is 85% full',
    description:
      'The fabric of the core switch carries 85% of its capacity. Compare it with its neighbors: a firmware fault lowers what a fabric can carry.',
    opens: switchSubject.opens,
  },
  DcsimSwitchLosesFrames: {
    series: {
      ...switchSubject.info,
      // 900 simulated seconds pass between two samples: two frames a second from the ninth sample on.
      'dcsim_switch_errors_total{switch="9",az="2",role="core"}': '0x7 1800+1800x20 37800x40',
    },
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '9m30s',
    labels: { ...switchSubject.labels, severity: 'warning' },
    summary: 'Switch whm-b-core1 in Westholm B lost 1.2 frames per simulated second lately',
    description:
      'Nearly always a transceiver at an end of one link of whm-b-core1 is dying, or its cable is bad: find the link by its error counters.',
    opens: switchSubject.opens,
  },
  DcsimSwitchLinksFlap: {
    series: {
      ...switchSubject.info,
      'dcsim_switch_link_flaps_total{switch="9",az="2",role="core"}': '0x7 1+1x20 21x40',
    },
    silentAt: '3m15s',
    firesAt: '3m30s',
    resolvedAt: '9m15s',
    labels: { ...switchSubject.labels, severity: 'info' },
    summary: 'Links of switch whm-b-core1 in Westholm B flap 3.5 times per simulated hour',
    description:
      'Links of whm-b-core1 go down and come back. Find the port by its flap counter, and reseat or replace its transceiver.',
    opens: switchSubject.opens,
  },
  DcsimInspectionFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      'dcsim_appliance_info{appliance="4",name="whm-b-ips1",az="2",zone="Westholm B",kind="IntrusionPrevention",sku="Bastion I10"}':
        '1x60',
      'dcsim_appliance_inspection_capacity_bytes_per_second{appliance="4",az="2",kind="IntrusionPrevention"}':
        '1e9x60',
      'dcsim_appliance_inspection_load_bytes_per_second{appliance="4",az="2",kind="IntrusionPrevention"}':
        '8e8x3 8.5e8x20 6e8x9',
    },
    labels: {
      appliance: '4',
      az: '2',
      kind: 'IntrusionPrevention',
      name: 'whm-b-ips1',
      severity: 'info',
      subject: 'whm-b-ips1',
      zone: 'Westholm B',
    },
    summary: 'Inspection on appliance whm-b-ips1 in Westholm B is at 85% of its capacity',
    description:
      'Traffic beyond the capacity of whm-b-ips1 (intrusion prevention) waits or is dropped. Check for an attack, or a partner appliance that is down.',
    opens: '/d/dcsim-device?var-session=s&var-instance=a&var-device=whm-b-ips1',
  },
  DcsimGatewayThrottled: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...gatewaySubject.info,
      'dcsim_gateway_addon_throttled{gateway="2",az="2"}': '0x3 1x20 0x9',
      'dcsim_gateway_addon_throttle_ratio{gateway="2",az="2"}': '0.35x60',
    },
    labels: { ...gatewaySubject.labels, severity: 'info' },
    summary: 'Security add-ons take 35% of the forwarding capacity of gateway whm-b-gw1 in Westholm B',
    description:
      'whm-b-gw1 needs that capacity now. Switch off add-ons that no attack requires, or order a bigger gateway.',
    opens: gatewaySubject.opens,
  },
  DcsimGatewayFabricFull: {
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '7m15s',
    series: {
      'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",rack="4",zone="Westholm B"}': '1x60',
      'dcsim_gateway_fabric_capacity_bytes_per_second{gateway="2",az="2"}': '1e9x60',
      'dcsim_gateway_fabric_load_bytes_per_second{gateway="2",az="2"}': '1e8x3 9e8x20 1e8x30',
    },
    labels: { ...gatewaySubject.labels, severity: 'info' },
    summary: 'Gateway whm-b-gw1 in Westholm B has a fabric that is 90% full',
    description:
      'The fabric of whm-b-gw1 carries 90% of its capacity. Check for an attack, add-ons that slow it down, or another gateway of the zone that is down.',
    opens: gatewaySubject.opens,
  },
} satisfies Record<string, AlertCase>
