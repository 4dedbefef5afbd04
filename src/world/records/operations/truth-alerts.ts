import type { TruthAlert } from '../../../contract/game-days/truth-line.ts'
import type { Band, CauseKind } from '../../../contract/vocabularies.ts'

type ByLabel = readonly (readonly [alert: string, label: string])[]

/**
 * The alerts of this package about the devices and customers that a fault of each kind affects, with the label that
 * identifies them.
 */
const alertsOfKind: Readonly<Record<CauseKind, ByLabel>> = {
  HostFailure: [['DcsimHostDown', 'host']],
  DiskFailure: [],
  PowerSupplyFailure: [
    ['DcsimHostOnOneFeed', 'host'],
    ['DcsimSwitchDown', 'switch'],
  ],
  FanFailure: [],
  PortFlap: [['DcsimSwitchLinksFlap', 'switch']],
  CableCut: [['DcsimLinkDown', 'link']],
  TransceiverFailure: [['DcsimSwitchLosesFrames', 'switch']],
  CableFault: [['DcsimSwitchLosesFrames', 'switch']],
  LinkSaturation: [['DcsimLinkFull', 'link']],
  FabricSaturation: [
    ['DcsimSwitchFabricFull', 'switch'],
    ['DcsimGatewayFabricFull', 'gateway'],
    ['DcsimInspectionFull', 'appliance'],
  ],
  CapacityExhaustion: [['DcsimPoolContended', 'pool']],
  SwitchFailure: [['DcsimSwitchDown', 'switch']],
  GatewayFailure: [
    ['DcsimGatewayDown', 'gateway'],
    ['DcsimZoneAnnouncesNoRoutes', 'az'],
  ],
  ApplianceFailure: [['DcsimApplianceDown', 'appliance']],
  FirmwareFault: [['DcsimSwitchFabricFull', 'switch']],
  BroadcastStorm: [['DcsimBroadcastStorm', 'switch']],
  AddonThrottling: [['DcsimGatewayThrottled', 'gateway']],
  Misconfiguration: [
    ['DcsimGatewayAnnouncesNoRoutes', 'gateway'],
    ['DcsimZoneDropsTraffic', 'az'],
  ],
  PowerFeedLoss: [
    ['DcsimPowerFeedDown', 'az'],
    ['DcsimZonePowerNotRedundant', 'az'],
  ],
  CoolingFailure: [
    ['DcsimCoolingUnitDown', 'az'],
    ['DcsimZoneOverheats', 'az'],
  ],
  DemandSurge: [],
  Attack: [
    ['DcsimCustomerUnderAttack', 'customer'],
    ['DcsimCustomerBreached', 'customer'],
  ],
  ExpiredCertificate: [],
  FailedRelease: [],
  DnsError: [],
  ClockDrift: [],
  MemoryErrors: [],
  StuckBatteryTest: [
    ['DcsimPowerFeedDown', 'az'],
    ['DcsimZonePowerNotRedundant', 'az'],
  ],
  WaterLeak: [
    ['DcsimCoolingUnitDown', 'az'],
    ['DcsimZoneOverheats', 'az'],
  ],
  RouteLeak: [['DcsimGatewayThrottled', 'gateway']],
  ExpiredLicense: [['DcsimInspectionFull', 'appliance']],
  HostDrained: [],
  CarrierOutage: [['DcsimLinkDown', 'link']],
}

const alertOfBand = (band: Band): string => `DcsimIncident${band}`

/**
 * The alerts that a fault justifies: about the affected devices and customers, and about its incidents in their
 * bands.
 */
export function alertsOf(
  kind: CauseKind,
  touched: Readonly<Record<string, readonly string[]>>,
  incidents: readonly { readonly id: number; readonly bands: readonly Band[] }[],
): TruthAlert[] {
  const aboutParts = alertsOfKind[kind].flatMap(([alert, label]) =>
    (touched[label] ?? []).map((id) => ({ alert, labels: { [label]: id } })),
  )
  const aboutIncidents = incidents.flatMap(({ id, bands }) =>
    bands.map((band) => ({ alert: alertOfBand(band), labels: { incident: String(id) } })),
  )
  return [...aboutParts, ...aboutIncidents]
}
