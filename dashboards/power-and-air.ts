import { thresholds } from '../alerts/thresholds.ts'
import { risingSteps, units } from './house/look.ts'
import { bars, lines } from './house/panels.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { by, matchesVariable, gauge, named, share, total } from './promql.ts'
import { zoneNamed } from './queries.ts'

/** What keeps the devices of a zone running. */

const zone = { az: matchesVariable('zone') }

export const warmAir = lines({
  title: 'Air at the racks',
  description:
    'Mean temperature of the air going in, by zone. Above the second line devices are made for less.',
  unit: units.celsius,
  limits: true,
  steps: risingSteps(thresholds.inletWarmCelsius, thresholds.inletHotCelsius),
  targets: [
    rangeQuery(zoneNamed(by('max', gauge('dcsim_az_inlet_celsius', zone), ['az'])), '{{display_name}}'),
  ],
})

export const powerDrawn = lines({
  title: 'Power by zone',
  description: 'Power that zones draw, facility included.',
  unit: units.watts,
  min: 0,
  stacked: true,
  targets: [rangeQuery(zoneNamed(total('dcsim_az_power_draw_watts', ['az'], zone)), '{{display_name}}')],
})

export const powerFeeds = bars({
  title: 'Power feeds',
  description: 'What each feed delivers, of what it can. With one feed lost, the other takes all.',
  unit: units.share,
  min: 0,
  max: 1,
  steps: risingSteps(thresholds.feedLoadHigh, 1),
  targets: [
    instantQuery(
      named(
        share(
          total('dcsim_az_power_feed_load_watts', ['az', 'feed'], zone),
          total('dcsim_az_power_feed_capacity_watts', ['az', 'feed'], zone),
        ),
        'dcsim_az_info',
        ['az'],
        ['display_name'],
      ),
      '{{display_name}} {{feed}}',
    ),
  ],
})
