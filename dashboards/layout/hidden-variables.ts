import {
  anyOf,
  bottomk,
  by,
  calculate,
  compare,
  either,
  increase,
  isNot,
  metric,
  overTime,
  share,
  topk,
} from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { contentionStates } from '../../src/contract/vocabularies.ts'
import type { Tier } from '../../src/contract/vocabularies.ts'
import { failuresUsed } from '../queries/allowances.ts'
import { devices, target, valuesOf } from './variable-options.ts'

/**
 * Ids that a page looks up once a refresh, without a choice by the user: queries that select them read a few series, where
 * a ranking or a join with an info family reads those of the whole fleet at each point of a graph.
 */

const lookup = { many: true, isHidden: true } as const

/** The values of a label among the series that a query finds. */
const foundIds = (found: Expr<never>, id: string) => ({
  query: `query_result(${found.text.replaceAll('\n', ' ')})`,
  regex: `/[{,]${id}="(?<value>[^"]*)"/`,
  ...lookup,
})

/** More lines could not be distinguished. */
const worstMax = 8
/** More rows of customers would be megabytes in a large world. */
const rowsMax = 100
const availability = (tier: Tier) =>
  metric('dcsim_customer_availability_ratio', { ...target, tier: [tier, anyOf(['$tier'])] })
const inPlan = { ...target, tier: anyOf(['$tier']) }
const inPlace = { ...target, az: anyOf(['$zone']), pool: anyOf(['$pool']) }

/** The switches of which a counter rose most in the time shown. */
const switchesWith = (counter: 'dcsim_switch_errors_total' | 'dcsim_switch_link_flaps_total') =>
  foundIds(
    topk(
      worstMax,
      compare(
        by('sum', increase(counter, '$__range', { ...target, az: anyOf(['$zone']) }), ['switch']),
        '>',
        0,
      ),
    ),
    'switch',
  )

/** The contention of hosts at its worst within the time shown, from the level on at which units suffer. */
const worstContention = either(
  ...(contentionStates
    .map((state, level) => ({ state, level }))
    .slice(thresholds.contendedLevel)
    .map(({ state, level }) =>
      calculate(
        compare(
          overTime('max_over_time', 'dcsim_host_contention', '$__range', { ...inPlace, state }),
          '==',
          1,
        ),
        '*',
        level,
      ),
    ) as [Expr<'host' | TargetLabel>]),
)

const ofIncident = { incident: anyOf(['$incident']) }

export const hiddenVariables = {
  least_satisfied: {
    label: 'Least satisfied',
    description: 'The customers whose satisfaction was lowest in the time shown.',
    ...foundIds(
      bottomk(worstMax, overTime('min_over_time', 'dcsim_customer_satisfaction_ratio', '$__range', inPlan)),
      'customer',
    ),
  },
  slowest: {
    label: 'Slowest',
    description: 'The customers whose latency was highest in the time shown, of what was promised.',
    ...foundIds(
      topk(
        worstMax,
        share(
          by(
            'max',
            overTime('max_over_time', 'dcsim_customer_latency_seconds', '$__range', {
              ...inPlan,
              quantile: '0.99',
            }),
            ['customer'],
          ),
          by('max', overTime('max_over_time', 'dcsim_customer_latency_budget_seconds', '$__range', inPlan), [
            'customer',
          ]),
        ),
      ),
      'customer',
    ),
  },
  failing_most: {
    label: 'Failing most',
    description: 'The customers of whose requests most failed in the time shown.',
    ...foundIds(
      topk(
        worstMax,
        by('sum', increase('dcsim_customer_failed_requests_total', '$__range', inPlan), ['customer']),
      ),
      'customer',
    ),
  },
  nearest_limit: {
    label: 'Nearest their limits',
    description: 'The hundred customers that used most of the failures that their plans allow.',
    ...foundIds(topk(rowsMax, failuresUsed(availability)), 'customer'),
  },
  best_margins: {
    label: 'Highest margins',
    description: 'The hundred customers with the highest margins.',
    ...foundIds(topk(rowsMax, metric('dcsim_customer_margin_dollars', inPlan)), 'customer'),
  },
  busiest: {
    label: 'Busiest hosts',
    description: 'The hosts that use most CPU now, of what they have.',
    ...foundIds(
      topk(
        50,
        share(metric('dcsim_host_cpu_used_vcpus', inPlace), metric('dcsim_host_cpu_physical_vcpus', inPlace)),
      ),
      'host',
    ),
  },
  contended: {
    label: 'Hosts in contention',
    description: 'The hosts whose units suffered most in the time shown.',
    ...foundIds(topk(12, by('max', worstContention, ['host'])), 'host'),
  },
  attacked: {
    label: 'Attacked customers',
    description: 'The customers that were attacked in the time shown.',
    query: valuesOf('dcsim_customer_attack_info', 'customer'),
    ...lookup,
  },
  losing_frames: {
    label: 'Losing frames',
    description: 'The switches that lost most frames in the time shown.',
    ...switchesWith('dcsim_switch_errors_total'),
  },
  flapping: {
    label: 'Flapping',
    description: 'The switches whose links flapped most in the time shown.',
    ...switchesWith('dcsim_switch_link_flaps_total'),
  },
  device_id: {
    label: 'Id of the device',
    description: 'The id of the device. Switches, gateways and appliances have a label each for it.',
    ...foundIds(
      { text: devices({ name: anyOf(['$device']) }), simple: true },
      '(?:switch|gateway|appliance)',
    ),
  },
  rack_hosts: {
    label: 'Hosts of the rack',
    description: 'The hosts that stand in the rack, or stood in it in the time shown.',
    query: valuesOf('dcsim_host_info', 'host', { rack: anyOf(['$rack']) }),
    ...lookup,
  },
  incident_hosts: {
    label: 'Hosts of the incident',
    description: 'The hosts that the incident concerned in the time shown.',
    query: valuesOf('dcsim_incident_scope_info', 'host', { ...ofIncident, host: isNot('') }),
    ...lookup,
  },
  incident_customers: {
    label: 'Customers of the incident',
    description: 'The customers that the incident concerned in the time shown.',
    query: valuesOf('dcsim_incident_scope_info', 'customer', { ...ofIncident, customer: isNot('') }),
    ...lookup,
  },
} as const
