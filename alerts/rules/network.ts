import { calculate, compare, either, filter, metric, recorded, withLabels } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { alertDefiner, recordNow } from '../rule.ts'
import type { Alert, DefineAlert, Recording, RuleGroup } from '../rule.ts'
import type { AlertSettings } from '../settings.ts'
import { inWords, lookup, oneDecimal, valueAsPercent, valueAsRate } from '../annotation-text.ts'
import { applianceKinds, cableKinds } from '../../src/contract/vocabularies.ts'
import { applianceWords, plainWords } from '../../src/words/vocabulary.ts'
import { perSimSecondName } from './clock.ts'
import { linkAtDeadDevice } from './dead-devices.ts'
import { applianceName, gatewayName, linkName, switchName, zoneName } from './names.ts'

const subject = 'network'
const opensDevice = ['instance', 'name'] as const

const wanLoad = recorded<'az' | TargetLabel>('az:dcsim_az_wan_capacity_bytes_per_second:used_ratio')
const droppedShare = recorded<'az' | TargetLabel>('az:dcsim_az_dropped_bytes_per_second:ratio')
const linkLoad = recorded<'link' | 'kind' | TargetLabel>(
  'link:dcsim_link_capacity_bytes_per_second:used_ratio',
)

/** The few links over their limit, with the devices at their ends. */
export const fullLinks = 'link:dcsim_link_capacity_bytes_per_second:used_ratio_high'
export type FullLink = 'link' | 'kind' | 'a' | 'b' | 'name' | TargetLabel

/** The direction with the higher load counts, for a link and for all WAN links of a zone. */
function recordings({ thresholds }: AlertSettings): Recording[] {
  const wanIn = metric('dcsim_az_wan_receive_bytes_per_second')
  const wanOut = metric('dcsim_az_wan_transmit_bytes_per_second')
  const there = metric('dcsim_link_forward_bytes_per_second')
  const back = metric('dcsim_link_reverse_bytes_per_second')
  const dropped = metric('dcsim_az_dropped_bytes_per_second')
  const fullerWan = either(compare(wanIn, '>=', wanOut), wanOut)
  const fullerWay = either(compare(there, '>=', back), back)
  return [
    recordNow(wanLoad.text, calculate(fullerWan, '/', metric('dcsim_az_wan_capacity_bytes_per_second'))),
    recordNow(
      droppedShare.text,
      calculate(dropped, '/', compare(calculate(calculate(wanIn, '+', wanOut), '+', dropped), '>', 0)),
    ),
    recordNow(linkLoad.text, calculate(fullerWay, '/', metric('dcsim_link_capacity_bytes_per_second'))),
    recordNow(
      fullLinks,
      withLabels(
        compare(linkLoad, '>', thresholds.linkLoadHigh),
        metric('dcsim_link_info'),
        ['link'],
        ['a', 'b', 'name'],
      ),
    ),
  ]
}

const opensZone = ['instance', 'az'] as const
const kindWords = (kind: string): string =>
  kind === 'Dac' ? 'DAC' : plainWords(kind).replace(/^wan /, 'WAN ')
/** A low load may saturate what a fault or an add-on has slowed down. */
const fabricState = (limit: number, full: string, saturated: string): string =>
  `{{ if gt $value ${limit.toFixed(4)} }}${full}{{ else }}${saturated}{{ end }}`
const linkKind = inWords('kind', cableKinds, kindWords)

