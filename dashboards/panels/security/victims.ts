import { fromRow, fromSeries } from '../../layout/links.ts'
import { alarm, palette, plainText, unit } from '../../style/look.ts'
import { states } from '../../visualizations/panels.ts'
import { lines } from '../../visualizations/lines.ts'
import { texts } from '../../style/states.ts'
import { customerWidth, table } from '../../visualizations/tables.ts'
import { rangeQuery } from '../../queries/targets.ts'
import { by, filter } from '../../../promql/expressions.ts'
import type { Expr } from '../../../promql/expressions.ts'
import { targetLabels } from '../../../promql/metrics.ts'
import { gauge, matchesVariable, withNames } from '../../queries/series.ts'
import { customerNamed } from '../../queries/shared.ts'
import { classTexts } from './defenses.ts'

/** Attacked customers, and the cost of attacks. */

const attackedOnes = { customer: matchesVariable('attacked') }

export const history = states({
  title: 'Attacks by customer',
  description:
    'When hostile traffic aimed at any customer, and at each. Click on a row to open the customer.',
  unit: unit.count,
  mappings: texts({ 0: ['None', palette.gray], 1: ['Under attack', palette.vermilion] }),
  links: [fromSeries('dcsim-customer', 'customer', 'customer')],
  targets: [
    rangeQuery(by('max', gauge('dcsim_customer_under_attack')), 'Any'),
    rangeQuery(
      withNames(
        by('max', gauge('dcsim_customer_attack_info'), ['customer']),
        'dcsim_customer_info',
        ['customer'],
        ['name'],
        attackedOnes,
      ),
      '{{name}}',
    ),
  ],
})

const perCustomer = [...targetLabels, 'customer'].join(', ')
const breached = by('max', gauge('dcsim_customer_breached', attackedOnes), ['customer']).text
/** Aggregated, as older versions of VictoriaMetrics otherwise keep series that a comparison leaves without values. */
const breachedAs = (expr: string, word: string): string =>
  `max by (${perCustomer}, breached) (label_replace(${expr}, "breached", "${word}", "", ""))`
const breachedInWords = `(${breachedAs(`${breached} == 1`, 'Yes')} or on (${perCustomer}) ${breachedAs(breached, 'No')})`

/** The revenue of attacked customers, in a single query: of several without a row, older versions show no text. */
const attacked: Expr<'customer' | 'name' | 'class' | 'breached'> = {
  text:
    `max by (${perCustomer}, name, class, breached) (` +
    `(${withNames(gauge('dcsim_customer_attack_info'), 'dcsim_customer_info', ['customer'], ['name'], attackedOnes).text})` +
    ` * on (${perCustomer}) group_left () ${by('max', gauge('dcsim_customer_revenue_last_hour_dollars', attackedOnes), ['customer']).text}` +
    ` * on (${perCustomer}) group_left (breached) max by (${perCustomer}, breached) (${breachedInWords} * 0 + 1))`,
  simple: true,
}

export const victims = table({
  title: 'Who is attacked',
  description: 'Customers that are the target of hostile traffic now, and its class.',
  empty: 'No customer is under attack.',
  labels: [
    {
      label: 'name',
      title: 'Customer',
      width: customerWidth,
      links: [fromRow('dcsim-customer', 'customer', 'customer')],
    },
    { label: 'customer', title: 'Id', hidden: true },
    { label: 'class', title: 'Class', mappings: classTexts },
    {
      label: 'breached',
      title: 'Breached',
      mappings: texts({ Yes: ['Yes', alarm], No: ['No', plainText] }),
      width: 80,
    },
  ],
  values: [{ expr: attacked, title: '$/h', unit: unit.dollars, decimals: 0, width: 64 }],
  sortBy: '$/h',
})

export const victimsOverTime = lines({
  title: 'Revenue under attack',
  description: 'Revenue of the last simulated hour of customers under attack.',
  unit: unit.dollars,
  min: 0,
  empty: 'No customer is under attack.',
  links: [fromSeries('dcsim-customer', 'customer', 'customer')],
  targets: [
    rangeQuery(
      customerNamed(
        filter(
          gauge('dcsim_customer_revenue_last_hour_dollars', attackedOnes),
          'and',
          gauge('dcsim_customer_attack_info'),
          ['customer'],
        ),
        attackedOnes,
      ),
      '{{name}}',
    ),
  ],
})
