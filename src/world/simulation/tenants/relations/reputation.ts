import type { Tier } from '../../../../contract/vocabularies.ts'
import { clamp } from '../../numeric.ts'
import { isDue, schedule } from '../../schedule.ts'
import type { Micros } from '../../time.ts'
import type { TenantContext } from '../context.ts'
import type { TenantsState } from '../state.ts'

/** Hourly smoothing of reputation towards customers' opinion: two thirds of the distance in three weeks. */
const followPerHour = 1 / (21 * 24)
/** Reputation lost per hour of a Critical incident, and per customer that leaves because of its grievances. */
const criticalHourCost = 0.002
const lostCustomerCost = 0.006
/** Weight of a customer's opinion by tier. */
const voice: Readonly<Record<Tier, number>> = { Bronze: 1, Silver: 1.5, Gold: 2, Platinum: 3 }
/** Reputation with the usual rate of prospects. */
const usualReputation = 0.75

/** Customers' opinion of the company, from 0 to 1. */
export function opinionOfCustomers({ accounts }: TenantsState): number {
  let sum = 0
  let weights = 0
  for (const { tier, satisfaction } of accounts) {
    sum += voice[tier] * satisfaction
    weights += voice[tier]
  }
  return weights === 0 ? usualReputation : sum / weights
}

/** Once an hour: reputation follows customers' opinion, and suffers from Critical incidents. */
export function updateReputation({ world, state }: TenantContext): void {
  if (!isDue(schedule.reputation, world.tick)) return
  let critical = 0
  for (const { band } of world.incidents.values()) if (band === 'Critical') critical++
  const { reputation } = state
  const change = (opinionOfCustomers(state) - reputation.value) * followPerHour
  reputation.value = clamp(reputation.value + change - critical * criticalHourCost, 0, 1)
}

export function loseReputation({ reputation }: TenantsState): void {
  reputation.value = clamp(reputation.value - lostCustomerCost, 0, 1)
}

/** Factor on the number of prospects while the company is promoted. */
const promotion = 1.5

/** Factor on the number of prospects. */
export const interestFactor = ({ reputation, tariff }: TenantsState, now: Micros): number => {
  const ratio = reputation.value / usualReputation
  return clamp(ratio * ratio * ratio, 0.2, 1.8) * (now < tariff.promotedUntil ? promotion : 1)
}

/** Factor on the weight of each tier over the one below it: demanding customers avoid a bad reputation. */
export const tierTilt = ({ reputation }: TenantsState): number =>
  clamp((reputation.value / usualReputation) * (reputation.value / usualReputation), 0.4, 1.4)
