import { calculate, compare, either, filter, metric, oneOf } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { looked, oneDecimal, percent } from '../annotation-text.ts'
import { rackName, zoneName } from './names.ts'

const subject = 'power-and-cooling'
const opens = ['instance', 'az'] as const
const redundant = compare(metric('dcsim_az_power_redundant'), '==', 1)

function feeds(make: DefineAlert, settings: Settings): Alert[] {
  const { feedLoadHigh } = settings.thresholds
  const feed = calculate(
    metric('dcsim_az_power_feed_load_watts'),
    '/',
    metric('dcsim_az_power_feed_capacity_watts'),
  )
  return [
    make('DcsimPowerFeedDown', {
      severity: 'critical',
      expr: zoneName(compare(metric('dcsim_az_power_feed_up'), '==', 0)),
      key: ['az', 'feed'],
      subject: '{display_name}',
      summary: 'Power feed {feed} of {display_name} is down',
      description:
        'Feed {feed} of {display_name} is down: devices that it alone feeds have no power, all others have no spare.' +
        ' See what went down with it, and who restores the supply.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimZonePowerNotRedundant', {
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_power_redundant'), '==', 0)),
      holds: 20,
      key: ['az'],
      subject: '{display_name}',
      summary: 'Power of {display_name} is not redundant',
      description:
        'In {display_name} a feed is lost, or one alone could not carry the draw: the next loss is an outage.' +
        ' Restore the feed, or lower the draw.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimPowerFeedNearlyFull', {
      severity: 'warning',
      expr: zoneName(compare(feed, '>', feedLoadHigh)),
      holds: 20,
      lingers: 60,
      key: ['az', 'feed'],
      subject: '{display_name}',
      summary: `Power feed {feed} of {display_name} delivers ${percent} of its capacity`,
      description:
        `Feed {feed} of {display_name} delivers ${percent} of its capacity. If the other feed fails, it has to carry` +
        ' both: move load to another zone.',
      dashboard: 'compute',
      opens,
    }),
  ]
}

function racks(make: DefineAlert, settings: Settings): Alert[] {
  const { rackPowerHigh, inletHotCelsius } = settings.thresholds
  const draw = calculate(
    metric('dcsim_rack_power_draw_watts'),
    '/',
    metric('dcsim_rack_power_capacity_watts'),
  )
  const zoneHot = compare(metric('dcsim_az_inlet_celsius'), '>', inletHotCelsius)
  return [
    make('DcsimRackPowerNearlyFull', {
      severity: 'warning',
      expr: rackName(compare(draw, '>', rackPowerHigh)),
      holds: 20,
      lingers: 60,
      key: ['rack'],
      subject: '{name}',
      summary: `Rack {name} in {zone} draws ${percent} of the power that it may draw`,
      description:
        `Rack {name} in {zone} draws ${percent} of the power that it may draw. Beyond that its breaker trips:` +
        ' move units off its hosts.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimRackOnOneFeed', {
      severity: 'warning',
      // When the whole zone has lost a feed, that is told once.
      expr: rackName(
        filter(compare(metric('dcsim_rack_power_feeds_live'), '==', 1), 'and', redundant, ['az']),
      ),
      holds: 20,
      key: ['rack'],
      subject: '{name}',
      summary: 'Rack {name} in {zone} runs on one power feed',
      description:
        'Rack {name} in {zone} has one live power feed although the zone has both: when that goes, the rack goes.' +
        ' See which breaker is open.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimRackHot', {
      severity: 'warning',
      // When the whole zone is hot, that is told once.
      expr: rackName(
        filter(compare(metric('dcsim_rack_inlet_celsius'), '>', inletHotCelsius), 'unless', zoneHot, ['az']),
      ),
      holds: 20,
      lingers: 60,
      key: ['rack'],
      subject: '{name}',
      summary: `Rack {name} in {zone} takes in air of ${oneDecimal} °C`,
      description:
        `Rack {name} in {zone} takes in air of ${oneDecimal} °C, more than its devices are made for.` +
        ' Look at the cooling units beside it, and at what it draws.',
      dashboard: 'compute',
      opens,
    }),
  ]
}

function cooling(make: DefineAlert, settings: Settings): Alert[] {
  const { coolingLoadHigh, inletHotCelsius, inletWarmCelsius } = settings.thresholds
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
      subject: '{name}',
      summary: 'Cooling unit {name} in {display_name} has stopped',
      description:
        'Cooling unit {name} in {display_name} has stopped; the others have to take its heat. See how warm the air' +
        ' gets, and who repairs it.',
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
      lingers: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: 'Cooling in {display_name} hardly copes',
      description:
        'Cooling in {display_name} has hardly any reserve, or the air is warmer than it should be.' +
        looked(
          'dcsim_az_inlet_celsius',
          ['az'],
          ' Racks take in air of {{ . | value | printf "%.1f" }} °C.',
        ) +
        ' Repair stopped units first; else lower the load.',
      dashboard: 'compute',
      opens,
    }),
    make('DcsimZoneOverheats', {
      severity: 'critical',
      expr: zoneName(either(compare(inlet, '>', inletHotCelsius), filter(inlet, 'and', failed, ['az']))),
      lingers: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: `{display_name} overheats: racks take in air of ${oneDecimal} °C`,
      description:
        `Racks in {display_name} take in air of ${oneDecimal} °C: hosts will throttle and shut down.` +
        ' Get cooling units running again, and move load to other zones.',
      dashboard: 'compute',
      opens,
    }),
  ]
}

export function powerRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: [],
    alerts: [...feeds(make, settings), ...racks(make, settings), ...cooling(make, settings)],
  }
}
