import { by, calculate, complement, metric, share } from '../../promql/expressions.ts'
import { recordNow } from '../rule.ts'
import type { RuleGroup } from '../rule.ts'

const wanOut = by('sum', metric('dcsim_az_wan_transmit_bytes_per_second'))

/**
 * The recorded series of the Trends dashboard: a handful for a whole world, so that a query over months is as fast as
 * one over hours of the original series. They are of metrics alone: promtool gives no past to a rule over another one's series.
 */
export const trendSeries = {
  'world:dcsim_customer_revenue_last_hour_dollars:sum': by(
    'sum',
    metric('dcsim_customer_revenue_last_hour_dollars'),
  ),
  'world:dcsim_az_cost_dollars_per_month:sum': by('sum', metric('dcsim_az_cost_dollars_per_month')),
  'world:dcsim_customer_margin_dollars:ratio': share(
    by('sum', metric('dcsim_customer_margin_dollars')),
    by('sum', metric('dcsim_customer_margin_revenue_dollars')),
  ),
  'world:dcsim_customers:sum': by('sum', metric('dcsim_customers')),
  'world:dcsim_prospects:sum': by('sum', metric('dcsim_prospects')),
  'world:dcsim_customer_satisfaction_ratio:avg': by('avg', metric('dcsim_customer_satisfaction_ratio')),
  'world:dcsim_customer_failed_requests_last_hour:ratio': share(
    calculate(by('sum', metric('dcsim_customer_failed_requests_last_hour')), '/', 3600),
    by('sum', metric('dcsim_customer_requests_per_second')),
  ),
  'band:dcsim_incidents_active:sum': by('sum', metric('dcsim_incidents_active'), ['band']),
  'world:dcsim_az_cpu_used_vcpus:ratio': share(
    by('sum', metric('dcsim_az_cpu_used_vcpus')),
    by('sum', metric('dcsim_az_cpu_physical_vcpus')),
  ),
  'world:dcsim_pool_memory_physical_bytes:allocated_ratio': complement(
    share(
      by('sum', metric('dcsim_pool_memory_free_bytes')),
      by('sum', metric('dcsim_pool_memory_physical_bytes')),
    ),
  ),
  'world:dcsim_az_wan_transmit_bytes_per_second:ratio': share(
    wanOut,
    by('sum', metric('dcsim_az_wan_capacity_bytes_per_second')),
  ),
  'world:dcsim_az_wan_transmit_bytes_per_second:sum': wanOut,
  'world:dcsim_az_power_draw_watts:sum': by('sum', metric('dcsim_az_power_draw_watts')),
} as const

export const trendRules = (): RuleGroup => ({
  subject: 'trends',
  recordings: Object.entries(trendSeries).map(([name, expr]) => recordNow(name, expr)),
  alerts: [],
})
