import { describe, test } from 'vitest'
import type { AlertName } from '../../alerts/cases/alert-cases.ts'
import { hasTool } from '../fixtures/tools.ts'
import { counts, movingWorld, expectRules, ofTarget } from './promtool.ts'

const zoneInfo = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
const customerInfo = (lifecycle: string): string =>
  `dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="${lifecycle}"}`

interface Way {
  readonly alert: AlertName
  readonly because: string
  readonly subject: string
  readonly series: Readonly<Record<string, string>>
  /** The number of firing alerts by time. */
  readonly fires: Readonly<Record<string, number>>
}

/** Conditions besides those of the cases that make an alert fire, and similar ones that do not. */
const ways: readonly Way[] = [
  {
    alert: 'DcsimSwitchFabricFull',
    because: 'a fabric says that it is saturated, however low its load',
    subject: 'network',
    series: {
      'dcsim_switch_info{switch="9",name="whm-b-core1",az="2",rack="4",zone="Westholm B",role="core",sku="Lattice C9"}':
        '1x60',
      'dcsim_switch_fabric_capacity_bytes_per_second{switch="9",az="2",role="core"}': '1e9x60',
      'dcsim_switch_fabric_load_bytes_per_second{switch="9",az="2",role="core"}': '1e8x60',
      'dcsim_switch_fabric_saturated{switch="9",az="2",role="core"}': '0x3 1x20 0x30',
    },
    fires: { '1m15s': 0, '1m30s': 1, '6m15s': 1, '7m30s': 0 },
  },
  {
    alert: 'DcsimZoneOverheats',
    because: 'cooling has failed, before it is warm',
    subject: 'power-and-cooling',
    series: {
      ...zoneInfo,
      'dcsim_az_inlet_celsius{az="2"}': '24x60',
      'dcsim_az_cooling_status{az="2",state="Failed"}': '0x3 1x20 0x30',
      'dcsim_az_cooling_status{az="2",state="Normal"}': '1x3 0x20 1x30',
    },
    fires: { '1m15s': 0, '1m30s': 1, '6m15s': 1, '7m30s': 0 },
  },
  {
    alert: 'DcsimZoneCoolingStrained',
    because: 'the air is warm, though units could take more heat',
    subject: 'power-and-cooling',
    series: {
      ...zoneInfo,
      'dcsim_az_cooling_capacity_watts{az="2"}': '10000x60',
      'dcsim_az_cooling_load_watts{az="2"}': '5000x60',
      'dcsim_az_inlet_celsius{az="2"}': '27x3 28x20 23x30',
    },
    fires: { '1m15s': 0, '1m30s': 1, '6m15s': 1, '7m30s': 0 },
  },
  {
    alert: 'DcsimHostDown',
    because: 'it stays down after the work for which it was taken out of service',
    subject: 'hardware',
    series: {
      'dcsim_host_info{host="7",name="whm-b-b04-u01",az="2",rack="4",rack_name="B-04",zone="Westholm B",pool="3",sku="Heron M2-64",arch="x86_64"}':
        '1x60',
      'dcsim_host_online{host="7",az="2",pool="3"}': '1x3 0x40',
      'dcsim_host_in_maintenance{host="7",az="2",pool="3"}': '0x3 1x20 0x20',
    },
    fires: { '1m30s': 0, '6m30s': 0, '6m45s': 1 },
  },
  {
    alert: 'DcsimCustomerAboutToLeave',
    because: 'it gave notice in anger',
    subject: 'sla',
    series: {
      [customerInfo('Leaving')]: '_x4 1x20 stale',
      'dcsim_customer_satisfaction_ratio{customer="4",tier="Gold"}': '0.2x60',
    },
    fires: { '45s': 0, '1m': 1, '6m15s': 0 },
  },
  {
    alert: 'DcsimCustomerAboutToLeave',
    because: 'it moves on content, for reasons of its own: not told',
    subject: 'sla',
    series: {
      [customerInfo('Leaving')]: '1x60',
      'dcsim_customer_satisfaction_ratio{customer="4",tier="Gold"}': '0.9x60',
    },
    fires: { '2m': 0, '10m': 0 },
  },
  {
    alert: 'DcsimAttackGetsThrough',
    because: 'no appliance stands behind the gateway',
    subject: 'security',
    series: {
      'dcsim_customer_attack_info{customer="4",class="Scan"}': '1x60',
      'dcsim_gateway_threat_reaching_probes_per_second{gateway="2",class="Scan"}': '1000x60',
      'dcsim_gateway_threat_residual_probes_per_second{gateway="2",class="Scan"}': '0x3 300x20 0x30',
    },
    fires: { '1m': 0, '1m15s': 1, '6m15s': 1, '7m30s': 0 },
  },
  {
    alert: 'DcsimHostOnOneFeed',
    because: 'its whole zone has lost a feed: told once, of the zone',
    subject: 'hardware',
    series: {
      'dcsim_host_info{host="7",name="whm-b-b04-u01",az="2",rack="4",rack_name="B-04",zone="Westholm B",pool="3",sku="Heron M2-64",arch="x86_64"}':
        '1x60',
      'dcsim_az_power_redundant{az="2"}': '0x60',
      'dcsim_host_power_feeds_live{host="7",az="2",pool="3"}': '1x60',
    },
    fires: { '2m': 0, '10m': 0 },
  },
  {
    alert: 'DcsimLinkDown',
    because: 'the switch at its end is down: named once, as the switch',
    subject: 'network',
    series: {
      'dcsim_link_info{link="31",kind="Fiber",a="Switch/1",b="Switch/9",name="x–y",port="1",az="2",zone="Z"}':
        '1x60',
      'dcsim_link_info{link="32",kind="Fiber",a="Gateway/9",b="Switch/3",name="v–w",port="1",az="2",zone="Z"}':
        '1x60',
      'dcsim_link_up{link="31",kind="Fiber"}': '1x3 0x60',
      'dcsim_link_up{link="32",kind="Fiber"}': '1x3 0x60',
      'dcsim_switch_up{switch="9",az="2",role="core"}': '1x3 0x60',
    },
    // The other link, at a gateway of the same number, is named.
    fires: { '2m': 1, '10m': 1 },
  },
  {
    alert: 'DcsimRackHot',
    because: 'its whole zone is hot: said once, of the zone',
    subject: 'power-and-cooling',
    series: {
      'dcsim_rack_info{rack="4",az="2",name="B-04",zone="Westholm B"}': '1x60',
      'dcsim_az_inlet_celsius{az="2"}': '33x60',
      'dcsim_rack_inlet_celsius{rack="4",az="2"}': '34x60',
    },
    fires: { '10m': 0 },
  },
  {
    alert: 'DcsimWorldRestarted',
    because: 'it is another world, which is said instead',
    subject: 'mirror',
    series: {
      dcsim_sim_time_seconds: '90000+900x3 900+900x60',
      'dcsim_sim_info{seed="1",scale="medium"}': '1x3 stale',
      'dcsim_sim_info{seed="2",scale="medium"}': '_x4 1x60',
    },
    fires: { '2m': 0 },
  },
  {
    alert: 'DcsimIncidentUnattended',
    because: 'it is merely watched: it may wait',
    subject: 'incidents',
    series: {
      'dcsim_incident_started_sim_timestamp_seconds{incident="7",band="Watch",root_kind="Unknown"}': '0x60',
    },
    fires: { '10m': 0 },
  },
]

describe.skipIf(!hasTool('promtool'))(
  'other ways to fire, or not to (skipped where there is no promtool)',
  () => {
    test.each(ways)('$alert: $because', ({ alert, subject, series, fires }) => {
      expectRules(subject, {
        input_series: ofTarget({ ...movingWorld, ...series }),
        promql_expr_test: counts(alert, fires),
      })
    })
  },
)
