import type { RandomStream } from '../random.ts'
import type { Micros } from '../time.ts'
import { hour } from '../time.ts'

/** Prices of works, installation included, and their delivery times in days. */

export const rackDollars = 9_500
/** By speed: a pair of optics, and its share of the line cards. */
export const dollarsPerLinkGbps = 34
/** One-time charge of a carrier for a faster link. */
export const dollarsPerWanGbps = 120
export const dollarsPerCoolingKw = 620
export const dollarsPerFeedKw = 900
/** Advertising, training, and the first months of a new technician. */
export const hiringDollars = 12_000
/** Shipping and mounting, as a share of the price of a device. */
export const installationShare = 0.04

/** Depreciation period of works other than hosts, as part of the facility cost of their zone. */
export const worksMonths = 60

const leadDays = {
  Hosts: [7, 15],
  Rack: [16, 28],
  Links: [6, 14],
  Wan: [24, 45],
  Device: [14, 30],
  Cooling: [21, 42],
  Power: [30, 60],
  Renewal: [7, 15],
  Sale: [5, 12],
  Hire: [20, 45],
} as const satisfies Record<string, readonly [number, number]>

export type LeadKind = keyof typeof leadDays

/** The longest delivery time, assumed by forecasts. */
export const leadDaysMax = (kind: LeadKind): number => leadDays[kind][1]

export function leadTime(kind: LeadKind, random: RandomStream): Micros {
  const [least, most] = leadDays[kind]
  return Math.round(random.uniform(least, most) * 24) * hour
}
