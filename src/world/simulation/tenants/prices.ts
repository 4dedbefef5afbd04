import { hoursPerMonth } from '../../../contract/fields.ts'
import type { ServiceClass, Tier } from '../../../contract/vocabularies.ts'

export const minutesPerMonth = hoursPerMonth * 60
/** Depreciation period of hosts. */
export const monthsToPayOff = 36

export const dollarsPerKwh = 0.11
/** Power for cooling and losses per watt of device power. */
export const overheadPerWatt = 0.32
export const dollarsPerRackMonth = 780
export const transitDollarsPerTb = 1.3

interface PricePlan {
  readonly vcpu: number
  readonly memGb: number
  /** Outages of this many minutes earn an immediate credit of this share of a day's revenue. */
  readonly outageMinutes: number
  readonly outageShare: number
  readonly signupBonus: number
  readonly evictionFee: number
}

/** Prices in dollars per month, for a virtual CPU and for a GB of memory. */
export const pricePlans: Readonly<Record<Tier, PricePlan>> = {
  Bronze: { vcpu: 11, memGb: 0.8, outageMinutes: 120, outageShare: 0.25, signupBonus: 0, evictionFee: 0.1 },
  Silver: { vcpu: 14, memGb: 1, outageMinutes: 60, outageShare: 0.5, signupBonus: 0.02, evictionFee: 0.25 },
  Gold: { vcpu: 18, memGb: 1.2, outageMinutes: 30, outageShare: 1, signupBonus: 0.04, evictionFee: 0.5 },
  Platinum: { vcpu: 25, memGb: 1.5, outageMinutes: 12, outageShare: 2, signupBonus: 0.08, evictionFee: 1 },
}

const diskGbMonth = 0.012
const sliceMonth: Partial<Record<ServiceClass, number>> = { 'gpu-training': 310, 'gpu-inference': 150 }
const dedicatedSurcharge = 0.3
export const perMillionRequests = 0.01
export const trafficDollarsPerTb = 4

export const tbPerGbit = 0.000125

interface UnitSize {
  readonly class: ServiceClass
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly slices: number
}

/** Monthly price of a unit, without usage. */
export function unitMonthDollars(unit: UnitSize, tier: Tier, dedicated: boolean): number {
  const plan = pricePlans[tier]
  const base =
    unit.vcpu * plan.vcpu +
    (unit.memMb / 1024) * plan.memGb +
    unit.ssdGb * diskGbMonth +
    unit.slices * (sliceMonth[unit.class] ?? 0)
  return base * (dedicated ? 1 + dedicatedSurcharge : 1)
}
