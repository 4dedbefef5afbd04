import type { AlertCase } from '../alert-case.ts'

const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
const ofZone = { az: '2', display_name: 'Westholm B' }
const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'
const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '6m15s' } as const
const soon = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const

export const powerCases = {
  DcsimPowerFeedDown: {
    ...atOnce,
    series: { ...zoneInfo, 'dcsim_az_power_feed_up{az="2",feed="A"}': '1x3 0x20 1x9' },
    labels: { ...ofZone, severity: 'critical', feed: 'A' },
    description: 'Feed A of zone Westholm B is down: devices that it alone feeds are without power.',
    opens: opensZone,
  },
  DcsimZonePowerNotRedundant: {
    ...soon,
    series: { ...zoneInfo, 'dcsim_az_power_redundant{az="2"}': '1x3 0x20 1x9' },
    labels: { ...ofZone, severity: 'warning' },
    description:
      'In zone Westholm B, a feed is lost, or one alone could not carry the draw: the next loss is an outage. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimPowerFeedNearlyFull: {
    ...soon,
    series: {
      ...zoneInfo,
      'dcsim_az_power_feed_capacity_watts{az="2",feed="B"}': '20000x60',
      'dcsim_az_power_feed_load_watts{az="2",feed="B"}': '15000x3 17000x20 9000x9',
    },
    labels: { ...ofZone, severity: 'warning', feed: 'B' },
    description:
      'Feed B of zone Westholm B delivers 85% of what it can. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimRackPowerNearlyFull: {
    ...soon,
    series: {
      'dcsim_rack_info{rack="4",az="2",name="B-04"}': '1x60',
      'dcsim_rack_power_capacity_watts{rack="4",az="2"}': '10000x60',
      'dcsim_rack_power_draw_watts{rack="4",az="2"}': '8500x3 9500x20 5000x9',
    },
    labels: { severity: 'warning', rack: '4', az: '2', name: 'B-04' },
    description:
      'Rack B-04 in zone 2 draws 95% of the power that it may draw. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimCoolingUnitDown: {
    ...atOnce,
    series: { ...zoneInfo, 'dcsim_az_cooling_unit_up{az="2",unit="3",name="whm-b-crac1"}': '1x3 0x20 1x9' },
    labels: { ...ofZone, severity: 'warning', unit: '3', name: 'whm-b-crac1' },
    description:
      'Cooling unit whm-b-crac1 of zone Westholm B does not run; the others have to take its heat.',
    opens: opensZone,
  },
  DcsimZoneCoolingStrained: {
    ...soon,
    series: {
      ...zoneInfo,
      'dcsim_az_cooling_capacity_watts{az="2"}': '10000x60',
      'dcsim_az_cooling_load_watts{az="2"}': '9500x3 9600x20 5000x9',
      'dcsim_az_inlet_celsius{az="2"}': '26.5x60',
    },
    labels: { ...ofZone, severity: 'warning' },
    description:
      'Zone Westholm B has hardly any cooling left, or its air is warmer than it should be. Its racks take in air of 26.5 °C. It has been so for 20s of real time or longer.',
    opens: opensZone,
  },
  DcsimZoneOverheats: {
    ...atOnce,
    series: { ...zoneInfo, 'dcsim_az_inlet_celsius{az="2"}': '32x3 33.5x20 23x9' },
    labels: { ...ofZone, severity: 'critical' },
    description: 'The racks of zone Westholm B take in air of 33.5 °C: hosts will throttle and shut down.',
    opens: opensZone,
  },
} satisfies Record<string, AlertCase>
