import type { Band } from '../src/contract/vocabularies.ts'

/** critical: look at once. warning: look today. info: to be seen, nobody is called. */
export const severities = ['critical', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** How an incident's band is told. A band that nobody knows may be the worst of all, and is worth a look. */
export const severityOfBand: Readonly<Record<Band | 'unknown', Severity>> = {
  Watch: 'info',
  Minor: 'info',
  Major: 'warning',
  Critical: 'critical',
  unknown: 'warning',
}

/** Every alert that there is, and how urgent it is. */
export const severityOfAlert = {
  IncidentWatch: severityOfBand.Watch,
  IncidentMinor: severityOfBand.Minor,
  IncidentMajor: severityOfBand.Major,
  IncidentCritical: severityOfBand.Critical,
  IncidentOfUnknownBand: severityOfBand.unknown,
  IncidentRevenueAtRisk: 'warning',
  IncidentRedundancyBroken: 'info',
  IncidentComplianceAtRisk: 'warning',
  IncidentUnattended: 'warning',
  IncidentWorsens: 'warning',

  SlaBudgetBurnsFast: 'critical',
  SlaBudgetBurnsSlowly: 'warning',
  SlaLatencyAllowanceUsed: 'info',
  SlaCreditsHigh: 'warning',
  CustomerLatencyOverPromise: 'info',
  CustomerSatisfactionSlides: 'info',
  CustomerAboutToLeave: 'warning',

  PoolCpuFillsUp: 'info',
  PoolMemoryFillsUp: 'info',
  PoolDiskFillsUp: 'info',
  PoolGpuFillsUp: 'info',
  ZoneCpuFillsUp: 'info',
  ZoneMemoryFillsUp: 'info',
  ZoneDiskFillsUp: 'info',
  ZoneGpuFillsUp: 'info',
  ZoneWanFillsUp: 'info',
  UnitsStranded: 'warning',
  UnitsUnplaced: 'info',
  PoolContended: 'info',

  ZoneAnnouncesNoRoutes: 'critical',
  GatewayAnnouncesNoRoutes: 'warning',
  BroadcastStorm: 'critical',
  ZoneDropsTraffic: 'warning',
  ZoneWanFull: 'warning',
  LinkDown: 'warning',
  LinkFull: 'warning',
  SwitchFabricFull: 'warning',
  SwitchLosesFrames: 'warning',
  SwitchLinksFlap: 'info',
  InspectionFull: 'warning',
  GatewayThrottled: 'warning',

  CustomerBreached: 'critical',
  AttackGetsThrough: 'critical',
  CustomerUnderAttack: 'info',
  DefenceNearlyFull: 'warning',
  GatewayFirewallOff: 'warning',

  HostDown: 'warning',
  ZoneHostsDown: 'warning',
  HostOnOneFeed: 'info',
  SwitchWithoutPower: 'warning',
  SwitchWornOut: 'info',

  PowerFeedDown: 'critical',
  ZonePowerNotRedundant: 'warning',
  PowerFeedNearlyFull: 'warning',
  RackPowerNearlyFull: 'warning',
  CoolingUnitDown: 'warning',
  ZoneCoolingStrained: 'warning',
  ZoneOverheats: 'critical',

  CompanyLosesMoney: 'warning',
  CustomerLosesMoney: 'info',

  WorkBlocked: 'info',
  WorkOrderStuck: 'info',

  MirrorDown: 'critical',
  MirrorAbsent: 'critical',
  MirrorScrapeEmpty: 'warning',
  MirrorSnapshotStale: 'warning',
  MirrorSourceDown: 'warning',
  MirrorCollectorFails: 'warning',
  MirrorSlow: 'warning',
  WorldPaused: 'info',
  WorldStalled: 'warning',
  WorldLags: 'warning',
  Watchdog: 'info',
} as const satisfies Record<string, Severity>

export type AlertName = keyof typeof severityOfAlert
export const alertNames = Object.keys(severityOfAlert) as AlertName[]
