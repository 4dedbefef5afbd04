import { thresholds } from '../../src/contract/thresholds.ts'
import { fromRow } from '../layout/links.ts'
import type { VariableName } from '../layout/variables.ts'
import { noneExpected, risingSteps, unit } from '../style/look.ts'
import { lines } from '../visualizations/lines.ts'
import { roleTexts, upOrDown, wanPolicyTexts, faultFlagTexts, healthyFlagTexts } from '../style/states.ts'
import { table } from '../visualizations/tables.ts'
import { rangeQuery } from '../queries/targets.ts'
import { by, compare, share } from '../../promql/expressions.ts'
import { bytesToBits, gauge, matchesVariable, withNames, perGameTime } from '../queries/series.ts'
import { conditionSteps } from '../style/threshold-steps.ts'

/** Gateways and switches, and their losses. */

const zone = { az: matchesVariable('zone') }
const toDevice = fromRow('dcsim-device', 'device', 'name')

const fabricSteps = risingSteps(thresholds.fabricLoadHigh, 1)

/** The switches that the page has looked up: of all, each point of a graph would have to be read. */
const ofOnes = (name: VariableName) => ({ switch: matchesVariable(name) })

const switchLoad = share(
  gauge('dcsim_switch_fabric_load_bytes_per_second', zone),
  gauge('dcsim_switch_fabric_capacity_bytes_per_second', zone),
)

export const gatewaysPanel = table({
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
        withNames(
          gauge('dcsim_gateway_powered', zone),
          'dcsim_gateway_info',
          ['gateway'],
          ['name', 'wan_policy'],
        ),
        ['gateway', 'name', 'wan_policy'],
      ),
      title: 'Power',
      mappings: healthyFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_gateway_bgp_advertising', zone), ['gateway']),
      title: 'Announced',
      mappings: healthyFlagTexts,
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
      unit: unit.share,
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
      unit: unit.share,
      bar: true,
      steps: risingSteps(thresholds.forwardingLoadHigh, 1),
    },
    {
      expr: by('max', gauge('dcsim_gateway_addon_throttle_ratio', zone), ['gateway']),
      title: 'Throttled',
      unit: unit.share,
      steps: noneExpected,
    },
    {
      expr: bytesToBits(by('max', gauge('dcsim_gateway_wan_receive_bytes_per_second', zone), ['gateway'])),
      title: 'WAN in',
      unit: unit.traffic,
    },
    {
      expr: bytesToBits(by('max', gauge('dcsim_gateway_wan_transmit_bytes_per_second', zone), ['gateway'])),
      title: 'WAN out',
      unit: unit.traffic,
    },
  ],
  sortBy: 'Fabric',
})

export const switchesPanel = table({
  title: 'Switches',
  description: 'Fabrics, state and wear. A saturated switch drops on a port; a full fabric drops everywhere.',
  labels: [
    { label: 'name', title: 'Switch', links: [toDevice] },
    { label: 'switch', title: 'Id', hidden: true },
    { label: 'role', title: 'Role', width: 110, mappings: roleTexts },
  ],
  values: [
    {
      expr: by('max', withNames(switchLoad, 'dcsim_switch_info', ['switch'], ['name']), [
        'switch',
        'role',
        'name',
      ]),
      title: 'Fabric',
      unit: unit.share,
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
      mappings: faultFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_switch_broadcast_storm', zone), ['switch', 'role']),
      title: 'Storm',
      mappings: faultFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_switch_condition_ratio', zone), ['switch', 'role']),
      title: 'Condition',
      unit: unit.share,
      steps: conditionSteps,
    },
  ],
  rows: switchLoad,
  sortBy: 'Fabric',
})

export const errors = lines({
  title: 'Frames lost a second',
  description:
    'To errors, by switch, a second of simulated time: dirty fiber, dying transceivers, loose contacts.',
  unit: unit.count,
  min: 0,
  limits: true,
  steps: risingSteps(thresholds.errorsPerSecondHigh),
  empty: 'No switch loses frames.',
  targets: [
    rangeQuery(
      withNames(
        compare(
          perGameTime('dcsim_switch_errors_total', ['switch'], {
            where: ofOnes('losing_frames'),
            seconds: 1,
          }),
          '>',
          0,
        ),
        'dcsim_switch_info',
        ['switch'],
        ['name'],
        ofOnes('losing_frames'),
      ),
      '{{name}}',
    ),
  ],
})

export const flaps = lines({
  title: 'Link flaps',
  description: 'How often links of a switch went down and came back, an hour of simulated time.',
  unit: unit.count,
  min: 0,
  limits: true,
  steps: risingSteps(thresholds.flapsPerHourHigh),
  empty: 'No link flaps.',
  targets: [
    rangeQuery(
      withNames(
        compare(
          perGameTime('dcsim_switch_link_flaps_total', ['switch'], { where: ofOnes('flapping') }),
          '>',
          0,
        ),
        'dcsim_switch_info',
        ['switch'],
        ['name'],
        ofOnes('flapping'),
      ),
      '{{name}}',
    ),
  ],
})
