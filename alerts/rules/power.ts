import { calculate, compare, either, filter, metric, oneOf, withLabels } from '../promql.ts'
import type { Expr, TargetLabel } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { targetSelector, targetValues } from '../identity.ts'
import { oneDecimal, percent } from '../annotation-text.ts'

const subject = 'power-and-cooling'

const zoneName = <L extends string>(expr: Expr<L | 'az' | TargetLabel>) =>
  withLabels(expr, 'dcsim_az_info', ['az'], ['display_name'])

function power(make: DefineAlert, settings: Settings): Alert[] {
  const { feedLoadHigh, rackPowerHigh } = settings.thresholds
  const opens = ['instance', 'az'] as const
  const feed = calculate(
    metric('dcsim_az_power_feed_load_watts'),
    '/',
    metric('dcsim_az_power_feed_capacity_watts'),
  )
  const rack = calculate(
    metric('dcsim_rack_power_draw_watts'),
    '/',
    metric('dcsim_rack_power_capacity_watts'),
  )
  return [
    make('DcsimPowerFeedDown', {
      severity: 'critical',
      expr: zoneName(compare(metric('dcsim_az_power_feed_up'), '==', 0)),
      key: ['az', 'feed'],
      summary: 'A power feed of a zone is lost.',
      description:
        'Feed {feed} of zone {display_name} is down: devices that it alone feeds are without power.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimZonePowerNotRedundant', {
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_power_redundant'), '==', 0)),
      holds: 20,
      key: ['az'],
      summary: 'One feed alone cannot carry a zone.',
      description:
        'In zone {display_name}, a feed is lost, or one alone could not carry the draw: the next loss is an outage.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimPowerFeedNearlyFull', {
      severity: 'warning',
      expr: zoneName(compare(feed, '>', feedLoadHigh)),
      holds: 20,
      key: ['az', 'feed'],
      summary: 'A power feed delivers nearly all that it can.',
      description: `Feed {feed} of zone {display_name} delivers ${percent} of what it can.`,
      dashboard: 'compute',
      opens,
    }),
    make('DcsimRackPowerNearlyFull', {
      severity: 'warning',
      expr: withLabels(compare(rack, '>', rackPowerHigh), 'dcsim_rack_info', ['rack'], ['name']),
      holds: 20,
      key: ['rack'],
      summary: 'A rack draws nearly all the power that it may.',
      description: `Rack {name} in zone {az} draws ${percent} of the power that it may draw.`,
      dashboard: 'compute',
      opens,
    }),
  ]
}

function cooling(make: DefineAlert, settings: Settings): Alert[] {
  const { coolingLoadHigh, inletHotCelsius, inletWarmCelsius } = settings.thresholds
  const opens = ['instance', 'az'] as const
  const load = calculate(
    metric('dcsim_az_cooling_load_watts'),
    '/',
    metric('dcsim_az_cooling_capacity_watts'),
  )
  const inlet = metric('dcsim_az_inlet_celsius')
  const failed = compare(
    metric('dcsim_az_cooling_status', { state: oneOf(['Overheating', 'Failed']) }),
    '==',
    1,
  )
  return [
    make('DcsimCoolingUnitDown', {
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_cooling_unit_up'), '==', 0)),
      key: ['az', 'unit'],
      summary: 'A cooling unit does not run.',
      description:
        'Cooling unit {name} of zone {display_name} does not run; the others have to take its heat.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimZoneCoolingStrained', {
      severity: 'warning',
      expr: zoneName(
        either(
          compare(load, '>', coolingLoadHigh),
          compare(compare(inlet, '>', inletWarmCelsius), '<=', inletHotCelsius),
        ),
      ),
      holds: 20,
      key: ['az'],
      summary: 'Cooling of a zone hardly copes.',
      description:
        'Zone {display_name} has hardly any cooling left, or its air is warmer than it should be.' +
        ` {{ range query (printf "dcsim_az_inlet_celsius{${targetSelector}, az=%q}"` +
        ` ${targetValues} $labels.az) }}Its racks take in air of` +
        ' {{ . | value | printf "%.1f" }} °C.{{ end }}',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimZoneOverheats', {
      severity: 'critical',
      expr: zoneName(either(compare(inlet, '>', inletHotCelsius), filter(inlet, 'and', failed, ['az']))),
      key: ['az'],
      summary: 'A zone overheats.',
      description: `The racks of zone {display_name} take in air of ${oneDecimal} °C: hosts will throttle and shut down.`,
      dashboard: 'compute',
      opens,
    }),
  ]
}

export function powerRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return { subject, recordings: [], alerts: [...power(make, settings), ...cooling(make, settings)] }
}
