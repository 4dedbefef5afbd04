/** Formats of simulated times and durations. */
import { nsPerSecond } from '../contract/time-units.ts'
import type { Int64 } from '../contract/fields.ts'
import { spanInWords } from '../contract/messages/catalog.ts'
import { finite } from './phrases.ts'

/** The beginning of the world in the calendar: a Monday at midnight, on the day of the year of the built-in world. */
const calendarBeginsMs = Date.UTC(2025, 4, 5)
/** The last millisecond of a Date. */
const dateMaxMs = 8_640_000_000_000_000

/** Whole simulated seconds between two times; negative if the second is earlier. */
export const secondsBetween = (from: Int64, to: Int64): number =>
  Number((BigInt(to) - BigInt(from)) / nsPerSecond)

/** Orders times, the earlier first; a missing one counts as the beginning of the world. */
export const momentOrder = (one: Int64 | null, other: Int64 | null): number =>
  Number(BigInt(one ?? 0) - BigInt(other ?? 0))

/** A time in ISO 8601, in a calendar whose first day, a Monday, is 2025-05-05. */
export function isoTime(ns: Int64): string {
  const ms = calendarBeginsMs + Number(BigInt(ns) / 1_000_000n)
  return new Date(Math.min(ms, dateMaxMs)).toISOString()
}

/** A duration of simulated time, as messages have it. */
export const spanText = (seconds: number): string => spanInWords(finite(seconds))

/** A time relative to now: `22 min ago`, `in 3 h`. */
export function relativeTime(ns: Int64, nowNs: Int64): string {
  const seconds = secondsBetween(ns, nowNs)
  if (seconds === 0) return 'now'
  return seconds > 0 ? `${spanText(seconds)} ago` : `in ${spanText(-seconds)}`
}

/** A time by the clock of the world: `day 7, 14:20`. Days count from 0. */
export function clockText(ns: Int64): string {
  const minutes = secondsBetween(0, ns) / 60
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `day ${Math.floor(minutes / 1440)}, ${twoDigits((minutes / 60) % 24)}:${twoDigits(minutes % 60)}`
}
