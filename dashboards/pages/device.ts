import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../../src/contract/thresholds.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { toDashboard } from '../layout/links.ts'
import { palette, noneExpected, risingSteps, unit } from '../style/look.ts'
import { lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { states } from '../visualizations/panels.ts'
import { upOrDown } from '../style/states.ts'
import { wordTable } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { cableAndPorts, incidentsAndEvents } from '../panels/one-device.ts'
import { by, either, filter, anyOf, share } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import { bytesToBits, gauge, matchesVariable, perGameTime } from '../queries/series.ts'
import { linkSteps } from '../style/threshold-steps.ts'

const chosen = anyOf(['$device'])
const query = 'device=${device}'
const gone = 'No such device: choose one above.'

type Kind = 'switch' | 'gateway' | 'appliance'
/** Metrics that all three kinds of devices have. */
type Measure =
  | 'powered'
  | 'up'
  | 'power_feeds_live'
  | 'fabric_capacity_bytes_per_second'
  | 'fabric_load_bytes_per_second'
  | 'receive_bytes_per_second'
  | 'transmit_bytes_per_second'

/** Selects the series of the chosen device by the name in its info family: another kind may have its id. */
const ofKind =
  (kind: Kind) =>
  (expr: Expr<string>): Expr<string> =>
    filter(expr, 'and', gauge(`dcsim_${kind}_info`, { name: chosen }) as Expr<string>, [kind])

const id = matchesVariable('device_id')

/** A metric of the chosen device, for all kinds. */
function measure(of: Measure): Expr<never> {
  const [first, ...others] = (['switch', 'gateway', 'appliance'] as const).map((kind) =>
    ofKind(kind)(gauge(`dcsim_${kind}_${of}`, { [kind]: id }) as Expr<string>),
  )
  return by('max', either(first, ...others))
}

const fabric = share(measure('fabric_load_bytes_per_second'), measure('fabric_capacity_bytes_per_second'))

const figures = [
  stat({
    title: 'Power feeds',
    links: [toDashboard('dcsim-power')],
    description:
      'Power feeds that are live. Two are normal; with one, the next failure takes the device down.',
    unit: unit.count,
    steps: [
      { value: null, color: palette.vermilion },
      { value: 1, color: palette.orange },
      { value: 2, color: palette.green },
    ],
    empty: gone,
    targets: [instantQuery(measure('power_feeds_live'), '{{instance}}')],
  }),
  stat({
    title: 'Fabric load',
    description: 'What the fabric carries, of what it can. Above 100 % every port drops frames.',
    unit: unit.share,
    decimals: 0,
    steps: risingSteps(thresholds.fabricLoadHigh, 1),
    empty: gone,
    targets: [instantQuery(fabric, '{{instance}}')],
  }),
  stat({
    title: 'Sent',
    links: [toDashboard('dcsim-network')],
    description: 'Traffic sent over all ports.',
    unit: unit.traffic,
    empty: gone,
    targets: [instantQuery(bytesToBits(measure('transmit_bytes_per_second')), '{{instance}}')],
  }),
  stat({
    title: 'Received',
    links: [toDashboard('dcsim-network')],
    description: 'Traffic received over all ports.',
    unit: unit.traffic,
    empty: gone,
    targets: [instantQuery(bytesToBits(measure('receive_bytes_per_second')), '{{instance}}')],
  }),
]

const facts = wordTable({
  title: 'What it is',
  description: 'State, incident, place, power, load and ports of the device, in words.',
  empty: gone,
  table: 'device',
  tinted: true,
  untitled: true,
  query,
  lines: 'any',
  columns: [
    { field: 'fact', title: 'Fact', width: 120 },
    { field: 'value', title: 'Detail' },
  ],
})

const traffic = lines({
  title: 'Traffic and fabric',
  description: 'Traffic over all ports, and what the fabric can carry.',
  unit: unit.traffic,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { Sent: palette.blue, Received: palette.sky, 'Fabric capacity': palette.gray },
  targets: [
    rangeQuery(bytesToBits(measure('transmit_bytes_per_second')), 'Sent'),
    rangeQuery(bytesToBits(measure('receive_bytes_per_second')), 'Received'),
    rangeQuery(bytesToBits(measure('fabric_capacity_bytes_per_second')), 'Fabric capacity'),
  ],
})

const errors = lines({
  title: 'Frames lost and link flaps',
  description:
    'Of a switch: frames lost to errors a simulated second, and how often links went down an hour. Dirty optics and worn cables show here first.',
  unit: unit.number,
  min: 0,
  legend: 'list',
  empty: 'Only switches count errors and flaps.',
  colors: { 'Frames lost a second': palette.vermilion, 'Flaps an hour': palette.orange },
  targets: [
    rangeQuery(
      by(
        'max',
        ofKind('switch')(
          perGameTime('dcsim_switch_errors_total', ['switch'], {
            where: { switch: id },
            seconds: 1,
          }) as Expr<string>,
        ),
      ),
      'Frames lost a second',
    ),
    rangeQuery(
      by(
        'max',
        ofKind('switch')(
          perGameTime('dcsim_switch_link_flaps_total', ['switch'], { where: { switch: id } }) as Expr<string>,
        ),
      ),
      'Flaps an hour',
    ),
  ],
})

const power = states({
  title: 'Power and state',
  description: 'When the device had power, and when it worked.',
  unit: unit.count,
  mappings: upOrDown,
  empty: gone,
  targets: [rangeQuery(measure('powered'), 'Power'), rangeQuery(measure('up'), 'Works')],
})

const defenses = wordTable({
  title: 'Defense',
  description:
    'Of a gateway or an appliance: hostile traffic by class, what it stops, and what gets through.',
  empty: 'Switches defend against nothing.',
  table: 'threats',
  tinted: true,
  query: `${query}&sort=-severity`,
  columns: [
    { field: 'class', title: 'Class of attack', width: 176 },
    { field: 'state', title: 'State' },
    { field: 'reaching', title: 'Arrives', unit: unit.number, decimals: 1, width: 90 },
    { field: 'stopped', title: 'Stopped', unit: unit.number, decimals: 1, width: 90 },
    {
      field: 'remainder',
      title: 'Through',
      unit: unit.number,
      decimals: 1,
      steps: noneExpected,
      width: 90,
    },
    { field: 'capacity', title: 'Can stop', unit: unit.number, decimals: 0, width: 84 },
    { field: 'unit', title: 'Unit', width: 154 },
    {
      field: 'used_pct',
      title: 'Used',
      unit: unit.percent,
      width: 106,
      bar: true,
      barMax: 100,
      steps: linkSteps.map(({ value, color }) => ({ value: value === null ? null : 100 * value, color })),
    },
  ],
})

/** One switch, gateway or appliance. */
export const devicePage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-device',
    description:
      'Is this switch, gateway or appliance well, how loaded is it, and what is wrong with its links?',
    variables: ['device', 'device_id'],
    infinity: true,
    port: true,
    sections: [
      {
        rows: [row(13, [14, facts], [10, traffic]), ...tiles(figures), row(6, [12, errors], [12, power])],
      },
      { title: 'Ports and links', rows: cableAndPorts('device', gone) },
      { title: 'Defense', rows: [row(9, [24, defenses])] },
      incidentsAndEvents('device', query),
    ],
  })
