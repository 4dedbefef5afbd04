import { clamp, exp } from '../numeric.ts'
import type { Micros } from '../time.ts'
import { hour } from '../time.ts'
import type { DeviceTable } from '../topology/tables.ts'
import { ageOf } from '../topology/tables.ts'

/** Condition, failure rate and resale value of devices by age. */

export const hoursPerYear = 8_766
const resaleHalfLifeHours = 1.5 * hoursPerYear

/** Simulated hours since the device was installed. */
export const ageHours = (table: DeviceTable, row: number, now: Micros): number =>
  ageOf(table, row, now) / hour

/** Condition of a device, from 100 (new) to 0 (worn out) at its rated mean time between failures. Wear accelerates. */
export function conditionPct(table: DeviceTable, row: number, now: Micros, mtbfHours: number): number {
  const lived = ageHours(table, row, now) / mtbfHours
  return clamp(100 - 100 * lived * (0.35 + 0.65 * lived), 0, 100)
}

/** Mean time between failures at a given condition. A worn-out device fails six times as often as a new one. */
export function mtbfAt(condition: number, mtbfHours: number): number {
  const worn = 1 - condition / 100
  return mtbfHours / (1 + 5 * worn * worn)
}

/** Resale value: halves every 18 months, and falls with the condition. */
export function resaleDollars(priceDollars: number, age: number, condition: number): number {
  const byAge = exp((-Math.LN2 * Math.max(age, 0)) / resaleHalfLifeHours)
  return priceDollars * 0.85 * byAge * (0.4 + (0.6 * condition) / 100)
}
