import { hoursPerMonth } from '../../src/contract/fields.ts'
import { by, calculate, complement, metric, recorded, share } from '../promql/expressions.ts'
import type { Expr } from '../promql/expressions.ts'
import type { TargetLabel } from '../promql/metrics.ts'
import { recordNow } from '../rule.ts'
import type { RuleGroup } from '../rule.ts'

type OfTier = Expr<'tier' | TargetLabel>
const requests: OfTier = recorded('tier:dcsim_customer_requests:rate')
const failedRequests: OfTier = recorded('tier:dcsim_customer_failed_requests:rate')
const wanOut = by('sum', metric('dcsim_az_wan_transmit_bytes_per_second'))

/**
 * The recorded series of the Trends dashboard: a handful for a whole world, so that a query over months is as fast as
 * one over hours of the original series.
 */
export const trendSeries = {
  'world:dcsim_revenue_hourly_dollars:sum': by('sum', metric('dcsim_customer_revenue_last_hour_dollars')),
  'world:dcsim_facility_cost_hourly_dollars:sum': calculate(
    by('sum', metric('dcsim_az_cost_monthly_dollars')),
    '/',
    hoursPerMonth,
  ),
  'world:dcsim_margin:share': share(
    by('sum', metric('dcsim_customer_margin_dollars')),
    by('sum', metric('dcsim_customer_margin_revenue_dollars')),
  ),
  'world:dcsim_customers:sum': by('sum', metric('dcsim_customers')),
  'world:dcsim_prospects:sum': by('sum', metric('dcsim_prospects')),
  'world:dcsim_satisfaction:mean': by('avg', metric('dcsim_customer_satisfaction_ratio')),
  'world:dcsim_failed_requests:share': share(by('sum', failedRequests), by('sum', requests)),
  'band:dcsim_incidents_active:sum': by('sum', metric('dcsim_incidents_active'), ['band']),
  'world:dcsim_cpu_used:share': share(
    by('sum', metric('dcsim_az_cpu_used_vcpus')),
    by('sum', metric('dcsim_az_cpu_physical_vcpus')),
  ),
  'world:dcsim_memory_promised:share': complement(
    share(
      by('sum', metric('dcsim_pool_memory_free_bytes')),
      by('sum', metric('dcsim_pool_memory_physical_bytes')),
    ),
  ),
  'world:dcsim_wan_load:share': share(wanOut, by('sum', metric('dcsim_az_wan_capacity_bytes_per_second'))),
  'world:dcsim_wan_transmit_bytes_per_second:sum': wanOut,
  'world:dcsim_power_draw_watts:sum': by('sum', metric('dcsim_az_power_draw_watts')),
} as const

export const trendRules = (): RuleGroup => ({
  subject: 'trends',
  recordings: Object.entries(trendSeries).map(([name, expr]) => recordNow(name, expr)),
  alerts: [],
})
