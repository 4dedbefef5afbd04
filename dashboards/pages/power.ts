import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, calculate, filter, share } from '../../promql/expressions.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromJsonRow } from '../layout/links.ts'
import { powerPanel } from '../panels/drawings/pictures.ts'
import { eventFeed } from '../panels/events.ts'
import { coolers, fullRacks, powerDrawn, powerFeeds, unitLoads, warmAir } from '../panels/power-and-air.ts'
import { gauge, matchesVariable, withNames, gaugeSum } from '../queries/series.ts'
import { zoneNamed } from '../queries/shared.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { noneExpected, risingSteps, unit } from '../style/look.ts'
import { upOrDown, healthyFlagTexts } from '../style/states.ts'
import { conditionPercentSteps, percentSteps } from '../style/threshold-steps.ts'
import { lines } from '../visualizations/lines.ts'
import { states } from '../visualizations/panels.ts'
import { stat } from '../visualizations/stat.ts'
import { wordTable } from '../visualizations/tables.ts'

const zone = { az: matchesVariable('zone') }
const query = 'zone=${zone:csv}'
const inletSteps = risingSteps(thresholds.inletWarmCelsius, thresholds.inletHotCelsius)

/** The load of a zone's smallest live feed if it carried the whole draw of the zone. */
const onOneFeed = share(
  by('max', gauge('dcsim_az_power_draw_watts', zone), ['az']),
  by(
    'min',
    calculate(gauge('dcsim_az_power_feed_capacity_watts', zone), '*', gauge('dcsim_az_power_feed_up', zone)),
    ['az'],
  ),
)

const cooling = share(
  gaugeSum('dcsim_az_cooling_load_watts', ['az'], zone),
  gaugeSum('dcsim_az_cooling_capacity_watts', ['az'], zone),
)

const figures = [
  stat({
    title: 'Survives a feed loss',
    description: 'Whether both feeds are live and each alone could carry the zone.',
    unit: unit.count,
    mappings: healthyFlagTexts,
    targets: [
      instantQuery(zoneNamed(by('min', gauge('dcsim_az_power_redundant', zone), ['az'])), '{{display_name}}'),
    ],
  }),
  stat({
    title: 'PUE',
    description:
      'Power that the facility draws, of the power that devices draw. 1.2 to 1.5 is usual; it rises while cooling struggles.',
    unit: unit.number,
    decimals: 2,
    targets: [
      instantQuery(
        zoneNamed(by('max', gauge('dcsim_az_power_usage_effectiveness_ratio', zone), ['az'])),
        '{{display_name}}',
      ),
    ],
  }),
  stat({
    title: 'Cooling load',
    description: 'Heat, of what the cooling units that run take away. Above 100 % the zone heats up.',
    unit: unit.share,
    decimals: 0,
    steps: risingSteps(thresholds.coolingLoadHigh, 1),
    targets: [instantQuery(zoneNamed(cooling), '{{display_name}}')],
  }),
  stat({
    title: 'Warmest rack',
    description: 'Temperature of the air going into the warmest rack.',
    unit: unit.celsius,
    decimals: 1,
    steps: inletSteps,
    targets: [instantQuery(by('max', gauge('dcsim_rack_inlet_celsius', zone)), '{{instance}}')],
  }),
  stat({
    title: 'Racks short of feeds',
    description: 'Racks with one live feed, or none: the next failure takes their hosts down.',
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', { text: `${gauge('dcsim_rack_power_feeds_live', zone).text} < bool 2`, simple: false }),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Cooling stopped',
    description: 'Cooling units that do not run.',
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', { text: `${gauge('dcsim_az_cooling_unit_up', zone).text} == bool 0`, simple: false }),
        '{{instance}}',
      ),
    ],
  }),
]

const redundancy = lines({
  title: 'Load on one feed (N−1)',
  description:
    'What a zone draws, of what its smaller live feed can deliver alone. Above the red line the loss of one feed takes the other with it.',
  unit: unit.share,
  min: 0,
  limits: true,
  legend: 'list',
  steps: risingSteps(thresholds.feedLoadHigh, 1),
  targets: [rangeQuery(zoneNamed(onOneFeed), '{{display_name}}')],
})

