import { describe, expect, test } from 'vitest'
import type { AlertName } from '../../alerts/cases/alert-cases.ts'
import { hasTool } from '../fixtures/tools.ts'
import { movingWorld, ofTarget, testRules } from './promtool.ts'

/** The texts of an alert's firing instances, expanded by Prometheus. */
function textsOf(
  alertname: AlertName,
  subject: string,
  at: string,
  series: Readonly<Record<string, string>>,
): { readonly summary: string; readonly description: string }[] {
  const { output } = testRules(subject, {
    input_series: ofTarget({ ...movingWorld, ...series }),
    alert_rule_test: [{ eval_time: at, alertname, exp_alerts: [] }],
  })
  return output
    .split(/Annotations:\{/)
    .slice(1)
    .map((text) => {
      const annotation = (name: string): string =>
        JSON.parse(`"${new RegExp(`\\b${name}="((?:\\\\.|[^"\\\\])*)"`).exec(text)![1]}"`) as string
      return { summary: annotation('summary'), description: annotation('description') }
    })
}

const zone = { 'dcsim_az_info{az="2",name="whm-b",display_name="Westholm B",region="Westholm"}': '1x60' }
const customer = (id: number, name: string): Readonly<Record<string, string>> => ({
  [`dcsim_customer_info{customer="${id}",name="${name}",archetype="Media",tier="Gold",lifecycle="Active"}`]:
    '1x60',
  [`dcsim_customer_requests_total{customer="${id}",tier="Gold"}`]: '0+1000x60',
  [`dcsim_customer_failed_requests_total{customer="${id}",tier="Gold"}`]: '0+40x60',
})
const failedLately = (id: number): string =>
  `dcsim_customer_failed_requests_last_hour{customer="${id}",tier="Gold"}`

describe.skipIf(!hasTool('promtool'))('texts (skipped where there is no promtool)', () => {
  test('cooling that fails in cool air is not called overheating', () => {
    const [text] = textsOf('DcsimZoneOverheats', 'power-and-cooling', '3m', {
      ...zone,
      'dcsim_az_inlet_celsius{az="2"}': '21.5x60',
      'dcsim_az_cooling_status{az="2",state="Failed"}': '1x60',
    })
    expect(text.summary).toBe('Cooling in Westholm B has failed: rack inlet air at 21.5 °C')
    expect(text.description).toMatch(/^Without cooling, Westholm B warms up until/)
  })

  const [lost, live] = ['0x60', '1x60']
  test.each([
    [
      'DcsimPowerFeedDown',
      live,
      'Devices that only feed A supplies have no power; all others in Westholm B have no',
    ],
    ['DcsimPowerFeedDown', lost, 'The other feed of Westholm B is down too: nothing there has power. Check'],
    ['DcsimZonePowerNotRedundant', live, 'A feed of Westholm B is lost, or one feed alone could not'],
    ['DcsimZonePowerNotRedundant', lost, 'Both feeds of Westholm B are lost. Restore one'],
    [
      'DcsimPowerFeedNearlyFull',
      lost,
      'The other feed of Westholm B is lost: feed A carries both loads, and trips',
    ],
    ['DcsimCoolingUnitDown', live, 'No cooling unit of Westholm B runs. Check'],
    ['DcsimZoneOverheats', live, 'Without cooling, Westholm B warms up'],
    ['DcsimZoneOverheats', lost, null],
  ] as const)('%s beside another feed with %s says what is left', (alert, other, begin) => {
    const [text] = textsOf(alert, 'power-and-cooling', '3m', {
      ...zone,
      [`dcsim_az_power_feed_up{az="2",feed="A"}`]: '0x60',
      [`dcsim_az_power_feed_up{az="2",feed="B"}`]: other,
      'dcsim_az_power_redundant{az="2"}': '0x60',
      'dcsim_az_power_feed_load_watts{az="2",feed="A"}': '17000x60',
      'dcsim_az_power_feed_capacity_watts{az="2",feed="A"}': '20000x60',
      'dcsim_az_cooling_unit_up{az="2",unit="3",name="whm-b-crac1"}': '0x60',
      'dcsim_az_inlet_celsius{az="2"}': '21.5x60',
      'dcsim_az_cooling_status{az="2",state="Failed"}': '1x60',
    })
    expect(text?.description.slice(0, begin?.length) ?? null).toBe(begin)
  })

  test('an incident that no customer feels any more is not to be handled', () => {
    const [text] = textsOf('DcsimIncidentCritical', 'incidents', '3m', {
      'dcsim_incident_info{incident="7",band="Critical",cause="cable cut",cause_state="confirmed"}': '1x60',
      'dcsim_incident_customers_affected{incident="7",band="Critical"}': '4x4 0x60',
    })
    expect(text.description).toBe(
      'Confirmed cause: cable cut. No customer feels it any more: check that it closes.',
    )
  })

  test('a zone drops 100% of its traffic at most', () => {
    const [text] = textsOf('DcsimZoneDropsTraffic', 'network', '3m', {
      ...zone,
      'dcsim_az_wan_receive_bytes_per_second{az="2"}': '4e8x60',
      'dcsim_az_wan_transmit_bytes_per_second{az="2"}': '6e8x60',
      'dcsim_az_dropped_bytes_per_second{az="2"}': '1.5e9x60',
    })
    expect(text.summary).toBe('Westholm B drops 60% of its WAN traffic')
  })

  test('customers whose requests fail most are a list with commas, grouped numbers and a noun', () => {
    const [text] = textsOf('DcsimSlaBudgetBurnsFast', 'sla', '5m', {
      ...customer(4, 'Bell Media'),
      ...customer(5, 'Elm & Games'),
      [failedLately(4)]: '1130000x60',
      [failedLately(5)]: '1x60',
    })
    expect(text.description).toContain(
      'Most failed requests in the last simulated hour: Bell Media (1,130,000 requests), Elm & Games (1 request). Check',
    )
  })

  test('where no request failed in the last hour, no customer is announced', () => {
    const [text] = textsOf('DcsimSlaBudgetBurnsFast', 'sla', '5m', {
      ...customer(4, 'Bell Media'),
      [failedLately(4)]: '0x60',
    })
    expect(text.description).toBe(
      'At this rate, a whole SLA budget of Gold customers lasts 18h of simulated time. Check which incident affects them.',
    )
  })

  test('a fabric that a fault saturates is not called full', () => {
    const [text] = textsOf('DcsimSwitchFabricFull', 'network', '3m', {
      'dcsim_switch_info{switch="9",name="whm-b-core1",az="2",rack="4",zone="Westholm B",role="core",sku="Lattice C9"}':
        '1x60',
      'dcsim_switch_fabric_capacity_bytes_per_second{switch="9",az="2",role="core"}': '1e9x60',
      'dcsim_switch_fabric_load_bytes_per_second{switch="9",az="2",role="core"}': '1e8x60',
      'dcsim_switch_fabric_saturated{switch="9",az="2",role="core"}': '1x60',
    })
    expect(text.summary).toBe('Fabric of switch whm-b-core1 in Westholm B is saturated')
    expect(text.description).toContain('carries 10% of its capacity. It is saturated. Compare')
  })

  test('a gateway that is slowed down has no full fabric', () => {
    const [text] = textsOf('DcsimGatewayFabricFull', 'network', '3m', {
      'dcsim_gateway_info{gateway="2",name="whm-b-gw1",az="2",rack="4",zone="Westholm B",sku="Gate 2"}':
        '1x60',
      'dcsim_gateway_fabric_capacity_bytes_per_second{gateway="2",az="2"}': '1e9x60',
      'dcsim_gateway_fabric_load_bytes_per_second{gateway="2",az="2"}': '2e8x60',
      'dcsim_gateway_fabric_saturated{gateway="2",az="2"}': '1x60',
    })
    expect(text.summary).toBe('Gateway whm-b-gw1 in Westholm B drops what it cannot forward')
    expect(text.description).toContain('carries 20% of its capacity. It drops what it cannot forward. Check')
  })
})
