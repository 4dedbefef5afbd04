import type { AlertCase } from './alert-case.ts'
import { atOnce, soon, zoneSubject } from './subjects.ts'

const opensZone = '/d/dcsim-power?var-session=s&var-instance=a&var-zone=2'
const opensRack = '/d/dcsim-rack?var-session=s&var-instance=a&var-rack=4'

export const powerCases = {
  DcsimPowerFeedDown: {
    ...soon,
    series: {
      ...zoneSubject.info,
      'dcsim_az_power_feed_up{az="2",feed="A"}': '1x3 0x20 1x9',
      'dcsim_az_power_feed_up{az="2",feed="B"}': '1x60',
    },
    labels: { ...zoneSubject.labels, feed: 'A', severity: 'warning' },
    summary: 'Power feed A of Westholm B is down',
    description:
      'Devices that only feed A supplies have no power; all others in Westholm B have no redundancy left. Check what went down with it, and who restores the supply.',
    opens: opensZone,
  },
  DcsimZonePowerNotRedundant: {
    ...soon,
    series: {
      ...zoneSubject.info,
      'dcsim_az_power_redundant{az="2"}': '1x3 0x20 1x9',
      'dcsim_az_power_feed_up{az="2",feed="B"}': '1x60',
    },
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'Power of Westholm B is not redundant',
    description:
      'A feed of Westholm B is lost, or one feed alone could not carry the load: the next loss is an outage. Restore the feed, or lower the load.',
    opens: opensZone,
  },
  DcsimPowerFeedNearlyFull: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...zoneSubject.info,
      'dcsim_az_power_feed_capacity_watts{az="2",feed="B"}': '20000x60',
      'dcsim_az_power_feed_load_watts{az="2",feed="B"}': '15000x3 17000x20 9000x9',
    },
    labels: { ...zoneSubject.labels, feed: 'B', severity: 'warning' },
    summary: 'Power feed B of Westholm B delivers 85% of its capacity',
    description:
      'If the other feed of Westholm B fails, feed B has to carry both loads. Move load to another zone.',
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
    summary: 'Rack B-04 in Westholm B draws 95% of its power limit',
    description: 'Above the limit, the breaker of rack B-04 trips. Move units off its hosts.',
    opens: opensRack,
  },
  DcsimCoolingUnitDown: {
    ...atOnce,
    series: {
      ...zoneSubject.info,
      'dcsim_az_cooling_unit_up{az="2",unit="3",name="whm-b-crac1"}': '1x3 0x20 1x9',
      'dcsim_az_cooling_unit_up{az="2",unit="5",name="whm-b-crac2"}': '1x60',
      'dcsim_az_power_feed_up{az="2",feed="A"}': '0x60',
      'dcsim_az_power_feed_up{az="2",feed="B"}': '1x60',
      'dcsim_az_cooling_unit_up{az="3",unit="4",name="in the dark"}': '0x60',
      'dcsim_az_power_feed_up{az="3",feed="A"}': '0x60',
    },
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
      'The other cooling units of Westholm B have to take its heat. Check the inlet temperature, and who repairs the unit.',
    opens: opensZone,
  },
  DcsimZoneCoolingStrained: {
    ...soon,
    resolvedAt: '7m30s',
    series: {
      ...zoneSubject.info,
      'dcsim_az_cooling_capacity_watts{az="2"}': '10000x60',
      'dcsim_az_cooling_load_watts{az="2"}': '9500x3 9600x20 5000x9',
      'dcsim_az_inlet_celsius{az="2"}': '26.5x60',
    },
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'Cooling in Westholm B is near its limit',
    description:
      'Cooling in Westholm B has little reserve left, or the air is warmer than it should be. Rack inlet air is at 26.5 °C. Repair stopped units first, otherwise lower the load.',
    opens: opensZone,
  },
  DcsimZoneOverheats: {
    ...soon,
    resolvedAt: '7m30s',
    series: { ...zoneSubject.info, 'dcsim_az_inlet_celsius{az="2"}': '32x3 33.5x20 23x9' },
    labels: { ...zoneSubject.labels, severity: 'warning' },
    summary: 'Westholm B overheats: rack inlet air at 33.5 °C',
    description:
      'Hosts in Westholm B throttle and shut down as it gets warmer. Restart cooling units, and move load to other zones.',
    opens: opensZone,
  },
  DcsimRackOnOneFeed: {
    ...soon,
    series: {
      'dcsim_rack_info{rack="4",az="2",name="B-04",zone="Westholm B"}': '1x60',
      'dcsim_az_power_redundant{az="2"}': '1x60',
      'dcsim_rack_power_feeds_live{rack="4",az="2"}': '2x3 1x20 2x9',
    },
    labels: { az: '2', name: 'B-04', rack: '4', severity: 'warning', subject: 'B-04', zone: 'Westholm B' },
    summary: 'Rack B-04 in Westholm B runs on one power feed',
    description:
      'Westholm B has both feeds, but rack B-04 gets power from one: if that fails, the rack goes down. Check which breaker is open.',
    opens: opensRack,
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
    summary: 'Inlet air of rack B-04 in Westholm B is 33.4 °C',
    description:
      'Devices in rack B-04 are not rated for air this warm. Check the cooling units beside it, and its power draw.',
    opens: opensRack,
  },
} satisfies Record<string, AlertCase>
