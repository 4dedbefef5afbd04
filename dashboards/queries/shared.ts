import { lateShareAllowed } from '../../alerts/plan-terms.ts'
import { by, calculate, calculateEach, compare, either, share } from '../../promql/expressions.ts'
import type { Expr, Matcher } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { eachTier, failuresUsed } from './allowances.ts'
import { gauge, withNames, gaugeSum } from './series.ts'
import { hoursPerMonth } from '../../src/contract/fields.ts'
import { contentionStates } from '../../src/contract/vocabularies.ts'
import type { Tier } from '../../src/contract/vocabularies.ts'

/** Queries that several dashboards share. */

export const revenueHourly = gaugeSum('dcsim_customer_revenue_last_hour_dollars')
export const facilityCostHourly = calculate(gaugeSum('dcsim_az_cost_dollars_per_month'), '/', hoursPerMonth)
export const margin = share(
  gaugeSum('dcsim_customer_margin_dollars'),
  gaugeSum('dcsim_customer_margin_revenue_dollars'),
)

export const revenueAtRisk = gaugeSum('dcsim_incidents_revenue_at_risk_dollars_per_hour')

const clock = gauge('dcsim_sim_time_seconds')
/** Simulated time from now to a simulated time in the future. */
export const timeUntil = <L extends string>(moment: Expr<L>): Expr<L> => calculateEach(moment, '-', clock)

/** All customers, or some: reading fewer series is cheaper than filtering most of them out afterwards. */
interface OfCustomers {
  readonly customer?: string | Matcher
  readonly tier?: Matcher
}

const ofTier = (customers: OfCustomers, tier: Tier) => ({
  ...customers,
  tier: customers.tier === undefined ? tier : [tier, customers.tier],
})

/** Failed requests in the SLA period as a share of the plan's allowance: from 1 on the promise is broken. */
export const failuresOf = (customers: OfCustomers) =>
  failuresUsed((tier) => gauge('dcsim_customer_availability_ratio', ofTier(customers, tier)))

/** Time over the promised latency in the SLA period, as a share of the plan's allowance. */
export const latenessOf = (customers: OfCustomers) =>
  eachTier((tier) =>
    calculate(
      share(
        gauge('dcsim_customer_sla_period_over_latency_seconds', ofTier(customers, tier)),
        gauge('dcsim_customer_sla_period_seconds', ofTier(customers, tier)),
      ),
      '/',
      lateShareAllowed[tier],
    ),
  )

/** The share of failed requests in the last simulated hour, over all customers. */
export const failedShare = share(
  calculate(gaugeSum('dcsim_customer_failed_requests_last_hour'), '/', 3600),
  gaugeSum('dcsim_customer_requests_per_second'),
)

export const wanOut = gaugeSum('dcsim_az_wan_transmit_bytes_per_second')
export const wanIn = gaugeSum('dcsim_az_wan_receive_bytes_per_second')
export const wanCapacity = gaugeSum('dcsim_az_wan_capacity_bytes_per_second')

const forward = gauge('dcsim_link_forward_bytes_per_second')
const reverse = gauge('dcsim_link_reverse_bytes_per_second')
/** The load of a link in its fuller direction, as a share of its capacity. */
export const linkLoad = share(
  either(compare(forward, '>', reverse), reverse),
  gauge('dcsim_link_capacity_bytes_per_second'),
)

/** The contention of hosts as a number from 0 for None to 3 for Starved, of hosts at a level or above it. */
export function contentionLevel(
  where: NonNullable<Parameters<typeof gauge<'dcsim_host_contention'>>[1]>,
  from = 0,
): Expr<'host' | TargetLabel> {
  const levels = contentionStates.map((state, level) =>
    calculate(compare(gauge('dcsim_host_contention', { ...where, state }), '==', 1), '*', level),
  )
  const [first, ...others] = levels.slice(from)
  return by('max', either(first, ...others), ['host'])
}

/** Names instead of ids. */
export const zoneNamed = (expr: Expr<'az' | TargetLabel>) =>
  withNames(expr, 'dcsim_az_info', ['az'], ['display_name'])
export const poolNamed = (expr: Expr<'pool' | TargetLabel>) =>
  withNames(expr, 'dcsim_pool_info', ['pool'], ['name'])
export const customerNamed = (expr: Expr<'customer' | TargetLabel>, where: OfCustomers = {}) =>
  withNames(expr, 'dcsim_customer_info', ['customer'], ['name'], where)
