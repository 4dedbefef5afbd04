import type { AlertCase } from '../alert-case.ts'

const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
const hostInfo = {
  'dcsim_host_info{host="7",name="whm-b-b04-u01",az="2",rack="4",pool="3",sku="Heron M2-64",arch="x86_64"}':
    '1x60',
}
const switchInfo = {
  'dcsim_switch_info{switch="9",name="whm-b-core1",az="2",rack="4",role="core",sku="Lattice C9"}': '1x60',
}
const ofZone = { az: '2', display_name: 'Westholm B' }
const ofHost = { host: '7', az: '2', pool: '3', name: 'whm-b-b04-u01', rack: '4' }
const ofSwitch = { switch: '9', az: '2', role: 'core', name: 'whm-b-core1' }
const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'
const opensHost = '/d/dcsim-host?var-session=s&var-instance=a&var-host=7'
const opensNetwork = '/d/dcsim-network?var-session=s&var-instance=a&var-zone=2'
const soon = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const

export const hardwareCases = {
  DcsimHostDown: {
    ...soon,
    series: { ...hostInfo, 'dcsim_host_online{host="7",az="2",pool="3"}': '1x3 0x20 1x9' },
    labels: { ...ofHost, severity: 'warning' },
    description:
      'Host whm-b-b04-u01 in rack 4 of zone 2 does not run, or cannot be reached. It has been so for 20s of real time or longer.',
    opens: opensHost,
  },
  DcsimZoneHostsDown: {
    series: {
      ...zoneInfo,
      'dcsim_az_hosts{az="2"}': '20x60',
      'dcsim_az_hosts_online{az="2"}': '18x3 15x20 20x9',
    },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: { ...ofZone, severity: 'warning' },
    description:
      'In zone Westholm B, only 75% of the hosts serve. It has been so for 10s of real time or longer.',
    opens: opensZone,
  },
  DcsimHostOnOneFeed: {
    ...soon,
    series: {
      ...hostInfo,
      'dcsim_az_power_redundant{az="2"}': '1x60',
      'dcsim_host_power_feeds_live{host="7",az="2",pool="3"}': '2x3 1x20 2x9',
    },
    labels: { ...ofHost, severity: 'info' },
    description:
      'Host whm-b-b04-u01 in rack 4 of zone 2 has 1 live power feed left: when that goes, it goes too. It has been so for 20s of real time or longer.',
    opens: opensHost,
  },
  DcsimSwitchWithoutPower: {
    series: { ...switchInfo, 'dcsim_switch_powered{switch="9",az="2",role="core"}': '1x3 0x20 1x9' },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: { ...ofSwitch, severity: 'warning' },
    description:
      'The core switch whm-b-core1 in zone 2 has no power. It has been so for 10s of real time or longer.',
    opens: opensNetwork,
  },
  DcsimSwitchWornOut: {
    series: {
      ...switchInfo,
      'dcsim_switch_condition_ratio{switch="9",az="2",role="core"}': '0.2x3 0.19x20 1x9',
    },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { ...ofSwitch, severity: 'info' },
    description:
      'The core switch whm-b-core1 in zone 2 is at 19% of the condition of a new one. It has been so for 1m of real time or longer.',
    opens: opensNetwork,
  },
} satisfies Record<string, AlertCase>
