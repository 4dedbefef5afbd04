/**
 * Simulated time in integer microseconds since the world began. 2^53 µs are 285 years, far beyond any session.
 * Records carry nanoseconds, converted at the record.
 */
export type Micros = number

export const second: Micros = 1_000_000
export const minute: Micros = 60 * second
export const hour: Micros = 60 * minute
export const day: Micros = 24 * hour
export const week: Micros = 7 * day

export const stepLength: Micros = 10 * second
export const stepSeconds = 10

export const toNs = (at: Micros): bigint => BigInt(at) * 1000n
export const stepNs = toNs(stepLength)

/** The world begins on a Monday at midnight. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export const dayNumber = (at: Micros): number => Math.floor(at / day)

export const daysPerYear = 365
/** The world begins in early May. */
export const firstDayOfYear = 125
/** Day of the year, from 1. */
export const dayOfYear = (at: Micros): number => ((firstDayOfYear - 1 + dayNumber(at)) % daysPerYear) + 1
export const weekdayOf = (at: Micros): number => dayNumber(at) % 7
export const secondOfDay = (at: Micros): number => Math.floor((at % day) / second)

export function timeOfDay(at: Micros): string {
  const seconds = secondOfDay(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

export const clockTime = (at: Micros): string => timeOfDay(at).slice(0, 5)
