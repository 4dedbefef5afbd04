import { by, share, topk } from '../../promql/expressions.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { fromSeries, toDashboard } from '../layout/links.ts'
import { gauge, matchesVariable, withNames, gaugeSum } from '../queries/series.ts'
import { zoneNamed } from '../queries/shared.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { risingSteps, unit } from '../style/look.ts'
import { conditionSteps } from '../style/threshold-steps.ts'
import { lines } from '../visualizations/lines.ts'
import { bars } from '../visualizations/panels.ts'

/** Power and cooling of zones. */

const zone = { az: matchesVariable('zone') }

export const warmAir = lines({
  title: 'Air at the racks',
  description:
    'Mean temperature of the air going in, by zone. Above the upper line, devices are out of their specification.',
  unit: unit.celsius,
  limits: true,
  steps: risingSteps(thresholds.inletWarmCelsius, thresholds.inletHotCelsius),
  targets: [
    rangeQuery(zoneNamed(by('max', gauge('dcsim_az_inlet_celsius', zone), ['az'])), '{{display_name}}'),
  ],
})

export const powerDrawn = lines({
  title: 'Power by zone',
  description: 'Power that zones draw, facility included.',
  unit: unit.watts,
  min: 0,
  stacked: true,
  targets: [rangeQuery(zoneNamed(gaugeSum('dcsim_az_power_draw_watts', ['az'], zone)), '{{display_name}}')],
})

export const powerFeeds = bars({
  title: 'Power feeds',
  longNames: true,
  links: [toDashboard('dcsim-power')],
  description: 'What each feed delivers, of what it can. With one feed lost, the other takes all.',
  unit: unit.share,
  min: 0,
  max: 1,
  steps: risingSteps(thresholds.feedLoadHigh, 1),
  targets: [
    instantQuery(
      withNames(
        share(
          gaugeSum('dcsim_az_power_feed_load_watts', ['az', 'feed'], zone),
          gaugeSum('dcsim_az_power_feed_capacity_watts', ['az', 'feed'], zone),
        ),
        'dcsim_az_info',
        ['az'],
        ['display_name'],
      ),
      '{{display_name}}, feed {{feed}}',
    ),
  ],
})

export const coolers = bars({
  title: 'Cooling units worn most',
  longNames: true,
  description: 'Condition: 100 % is new. A worn unit fails more often.',
  unit: unit.share,
  min: 0,
  max: 1,
  decimals: 0,
  steps: conditionSteps,
  targets: [
    instantQuery(
      {
        text: `sort(bottomk(6, ${by('min', gauge('dcsim_az_cooling_unit_condition_ratio', zone), ['az', 'name']).text}))`,
        simple: true,
      },
      '{{name}}',
    ),
  ],
})

export const unitLoads = bars({
  title: 'Cooling units by load',
  longNames: true,
  description: 'Heat that each unit takes away, of what it can.',
  unit: unit.share,
  min: 0,
  max: 1,
  decimals: 0,
  steps: risingSteps(thresholds.coolingLoadHigh, 1),
  targets: [
    instantQuery(
      {
        text: `sort_desc(${topk(6, share(gaugeSum('dcsim_az_cooling_unit_load_watts', ['az', 'name'], zone), gaugeSum('dcsim_az_cooling_unit_capacity_watts', ['az', 'name'], zone))).text})`,
        simple: true,
      },
      '{{name}}',
    ),
  ],
})

export const fullRacks = bars({
  title: 'Racks by power',
  longNames: true,
  links: [fromSeries('dcsim-rack', 'rack', 'rack')],
  description: 'Power drawn, of what the rack may draw.',
  unit: unit.share,
  min: 0,
  max: 1,
  decimals: 0,
  steps: risingSteps(thresholds.rackPowerHigh, 1),
  targets: [
    instantQuery(
      {
        text: `sort_desc(${topk(6, withNames(by('max', share(gauge('dcsim_rack_power_draw_watts', zone), gauge('dcsim_rack_power_capacity_watts', zone)), ['rack']), 'dcsim_rack_info', ['rack'], ['place'])).text})`,
        simple: true,
      },
      '{{place}}',
    ),
  ],
})
