import { hoursPerMonth } from '../../../contract/fields.ts'
import type { WorldView } from '../state.ts'
import { monthsToPayOff } from '../tenants/prices.ts'
import type { OperatorState } from './model.ts'
import { worksMonths } from './prices.ts'

/**
 * The operator's budget. Purchases are financed: a deposit is paid from the reserves with the order, and installments
 * follow, which the books show as depreciation once the purchase is in service.
 */

/** Initial reserves of a company, per initial host. */
const openingDollarsPerHost = 1_500
/** Share of a price paid with the order. */
const depositShare = 0.15
/** Minimum reserves, in months of cost. */
const keptMonths = 0.2
/** Maximum share of the margin for installments of purchases on order. */
const instalmentShareMax = 0.6
/** Averaging time of the margin. */
const averageHours = 168

export const openingReserves = (hosts: number): number => hosts * openingDollarsPerHost

export const depositOf = (dollars: number): number => dollars * depositShare

export const instalmentOf = (dollars: number, isHost: boolean): number =>
  dollars / (isHost ? monthsToPayOff : worksMonths)

/** Once an hour: adds the earnings since the last call to the reserves. */
export function countEarnings(state: OperatorState, { money }: WorldView): void {
  const spent = money.directCost + money.facilityCost + money.transitCost + money.addonCost
  const earnings = money.revenue - spent - money.credits - money.evictionFees
  state.reserves += earnings - state.earnings
  state.earnings = earnings
  state.hoursCounted = Math.min(averageHours, state.hoursCounted + 1)
  const margin = money.revenuePerHour - money.costPerHour
  state.costPerHour += (money.costPerHour - state.costPerHour) / state.hoursCounted
  state.marginPerHour += (margin - state.marginPerHour) / state.hoursCounted
}

/** Reserves above the minimum. */
export const spendable = (state: OperatorState, { money }: Pick<WorldView, 'money'>): number =>
  state.reserves - keptMonths * money.costPerHour * hoursPerMonth

/**
 * The highest affordable price: its deposit comes from the reserves, its installments from the margin, or from what
 * owners and lenders gave for investments.
 */
export function affordable(state: OperatorState, { money }: WorldView, isHost: boolean): number {
  const reserves = spendable(state, { money })
  let instalments = state.marginPerHour * hoursPerMonth * instalmentShareMax
  for (const purchase of state.purchases) instalments -= purchase.instalment
  instalments -= state.company.loan?.monthlyDollars ?? 0
  const months = isHost ? monthsToPayOff : worksMonths
  return Math.max(
    0,
    Math.min(reserves / depositShare, Math.max(instalments * months, state.company.programDollars)),
  )
}
