import type { AlertCase } from '../alert-case.ts'

const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
const opensZone = '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2'
const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '6m15s' } as const
const soon = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const

export const powerCases = {
  DcsimPowerFeedDown: {
    ...atOnce,
    series: { ...zoneInfo, 'dcsim_az_power_feed_up{az="2",feed="A"}': '1x3 0x20 1x9' },
    labels: { az: '2', display_name: 'Westholm B', feed: 'A', severity: 'critical', subject: 'Westholm B' },
    summary: 'Power feed A of Westholm B is down',
    description:
      'Feed A of Westholm B is down: devices that it alone feeds have no power, all others have no spare. See what went down with it, and who restores the supply.',
    opens: opensZone,
  },
  DcsimZonePowerNotRedundant: {
    ...soon,
    series: { ...zoneInfo, 'dcsim_az_power_redundant{az="2"}': '1x3 0x20 1x9' },
    labels: { az: '2', display_name: 'Westholm B', severity: 'warning', subject: 'Westholm B' },
    summary: 'Power of Westholm B is not redundant',
    description:
      'In Westholm B a feed is lost, or one alone could not carry the draw: the next loss is an outage. Restore the feed, or lower the draw.',
    opens: opensZone,
  },
  DcsimPowerFeedNearlyFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...zoneInfo,
      'dcsim_az_power_feed_capacity_watts{az="2",feed="B"}': '20000x60',
      'dcsim_az_power_feed_load_watts{az="2",feed="B"}': '15000x3 17000x20 9000x9',
    },
    labels: { az: '2', display_name: 'Westholm B', feed: 'B', severity: 'warning', subject: 'Westholm B' },
    summary: 'Power feed B of Westholm B delivers 85% of its capacity',
    description:
      'Feed B of Westholm B delivers 85% of its capacity. If the other feed fails, it has to carry both: move load to another zone.',
    opens: opensZone,
  },
  DcsimRackPowerNearlyFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      'dcsim_rack_info{rack="4",az="2",name="B-04",zone="Westholm B"}': '1x60',
      'dcsim_rack_power_capacity_watts{rack="4",az="2"}': '10000x60',
      'dcsim_rack_power_draw_watts{rack="4",az="2"}': '8500x3 9500x20 5000x9',
    },
    labels: { az: '2', name: 'B-04', rack: '4', severity: 'warning', subject: 'B-04', zone: 'Westholm B' },
    summary: 'Rack B-04 in Westholm B draws 95% of the power that it may draw',
    description:
      'Rack B-04 in Westholm B draws 95% of the power that it may draw. Beyond that its breaker trips: move units off its hosts.',
    opens: opensZone,
  },
  DcsimCoolingUnitDown: {
    ...atOnce,
    series: { ...zoneInfo, 'dcsim_az_cooling_unit_up{az="2",unit="3",name="whm-b-crac1"}': '1x3 0x20 1x9' },
    labels: {
      az: '2',
      display_name: 'Westholm B',
      name: 'whm-b-crac1',
      severity: 'warning',
      subject: 'whm-b-crac1',
      unit: '3',
    },
    summary: 'Cooling unit whm-b-crac1 in Westholm B has stopped',
    description:
      'Cooling unit whm-b-crac1 in Westholm B has stopped; the others have to take its heat. See how warm the air gets, and who repairs it.',
    opens: opensZone,
  },
  DcsimZoneCoolingStrained: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...zoneInfo,
      'dcsim_az_cooling_capacity_watts{az="2"}': '10000x60',
      'dcsim_az_cooling_load_watts{az="2"}': '9500x3 9600x20 5000x9',
      'dcsim_az_inlet_celsius{az="2"}': '26.5x60',
    },
    labels: { az: '2', display_name: 'Westholm B', severity: 'warning', subject: 'Westholm B' },
    summary: 'Cooling in Westholm B hardly copes',
    description:
      'Cooling in Westholm B has hardly any reserve, or the air is warmer than it should be. Racks take in air of 26.5 °C. Repair stopped units first; else lower the load.',
    opens: opensZone,
  },
  DcsimZoneOverheats: {
    ...atOnce,
    resolvedAt: '7m30s',
    series: { ...zoneInfo, 'dcsim_az_inlet_celsius{az="2"}': '32x3 33.5x20 23x9' },
    labels: { az: '2', display_name: 'Westholm B', severity: 'critical', subject: 'Westholm B' },
    summary: 'Westholm B overheats: racks take in air of 33.5 °C',
    description:
      'Racks in Westholm B take in air of 33.5 °C: hosts will throttle and shut down. Get cooling units running again, and move load to other zones.',
    opens: opensZone,
  },
  DcsimRackOnOneFeed: {
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '6m15s',
    series: {
      'dcsim_rack_info{rack="4",az="2",name="B-04",zone="Westholm B"}': '1x60',
      'dcsim_az_power_redundant{az="2"}': '1x60',
      'dcsim_rack_power_feeds_live{rack="4",az="2"}': '2x3 1x20 2x9',
    },
    labels: { az: '2', name: 'B-04', rack: '4', severity: 'warning', subject: 'B-04', zone: 'Westholm B' },
    summary: 'Rack B-04 in Westholm B runs on one power feed',
    description:
      'Rack B-04 in Westholm B has one live power feed although the zone has both: when that goes, the rack goes. See which breaker is open.',
    opens: '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2',
  },
  DcsimRackHot: {
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '7m15s',
    series: {
      'dcsim_rack_info{rack="4",az="2",name="B-04",zone="Westholm B"}': '1x60',
      'dcsim_az_inlet_celsius{az="2"}': '26x60',
      'dcsim_rack_inlet_celsius{rack="4",az="2"}': '26x3 33.4x20 26x30',
    },
    labels: { az: '2', name: 'B-04', rack: '4', severity: 'warning', subject: 'B-04', zone: 'Westholm B' },
    summary: 'Rack B-04 in Westholm B takes in air of 33.4 °C',
    description:
      'Rack B-04 in Westholm B takes in air of 33.4 °C, more than its devices are made for. Look at the cooling units beside it, and at what it draws.',
    opens: '/d/dcsim-compute?var-session=s&var-instance=a&var-zone=2',
  },
} satisfies Record<string, AlertCase>
