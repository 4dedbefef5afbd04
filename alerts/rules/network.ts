import { calculate, compare, either, filter, metric, recorded, withLabels } from '../promql.ts'
import type { Expr, TargetLabel } from '../promql.ts'
import { alertDefiner, recordNow } from '../rule.ts'
import type { Alert, DefineAlert, Recording, RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { oneDecimal, percent } from '../annotation-text.ts'

const subject = 'network'

const wanLoad = recorded<'az' | TargetLabel>('az:dcsim_az_wan_load:ratio')
const droppedShare = recorded<'az' | TargetLabel>('az:dcsim_az_dropped:share')
const linkLoad = recorded<'link' | 'kind' | TargetLabel>('link:dcsim_link_load:ratio')

/** Links over their limit, as long as they are, with the names of their ends: a few of many. */
export const fullLinks = 'link:dcsim_link_load:high'
export type FullLink = 'link' | 'kind' | 'a' | 'b' | TargetLabel

/** The fuller direction counts, of a link as of all WAN links of a zone. */
function recordings({ thresholds }: Settings): Recording[] {
  const wanIn = metric('dcsim_az_wan_receive_bytes_per_second')
  const wanOut = metric('dcsim_az_wan_transmit_bytes_per_second')
  const there = metric('dcsim_link_forward_bytes_per_second')
  const back = metric('dcsim_link_reverse_bytes_per_second')
  const fullerWan = either(compare(wanIn, '>=', wanOut), wanOut)
  const fullerWay = either(compare(there, '>=', back), back)
  return [
    recordNow(wanLoad.text, calculate(fullerWan, '/', metric('dcsim_az_wan_capacity_bytes_per_second'))),
    recordNow(
      droppedShare.text,
      calculate(metric('dcsim_az_dropped_bytes_per_second'), '/', calculate(wanIn, '+', wanOut)),
    ),
    recordNow(linkLoad.text, calculate(fullerWay, '/', metric('dcsim_link_capacity_bytes_per_second'))),
    recordNow(fullLinks, linkEnds(compare(linkLoad, '>', thresholds.linkLoadHigh))),
  ]
}

const zoneName = <L extends string>(expr: Expr<L | 'az' | TargetLabel>) =>
  withLabels(expr, 'dcsim_az_info', ['az'], ['display_name'])
const gatewayName = <L extends string>(expr: Expr<L | 'gateway' | TargetLabel>) =>
  withLabels(expr, 'dcsim_gateway_info', ['gateway'], ['name'])
const switchName = <L extends string>(expr: Expr<L | 'switch' | TargetLabel>) =>
  withLabels(expr, 'dcsim_switch_info', ['switch'], ['name'])
const linkEnds = <L extends string>(expr: Expr<L | 'link' | TargetLabel>) =>
  withLabels(expr, 'dcsim_link_info', ['link'], ['a', 'b'])

function ways(make: DefineAlert, settings: Settings): Alert[] {
  const { linkLoadFull, droppedShareHigh } = settings.thresholds
  return [
    make('DcsimZoneAnnouncesNoRoutes', {
      severity: 'critical',
      expr: zoneName(compare(metric('dcsim_az_bgp_advertising'), '==', 0)),
      key: ['az'],
      summary: 'A zone announces no routes.',
      description:
        'No gateway of zone {display_name} announces routes: its users come in over other zones, if at all.',
      dashboard: 'network',
      opens: ['instance', 'az'],
    }),
    make('DcsimGatewayAnnouncesNoRoutes', {
      severity: 'warning',
      expr: gatewayName(compare(metric('dcsim_gateway_bgp_advertising'), '==', 0)),
      key: ['gateway'],
      summary: 'A gateway announces no routes.',
      description: 'Gateway {name} in zone {az} announces no routes, so that no traffic comes in over it.',
      dashboard: 'network',
      opens: ['instance', 'az'],
    }),
    make('DcsimZoneDropsTraffic', {
      severity: 'warning',
      expr: zoneName(compare(droppedShare, '>', droppedShareHigh)),
      holds: 20,
      key: ['az'],
      summary: 'A zone drops traffic.',
      description: `In zone {display_name}, ${percent} of the traffic with the outside is dropped.`,
      dashboard: 'network',
      opens: ['instance', 'az'],
    }),
    make('DcsimZoneWanFull', {
      severity: 'warning',
      expr: zoneName(compare(wanLoad, '>', linkLoadFull)),
      holds: 20,
      key: ['az'],
      summary: 'The way into a zone is full.',
      description: `The WAN links of zone {display_name} carry ${percent} of what they can.`,
      dashboard: 'network',
      opens: ['instance', 'az'],
    }),
  ]
}

function links(make: DefineAlert, settings: Settings): Alert[] {
  const { linkLoadFull } = settings.thresholds
  return [
    make('DcsimLinkDown', {
      severity: 'warning',
      expr: linkEnds(compare(metric('dcsim_link_up'), '==', 0)),
      holds: 20,
      key: ['link'],
      summary: 'A link between network devices is down.',
      description: 'The {kind} link {link} between {a} and {b} is down.',
      dashboard: 'network',
      opens: ['instance'],
    }),
    make('DcsimLinkFull', {
      severity: 'warning',
      expr: linkEnds(compare(linkLoad, '>', linkLoadFull)),
      holds: 20,
      key: ['link'],
      summary: 'A link carries all that it can.',
      description: `The {kind} link {link} between {a} and {b} carries ${percent} of what it can.`,
      dashboard: 'network',
      opens: ['instance'],
    }),
  ]
}

const opensZone = ['instance', 'az'] as const

function switches(make: DefineAlert, settings: Settings): Alert[] {
  const { errorsPerSecondHigh, flapsPerHourHigh, fabricLoadHigh } = settings.thresholds
  const errors = recorded<'switch' | 'az' | TargetLabel>('switch:dcsim_switch_errors:rate')
  const flaps = recorded<'switch' | 'az' | TargetLabel>('switch:dcsim_switch_link_flaps:rate')
  const fabric = calculate(
    metric('dcsim_switch_fabric_load_bytes_per_second'),
    '/',
    metric('dcsim_switch_fabric_capacity_bytes_per_second'),
  )
  const saturated = compare(metric('dcsim_switch_fabric_saturated'), '==', 1)
  return [
    make('DcsimBroadcastStorm', {
      severity: 'critical',
      expr: switchName(compare(metric('dcsim_switch_broadcast_storm'), '==', 1)),
      key: ['switch'],
      summary: 'A broadcast storm runs through a switch.',
      description:
        'A broadcast storm runs through the {role} switch {name} in zone {az} and drowns its traffic.',
      dashboard: 'network',
      opens: opensZone,
    }),
    make('DcsimSwitchFabricFull', {
      severity: 'warning',
      // A fault may lower what a fabric carries without its rated capacity telling.
      expr: switchName(
        either(compare(fabric, '>', fabricLoadHigh), filter(fabric, 'and', saturated, ['switch'])),
      ),
      holds: 20,
      key: ['switch'],
      summary: 'The fabric of a switch is full, or nearly so.',
      description: `The fabric of {role} switch {name} in zone {az} carries ${percent} of its rating and hardly more.`,
      dashboard: 'network',
      opens: opensZone,
    }),
    make('DcsimSwitchLosesFrames', {
      severity: 'warning',
      expr: switchName(compare(errors, '>', errorsPerSecondHigh)),
      key: ['switch'],
      summary: 'A switch loses frames to errors.',
      description: `Switch {name} in zone {az} loses ${oneDecimal} frames a second of game time to errors.`,
      dashboard: 'network',
      opens: opensZone,
    }),
    make('DcsimSwitchLinksFlap', {
      severity: 'info',
      expr: switchName(compare(calculate(flaps, '*', 3600), '>', flapsPerHourHigh)),
      key: ['switch'],
      summary: 'Links of a switch go and come back.',
      description: `Links of switch {name} in zone {az} flap ${oneDecimal} times an hour of game time.`,
      dashboard: 'network',
      opens: opensZone,
    }),
  ]
}

function gatesAndAppliances(make: DefineAlert, settings: Settings): Alert[] {
  const { inspectionLoadHigh } = settings.thresholds
  const inspection = calculate(
    metric('dcsim_appliance_inspection_load_bytes_per_second'),
    '/',
    metric('dcsim_appliance_inspection_capacity_bytes_per_second'),
  )
  const throttled = compare(metric('dcsim_gateway_addon_throttled'), '==', 1)
  return [
    make('DcsimInspectionFull', {
      severity: 'warning',
      expr: withLabels(
        compare(inspection, '>', inspectionLoadHigh),
        'dcsim_appliance_info',
        ['appliance'],
        ['name'],
      ),
      holds: 20,
      key: ['appliance'],
      summary: 'An appliance inspects nearly all that it can.',
      description: `The {kind} {name} in zone {az} inspects ${percent} of what it can; the rest waits or is dropped.`,
      dashboard: 'security',
      opens: ['instance'],
    }),
    make('DcsimGatewayThrottled', {
      severity: 'warning',
      expr: gatewayName(filter(metric('dcsim_gateway_addon_throttle_ratio'), 'and', throttled, ['gateway'])),
      holds: 20,
      key: ['gateway'],
      summary: 'Add-ons slow a gateway down.',
      description: `Add-ons take ${percent} of the forwarding of gateway {name} in zone {az}, and it needs it now.`,
      dashboard: 'network',
      opens: opensZone,
    }),
  ]
}

export function networkRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: recordings(settings),
    alerts: [
      ...ways(make, settings),
      ...links(make, settings),
      ...switches(make, settings),
      ...gatesAndAppliances(make, settings),
    ],
  }
}
