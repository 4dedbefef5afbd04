import { hoursPerMonth } from '../../../contract/fields.ts'
import type { WorldView } from '../state.ts'
import { monthsToPayOff } from '../tenants/prices.ts'
import type { OperatorState } from './model.ts'
import { worksMonths } from './prices.ts'

/**
 * The money that the operator may spend. Purchases are financed: a share is paid from the reserves when they are
 * ordered, and instalments follow, which the books show as depreciation once the purchase is in service.
 */

/** Reserves of a new company, for each host that it begins with. */
const openingDollarsPerHost = 1_500
/** Share of a price that is paid with the order. */
const depositShare = 0.15
/** Share of a month's cost that is never spent. */
const keptMonths = 0.2
/** Share of the margin that instalments of what is on order may take. */
const instalmentShareMax = 0.6
/** Hours over which the margin is averaged. */
const averageHours = 168

export const openingReserves = (hosts: number): number => hosts * openingDollarsPerHost

export const depositOf = (dollars: number): number => dollars * depositShare

export const instalmentOf = (dollars: number, isHost: boolean): number =>
  dollars / (isHost ? monthsToPayOff : worksMonths)

/** Once an hour: adds what was earned since the last time to the reserves. */
export function countEarnings(state: OperatorState, { money }: WorldView): void {
  const spent = money.directCost + money.facilityCost + money.transitCost + money.addonCost
  const earnings = money.revenue - spent - money.credits - money.evictionFees
  state.reserves += earnings - state.earnings
  state.earnings = earnings
  state.hoursCounted = Math.min(averageHours, state.hoursCounted + 1)
  const margin = money.revenuePerHour - money.costPerHour
  state.marginPerHour += (margin - state.marginPerHour) / state.hoursCounted
}

/** Reserves beyond those that are never spent. */
export const spendable = (state: OperatorState, { money }: Pick<WorldView, 'money'>): number =>
  state.reserves - keptMonths * money.costPerHour * hoursPerMonth

/** Price that can be paid now: with its deposit from the reserves, and with its instalments from the margin. */
export function affordable(state: OperatorState, { money }: WorldView, isHost: boolean): number {
  const reserves = spendable(state, { money })
  let instalments = state.marginPerHour * hoursPerMonth * instalmentShareMax
  for (const purchase of state.purchases) instalments -= purchase.instalment
  const months = isHost ? monthsToPayOff : worksMonths
  return Math.max(0, Math.min(reserves / depositShare, instalments * months))
}
