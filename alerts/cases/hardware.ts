import type { AlertCase } from './alert-case.ts'
import { switchSubject, gatewaySubject, hostSubject, soon, zoneSubject } from './subjects.ts'

const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'

export const hardwareCases = {
  DcsimHostDown: {
    ...soon,
    series: { ...hostSubject.info, 'dcsim_host_online{host="7",az="2",pool="3"}': '1x3 0x20 1x9' },
    labels: { ...hostSubject.labels, pool: '3', severity: 'warning' },
    summary: 'Host whm-b-b04-u01 in Westholm B is down',
    description:
      'The host in rack B-04 does not run or cannot be reached. Check its power and its switch first, then whether a work order replaces the failed part.',
    opens: hostSubject.opens,
  },
  DcsimZoneHostsDown: {
    series: {
      ...zoneSubject.info,
      'dcsim_az_hosts{az="2"}': '20x60',
      'dcsim_az_hosts_online{az="2"}': '18x3 15x20 20x9',
    },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'Only 75% of the hosts in Westholm B are up',
    description:
      'A common cause is likely: check power feeds, cooling and core switches of Westholm B before single hosts.',
    opens: opensZone,
  },
  DcsimHostOnOneFeed: {
    ...soon,
    series: {
      ...hostSubject.info,
      'dcsim_az_power_redundant{az="2"}': '1x60',
      'dcsim_host_power_feeds_live{host="7",az="2",pool="3"}': '2x3 1x20 2x9',
    },
    labels: { ...hostSubject.labels, pool: '3', severity: 'info' },
    summary: 'Host whm-b-b04-u01 in Westholm B runs on one power feed',
    description:
      'If the other feed of the host in rack B-04 fails, the host goes down. Have its power supply replaced.',
    opens: hostSubject.opens,
  },
  DcsimSwitchWornOut: {
    series: {
      ...switchSubject.info,
      'dcsim_switch_condition_ratio{switch="9",az="2",role="core"}': '0.2x3 0.19x20 1x9',
    },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { ...switchSubject.labels, severity: 'info' },
    summary: 'Switch whm-b-core1 in Westholm B is worn out: condition 19%',
    description: 'The core switch whm-b-core1 will fail more often than a new one. Plan its replacement.',
    opens: switchSubject.opens,
  },
  DcsimDiskWearHigh: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    series: {
      'dcsim_host_info{host="7",name="whm-b-b04-u01",az="2",rack="4",rack_name="B-04",zone="Westholm B",pool="3"}':
        '1x60',
      'dcsim_host_disk_wear_ratio{host="7",az="2"}': '0.5x3 0.93x20 0x30',
    },
    labels: { ...hostSubject.labels, severity: 'info' },
    summary: 'Disks of host whm-b-b04-u01 in Westholm B have used 93% of their rated life',
    description: 'Plan to replace the disks of this host in rack B-04 before they fail.',
    opens: hostSubject.opens,
  },
  DcsimSwitchDown: {
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    series: {
      'dcsim_switch_info{switch="9",name="whm-b-core1",az="2",rack="4",zone="Westholm B",role="core"}':
        '1x60',
      'dcsim_switch_up{switch="9",az="2",role="core"}': '1x3 0x20 1x9',
      'dcsim_switch_powered{switch="9",az="2",role="core"}': '1x3 0x20 1x9',
    },
    labels: { ...switchSubject.labels, severity: 'warning' },
    summary: 'Switch whm-b-core1 in Westholm B is down',
    description:
      'All links of the core switch whm-b-core1 are down with it. It has no power. Check which hosts lost their path, and whether a replacement is under way.',
    opens: switchSubject.opens,
  },
  DcsimGatewayDown: {
    silentAt: '1m30s',
    firesAt: '1m45s',
    resolvedAt: '6m15s',
    series: {
      'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",rack="4",zone="Westholm B"}': '1x60',
      'dcsim_gateway_up{gateway="2",az="2"}': '1x3 0x20 1x9',
      'dcsim_gateway_powered{gateway="2",az="2"}': '1x60',
    },
    labels: { ...gatewaySubject.labels, severity: 'warning' },
    summary: 'Gateway whm-b-gw1 in Westholm B is down',
    description: 'Traffic of Westholm B has to enter through other gateways. Check that they can carry it.',
    opens: gatewaySubject.opens,
  },
  DcsimApplianceDown: {
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    series: {
      'dcsim_appliance_info{appliance="5",name="whm-b-fw1",az="2",zone="Westholm B",kind="Firewall"}': '1x60',
      'dcsim_appliance_up{appliance="5",az="2",kind="Firewall"}': '1x3 0x20 1x9',
    },
    labels: {
      appliance: '5',
      az: '2',
      kind: 'Firewall',
      name: 'whm-b-fw1',
      severity: 'warning',
      subject: 'whm-b-fw1',
      zone: 'Westholm B',
    },
    summary: 'Appliance whm-b-fw1 in Westholm B is down',
    description:
      'Traffic that whm-b-fw1 (firewall) handled goes around it now or is dropped. The Security dashboard shows what gets through.',
    opens: '/d/dcsim-device?var-session=s&var-instance=a&var-device=whm-b-fw1',
  },
} satisfies Record<string, AlertCase>
