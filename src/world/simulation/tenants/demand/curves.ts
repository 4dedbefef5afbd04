import { interpolatePeriodic } from '../../numeric.ts'
import type { Micros } from '../../time.ts'
import { day, week } from '../../time.ts'

/** Demand by hour and weekday, relative to its peak. */
interface Curve {
  /** By hour, from midnight. */
  readonly hours: readonly number[]
  /** By day at noon, from Monday. */
  readonly days: readonly number[]
}

const curves = {
  /** Shops: a peak at lunch and a higher one in the evening. */
  evening: {
    hours: [
      0.34, 0.27, 0.22, 0.2, 0.2, 0.22, 0.28, 0.36, 0.45, 0.53, 0.58, 0.62, 0.66, 0.63, 0.6, 0.61, 0.66, 0.74,
      0.86, 0.96, 1, 0.94, 0.74, 0.5,
    ],
    days: [0.9, 0.88, 0.9, 0.92, 1, 1, 0.98],
  },
  /** Banks, business software, offices. */
  office: {
    hours: [
      0.2, 0.18, 0.17, 0.17, 0.18, 0.22, 0.34, 0.56, 0.82, 0.96, 1, 0.98, 0.88, 0.92, 0.97, 0.94, 0.86, 0.72,
      0.54, 0.44, 0.38, 0.33, 0.28, 0.23,
    ],
    days: [1, 1, 0.99, 0.98, 0.94, 0.5, 0.44],
  },
  /** Players and viewers: evenings, nights and weekends. */
  leisure: {
    hours: [
      0.62, 0.46, 0.33, 0.25, 0.22, 0.2, 0.22, 0.26, 0.3, 0.34, 0.39, 0.44, 0.5, 0.52, 0.54, 0.58, 0.66, 0.76,
      0.86, 0.95, 1, 0.99, 0.92, 0.78,
    ],
    days: [0.84, 0.84, 0.85, 0.88, 0.98, 1, 1],
  },
  /** Hospitals: around the clock, with most activity by day. */
  ward: {
    hours: [
      0.32, 0.3, 0.28, 0.28, 0.3, 0.36, 0.5, 0.72, 0.9, 1, 0.99, 0.96, 0.9, 0.9, 0.88, 0.84, 0.76, 0.66, 0.58,
      0.52, 0.46, 0.42, 0.38, 0.34,
    ],
    days: [1, 0.99, 0.98, 0.98, 0.96, 0.72, 0.68],
  },
  /** Batch work. */
  night: {
    hours: [
      0.9, 0.98, 1, 0.98, 0.92, 0.78, 0.56, 0.4, 0.32, 0.28, 0.27, 0.27, 0.27, 0.28, 0.28, 0.29, 0.3, 0.32,
      0.36, 0.42, 0.5, 0.6, 0.72, 0.82,
    ],
    days: [1, 1, 1, 1, 1, 0.9, 0.9],
  },
  /** Warehouses start early; vans report until the evening. */
  early: {
    hours: [
      0.24, 0.22, 0.24, 0.34, 0.54, 0.76, 0.92, 1, 0.98, 0.92, 0.86, 0.82, 0.78, 0.78, 0.8, 0.82, 0.8, 0.72,
      0.62, 0.52, 0.44, 0.36, 0.3, 0.26,
    ],
    days: [1, 0.98, 0.98, 0.98, 1, 0.74, 0.5],
  },
  /** Students: late mornings, long evenings. */
  campus: {
    hours: [
      0.36, 0.28, 0.22, 0.18, 0.17, 0.18, 0.24, 0.38, 0.62, 0.84, 0.96, 1, 0.92, 0.94, 0.96, 0.92, 0.84, 0.76,
      0.74, 0.76, 0.74, 0.68, 0.58, 0.46,
    ],
    days: [1, 1, 1, 0.98, 0.88, 0.62, 0.7],
  },
  /** Researchers submit the day's changes; the jobs run into the night. */
  research: {
    hours: [
      0.6, 0.52, 0.45, 0.4, 0.36, 0.34, 0.34, 0.38, 0.5, 0.66, 0.8, 0.9, 0.94, 0.95, 0.98, 1, 1, 0.98, 0.94,
      0.88, 0.84, 0.8, 0.74, 0.68,
    ],
    days: [1, 1, 1, 1, 0.98, 0.84, 0.8],
  },
} as const satisfies Record<string, Curve>

export type CurveName = keyof typeof curves
export const curveNames = Object.keys(curves) as CurveName[]

/** Value of a curve, interpolated between hours and between days. */
export function curveAt(name: CurveName, at: Micros): number {
  const curve: Curve = curves[name]
  const ofDay = interpolatePeriodic(curve.hours, (at % day) / day)
  return ofDay * interpolatePeriodic(curve.days, ((at - day / 2 + week) % week) / week)
}

/** Values of all curves, in the order of `curveNames`. */
export function curvesAt(at: Micros, into: Float64Array): void {
  for (let i = 0; i < curveNames.length; i++) into[i] = curveAt(curveNames[i], at)
}

const seasonal = [0.97, 1, 1.03, 1.04, 1.02, 1, 0.96, 0.94, 0.98, 1.02, 1.05, 1.01]

/** Seasonal factor with a period of 91 days, shifted by the customer's phase. */
export const seasonAt = (at: Micros, phase: number): number =>
  interpolatePeriodic(seasonal, at / (91 * day) + phase)
