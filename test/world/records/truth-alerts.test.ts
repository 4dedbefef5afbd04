import { expect, test } from 'vitest'
import { alertNames } from '../../../alerts/cases/alert-cases.ts'
import { bands, rootKinds } from '../../../src/contract/vocabularies.ts'
import type { CauseKind } from '../../../src/contract/vocabularies.ts'
import { alertsOf } from '../../../src/world/records/operations/truth.ts'

const labels = ['host', 'switch', 'gateway', 'appliance', 'link', 'pool', 'az', 'customer']
const touched = Object.fromEntries(labels.map((label) => [label, ['1', '2']]))

test.each(rootKinds.filter((kind) => kind !== 'Unknown'))('the alerts for %s exist', (kind) => {
  const alerts = alertsOf(kind, touched, [{ id: 3, bands }])
  expect(alertNames).toEqual(expect.arrayContaining(alerts.map(({ alert }) => alert)))
  expect(alerts).toContainEqual({ alert: 'DcsimIncidentMajor', labels: { incident: '3' } })
})

/** The alerts about each label, which the affected devices of that kind have. */
test.each<[CauseKind, Readonly<Record<string, readonly string[]>>]>([
  ['HostFailure', { host: ['HostDown'] }],
  ['DiskFailure', {}],
  ['PowerSupplyFailure', { host: ['HostOnOneFeed'], switch: ['SwitchDown'] }],
  ['PortFlap', { switch: ['SwitchLinksFlap'] }],
  ['CableCut', { link: ['LinkDown'] }],
  ['TransceiverFailure', { switch: ['SwitchLosesFrames'] }],
  ['CableFault', { switch: ['SwitchLosesFrames'] }],
  ['LinkSaturation', { link: ['LinkFull'] }],
  [
    'FabricSaturation',
    { switch: ['SwitchFabricFull'], gateway: ['GatewayFabricFull'], appliance: ['InspectionFull'] },
  ],
  ['CapacityExhaustion', { pool: ['PoolContended'] }],
  ['SwitchFailure', { switch: ['SwitchDown'] }],
  ['GatewayFailure', { gateway: ['GatewayDown'], az: ['ZoneAnnouncesNoRoutes'] }],
  ['ApplianceFailure', { appliance: ['ApplianceDown'] }],
  ['FirmwareFault', { switch: ['SwitchFabricFull'] }],
  ['BroadcastStorm', { switch: ['BroadcastStorm'] }],
  ['AddonThrottling', { gateway: ['GatewayThrottled'] }],
  ['Misconfiguration', { gateway: ['GatewayAnnouncesNoRoutes'], az: ['ZoneDropsTraffic'] }],
  ['PowerFeedLoss', { az: ['PowerFeedDown', 'ZonePowerNotRedundant'] }],
  ['CoolingFailure', { az: ['CoolingUnitDown', 'ZoneOverheats'] }],
  ['Attack', { customer: ['CustomerUnderAttack', 'CustomerBreached'] }],
  ['StuckBatteryTest', { az: ['PowerFeedDown', 'ZonePowerNotRedundant'] }],
  ['WaterLeak', { az: ['CoolingUnitDown', 'ZoneOverheats'] }],
  ['RouteLeak', { gateway: ['GatewayThrottled'] }],
  ['ExpiredLicense', { appliance: ['InspectionFull'] }],
  ['CarrierOutage', { link: ['LinkDown'] }],
])('%s justifies alerts about %o', (kind, about) => {
  const found = alertsOf(kind, touched, [{ id: 3, bands: ['Watch', 'Critical'] }])
  expect(found).toEqual([
    ...Object.entries(about).flatMap(([label, names]) =>
      names.flatMap((name) => ['1', '2'].map((id) => ({ alert: `Dcsim${name}`, labels: { [label]: id } }))),
    ),
    { alert: 'DcsimIncidentWatch', labels: { incident: '3' } },
    { alert: 'DcsimIncidentCritical', labels: { incident: '3' } },
  ])
})

test('devices that are not affected justify no alert', () => {
  expect(alertsOf('PowerSupplyFailure', { switch: ['2'] }, [])).toEqual([
    { alert: 'DcsimSwitchDown', labels: { switch: '2' } },
  ])
})