const feedStates = states({
  title: 'Failed feeds and cooling units',
  description: 'When all feeds had voltage and all cooling units ran, and when those that failed did not.',
  unit: unit.count,
  mappings: upOrDown,
  targets: [
    rangeQuery(by('min', gauge('dcsim_az_power_feed_up', zone)), 'All feeds'),
    rangeQuery(by('min', gauge('dcsim_az_cooling_unit_up', zone)), 'All cooling units'),
    rangeQuery(
      withNames(
        filter(
          by('min', gauge('dcsim_az_power_feed_up', zone), ['az', 'feed']),
          'and',
          {
            text: `(min_over_time(${gauge('dcsim_az_power_feed_up', zone).text}[$__range] @ end()) == 0)`,
            simple: true,
          },
          ['az', 'feed'],
        ),
        'dcsim_az_info',
        ['az'],
        ['display_name'],
      ),
      '{{display_name}}, feed {{feed}}',
    ),
    rangeQuery(
      withNames(
        filter(
          by('min', gauge('dcsim_az_cooling_unit_up', zone), ['az', 'name']),
          'and',
          {
            text: `(min_over_time(${gauge('dcsim_az_cooling_unit_up', zone).text}[$__range] @ end()) == 0)`,
            simple: true,
          },
          ['az', 'name'],
        ),
        'dcsim_az_info',
        ['az'],
        ['display_name'],
      ),
      '{{display_name}}, {{name}}',
    ),
  ],
})

const facility = wordTable({
  title: 'Feeds and cooling units',
  description: 'Load and condition of each, and what would follow if it failed now.',
  table: 'facility',
  query,
  tinted: true,
  lines: 2,
  columns: [
    { field: 'zone', title: 'Zone', width: 110 },
    { field: 'name', title: 'Name', width: 110 },
    { field: 'state', title: 'State', width: 92 },
    {
      field: 'load_pct',
      title: 'Load',
      unit: unit.percent,
      decimals: 0,
      width: 110,
      bar: true,
      barMax: 100,
      steps: percentSteps(thresholds.feedLoadHigh),
    },
    { field: 'load_kw', title: 'kW', decimals: 1, width: 60, evens: true },
    { field: 'capacity_kw', title: 'Of kW', unit: unit.number, decimals: 1, width: 66 },
    {
      field: 'condition_pct',
      title: 'Condition',
      unit: unit.percent,
      width: 90,
      steps: conditionPercentSteps,
    },
    { field: 'if_it_fails', title: 'If it fails now' },
  ],
})

const hotSpots = wordTable({
  title: 'Hot spots',
  description: 'The twelve racks with the warmest air. Click on a rack to open it.',
  table: 'racks',
  query: `${query}&sort=-inlet_celsius&limit=12`,
  tinted: true,
  columns: [
    { field: 'rack', title: 'Rack', width: 54, links: [fromJsonRow('dcsim-rack', 'rack', 'rack_id')] },
    { field: 'state', title: 'State' },
    {
      field: 'inlet_celsius',
      title: 'Inlet',
      unit: unit.celsius,
      decimals: 1,
      width: 64,
      steps: inletSteps,
    },
    { field: 'zone', title: 'Zone', width: 106 },
    { field: 'rack_id', title: 'Id', hidden: true },
  ],
})

const coolingLoad = lines({
  title: 'Cooling load',
  description: 'Heat, of what the running units take away. Above the red line temperatures rise.',
  unit: unit.share,
  min: 0,
  limits: true,
  legend: 'list',
  steps: risingSteps(thresholds.coolingLoadHigh, 1),
  targets: [rangeQuery(zoneNamed(cooling), '{{display_name}}')],
})

/** Feeds, cooling and their dependents. */
export const powerPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-power',
    description:
      'Is there power and cooling enough, where is it hot, and what would the next failure take down?',
    variables: ['zone'],
    infinity: true,
    refresh: '30s',
    sections: [
      {
        rows: [row(10, [15, powerPanel], [9, hotSpots]), ...tiles(figures), row(8, [24, facility])],
      },
      {
        title: 'Power',
        rows: [
          row(8, [8, redundancy], [8, powerFeeds], [8, coolingLoad]),
          row(8, [12, powerDrawn], [12, fullRacks]),
        ],
      },
      { title: 'Cooling', rows: [row(8, [8, warmAir], [8, unitLoads], [8, coolers])] },
      {
        title: 'What happened',
        rows: [
          row(7, [24, feedStates]),
          row(7, [
            24,
            eventFeed({
              query: `${query}&kind=PowerLost,PowerRestored,PartFailed,PartRestored&limit=30`,
              empty: 'No feed and no cooling unit failed in the time shown.',
            }),
          ]),
        ],
      },
    ],
  })
