import type { Settings } from '../settings.ts'
import { targetLabels } from '../promql/metrics.ts'

/** While an alert of the source fires, alerts of the target with equal labels are not sent. */
interface Inhibition {
  readonly source_matchers: readonly string[]
  readonly target_matchers: readonly string[]
  readonly equal: readonly string[]
}

/** What in a zone follows from the failure of the zone, or from what an incident there does to it. */
const trafficInZone =
  'ZoneDropsTraffic|ZoneWanFull|LinkFull|LinkDown|GatewayFabricFull|GatewayThrottled|InspectionFull'
const symptomsInZone = `Dcsim(${trafficInZone}|ZoneHostsDown|HostDown|HostOnOneFeed|SwitchDown|GatewayDown|ApplianceDown|GatewayAnnouncesNoRoutes|RackOnOneFeed|RackHot|UnitsStranded|ZoneCoolingStrained|CoolingUnitDown)`

/** Alerts that a grave incident explains, by the label under which it concerns the same. */
const explained: Readonly<Record<string, string>> = {
  // What fails a whole zone opens an incident of its own, which is graver news than its symptoms.
  az: `Dcsim(${trafficInZone}|PowerFeedDown|PowerFeedNearlyFull|ZonePowerNotRedundant|ZoneAnnouncesNoRoutes|ZoneOverheats|ZoneHostsDown|UnitsStranded)`,
  subject:
    'Dcsim(SwitchDown|GatewayDown|ApplianceDown|HostDown|LinkDown|LinkFull|BroadcastStorm|SwitchFabricFull|SwitchLosesFrames|SwitchLinksFlap|GatewayAnnouncesNoRoutes|GatewayThrottled|GatewayFabricFull|InspectionFull|DefenseNearlyFull|CoolingUnitDown)',
  host: 'Dcsim(HostDown|HostOnOneFeed)',
  customer:
    'Dcsim(CustomerUnderAttack|CustomerBreached|CustomerLatencyOverPromise|ServiceDown|ReplicasLost|CustomerSatisfactionSlides)',
  tier: 'DcsimSlaBudgetBurns(Fast|Slowly)',
  class: 'Dcsim(AttackGetsThrough|DefenseNearlyFull)',
}

/** What explains alerts about the same zone or rack. */
const withinZones = (target: readonly string[]): Inhibition[] => [
  {
    // The failure of a whole zone explains failures within it.
    source_matchers: ['alertname=~"Dcsim(PowerFeedDown|ZoneAnnouncesNoRoutes|ZoneHostsDown|ZoneOverheats)"'],
    target_matchers: [`alertname=~"${symptomsInZone}"`],
    equal: [...target, 'az'],
  },
  {
    // What is full in a zone that drops traffic is why it drops.
    source_matchers: ['alertname="DcsimZoneDropsTraffic"'],
    target_matchers: [
      'alertname=~"Dcsim(ZoneWanFull|LinkFull|GatewayFabricFull|GatewayThrottled|InspectionFull)"',
    ],
    equal: [...target, 'az'],
  },
  {
    // The switch that loses frames is named instead of its zone, and the storm instead of what it fills.
    source_matchers: ['alertname=~"Dcsim(SwitchLosesFrames|BroadcastStorm)"'],
    target_matchers: ['alertname="DcsimZoneDropsTraffic"'],
    equal: [...target, 'az'],
  },
  {
    source_matchers: ['alertname="DcsimBroadcastStorm"'],
    target_matchers: ['alertname=~"Dcsim(SwitchFabricFull|LinkFull)"'],
    equal: [...target, 'az'],
  },
  {
    // What the other feed has to deliver then, and units that lost their host.
    source_matchers: ['alertname="DcsimPowerFeedDown"'],
    target_matchers: ['alertname="DcsimPowerFeedNearlyFull"'],
    equal: [...target, 'az'],
  },
  {
    source_matchers: ['alertname="DcsimHostDown"'],
    target_matchers: ['alertname="DcsimUnitsStranded"'],
    equal: [...target, 'az'],
  },
  {
    source_matchers: ['alertname="DcsimCoolingUnitDown"'],
    target_matchers: ['alertname="DcsimZoneCoolingStrained"'],
    equal: [...target, 'az'],
  },
  {
    source_matchers: ['alertname="DcsimZoneWanFull"'],
    target_matchers: ['alertname="DcsimLinkFull"'],
    equal: [...target, 'az'],
  },
  {
    // Hosts of a rack whose switch is down are out of reach.
    source_matchers: ['alertname="DcsimSwitchDown"', 'role="edge"'],
    target_matchers: ['alertname="DcsimHostDown"'],
    equal: [...target, 'rack'],
  },
]

/** What `inhibit_rules` is in the configuration of Alertmanager. */
export function inhibitions({ identity }: Settings): Inhibition[] {
  const target = [...targetLabels, ...identity]
  const graver = (thing: string, over: string, under: string): Inhibition => ({
    source_matchers: [`severity="${over}"`, `${thing}=~".+"`],
    target_matchers: [`severity=~"${under}"`, `${thing}=~".+"`],
    equal: [...target, thing],
  })
  return [
    {
      // A target that is down inhibits the alerts about its world.
      source_matchers: ['alertname="DcsimMirrorDown"'],
      target_matchers: ['alertname!~"Dcsim(MirrorDown|MirrorAbsent|Watchdog)"'],
      equal: [...target],
    },
    // critical over warning over info, for the same thing. A label that both lack would count as equal.
    ...['incident', 'host', 'switch', 'gateway', 'appliance'].flatMap((thing) => [
      graver(thing, 'critical', 'warning|info'),
      graver(thing, 'warning', 'info'),
    ]),
    {
      // What fails for one plan mostly fails for the others, if less.
      source_matchers: ['alertname="DcsimSlaBudgetBurnsFast"'],
      target_matchers: ['alertname="DcsimSlaBudgetBurnsSlowly"'],
      equal: [...target],
    },
    ...withinZones(target),
    // A grave incident explains alerts about what it concerns, each under the label that both have.
    ...Object.entries(explained).map(([label, alerts]) => ({
      source_matchers: ['alertname="DcsimIncidentScope"', `${label}=~".+"`],
      target_matchers: [`alertname=~"${alerts}"`, `${label}=~".+"`],
      equal: [...target, label],
    })),
    {
      // Which share of the revenue is at risk is the sum of what incidents tell.
      source_matchers: ['alertname="DcsimIncidentScope"'],
      target_matchers: ['alertname=~"Dcsim(IncidentRevenueAtRisk|SlaCreditsHigh)"'],
      equal: [...target],
    },
    {
      // The message about a grave incident says whom it affects, and which compliance is at risk.
      source_matchers: ['alertname="DcsimIncidentMajor"'],
      target_matchers: ['alertname=~"DcsimIncident(ComplianceAtRisk|Worsens)"'],
      equal: [...target, 'incident'],
    },
    {
      // The Critical alert announces the end of an incident that was both.
      source_matchers: ['alertname="DcsimIncidentWasGrave"', 'band="Critical"'],
      target_matchers: ['alertname="DcsimIncidentMajor"'],
      equal: [...target, 'incident'],
    },
    {
      source_matchers: ['alertname="DcsimIncidentWasGrave"'],
      target_matchers: ['alertname=~"DcsimIncident(ComplianceAtRisk|Worsens|Unattended)"'],
      equal: [...target, 'incident'],
    },
    {
      source_matchers: ['alertname="DcsimPowerFeedDown"'],
      target_matchers: ['alertname="DcsimZonePowerNotRedundant"'],
      equal: [...target, 'az'],
    },
  ]
}
