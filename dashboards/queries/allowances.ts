import { availabilityPromised } from '../../alerts/plan-terms.ts'
import { calculate, complement, either } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { tiers } from '../../src/contract/vocabularies.ts'
import type { Tier } from '../../src/contract/vocabularies.ts'

/** Used allowances of plans. Variables look customers up by them, and `series.ts` depends on the variables: this file on neither. */

type OfCustomers = Expr<'customer' | 'tier' | TargetLabel>

export function eachTier(read: (tier: Tier) => OfCustomers): OfCustomers {
  const [first, ...others] = tiers.map(read)
  return either(first, ...others)
}

/** Failed requests as a share of the plan's allowance, from the availability of the customers of each plan. */
export const failuresUsed = (availability: (tier: Tier) => OfCustomers): OfCustomers =>
  eachTier((tier) =>
    calculate(complement(availability(tier)), '/', Number((1 - availabilityPromised[tier]).toPrecision(6))),
  )
