import { metric, withLabels } from '../../promql/expressions.ts'
import type { Expr, Matcher } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import type { AlertSettings } from '../settings.ts'

/** Joins display names from info families by id. */

export const zoneName = <L extends string>(expr: Expr<L | 'az' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_az_info'), ['az'], ['display_name'])
export const poolName = <L extends string>(expr: Expr<L | 'pool' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_pool_info'), ['pool'], ['name'])
export const rackName = <L extends string>(expr: Expr<L | 'rack' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_rack_info'), ['rack'], ['name', 'zone'])
export const hostName = <L extends string>(expr: Expr<L | 'host' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_host_info'), ['host'], ['name', 'rack', 'rack_name', 'zone'])
export const switchName = <L extends string>(expr: Expr<L | 'switch' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_switch_info'), ['switch'], ['name', 'rack', 'zone'])
export const gatewayName = <L extends string>(expr: Expr<L | 'gateway' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_gateway_info'), ['gateway'], ['name', 'zone'])
export const applianceName = <L extends string>(expr: Expr<L | 'appliance' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_appliance_info'), ['appliance'], ['name', 'zone'])
export const linkName = <L extends string>(expr: Expr<L | 'link' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_link_info'), ['link'], ['name', 'port', 'az', 'zone'])
export const customerName = <L extends string>(expr: Expr<L | 'customer' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_customer_info'), ['customer'], ['name', 'tier'])

/** The job as a matcher: a regular expression if it is one. */
export const jobOf = ({ job }: AlertSettings): string | Matcher =>
  /^[\w-]+$/.test(job) ? job : { operator: '=~', value: job }
