import { palette, noneExpected, unit } from '../style/look.ts'
import { bars, states } from '../visualizations/panels.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import { serviceTexts } from '../style/states.ts'
import { wordTable } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { by, calculate, share } from '../../promql/expressions.ts'
import { gauge, matchesVariable, gaugeSum } from '../queries/series.ts'
import { marginSteps } from '../style/threshold-steps.ts'

/** The services of a customer, and their hosts. */

const one = { customer: matchesVariable('customer') }
const gone = 'No such customer: choose one above.'
export const quality = lines({
  title: 'Health, block storage and CPU',
  description:
    'How well its services run, how its block storage performs of what was promised, and the CPU that it uses of what is allocated to it.',
  unit: unit.share,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: colorsInOrder('Health', 'Block storage', 'CPU used'),
  targets: [
    rangeQuery(by('max', gauge('dcsim_customer_health_ratio', one)), 'Health'),
    rangeQuery(by('max', gauge('dcsim_customer_block_quality_ratio', one)), 'Block storage'),
    rangeQuery(by('max', gauge('dcsim_customer_cpu_load_ratio', one)), 'CPU used'),
  ],
})

export const serviceSpread = lines({
  title: 'Spread over hosts',
  description:
    'Hosts that carry its units, and the most of its units on one host: what one failure takes down.',
  unit: unit.count,
  min: 0,
  stepped: true,
  legend: 'list',
  empty: gone,
  colors: { Hosts: palette.blue, 'Most units on one host': palette.orange },
  targets: [
    rangeQuery(by('max', gauge('dcsim_customer_hosts', one)), 'Hosts'),
    rangeQuery(by('max', gauge('dcsim_customer_units_on_one_host_max', one)), 'Most units on one host'),
  ],
})

export const serviceStatesPanel = states({
  title: 'Services',
  description: 'How each of its services ran.',
  unit: unit.count,
  mappings: serviceTexts,
  empty: gone,
  targets: [
    rangeQuery(
      by('max', calculate(gauge('dcsim_service_up', one), '+', gauge('dcsim_service_impaired', one)), [
        'service',
      ]),
      '{{service}}',
    ),
  ],
})

export const margins = bars({
  title: 'Margin of its services',
  description: 'Revenue less cost of the last 30 simulated days, of revenue.',
  unit: unit.share,
  steps: marginSteps,
  empty: gone,
  targets: [
    instantQuery(
      share(
        gaugeSum('dcsim_service_margin_dollars', ['service'], one),
        gaugeSum('dcsim_service_margin_revenue_dollars', ['service'], one),
      ),
      '{{service}}',
    ),
  ],
})

export const servicesPanel = wordTable({
  title: 'Services in detail',
  description: 'Units that each service lacks, and what keeps it from them.',
  empty: gone,
  table: 'services',
  query: 'customer=${customer}',
  columns: [
    { field: 'service', title: 'Service', width: 146 },
    { field: 'state', title: 'State', width: 100 },
    { field: 'missing', title: 'Missing', unit: unit.count, steps: noneExpected, width: 74 },
    { field: 'reason', title: 'Reason' },
    { field: 'lacking', title: 'Lacking', width: 200 },
  ],
})
