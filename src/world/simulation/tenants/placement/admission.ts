import type { FitRecommendation, Tier } from '../../../../contract/vocabularies.ts'
import type { Contract } from '../contract.ts'

/** Shares of the allocatable CPU and memory that new contracts may fill; the rest is kept for failures and growth. */
const vcpuPctMax = 70
const memPctMax = 74
/** The same for the plans that pay for part of the reserve. */
const vcpuPctMaxWithCare = 76
const memPctMaxWithCare = 80
const tiersWithCare: ReadonlySet<Tier> = new Set(['Gold', 'Platinum'])

/** Utilization of the pools that accept the contract, with the contract in them. */
export interface UtilizationAfter {
  readonly vcpu: number
  readonly mem: number
}

/** What the house rules say about a contract for which there is a place. */
export function admit(contract: Contract, after: UtilizationAfter): FitRecommendation {
  if (after.vcpu <= vcpuPctMax && after.mem <= memPctMax) return 'Accept'
  const isWithinReserve = after.vcpu <= vcpuPctMaxWithCare && after.mem <= memPctMaxWithCare
  return isWithinReserve && tiersWithCare.has(contract.tier) ? 'AcceptWithCare' : 'AddCapacity'
}

export const isAccepted = (recommendation: FitRecommendation): boolean =>
  recommendation === 'Accept' || recommendation === 'AcceptWithCare'
