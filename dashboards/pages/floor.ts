import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, calculate, share } from '../../promql/expressions.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromJsonRow, toDashboard } from '../layout/links.ts'
import { floorPanel, zoneFloorPanel } from '../panels/drawings/pictures.ts'
import { eventFeed } from '../panels/events.ts'
import { hostsOnline } from '../panels/shared.ts'
import { equipmentPanel, inventory, zonesPanel } from '../panels/zones.ts'
import { gauge, matchesVariable } from '../queries/series.ts'
import { instantQuery } from '../queries/targets.ts'
import { noneExpected, risingSteps, unit } from '../style/look.ts'
import { stat } from '../visualizations/stat.ts'
import { wordTable } from '../visualizations/tables.ts'
import { displayThresholds } from '../../src/contract/thresholds.ts'

const az = { az: matchesVariable('zone') }

const sum = (name: Parameters<typeof gauge>[0]) => by('sum', gauge(name, az as never))

const figures = [
  hostsOnline(sum('dcsim_az_hosts_online'), sum('dcsim_az_hosts')),
  stat({
    title: 'Racks with hosts down',
    links: [toDashboard('dcsim-compute')],
    description: 'Racks of which not all hosts serve.',
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', {
          text: `${gauge('dcsim_rack_hosts_online', az).text} < bool ${gauge('dcsim_rack_hosts', az).text}`,
          simple: false,
        }),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Power',
    links: [toDashboard('dcsim-power')],
    description:
      'Power drawn, of what both feeds deliver. Beyond half of it, one feed alone cannot carry the zone.',
    unit: unit.share,
    decimals: 0,
    steps: risingSteps(displayThresholds.singleFeedLoad, thresholds.rackPowerHigh),
    targets: [
      instantQuery(
        share(sum('dcsim_az_power_draw_watts'), sum('dcsim_az_power_capacity_watts')),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Warmest rack',
    links: [toDashboard('dcsim-power')],
    description: 'Temperature of the air going into the warmest rack.',
    unit: unit.celsius,
    decimals: 0,
    steps: risingSteps(thresholds.inletWarmCelsius, thresholds.inletHotCelsius),
    targets: [instantQuery(by('max', gauge('dcsim_rack_inlet_celsius', az)), '{{instance}}')],
  }),
  stat({
    title: 'Free rack units',
    description: 'Rack units in which nothing stands.',
    unit: unit.count,
    targets: [
      instantQuery(calculate(sum('dcsim_rack_units'), '-', sum('dcsim_rack_units_used')), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Active incidents',
    links: [toDashboard('dcsim-incidents')],
    description: 'Active incidents with a device of the zone as symptom or suspect.',
    unit: unit.count,
    steps: noneExpected,
    targets: [instantQuery(sum('dcsim_az_incidents_active'), '{{instance}}')],
  }),
]

const racks = wordTable({
  title: 'Racks in numbers',
  description: 'Every rack with its state, power, air and room. Click on a rack to open it.',
  table: 'racks',
  query: 'zone=${zone}',
  tinted: true,
  columns: [
    {
      field: 'rack',
      title: 'Rack',
      width: 68,
      links: [fromJsonRow('dcsim-rack', 'rack', 'rack_id')],
    },
    { field: 'state', title: 'State' },
    { field: 'hosts', title: 'Hosts', unit: unit.number, width: 60 },
    { field: 'hosts_online', title: 'Online', unit: unit.number, width: 65 },
    { field: 'free_u', title: 'Free U', unit: unit.number, width: 65 },
    {
      field: 'power_pct',
      title: 'Power',
      unit: unit.percent,
      decimals: 0,
      bar: true,
      barMax: 100,
      width: 78,
    },
    { field: 'inlet_celsius', title: 'Inlet', unit: unit.celsius, decimals: 1, width: 75 },
    { field: 'rack_id', title: 'Id', hidden: true },
  ],
})

/** Zones, racks and devices as they stand. */
export const floorPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-floor',
    description: 'Where is it? Zones, racks and devices as they stand, in the color of their state.',
    variables: ['zone'],
    single: ['zone'],
    infinity: true,
    refresh: '30s',
    sections: [
      {
        rows: [
          row(16, [19, { ...floorPanel, title: 'All zones', links: [] }], [5, inventory]),
          row(6, [24, zonesPanel]),
        ],
      },
      {
        title: 'Zone: ${zone:text}',
        rows: [
          row(16, [10, zoneFloorPanel], [14, racks]),
          ...tiles(figures),
          row(8, [
            24,
            eventFeed({
              query: 'zone=${zone}&limit=30',
              title: 'Events of the zone',
              empty: 'Nothing happened in this zone in the time shown.',
            }),
          ]),
        ],
      },
      { title: 'What there is', rows: [row(6, [24, equipmentPanel])] },
    ],
  })
