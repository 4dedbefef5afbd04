import type { AlertName } from '../cases/alert-cases.ts'
import { ruleGroups } from '../catalog.ts'
import { explained, trafficInZone } from '../explained.ts'
import type { AlertSettings } from '../settings.ts'
import { alertSeverities, severityOfBand } from '../severity.ts'
import type { AlertSeverity } from '../severity.ts'
import { targetLabels } from '../../promql/metrics.ts'
import { alertMatcher } from './alert-matcher.ts'

/** While an alert of the source fires, alerts of the target with equal labels are not sent. */
interface Inhibition {
  readonly source_matchers: readonly string[]
  readonly target_matchers: readonly string[]
  readonly equal: readonly string[]
}

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

const ofCriticalIncident = 'band="Critical"'

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
  [['DcsimIncidentWasGrave'], ['DcsimIncidentMajor'], ['incident'], [ofCriticalIncident]],
  [
    ['DcsimIncidentWasGrave'],
    ['DcsimIncidentComplianceAtRisk', 'DcsimIncidentWorsens', 'DcsimIncidentUnattended'],
    ['incident'],
  ],
  [['DcsimPowerFeedDown'], ['DcsimZonePowerNotRedundant'], ['az']],
]

const isGraver = (severity: AlertSeverity, than: AlertSeverity): boolean =>
  alertSeverities.indexOf(severity) < alertSeverities.indexOf(than)

/**
 * The severity of the message that stands for an inhibiting alert. Alerts of severity `none` fire for incidents of band
 * Major or graver, whose own alerts are sent.
 */
const announcedSeverity = (severity: AlertSeverity): AlertSeverity =>
  severity === 'none' ? severityOfBand.Major : severity

/**
 * The value of `inhibit_rules` in Alertmanager's configuration. No alert is held back by a milder one: those who route
 * critical alerts to a pager would not be paged.
 */
export function inhibitions(settings: AlertSettings): Inhibition[] {
  const target = [...targetLabels, ...settings.identity]
  const severities = new Map(
    ruleGroups(settings).flatMap(({ alerts }) =>
      alerts.map(({ alert, labels }) => [alert, labels['severity'] as AlertSeverity]),
    ),
  )
  const severityOf = (name: AlertName): AlertSeverity => severities.get(name) ?? 'none'
  const graver = (thing: string, over: string, under: string): Inhibition => ({
    source_matchers: [`severity="${over}"`, `${thing}=~".+"`],
    target_matchers: [`severity=~"${under}"`, `${thing}=~".+"`],
    equal: [...target, thing],
  })
  const explains = ([sources, targets, equal, sourceMatchers = []]: Explanation): Inhibition => {
    const announced = sources.map((name) => announcedSeverity(severityOf(name)))
    const mildest = announced.reduce((one, other) => (isGraver(one, other) ? other : one))
    const graverThan = alertSeverities.filter((severity) => isGraver(severity, mildest))
    const isMixed = targets.some((name) => graverThan.includes(severityOf(name)))
    return {
      source_matchers: [alertMatcher(sources), ...sourceMatchers],
      target_matchers: [
        alertMatcher(targets),
        ...(isMixed ? [`severity!~"${graverThan.join('|')}"`] : []),
        // A label that both lack would count as equal.
        ...equal.map((label) => `${label}=~".+"`),
      ],
      equal: [...target, ...equal],
    }
  }
  // A grave incident explains alerts about the entities that it concerns, each by the label that both have.
  const byScope = Object.entries(explained).map(
    ([label, alerts]): Explanation => [['DcsimIncidentScope'], alerts, [label]],
  )
  return [
    {
      // A target that is down inhibits the alerts about its world.
      source_matchers: [alertMatcher(['DcsimMirrorDown'])],
      target_matchers: [alertMatcher(['DcsimMirrorDown', 'DcsimMirrorAbsent', 'DcsimWatchdog'], true)],
      equal: [...target],
    },
    // critical over warning over info, for the same entity.
    ...['incident', 'host', 'switch', 'gateway', 'appliance'].flatMap((thing) => [
      graver(thing, 'critical', 'warning|info'),
      graver(thing, 'warning', 'info'),
    ]),
    ...withinZones.map(explains),
    ...byScope.map(explains),
    ...ofIncidents.map(explains),
  ]
}
