import type { FitRecommendation, Tier } from '../../../../contract/vocabularies.ts'
import type { Contract } from '../contract.ts'

/** Limits of the allocatable CPU and memory for new contracts; the remainder is a reserve for failures and growth. */
const vcpuPctMax = 70
const memPctMax = 74
/** Limits for plans that pay for part of the reserve. */
const vcpuPctMaxWithCare = 76
const memPctMaxWithCare = 80
const tiersWithCare: ReadonlySet<Tier> = new Set(['Gold', 'Platinum'])

/** Utilization of the pools that accept the contract, including it. */
export interface UtilizationAfter {
  readonly vcpu: number
  readonly mem: number
}

/** Recommendation of the admission policy for a contract that can be placed. */
export function admit(contract: Contract, after: UtilizationAfter): FitRecommendation {
  if (after.vcpu <= vcpuPctMax && after.mem <= memPctMax) return 'Accept'
  const isWithinReserve = after.vcpu <= vcpuPctMaxWithCare && after.mem <= memPctMaxWithCare
  return isWithinReserve && tiersWithCare.has(contract.tier) ? 'AcceptWithCare' : 'AddCapacity'
}

export const isAccepted = (recommendation: FitRecommendation): boolean =>
  recommendation === 'Accept' || recommendation === 'AcceptWithCare'
