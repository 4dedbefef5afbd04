import { slaTerms } from '../../../../contract/sla.ts'
import { clamp } from '../../numeric.ts'
import { turnsPerDay } from '../../schedule.ts'
import type { Micros } from '../../time.ts'
import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantsState } from '../state.ts'
import { traitsOf } from './character.ts'
import type { Grievance } from './grievance-names.ts'
import { grievances } from './grievance-names.ts'

const at = Object.fromEntries(grievances.map((name, index) => [name, index])) as Readonly<
  Record<Grievance, number>
>

/** Share of a grievance retained from turn to turn, with a time constant of 12 days. */
const memoryPerTurn = 1 - 1 / (12 * turnsPerDay)
/** Maximum satisfaction lost to each grievance. */
const costMax = [0.85, 0.4, 0.5, 0.15, 0.4, 0.2, 0.15] as const

/** Satisfaction lost per turn of complete failure, and so on. */
const failureCost = 0.0185
/** Failed requests weigh more than their share above this multiple of the plan's allowance. */
const allowanceFactor = 40
const latencyCost = 0.000_6
const breachCost = 0.001_25
const redundancyCost = 0.000_1
const capacityCost = 0.000_4
const requirementCost = 0.000_075
/** Annual growth of the price grievance, as a contract's price falls behind the market. */
const priceCostPerYear = 0.08
/** Satisfaction lost by a rise of 100 % during a contract. */
const riseCost = 0.9

const priceMargin = 0.05

/** Platinum customers are most sensitive to failures, Bronze customers to the price. */
const sensitivity = { Bronze: 0.55, Silver: 0.75, Gold: 0.95, Platinum: 1.15 } as const
const priceSensitivity = { Bronze: 1.5, Silver: 1.1, Gold: 0.8, Platinum: 0.5 } as const

/** At a customer's turn: adds its experience since the last one to its grievances. */
export function updateGrievances(state: TenantsState, account: Account, now: Micros): void {
  const { grievances: memory } = account
  for (let cause = 0; cause < memory.length; cause++) memory[cause] *= memoryPerTurn
  const weight = sensitivity[account.tier] * account.temper
  addGrievance(account, 'failures', failureCost * weight * failureOf(account))
  const overBudget = account.p99Ms / Math.max(1, account.p99BudgetMs) - 1
  if (overBudget > 0) {
    addGrievance(account, 'latency', latencyCost * weight * (0.2 + 0.8 * Math.min(1, overBudget)))
  }
  if (account.breached) addGrievance(account, 'breach', breachCost)
  if (account.redundancyBroken) addGrievance(account, 'redundancy', redundancyCost * weight)
  addGrievance(account, 'capacity', capacityCost * unplacedShare(state, account))
  if (account.requirementsUnmet !== 0) addGrievance(account, 'requirements', requirementCost)
  const yearsSincePriced = (now - account.priced) / (365 * day)
  memory[at.price] = Math.min(
    costMax[at.price],
    (priceCostPerYear * yearsSincePriced + riseCost * account.priceRise) *
      priceSensitivity[account.tier] *
      traitsOf(account.contract).priceSense,
  )
}

/** Adds to a grievance, with diminishing effect towards its maximum. */
export function addGrievance(account: Account, cause: Grievance, cost: number): void {
  const row = at[cause]
  const { grievances: memory } = account
  memory[row] = clamp(memory[row] + cost * (1 - memory[row] / costMax[row]), 0, costMax[row])
}

export function softenGrievance(account: Account, cause: Grievance, share: number): void {
  account.grievances[at[cause]] *= 1 - share
}

/** Satisfaction lost to all grievances together. */
export function grievanceCost({ grievances: memory }: Account): number {
  let cost = 0
  for (const value of memory) cost += value
  return cost
}

/** The heaviest grievance. The price grievance always exists, so it counts only by a clear margin. */
export function worstGrievance({ grievances: memory }: Account): Grievance {
  let worst = 0
  for (let cause = 1; cause < memory.length; cause++) {
    const margin = cause === at.price ? priceMargin : 0
    if (memory[cause] > memory[worst] + margin) worst = cause
  }
  return grievances[worst]
}

/** Share of the turn's failed requests above the plan's allowance, from 0 to 1. */
function failureOf(account: Account): number {
  if (account.turnTotal === 0) return 0
  const allowed = 1 - slaTerms[account.tier].availability
  const excess = Math.max(0, account.turnFailed / account.turnTotal - allowed)
  return 0.3 * Math.min(1, excess / (allowed * allowanceFactor)) + 0.7 * excess
}

function unplacedShare({ services }: TenantsState, account: Account): number {
  let gap = 0
  for (const service of account.services) gap += services.requested[service] - services.placed[service]
  return account.requestedUnits > 0 ? Math.min(1, (4 * gap) / account.requestedUnits) : 0
}
