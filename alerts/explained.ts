import type { AlertName } from './cases/alert-cases.ts'

/** Consequences, within a zone, of the zone's failure or of an incident there. */
export const trafficInZone: readonly AlertName[] = [
  'DcsimZoneDropsTraffic',
  'DcsimZoneWanFull',
  'DcsimLinkFull',
  'DcsimLinkDown',
  'DcsimGatewayFabricFull',
  'DcsimGatewayThrottled',
  'DcsimInspectionFull',
]

/** Alerts that a grave incident explains, by the label that both have for the affected entity. */
export const explained = {
  // A failure of the whole zone opens an incident of its own, which is graver than these symptoms.
  az: [
    ...trafficInZone,
    'DcsimPowerFeedDown',
    'DcsimPowerFeedNearlyFull',
    'DcsimZonePowerNotRedundant',
    'DcsimZoneAnnouncesNoRoutes',
    'DcsimZoneOverheats',
    'DcsimZoneHostsDown',
    'DcsimUnitsStranded',
  ],
  subject: [
    'DcsimSwitchDown',
    'DcsimGatewayDown',
    'DcsimApplianceDown',
    'DcsimHostDown',
    'DcsimLinkDown',
    'DcsimLinkFull',
    'DcsimBroadcastStorm',
    'DcsimSwitchFabricFull',
    'DcsimSwitchLosesFrames',
    'DcsimSwitchLinksFlap',
    'DcsimGatewayAnnouncesNoRoutes',
    'DcsimGatewayThrottled',
    'DcsimGatewayFabricFull',
    'DcsimInspectionFull',
    'DcsimDefenseNearlyFull',
    'DcsimCoolingUnitDown',
  ],
  host: ['DcsimHostDown', 'DcsimHostOnOneFeed'],
  customer: [
    'DcsimCustomerUnderAttack',
    'DcsimCustomerBreached',
    'DcsimCustomerLatencyOverPromise',
    'DcsimServiceDown',
    'DcsimReplicasLost',
    'DcsimCustomerSatisfactionSlides',
  ],
  tier: ['DcsimSlaBudgetBurnsFast', 'DcsimSlaBudgetBurnsSlowly'],
  class: ['DcsimAttackGetsThrough', 'DcsimDefenseNearlyFull'],
} as const satisfies Readonly<Record<string, readonly AlertName[]>>
