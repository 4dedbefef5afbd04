import type { ServiceClass, Tier } from '../../contract/vocabularies.ts'

/** What things cost, and what we ask for them. Dollars. */

export const hoursPerMonth = 730
export const minutesPerMonth = hoursPerMonth * 60
/** Hosts are paid off in three years. */
export const monthsToPayOff = 36

export const dollarsPerKwh = 0.11
/** Power for cooling and losses, for each watt that a device draws. */
export const overheadPerWatt = 0.32
export const dollarsPerRackMonth = 780
export const transitDollarsPerTb = 1.3

interface Plan {
  readonly vcpu: number
  readonly memGb: number
  /** Availability and latency that are promised, and what is paid back for less. */
  readonly availability: number
  readonly secondsOverLatencyShare: number
  /** Minutes of outage after which a day's revenue is paid back at once, and how much of it. */
  readonly outageMinutes: number
  readonly outageShare: number
  readonly signupBonus: number
  readonly evictionFee: number
}

/** By the month, for a virtual CPU and a GB of memory. */
export const plans: Readonly<Record<Tier, Plan>> = {
  Bronze: {
    vcpu: 11,
    memGb: 0.8,
    availability: 0.99,
    secondsOverLatencyShare: 0.05,
    outageMinutes: 120,
    outageShare: 0.25,
    signupBonus: 0,
    evictionFee: 0.1,
  },
  Silver: {
    vcpu: 14,
    memGb: 1,
    availability: 0.995,
    secondsOverLatencyShare: 0.03,
    outageMinutes: 60,
    outageShare: 0.5,
    signupBonus: 0.02,
    evictionFee: 0.25,
  },
  Gold: {
    vcpu: 18,
    memGb: 1.2,
    availability: 0.999,
    secondsOverLatencyShare: 0.02,
    outageMinutes: 30,
    outageShare: 1,
    signupBonus: 0.04,
    evictionFee: 0.5,
  },
  Platinum: {
    vcpu: 25,
    memGb: 1.5,
    availability: 0.9995,
    secondsOverLatencyShare: 0.01,
    outageMinutes: 12,
    outageShare: 2,
    signupBonus: 0.08,
    evictionFee: 1,
  },
}

export const diskGbMonth = 0.012
export const sliceMonth: Partial<Record<ServiceClass, number>> = {
  'gpu-training': 310,
  'gpu-inference': 150,
}
export const dedicatedSurcharge = 0.3
export const perMillionRequests = 0.004
export const trafficDollarsPerTb = 4

/** A Gbit in TB. */
export const tbPerGbit = 0.000125

interface Sized {
  readonly class: ServiceClass
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly slices: number
}

/** What a unit pays by the month before usage. */
export function unitMonthDollars(unit: Sized, tier: Tier, dedicated: boolean): number {
  const plan = plans[tier]
  const base =
    unit.vcpu * plan.vcpu +
    (unit.memMb / 1024) * plan.memGb +
    unit.ssdGb * diskGbMonth +
    unit.slices * (sliceMonth[unit.class] ?? 0)
  return base * (dedicated ? 1 + dedicatedSurcharge : 1)
}
