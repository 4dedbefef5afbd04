import { MappingType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Panel, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../../../src/contract/thresholds.ts'
import { by, calculate, compare, isNot, anyOf } from '../../../alerts/promql/expressions.ts'
import type { Expr } from '../../../alerts/promql/expressions.ts'
import { targetLabels } from '../../../alerts/promql/metrics.ts'
import { gauge } from '../../queries/series.ts'
import { dashboardPath } from '../../uids.ts'
import { link, preservedQueryParams } from '../../layout/links.ts'
import { palette, unit } from '../../style/look.ts'
import { matrix } from '../../visualizations/matrix.ts'
import { withTargets } from '../../visualizations/panels.ts'
import { tableQuery } from '../../queries/targets.ts'

/** The states of a rack, the worst first: text of a tile, and meaning. */
const rackStates = {
  dark: { color: palette.vermilion, text: '$1  ✖ no power', short: '$1 ✖ power', meaning: 'no power' },
  incident: {
    color: palette.vermilion,
    text: '$1  ⚠ incident',
    short: '$1 ⚠',
    meaning: 'in a Major or Critical incident',
  },
  hosts: { color: palette.orange, text: '$1  ▼ hosts down', short: '$1 ▼ hosts', meaning: 'hosts down' },
  feed: { color: palette.orange, text: '$1  ◐ one feed', short: '$1 ◐ feed', meaning: 'one power feed' },
  hot: { color: '#B8860B', text: '$1  ☀ $2 °C', short: '$1 ☀ $2 °C', meaning: 'too warm' },
  full: { color: '#B8860B', text: '$1  ⚡ $3 %', short: '$1 ⚡ $3 %', meaning: 'power nearly full' },
  ok: { color: '#1b6e58', text: '$1   $2 °C   $3 %', short: '$1  $2 °C', meaning: 'in order' },
} as const

const tiles = (isSmall: boolean): ValueMapping[] =>
  Object.entries(rackStates).map(([state, { color, text, short }], index) => ({
    type: MappingType.RegexToText,
    options: {
      pattern: `^${state}\\|(.*)\\|(.*)\\|(.*)$`,
      result: { text: isSmall ? short : text, color, index },
    },
  }))

const onRack = [...targetLabels, 'rack'].join(', ')
/** Aggregated, as older versions of VictoriaMetrics otherwise keep series that a comparison leaves without values. */
const labeled = (expr: Expr<never>, state: keyof typeof rackStates): string =>
  `max by (${onRack}, state) (label_replace(${expr.text}, "state", "${state}", "", ""))`

/** The worst state of each rack, in a label. */
function statesOf(az: Where): string {
  const where = { az }
  const offline = compare(gauge('dcsim_rack_hosts_online', where), '<', gauge('dcsim_rack_hosts', where))
  const grave = { band: anyOf(['Major', 'Critical']), rack: isNot('') }
  const power = calculate(
    gauge('dcsim_rack_power_draw_watts', where),
    '/',
    gauge('dcsim_rack_power_capacity_watts', where),
  )
  const states = [
    labeled(compare(gauge('dcsim_rack_power_feeds_live', where), '==', 0), 'dark'),
    labeled(by('max', gauge('dcsim_incident_info', grave), ['rack']), 'incident'),
    labeled(offline, 'hosts'),
    labeled(compare(gauge('dcsim_rack_power_feeds_live', where), '==', 1), 'feed'),
    labeled(compare(gauge('dcsim_rack_inlet_celsius', where), '>', thresholds.inletWarmCelsius), 'hot'),
    labeled(compare(power, '>', thresholds.rackPowerHigh), 'full'),
    labeled(gauge('dcsim_rack_inlet_celsius', where), 'ok'),
  ]
  return `max by (${onRack}, state) (${states.join(` or on (${onRack}) `)})`
}

type Where = ReturnType<typeof anyOf>

const figure = (label: string, text: string): string =>
  `max by (${onRack}, ${label}) (count_values by (${onRack}) ("${label}", round(${text})))`

/**
 * A series for each rack, with its position on the floor and its tile: state, name, inlet temperature and power,
 * separated by |.
 */
function racksPlaced(az: Where): Expr<'row' | 'position' | 'tile'> {
  const where = { az }
  const draw = gauge('dcsim_rack_power_draw_watts', where)
  const capacity = gauge('dcsim_rack_power_capacity_watts', where)
  const zones = `max by (${targetLabels.join(', ')}, az, display_name) (${gauge('dcsim_az_info', where).text})`
  const joined = [
    `max by (${onRack}, az, name) (${gauge('dcsim_rack_info', where).text})`,
    `* on (${targetLabels.join(', ')}, az) group_left (display_name) ${zones}`,
    `* on (${onRack}) group_left (inlet) ${figure('inlet', gauge('dcsim_rack_inlet_celsius', where).text)}`,
    `* on (${onRack}) group_left (power) ${figure('power', `100 * ${draw.text} / ${capacity.text}`)}`,
    `* on (${onRack}) group_left (state) ${statesOf(az)}`,
  ].join(' ')
  const place = `label_join(${joined}, "place", ", ", "display_name", "name")`
  const row = `label_replace(${place}, "row", "$1", "place", "(.+)-[^-]+")`
  const position = `label_replace(${row}, "position", "$1", "place", ".+-([^-]+)")`
  const tile = `label_join(${position}, "tile", "|", "state", "name", "inlet", "power")`
  return { text: `max by (${targetLabels.join(', ')}, row, position, tile) (${tile})`, simple: true }
}

/** Row and position identify the rack on its page. */
const toRack = link(
  'Open the rack',
  `${dashboardPath('dcsim-rack')}?${preservedQueryParams}&\${instance:queryparam}&var-rack=\${__data.fields[0]}-\${__field.name}`,
)

interface FloorShown {
  readonly title?: string
  /** The displayed zones; all by default. */
  readonly zones?: Where
  /** Compact tiles, without column numbers, which the names contain. */
  readonly small?: boolean
}

/** Racks in their positions, row by row, in the color of their worst state. */
export const floorPlan = ({
  title = 'Floor',
  zones = anyOf(['.+']),
  small = false,
}: FloorShown = {}): Panel =>
  withTargets(
    matrix({
      title,
      description:
        'Racks as they stand: a line is a row of racks. A tile has inlet temperature and power drawn of what the rack may draw; its color is that of its worst state.',
      unit: unit.text,
      column: 'position',
      row: 'row',
      cell: 'tile',
      firstTitle: 'Row',
      firstWidth: small ? 125 : 150,
      mappings: tiles(small),
      links: [toRack],
      sorted: true,
      untitled: small,
    }),
    [tableQuery(racksPlaced(zones))],
  )

/** The legend of the floor, in one line. */
export const floorLegend = Object.values(rackStates)
  .map(({ color, meaning }) => `<span style="color:${color}">■</span> ${meaning}`)
  .join(' &nbsp; ')
