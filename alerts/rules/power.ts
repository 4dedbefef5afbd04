import { anyOf, by, calculate, compare, either, filter, metric } from '../../promql/expressions.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { AlertSettings } from '../settings.ts'
import { lookup, oneDecimal, valueAsPercent } from '../annotation-text.ts'
import { rackName, zoneName } from './names.ts'

const subject = 'power-and-cooling'
const opens = ['instance', 'az'] as const
const dark = compare(by('max', metric('dcsim_az_power_feed_up'), ['az']), '==', 0)
const redundant = compare(metric('dcsim_az_power_redundant'), '==', 1)

const ifAnyFeedIsLive = (then: string, otherwise: string): string =>
  lookup('dcsim_az_power_feed_up', ['az'], then, ' == 1', otherwise)

function feeds(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { feedLoadHigh } = settings.thresholds
  const feed = calculate(
    metric('dcsim_az_power_feed_load_watts'),
    '/',
    metric('dcsim_az_power_feed_capacity_watts'),
  )
  return [
    make('DcsimPowerFeedDown', {
      // Whether customers feel it is up to its incident, which pages if it is Critical.
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_power_feed_up'), '==', 0)),
      forSeconds: 30,
      key: ['az', 'feed'],
      subject: '{display_name}',
      summary: 'Power feed {feed} of {display_name} is down',
      description:
        ifAnyFeedIsLive(
          'Devices that only feed {feed} supplies have no power; all others in {display_name} have no redundancy left.',
          'The other feed of {display_name} is down too: nothing there has power.',
        ) + ' Check what went down with it, and who restores the supply.',
      dashboard: 'power',
      opens,
    }),
    make('DcsimZonePowerNotRedundant', {
      severity: 'warning',
      expr: zoneName(compare(metric('dcsim_az_power_redundant'), '==', 0)),
      forSeconds: 20,
      key: ['az'],
      subject: '{display_name}',
      summary: 'Power of {display_name} is not redundant',
      description: ifAnyFeedIsLive(
        'A feed of {display_name} is lost, or one feed alone could not carry the load: the next loss is an outage.' +
          ' Restore the feed, or lower the load.',
        'Both feeds of {display_name} are lost. Restore one of them.',
      ),
      dashboard: 'power',
      opens,
    }),
    make('DcsimPowerFeedNearlyFull', {
      severity: 'warning',
      expr: zoneName(compare(feed, '>', feedLoadHigh)),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['az', 'feed'],
      subject: '{display_name}',
      summary: `Power feed {feed} of {display_name} delivers ${valueAsPercent} of its capacity`,
      description:
        lookup(
          'dcsim_az_power_feed_up',
          ['az'],
          'The other feed of {display_name} is lost: feed {feed} carries both loads, and trips above its capacity.',
          ' == 0',
          'If the other feed of {display_name} fails, feed {feed} has to carry both loads.',
        ) + ' Move load to another zone.',
      dashboard: 'power',
      opens,
    }),
  ]
}

function racks(make: DefineAlert, settings: AlertSettings): Alert[] {
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
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['rack'],
      subject: '{name}',
      summary: `Rack {name} in {zone} draws ${valueAsPercent} of its power limit`,
      description: 'Above the limit, the breaker of rack {name} trips. Move units off its hosts.',
      dashboard: 'rack',
      opens: ['instance', 'rack'],
    }),
    make('DcsimRackOnOneFeed', {
      severity: 'warning',
      // If the whole zone has lost a feed, one alert for the zone reports it.
      expr: rackName(
        filter(compare(metric('dcsim_rack_power_feeds_live'), '==', 1), 'and', redundant, ['az']),
      ),
      forSeconds: 20,
      key: ['rack'],
      subject: '{name}',
      summary: 'Rack {name} in {zone} runs on one power feed',
      description:
        '{zone} has both feeds, but rack {name} gets power from one: if that fails, the rack goes down.' +
        ' Check which breaker is open.',
      dashboard: 'rack',
      opens: ['instance', 'rack'],
    }),
    make('DcsimRackHot', {
      severity: 'warning',
      // If the whole zone is hot, one alert for the zone reports it.
      expr: rackName(
        filter(compare(metric('dcsim_rack_inlet_celsius'), '>', inletHotCelsius), 'unless', zoneHot, ['az']),
      ),
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['rack'],
      subject: '{name}',
      summary: `Inlet air of rack {name} in {zone} is ${oneDecimal} °C`,
      description:
        'Devices in rack {name} are not rated for air this warm.' +
        ' Check the cooling units beside it, and its power draw.',
      dashboard: 'rack',
      opens: ['instance', 'rack'],
    }),
  ]
}

const failed = compare(
  metric('dcsim_az_cooling_status', { state: anyOf(['Overheating', 'Failed']) }),
  '==',
  1,
)
const coolingLeft = lookup(
  'dcsim_az_cooling_unit_up',
  ['az'],
  'The other cooling units of {display_name} have to take its heat.',
  ' == 1',
  'No cooling unit of {display_name} runs.',
)

function cooling(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { coolingLoadHigh, inletHotCelsius, inletWarmCelsius } = settings.thresholds
  const load = calculate(
    metric('dcsim_az_cooling_load_watts'),
    '/',
    metric('dcsim_az_cooling_capacity_watts'),
  )
  const inlet = metric('dcsim_az_inlet_celsius')
  // A failed cooling unit requires action before the air is hot.
  const isHot = `{{ if ge $value ${inletHotCelsius.toFixed(2)} }}`
  return [
    make('DcsimCoolingUnitDown', {
      severity: 'warning',
      // In a zone without power, the alerts of its feeds report it.
      expr: zoneName(filter(compare(metric('dcsim_az_cooling_unit_up'), '==', 0), 'unless', dark, ['az'])),
      key: ['az', 'unit'],
      subject: '{name}',
      summary: 'Cooling unit {name} in {display_name} has stopped',
      description: coolingLeft + ' Check the inlet temperature, and who repairs the unit.',
      dashboard: 'power',
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
      forSeconds: 20,
      keepFiringSeconds: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: 'Cooling in {display_name} is near its limit',
      description:
        'Cooling in {display_name} has little reserve left, or the air is warmer than it should be.' +
        lookup(
          'dcsim_az_inlet_celsius',
          ['az'],
          ' Rack inlet air is at {{ . | value | printf "%.1f" }} °C.',
        ) +
        ' Repair stopped units first, otherwise lower the load.',
      dashboard: 'power',
      opens,
    }),
    make('DcsimZoneOverheats', {
      severity: 'warning',
      // A zone without power does not heat up.
      expr: zoneName(
        either(
          compare(inlet, '>', inletHotCelsius),
          filter(filter(inlet, 'and', failed, ['az']), 'unless', dark, ['az']),
        ),
      ),
      forSeconds: 30,
      keepFiringSeconds: 60,
      key: ['az'],
      subject: '{display_name}',
      summary: `${isHot}{display_name} overheats{{ else }}Cooling in {display_name} has failed{{ end }}: rack inlet air at ${oneDecimal} °C`,
      description:
        `${isHot}Hosts in {display_name} throttle and shut down as it gets warmer.` +
        '{{ else }}Without cooling, {display_name} warms up until hosts throttle and shut down.{{ end }}' +
        ' Restart cooling units, and move load to other zones.',
      dashboard: 'power',
      opens,
    }),
  ]
}

export function powerRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: [],
    alerts: [...feeds(make, settings), ...racks(make, settings), ...cooling(make, settings)],
  }
}
