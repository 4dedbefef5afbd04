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

/** What in a zone follows from the failure of the zone, or from what an incident there does to it. */
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

/** Alerts that a grave incident explains, by the label under which it concerns the same. */
const explained: Readonly<Record<string, readonly AlertName[]>> = {
  // What fails a whole zone opens an incident of its own, which is graver news than its symptoms.
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

/** The first inhibit the second where these labels are equal; the matchers are further ones of the first. */
type Explanation = readonly [
  sources: readonly AlertName[],
  targets: readonly AlertName[],
  equal: readonly string[],
  sourceMatchers?: readonly string[],
]

const withinZones: readonly Explanation[] = [
  // What fails for one plan mostly fails for the others, if less.
  [['DcsimSlaBudgetBurnsFast'], ['DcsimSlaBudgetBurnsSlowly'], []],
  // The failure of a whole zone explains failures within it.
  [
    ['DcsimPowerFeedDown', 'DcsimZoneAnnouncesNoRoutes', 'DcsimZoneHostsDown', 'DcsimZoneOverheats'],
    symptomsInZone,
    ['az'],
  ],
  // What is full in a zone that drops traffic is why it drops.
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
  // The switch that loses frames is named instead of its zone, and the storm instead of what it fills.
  [['DcsimSwitchLosesFrames', 'DcsimBroadcastStorm'], ['DcsimZoneDropsTraffic'], ['az']],
  [['DcsimBroadcastStorm'], ['DcsimSwitchFabricFull', 'DcsimLinkFull'], ['az']],
  // What the other feed has to deliver then, and units that lost their host.
  [['DcsimPowerFeedDown'], ['DcsimPowerFeedNearlyFull'], ['az']],
  [['DcsimHostDown'], ['DcsimUnitsStranded'], ['az']],
  [['DcsimCoolingUnitDown'], ['DcsimZoneCoolingStrained'], ['az']],
  [['DcsimZoneWanFull'], ['DcsimLinkFull'], ['az']],
  // Hosts of a rack whose switch is down are out of reach.
  [['DcsimSwitchDown'], ['DcsimHostDown'], ['rack'], ['role="edge"']],
]

const ofIncidents: readonly Explanation[] = [
  // Which share of the revenue is at risk is the sum of what incidents tell.
  [['DcsimIncidentScope'], ['DcsimIncidentRevenueAtRisk', 'DcsimSlaCreditsHigh'], []],
  // The message about a grave incident says whom it affects, and which compliance is at risk.
  [['DcsimIncidentMajor'], ['DcsimIncidentComplianceAtRisk', 'DcsimIncidentWorsens'], ['incident']],
  // The Critical alert announces the end of an incident that was both.
  [['DcsimIncidentWasGrave'], ['DcsimIncidentMajor'], ['incident'], ['band="Critical"']],
  [
    ['DcsimIncidentWasGrave'],
    ['DcsimIncidentComplianceAtRisk', 'DcsimIncidentWorsens', 'DcsimIncidentUnattended'],
    ['incident'],
  ],
  [['DcsimPowerFeedDown'], ['DcsimZonePowerNotRedundant'], ['az']],
]

/** What `inhibit_rules` is in the configuration of Alertmanager. */
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
    // critical over warning over info, for the same thing. A label that both lack would count as equal.
    ...['incident', 'host', 'switch', 'gateway', 'appliance'].flatMap((thing) => [
      graver(thing, 'critical', 'warning|info'),
      graver(thing, 'warning', 'info'),
    ]),
    ...withinZones.map(explains),
    // A grave incident explains alerts about what it concerns, each under the label that both have.
    ...Object.entries(explained).map(([label, alerts]) => ({
      source_matchers: [alertMatcher(['DcsimIncidentScope']), `${label}=~".+"`],
      target_matchers: [alertMatcher(alerts), `${label}=~".+"`],
      equal: [...target, label],
    })),
    ...ofIncidents.map(explains),
  ]
}
