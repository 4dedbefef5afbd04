import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, compare, either, filter, share, topk } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import {
  bytesToBits,
  gauge,
  matchesVariable,
  withNames,
  recordedSeries,
  gaugeSum,
} from '../queries/series.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { dashboard, row } from '../layout/layout.ts'
import { fromSeries, toDashboard } from '../layout/links.ts'
import { noneExpected, unit } from '../style/look.ts'
import { bars } from '../visualizations/panels.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { topologyPanel } from '../panels/drawings/pictures.ts'
import { linkLoad, zoneNamed } from '../queries/shared.ts'
import { linkSteps } from '../style/threshold-steps.ts'
import { errors, flaps, gatewaysPanel, switchesPanel } from '../panels/network-devices.ts'

const zone = { az: matchesVariable('zone') }
const [zoneOut, zoneIn] = [
  gaugeSum('dcsim_az_wan_transmit_bytes_per_second', ['az'], zone),
  gaugeSum('dcsim_az_wan_receive_bytes_per_second', ['az'], zone),
]
const zoneWan = share(
  either(compare(zoneOut, '>', zoneIn), zoneIn),
  gaugeSum('dcsim_az_wan_capacity_bytes_per_second', ['az'], zone),
)

/** The links whose first end is in a chosen zone. */
const inZone = <L extends string>(expr: Expr<L | 'link' | TargetLabel>) =>
  filter(expr, 'and', gauge('dcsim_link_info', zone), ['link'])

const figures = [
  stat({
    title: 'WAN load',
    description: 'The fuller direction of the WAN links of each zone, of what those that are up carry.',
    unit: unit.share,
    decimals: 0,
    steps: linkSteps,
    targets: [instantQuery(zoneNamed(zoneWan), '{{display_name}}')],
  }),
  stat({
    title: 'Dropped',
    description: 'Traffic dropped on links, fabrics and ceilings.',
    unit: unit.traffic,
    steps: noneExpected,
    targets: [
      instantQuery(bytesToBits(gaugeSum('dcsim_az_dropped_bytes_per_second', [], zone)), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Links over limit',
    description: `Links between devices that carry more than ${thresholds.linkLoadHigh * 100} % of what they can.`,
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', {
          text: `(${inZone(linkLoad).text}) > bool ${thresholds.linkLoadHigh}`,
          simple: false,
        }),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Links down',
    links: [toDashboard('dcsim-incidents')],
    description: 'Links between devices that carry nothing.',
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', { text: `(${inZone(gauge('dcsim_link_up')).text}) == bool 0`, simple: false }),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Cables broken',
    links: [toDashboard('dcsim-incidents')],
    description: 'Cables that are cut or broken, in all zones, those to hosts too.',
    unit: unit.count,
    steps: noneExpected,
    targets: [instantQuery(gaugeSum('dcsim_cables_failed'), '{{instance}}')],
  }),
]

const zoneTraffic = lines({
  title: 'Traffic to users by zone',
  description: 'What goes out of each zone over its WAN links.',
  unit: unit.traffic,
  min: 0,
  stacked: true,
  targets: [rangeQuery(bytesToBits(zoneNamed(zoneOut)), '{{display_name}}')],
})

const dropped = lines({
  title: 'Dropped by zone',
  description: 'Traffic that found a link, a fabric or a ceiling full.',
  unit: unit.traffic,
  min: 0,
  stacked: true,
  targets: [
    rangeQuery(
      bytesToBits(zoneNamed(gaugeSum('dcsim_az_dropped_bytes_per_second', ['az'], zone))),
      '{{display_name}}',
    ),
  ],
})

/** The links of a bundle share a name: the one with the highest load represents them. */
const linkNames = (expr: Expr<'link' | TargetLabel>) =>
  by('max', withNames(expr, 'dcsim_link_info', ['link'], ['name'], zone), ['name'])

const busiest = bars({
  title: 'Fullest links',
  longNames: true,
  links: [fromSeries('dcsim-device', 'device', 'device')],
  description: 'The fuller direction of each link between devices, of what it can carry.',
  unit: unit.share,
  min: 0,
  max: 1,
  steps: linkSteps,
  targets: [
    instantQuery(
      {
        text: `sort_desc(label_replace(${topk(7, linkNames(linkLoad)).text}, "device", "$1", "name", "(.+)–.+"))`,
        simple: true,
      },
      '{{name}}',
    ),
  ],
})

const overLimit = lines({
  title: 'Links above their limit',
  description: 'Links above the limit, while they were above it. From the upper line on they drop traffic.',
  unit: unit.share,
  min: 0,
  limits: true,
  steps: linkSteps,
  empty: 'No link was over its limit, by the rules of the network.',
  targets: [
    rangeQuery(
      by('max', inZone(recordedSeries('link:dcsim_link_capacity_bytes_per_second:used_ratio_high')), [
        'name',
      ]),
      '{{name}}',
    ),
  ],
})

const eastWest = lines({
  title: 'Inside and outside',
  description: 'Traffic between hosts, against what comes from users and goes to them.',
  unit: unit.traffic,
  min: 0,
  legend: 'list',
  colors: colorsInOrder('To users', 'From users', 'Between hosts'),
  targets: [
    rangeQuery(bytesToBits(gaugeSum('dcsim_az_wan_transmit_bytes_per_second', [], zone)), 'To users'),
    rangeQuery(bytesToBits(gaugeSum('dcsim_az_wan_receive_bytes_per_second', [], zone)), 'From users'),
    rangeQuery(bytesToBits(gaugeSum('dcsim_az_east_west_bytes_per_second', [], zone)), 'Between hosts'),
  ],
})

/** Gateways, fabrics and links: utilization, drops, faults. */
export const networkPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-network',
    description: 'Is the network whole and has it room: what is down, full, flapping or dropping, and where?',
    variables: ['zone', 'losing_frames', 'flapping'],
    infinity: true,
    sections: [
      {
        rows: [
          row(15, [18, topologyPanel], [6, figures.map((figure) => [3, figure] as const)]),
          row(9, [12, busiest], [12, overLimit]),
        ],
      },
      {
        title: 'Traffic',
        rows: [row(8, [8, zoneTraffic], [8, dropped], [8, eastWest])],
      },
      {
        title: 'Devices',
        rows: [row(9, [24, gatewaysPanel]), row(9, [24, switchesPanel]), row(8, [12, errors], [12, flaps])],
      },
    ],
  })
