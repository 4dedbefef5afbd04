import type { AlertName } from '../cases/alert-cases.ts'
import type { AlertSettings } from '../settings.ts'
import { targetLabels } from '../promql/metrics.ts'
import { alertMatcher } from './alert-matcher.ts'

/** While an alert of the source fires, alerts of the target with equal labels are not sent. */
interface Inhibition {
  readonly source_matchers: readonly string[]
  readonly target_matchers: readonly string[]
  readonly equal: readonly string[]
}

/** Consequences, within a zone, of the zone's failure or of an incident there. */
const trafficInZone: readonly AlertName[] = [
  'DcsimZoneDropsTraffic',
  'DcsimZoneWanFull',
  'DcsimLinkFull',
  'DcsimLinkDown',
  'DcsimGatewayFabricFull',
  'DcsimGatewayThrottled',
  'DcsimInspectionFull',
]
const symptomsInZone: readonly AlertName[] = [
  ...trafficInZone,
  'DcsimZoneHostsDown',
  'DcsimHostDown',
  'DcsimHostOnOneFeed',
  'DcsimSwitchDown',
  'DcsimGatewayDown',
  'DcsimApplianceDown',
  'DcsimGatewayAnnouncesNoRoutes',
  'DcsimRackOnOneFeed',
  'DcsimRackHot',
  'DcsimUnitsStranded',
  'DcsimZoneCoolingStrained',
  'DcsimCoolingUnitDown',
]

/** Alerts that a grave incident explains, by the label that both have for the affected entity. */
const explained: Readonly<Record<string, readonly AlertName[]>> = {
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
}

/** The sources inhibit the targets if these labels are equal; `matchers` further restricts the sources. */
type Explanation = readonly [
  sources: readonly AlertName[],
  targets: readonly AlertName[],
  equal: readonly string[],
  sourceMatchers?: readonly string[],
]

const withinZones: readonly Explanation[] = [
  // A cause that fails requests of one plan mostly fails those of the others, if fewer.
  [['DcsimSlaBudgetBurnsFast'], ['DcsimSlaBudgetBurnsSlowly'], []],
  // The failure of a whole zone explains failures within it.
  [
    ['DcsimPowerFeedDown', 'DcsimZoneAnnouncesNoRoutes', 'DcsimZoneHostsDown', 'DcsimZoneOverheats'],
    symptomsInZone,
    ['az'],
  ],
  // A full resource in a zone that drops traffic is the reason of the drops.
  [
    ['DcsimZoneDropsTraffic'],
    [
      'DcsimZoneWanFull',
      'DcsimLinkFull',
      'DcsimGatewayFabricFull',
      'DcsimGatewayThrottled',
      'DcsimInspectionFull',
    ],
    ['az'],
  ],
  // The switch that loses frames is reported instead of its zone, and the storm instead of the resources that
  // it fills.
  [['DcsimSwitchLosesFrames', 'DcsimBroadcastStorm'], ['DcsimZoneDropsTraffic'], ['az']],
  [['DcsimBroadcastStorm'], ['DcsimSwitchFabricFull', 'DcsimLinkFull'], ['az']],
  // The load that moves to the other feed, and units that lost their host.
  [['DcsimPowerFeedDown'], ['DcsimPowerFeedNearlyFull'], ['az']],
  [['DcsimHostDown'], ['DcsimUnitsStranded'], ['az']],
  [['DcsimCoolingUnitDown'], ['DcsimZoneCoolingStrained'], ['az']],
  [['DcsimZoneWanFull'], ['DcsimLinkFull'], ['az']],
  // Hosts of a rack whose switch is down are unreachable.
  [['DcsimSwitchDown'], ['DcsimHostDown'], ['rack'], ['role="edge"']],
]

const ofIncidents: readonly Explanation[] = [
  // Total revenue at risk sums up the revenue in notifications of incidents.
  [['DcsimIncidentScope'], ['DcsimIncidentRevenueAtRisk', 'DcsimSlaCreditsHigh'], []],
  // The notification of a grave incident names the affected customers, and the compliance at risk.
  [['DcsimIncidentMajor'], ['DcsimIncidentComplianceAtRisk', 'DcsimIncidentWorsens'], ['incident']],
  // For an incident that was both Major and Critical, the Critical alert announces the end.
  [['DcsimIncidentWasGrave'], ['DcsimIncidentMajor'], ['incident'], ['band="Critical"']],
  [
    ['DcsimIncidentWasGrave'],
    ['DcsimIncidentComplianceAtRisk', 'DcsimIncidentWorsens', 'DcsimIncidentUnattended'],
    ['incident'],
  ],
  [['DcsimPowerFeedDown'], ['DcsimZonePowerNotRedundant'], ['az']],
]

/** The value of `inhibit_rules` in Alertmanager's configuration. */
export function inhibitions({ identity }: AlertSettings): Inhibition[] {
  const target = [...targetLabels, ...identity]
  const graver = (thing: string, over: string, under: string): Inhibition => ({
    source_matchers: [`severity="${over}"`, `${thing}=~".+"`],
    target_matchers: [`severity=~"${under}"`, `${thing}=~".+"`],
    equal: [...target, thing],
  })
  const explains = ([sources, targets, equal, sourceMatchers = []]: Explanation): Inhibition => ({
    source_matchers: [alertMatcher(sources), ...sourceMatchers],
    target_matchers: [alertMatcher(targets)],
    equal: [...target, ...equal],
  })
  return [
    {
      // A target that is down inhibits the alerts about its world.
      source_matchers: [alertMatcher(['DcsimMirrorDown'])],
      target_matchers: [alertMatcher(['DcsimMirrorDown', 'DcsimMirrorAbsent', 'DcsimWatchdog'], true)],
      equal: [...target],
    },
    // critical over warning over info, for the same entity. A label that both lack would count as equal.
    ...['incident', 'host', 'switch', 'gateway', 'appliance'].flatMap((thing) => [
      graver(thing, 'critical', 'warning|info'),
      graver(thing, 'warning', 'info'),
    ]),
    ...withinZones.map(explains),
    // A grave incident explains alerts about the entities that it concerns, each by the label that both have.
    ...Object.entries(explained).map(([label, alerts]) => ({
      source_matchers: [alertMatcher(['DcsimIncidentScope']), `${label}=~".+"`],
      target_matchers: [alertMatcher(alerts), `${label}=~".+"`],
      equal: [...target, label],
    })),
    ...ofIncidents.map(explains),
  ]
}