function ways(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { linkLoadFull, droppedShareHigh } = settings.thresholds
  const darkZone = compare(metric('dcsim_az_bgp_advertising'), '==', 0)
  return [
    make('DcsimZoneAnnouncesNoRoutes', {
      // Has the severity of its incident, which is only Watch if other zones carry the traffic.
      severity: 'warning',
      expr: zoneName(darkZone),
      // Gives precedence to an incident that names the cause.
      forSeconds: 30,
      keepFiringSeconds: 30,
      key: ['az'],
      subject: '{display_name}',
      summary: '{display_name} announces no routes',
      description:
        'No gateway of {display_name} announces routes: users reach it through other zones, if at all.' +
        ' Check whether its gateways are down, and what was last changed on them.',
      dashboard: 'network',
      opens: opensZone,
    }),
    make('DcsimGatewayAnnouncesNoRoutes', {
      severity: 'warning',
      // If no gateway of a zone announces routes, the alert names the zone.
      expr: gatewayName(
        filter(compare(metric('dcsim_gateway_bgp_advertising'), '==', 0), 'unless', darkZone, ['az']),
      ),
      key: ['gateway'],
      subject: '{name}',
      summary: 'Gateway {name} in {zone} announces no routes',
      description:
        'No traffic enters through {name}; the other gateways of {zone} carry its share.' +
        ' Check its WAN links and its last change.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimZoneDropsTraffic', {
      severity: 'warning',
      expr: zoneName(compare(droppedShare, '>', droppedShareHigh)),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: `{display_name} drops ${valueAsPercent} of its WAN traffic`,
      description:
        'Requests through {display_name} fail. The Network dashboard shows which link, fabric or ceiling is full, and what loses or denies traffic.',
      dashboard: 'network',
      opens: opensZone,
    }),
    make('DcsimZoneWanFull', {
      severity: 'warning',
      expr: zoneName(compare(wanLoad, '>', linkLoadFull)),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: `WAN links of {display_name} are ${valueAsPercent} full`,
      description:
        'The WAN links of {display_name} are nearly full in one direction.' +
        ' Check for an attack or a failed link before ordering more.',
      dashboard: 'network',
      opens: opensZone,
    }),
  ]
}

function links(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { linkLoadFull } = settings.thresholds
  return [
    make('DcsimLinkDown', {
      severity: 'warning',
      // The links of a device that is down are covered by its own alert.
      expr: linkName(
        filter(compare(metric('dcsim_link_up'), '==', 0), 'unless', linkAtDeadDevice(), ['link']),
      ),
      forSeconds: 20,
      keepFiringSeconds: 30,
      key: ['link'],
      subject: '{name}',
      summary: 'Link {name} in {zone} is down',
      description:
        `The ${linkKind} link at port {port} carries nothing.` +
        lookup('dcsim_link_failed', ['link'], ' The cable itself is broken.', ' == 1') +
        ' Check that other links carry its traffic.',
      dashboard: 'network',
      opens: opensZone,
    }),
    make('DcsimLinkFull', {
      severity: 'warning',
      expr: linkName(compare(linkLoad, '>', linkLoadFull)),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['link'],
      subject: '{name}',
      summary: `Link {name} in {zone} is ${valueAsPercent} full`,
      description:
        `The ${linkKind} link at port {port} carries ${valueAsPercent} of its capacity in one direction.` +
        ' If its parallel link is down, repair that first; otherwise traffic has grown.',
      dashboard: 'network',
      opens: opensZone,
    }),
  ]
}

function switches(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { errorsPerSecondHigh, flapsPerHourHigh, fabricLoadHigh } = settings.thresholds
  const errors = recorded<'switch' | 'az' | TargetLabel>(perSimSecondName('switch:dcsim_switch_errors'))
  const flaps = recorded<'switch' | 'az' | TargetLabel>(perSimSecondName('switch:dcsim_switch_link_flaps'))
  const fabric = calculate(
    metric('dcsim_switch_fabric_load_bytes_per_second'),
    '/',
    metric('dcsim_switch_fabric_capacity_bytes_per_second'),
  )
  const saturated = compare(metric('dcsim_switch_fabric_saturated'), '==', 1)
  return [
    make('DcsimBroadcastStorm', {
      severity: 'warning',
      expr: switchName(compare(metric('dcsim_switch_broadcast_storm'), '==', 1)),
      key: ['switch'],
      // Outlasts the alerts on its consequences.
      keepFiringSeconds: 90,
      subject: '{name}',
      summary: 'Broadcast storm on switch {name} in {zone}',
      description:
        'Traffic through the {role} switch {name} is lost. Find the loop: look for a port that receives its own frames.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimSwitchFabricFull', {
      severity: 'warning',
      // An upstream may give the rated capacity of a fabric that a fault has reduced.
      expr: switchName(
        either(compare(fabric, '>', fabricLoadHigh), filter(fabric, 'and', saturated, ['switch'])),
      ),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['switch'],
      subject: '{name}',
      summary: `Fabric of switch {name} in {zone} ${fabricState(fabricLoadHigh, `is ${valueAsPercent} full`, 'is saturated')}`,
      description:
        `The fabric of the {role} switch carries ${valueAsPercent} of its capacity.` +
        lookup('dcsim_switch_fabric_saturated', ['switch'], ' It is saturated.', ' == 1') +
        ' Compare it with its neighbors: a firmware fault lowers what a fabric can carry.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimSwitchLosesFrames', {
      severity: 'warning',
      expr: switchName(compare(errors, '>', errorsPerSecondHigh)),
      keepFiringSeconds: 60,
      key: ['switch'],
      subject: '{name}',
      summary: `Switch {name} in {zone} lost ${valueAsRate} frames per simulated second lately`,
      description:
        'Nearly always a transceiver at an end of one link of {name} is dying, or its cable is bad: find the link by its error counters.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimSwitchLinksFlap', {
      severity: 'info',
      expr: switchName(compare(calculate(flaps, '*', 3600), '>', flapsPerHourHigh)),
      keepFiringSeconds: 60,
      key: ['switch'],
      subject: '{name}',
      summary: `Links of switch {name} in {zone} flap ${oneDecimal} times per simulated hour`,
      description:
        'Links of {name} go down and come back. Find the port by its flap counter, and reseat or replace its transceiver.',
      dashboard: 'device',
      opens: opensDevice,
    }),
  ]
}

function gatesAndAppliances(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { inspectionLoadHigh, fabricLoadHigh } = settings.thresholds
  const inspection = calculate(
    metric('dcsim_appliance_inspection_load_bytes_per_second'),
    '/',
    compare(metric('dcsim_appliance_inspection_capacity_bytes_per_second'), '>', 0),
  )
  const throttled = compare(metric('dcsim_gateway_addon_throttled'), '==', 1)
  const fabric = calculate(
    metric('dcsim_gateway_fabric_load_bytes_per_second'),
    '/',
    metric('dcsim_gateway_fabric_capacity_bytes_per_second'),
  )
  const saturated = compare(metric('dcsim_gateway_fabric_saturated'), '==', 1)
  return [
    // Load alone is harmless: alerts are sent for drops, and for effects on customers.
    make('DcsimInspectionFull', {
      severity: 'info',
      expr: applianceName(compare(inspection, '>', inspectionLoadHigh)),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['appliance'],
      subject: '{name}',
      summary: `Inspection on appliance {name} in {zone} is at ${valueAsPercent} of its capacity`,
      description:
        `Traffic beyond the capacity of {name} (${inWords('kind', applianceKinds, applianceWords)}) waits or is dropped.` +
        ' Check for an attack, or a partner appliance that is down.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimGatewayFabricFull', {
      severity: 'info',
      expr: gatewayName(
        either(compare(fabric, '>', fabricLoadHigh), filter(fabric, 'and', saturated, ['gateway'])),
      ),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['gateway'],
      subject: '{name}',
      summary: `Gateway {name} in {zone} ${fabricState(fabricLoadHigh, `has a fabric that is ${valueAsPercent} full`, 'drops what it cannot forward')}`,
      description:
        `The fabric of {name} carries ${valueAsPercent} of its capacity.` +
        lookup('dcsim_gateway_fabric_saturated', ['gateway'], ' It drops what it cannot forward.', ' == 1') +
        ' Check for an attack, add-ons that slow it down, or another gateway of the zone that is down.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimGatewayThrottled', {
      severity: 'info',
      expr: gatewayName(filter(metric('dcsim_gateway_addon_throttle_ratio'), 'and', throttled, ['gateway'])),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['gateway'],
      subject: '{name}',
      summary: `Security add-ons take ${valueAsPercent} of the forwarding capacity of gateway {name} in {zone}`,
      description:
        '{name} needs that capacity now. Switch off add-ons that no attack requires, or order a bigger gateway.',
      dashboard: 'device',
      opens: opensDevice,
    }),
  ]
}

export function networkRules(settings: AlertSettings): RuleGroup {
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
