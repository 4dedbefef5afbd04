import { clamp, exp } from '../numeric.ts'
import { hour, type Micros } from '../time.ts'
import { ageOf, type DeviceTable } from './tables.ts'

/** How devices age: what condition, failure rate and resale value follow from how long they have been in use. */

const hoursPerYear = 8_766
const resaleHalfLifeHours = 1.5 * hoursPerYear

/** Simulated hours since the device was installed. */
export const ageHours = (table: DeviceTable, row: number, now: Micros): number =>
  ageOf(table, row, now) / hour

/**
 * Condition of a device: 100 new, 0 worn out. Wear goes slowly at first and ever faster towards the mean time
 * between failures that it had when new.
 */
export function conditionPct(table: DeviceTable, row: number, now: Micros, mtbfHours: number): number {
  const lived = ageHours(table, row, now) / mtbfHours
  return clamp(100 - 100 * lived * (0.35 + 0.65 * lived), 0, 100)
}

/** Mean time between failures at a condition: a worn-out device fails six times as often as a new one. */
export function mtbfAt(condition: number, mtbfHours: number): number {
  const worn = 1 - condition / 100
  return mtbfHours / (1 + 5 * worn * worn)
}

/** What a device sells for: the price halves in a year and a half, and a worn one fetches less. */
export function resaleDollars(priceDollars: number, age: number, condition: number): number {
  const byAge = exp((-Math.LN2 * Math.max(age, 0)) / resaleHalfLifeHours)
  return priceDollars * 0.85 * byAge * (0.4 + (0.6 * condition) / 100)
}
