import { by, calculate, filter } from '../../../promql/expressions.ts'
import type { Expr } from '../../../promql/expressions.ts'
import type { TargetLabel } from '../../../promql/metrics.ts'
import { promDuration } from '../../../alerts/settings.ts'
import { defaultSpeed } from '../../../src/contract/thresholds.ts'
import { gauge, matchesVariable, withNames } from '../../queries/series.ts'
import type { GaugeWith } from '../../queries/series.ts'
import { fromRow } from '../../layout/links.ts'
import { profitSteps, marginSteps } from '../../style/threshold-steps.ts'
import { quiet, unit } from '../../style/look.ts'
import { table } from '../../visualizations/tables.ts'

const tier = { tier: matchesVariable('tier') }
const id = ['customer', 'tier'] as const

const ofPlan = (name: GaugeWith<'customer' | 'tier'>) => by('sum', gauge<typeof name>(name, tier), ['tier'])

/** Revenue, cost and margin by plan. */
export const plans = table({
  title: 'From revenue to margin, by plan',
  description: 'Of the last 30 simulated days. Hosts: with the facility. Transit is the network.',
  labels: [{ label: 'tier', title: 'Plan', width: 70 }],
  values: [
    { expr: ofPlan('dcsim_customer_margin_revenue_dollars'), title: 'Revenue', unit: unit.dollars },
    {
      expr: ofPlan('dcsim_customer_cost_infrastructure_dollars'),
      title: '− Hosts',
      unit: unit.dollars,
    },
    { expr: ofPlan('dcsim_customer_cost_transit_dollars'), title: '− Transit', unit: unit.dollars },
    {
      expr: ofPlan('dcsim_customer_margin_dollars'),
      title: '= Margin',
      unit: unit.dollars,
      steps: profitSteps,
    },
    {
      expr: {
        text: `${ofPlan('dcsim_customer_margin_dollars').text} / (${ofPlan('dcsim_customer_margin_revenue_dollars').text} > 0)`,
        simple: false,
      },
      title: 'Of revenue',
      unit: unit.share,
      decimals: 1,
      steps: marginSteps,
    },
  ],
  sortBy: 'Revenue',
})

type OfCustomer = Expr<'customer' | 'tier' | TargetLabel>
const now: OfCustomer = gauge('dcsim_customer_revenue_last_hour_dollars', tier)

/** A simulated day at the default speed. */
const yesterday = promDuration(86_400 / defaultSpeed)
const before: OfCustomer = { text: `${now.text} offset ${yesterday}`, simple: true }
const change = calculate(now, '-', before)
/** The largest changes in either direction. */
const largest: OfCustomer = { text: `topk(12, abs(${change.text}))`, simple: true }

/** Customers whose revenue changed most against the same hour of the previous simulated day. */
export const movers = table({
  title: 'Movers since yesterday',
  description: `Customers whose revenue changed most against ${yesterday} ago, which is a simulated day at the default speed.`,
  empty: 'No data of a simulated day ago.',
  labels: [
    { label: 'name', title: 'Customer', links: [fromRow('dcsim-customer', 'customer', 'customer')] },
    { label: 'customer', title: 'Id', hidden: true },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(filter(change, 'and', largest, id), 'dcsim_customer_info', ['customer'], ['name']),
        [...id, 'name'],
      ),
      title: 'Change',
      unit: unit.dollars,
      decimals: 2,
      width: 86,
      steps: [
        { value: null, color: '#C84B00' },
        { value: -0.5, color: quiet },
        { value: 0.5, color: '#009E73' },
      ],
    },
    { expr: by('max', before, id), title: 'Yesterday', unit: unit.dollars, decimals: 2, width: 80 },
    { expr: by('max', now, id), title: 'Now', unit: unit.dollars, decimals: 2, width: 66 },
  ],
  rows: largest,
  sortBy: 'Change',
})
