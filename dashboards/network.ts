import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import type { TargetLabel } from '../alerts/promql.ts'
import { thresholds } from '../alerts/thresholds.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow } from './house/links.ts'
import { noneExpected, risingSteps, units } from './house/look.ts'
import { bars, inOrder, lines, stat } from './house/panels.ts'
import { roleTexts, upOrDown, wanPolicyTexts, yesIsBad, yesIsWell } from './house/states.ts'
import { table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { topology } from './house/topology.ts'
import {
  by,
  bytesToBits,
  compare,
  gauge,
  highest,
  matchesVariable,
  named,
  perGameTime,
  recordedSeries,
  share,
  top,
  total,
} from './promql.ts'
import type { Expr } from './promql.ts'
import { linkLoad, zoneNamed } from './queries.ts'
import { conditionSteps, linkSteps } from './threshold-steps.ts'

const toDevice = fromRow('dcsim-device', 'device', 'name')
const zone = { az: matchesVariable('zone') }
const fabricSteps = risingSteps(thresholds.fabricLoadHigh, 1)

const zoneWan = share(
  total('dcsim_az_wan_transmit_bytes_per_second', ['az'], zone),
  total('dcsim_az_wan_capacity_bytes_per_second', ['az'], zone),
)
const figures = [
  stat({
    title: 'WAN load',
    description: 'Traffic out of each zone, of what its WAN links that are up carry.',
    unit: units.share,
    decimals: 0,
    steps: linkSteps,
    targets: [rangeQuery(zoneNamed(zoneWan), '{{display_name}}')],
  }),
  stat({
    title: 'Dropped',
    description: 'Traffic dropped on links, fabrics and ceilings.',
    unit: units.traffic,
    steps: noneExpected,
    targets: [rangeQuery(bytesToBits(total('dcsim_az_dropped_bytes_per_second', [], zone)), '{{instance}}')],
  }),
  stat({
    title: 'Links over their limit',
    description: `Links between devices that carry more than ${thresholds.linkLoadHigh * 100} % of what they can.`,
    unit: units.count,
    calm: true,
    steps: noneExpected,
    targets: [
      instantQuery(
        by('sum', { text: `(${linkLoad.text}) > bool ${thresholds.linkLoadHigh}`, simple: false }),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Links down',
    description: 'Links between devices that carry nothing.',
    unit: units.count,
    steps: noneExpected,
    targets: [
      rangeQuery(
        by('sum', { text: `${gauge('dcsim_link_up').text} == bool 0`, simple: false }),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Cables cut or broken',
    description: 'All cables, those to hosts too.',
    unit: units.count,
    steps: noneExpected,
    targets: [rangeQuery(total('dcsim_cables_failed'), '{{instance}}')],
  }),
  stat({
    title: 'Broadcast storms',
    description: 'Switches that a broadcast storm runs through.',
    unit: units.count,
    steps: noneExpected,
    targets: [rangeQuery(total('dcsim_switch_broadcast_storm', [], zone), '{{instance}}')],
  }),
]

const zoneTraffic = lines({
  title: 'Traffic to users by zone',
  description: 'What goes out of each zone over its WAN links.',
  unit: units.traffic,
  min: 0,
  stacked: true,
  targets: [
    rangeQuery(
      bytesToBits(zoneNamed(total('dcsim_az_wan_transmit_bytes_per_second', ['az'], zone))),
      '{{display_name}}',
    ),
  ],
})

const dropped = lines({
  title: 'Dropped by zone',
  description: 'Traffic that found a link, a fabric or a ceiling full.',
  unit: units.traffic,
  min: 0,
  stacked: true,
  targets: [
    rangeQuery(
      bytesToBits(zoneNamed(total('dcsim_az_dropped_bytes_per_second', ['az'], zone))),
      '{{display_name}}',
    ),
  ],
})

const linkNames = (expr: Expr<'link' | TargetLabel>) => named(expr, 'dcsim_link_info', ['link'], ['name'])

const busiest = bars({
  title: 'Fullest links',
  description: 'The fuller direction of each link between devices, of what it can carry.',
  unit: units.share,
  min: 0,
  max: 1,
  steps: linkSteps,
  targets: [
    instantQuery({ text: `sort_desc(${top(12, linkNames(linkLoad)).text})`, simple: true }, '{{name}}'),
  ],
})

const overLimit = lines({
  title: 'Links above their limit',
  description: 'Links that carry more than the limit, as long as they do. From the upper line on they drop.',
  unit: units.share,
  min: 0,
  limits: true,
  steps: linkSteps,
  empty: 'No link was over its limit. (Or Prometheus does not evaluate alerts/generated/network.rules.yaml.)',
  targets: [rangeQuery(linkNames(recordedSeries('link:dcsim_link_load:high')), '{{name}}')],
})

const gateways = table({
  title: 'Gateways',
  description:
    'Where traffic comes in and goes out: what they forward, of what they can, and what slows them down.',
  labels: [
    { label: 'name', title: 'Gateway', links: [toDevice] },
    { label: 'gateway', title: 'Id', hidden: true },
    { label: 'wan_policy', title: 'WAN policy', mappings: wanPolicyTexts },
  ],
  values: [
    {
      expr: by(
        'max',
        named(
          gauge('dcsim_gateway_powered', zone),
          'dcsim_gateway_info',
          ['gateway'],
          ['name', 'wan_policy'],
        ),
        ['gateway', 'name', 'wan_policy'],
      ),
      title: 'Power',
      mappings: yesIsWell,
    },
    {
      expr: by('max', gauge('dcsim_gateway_bgp_advertising', zone), ['gateway']),
      title: 'Announced',
      mappings: yesIsWell,
    },
    {
      expr: by(
        'max',
        share(
          gauge('dcsim_gateway_fabric_load_bytes_per_second', zone),
          gauge('dcsim_gateway_fabric_capacity_bytes_per_second', zone),
        ),
        ['gateway'],
      ),
      title: 'Fabric',
      unit: units.share,
      bar: true,
      steps: fabricSteps,
    },
    {
      expr: by(
        'max',
        share(
          gauge('dcsim_gateway_fabric_load_bytes_per_second', zone),
          gauge('dcsim_gateway_forwarding_ceiling_bytes_per_second', zone),
        ),
        ['gateway'],
      ),
      title: 'Ceiling',
      unit: units.share,
      bar: true,
      steps: risingSteps(thresholds.forwardingLoadHigh, 1),
    },
    {
      expr: by('max', gauge('dcsim_gateway_addon_throttle_ratio', zone), ['gateway']),
      title: 'Lost to add-ons',
      unit: units.share,
      steps: noneExpected,
    },
    {
      expr: bytesToBits(by('max', gauge('dcsim_gateway_wan_receive_bytes_per_second', zone), ['gateway'])),
      title: 'WAN in',
      unit: units.traffic,
    },
    {
      expr: bytesToBits(by('max', gauge('dcsim_gateway_wan_transmit_bytes_per_second', zone), ['gateway'])),
      title: 'WAN out',
      unit: units.traffic,
    },
  ],
  sortBy: 'Fabric',
})

const switchLoad = share(
  gauge('dcsim_switch_fabric_load_bytes_per_second', zone),
  gauge('dcsim_switch_fabric_capacity_bytes_per_second', zone),
)

const switches = table({
  title: 'Switches',
  description: 'Fabrics, state and wear. A saturated switch drops on a port; a full fabric drops everywhere.',
  labels: [
    { label: 'name', title: 'Switch', links: [toDevice] },
    { label: 'switch', title: 'Id', hidden: true },
    { label: 'role', title: 'Role', width: 110, mappings: roleTexts },
  ],
  values: [
    {
      expr: by('max', named(switchLoad, 'dcsim_switch_info', ['switch'], ['name']), [
        'switch',
        'role',
        'name',
      ]),
      title: 'Fabric',
      unit: units.share,
      bar: true,
      steps: fabricSteps,
    },
    {
      expr: by('max', gauge('dcsim_switch_powered', zone), ['switch', 'role']),
      title: 'Power',
      mappings: upOrDown,
    },
    {
      expr: by('max', gauge('dcsim_switch_saturated', zone), ['switch', 'role']),
      title: 'Port full',
      mappings: yesIsBad,
    },
    {
      expr: by('max', gauge('dcsim_switch_broadcast_storm', zone), ['switch', 'role']),
      title: 'Storm',
      mappings: yesIsBad,
    },
    {
      expr: by('max', gauge('dcsim_switch_condition_ratio', zone), ['switch', 'role']),
      title: 'Condition',
      unit: units.share,
      steps: conditionSteps,
    },
  ],
  sortBy: 'Fabric',
})

const errors = lines({
  title: 'Frames lost to errors',
  description: 'By switch, a second of simulated time. Dirty fibre, dying transceivers, loose contacts.',
  unit: units.packets,
  min: 0,
  limits: true,
  steps: risingSteps(thresholds.errorsPerSecondHigh),
  empty: 'No switch loses frames.',
  targets: [
    rangeQuery(
      named(
        highest(
          8,
          compare(perGameTime('dcsim_switch_errors_total', ['switch'], { where: zone, seconds: 1 }), '>', 0),
          ['switch'],
        ),
        'dcsim_switch_info',
        ['switch'],
        ['name'],
      ),
      '{{name}}',
    ),
  ],
})

const flaps = lines({
  title: 'Link flaps',
  description: 'How often links of a switch went down and came back, an hour of simulated time.',
  unit: units.count,
  min: 0,
  limits: true,
  steps: risingSteps(thresholds.flapsPerHourHigh),
  empty: 'No link flaps.',
  targets: [
    rangeQuery(
      named(
        highest(
          8,
          compare(perGameTime('dcsim_switch_link_flaps_total', ['switch'], { where: zone }), '>', 0),
          ['switch'],
        ),
        'dcsim_switch_info',
        ['switch'],
        ['name'],
      ),
      '{{name}}',
    ),
  ],
})

const eastWest = lines({
  title: 'Inside and outside',
  description: 'Traffic between hosts, against what comes from users and goes to them.',
  unit: units.traffic,
  min: 0,
  legend: 'list',
  colours: inOrder('To users', 'From users', 'Between hosts'),
  targets: [
    rangeQuery(bytesToBits(total('dcsim_az_wan_transmit_bytes_per_second', [], zone)), 'To users'),
    rangeQuery(bytesToBits(total('dcsim_az_wan_receive_bytes_per_second', [], zone)), 'From users'),
    rangeQuery(bytesToBits(total('dcsim_az_east_west_bytes_per_second', [], zone)), 'Between hosts'),
  ],
})

/** Gateways, fabrics, links: what is full, what drops, what is broken. */
export const network = (): Dashboard =>
  dashboard({
    uid: 'dcsim-network',
    description: 'Is the network whole and has it room: what is down, full, flapping or dropping, and where?',
    variables: ['zone'],
    infinity: true,
    sections: [
      {
        shelves: [row(4, ...figures.map((panel) => [4, panel] as const)), row(20, [24, topology])],
      },
      {
        title: 'Traffic',
        shelves: [
          row(8, [8, zoneTraffic], [8, dropped], [8, eastWest]),
          row(9, [10, busiest], [14, overLimit]),
        ],
      },
      {
        title: 'Devices',
        shelves: [row(8, [24, gateways]), row(10, [24, switches]), row(8, [12, errors], [12, flaps])],
      },
    ],
  })
