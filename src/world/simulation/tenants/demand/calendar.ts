import type { Archetype } from '../../../../contract/vocabularies.ts'
import { archetypes } from '../../../../contract/vocabularies.ts'
import { interpolatePeriodic } from '../../numeric.ts'
import type { Micros } from '../../time.ts'
import { day, dayOfYear, daysPerYear, hour } from '../../time.ts'

type Factors = Partial<Record<Archetype, number>>

/** Days of a year with exceptional demand of some archetypes. */
interface Occasion {
  readonly name: string
  /** Closed range of days of the year, from 1. */
  readonly first: number
  readonly last: number
  readonly factors: Factors
}

/** Factors of closed offices and leisure time. */
const publicHoliday: Factors = {
  Saas: 0.6,
  Bank: 0.55,
  PublicOffice: 0.45,
  University: 0.6,
  Logistics: 0.65,
  Hospital: 0.8,
  GameStudio: 1.1,
  Media: 1.1,
}
const exams: Factors = { University: 1.2 }
const winterSale: Factors = { Shop: 1.18, Logistics: 1.1 }

/** In calendar order; the factors of overlapping occasions multiply. */
const occasions: readonly Occasion[] = [
  { name: 'New Year', first: 1, last: 1, factors: publicHoliday },
  { name: 'winter sales', first: 4, last: 17, factors: winterSale },
  { name: 'winter exams', first: 26, last: 44, factors: exams },
  { name: 'Easter', first: 110, last: 111, factors: publicHoliday },
  { name: 'Labor Day', first: 121, last: 121, factors: publicHoliday },
  { name: 'spring sale', first: 135, last: 138, factors: { Shop: 1.16, Logistics: 1.06 } },
  { name: 'Whit Monday', first: 160, last: 160, factors: publicHoliday },
  { name: 'summer sales', first: 182, last: 195, factors: { Shop: 1.16, Logistics: 1.08 } },
  { name: 'summer exams', first: 188, last: 206, factors: exams },
  {
    name: 'the deadline for tax returns',
    first: 206,
    last: 212,
    factors: { PublicOffice: 1.28, Saas: 1.08 },
  },
  { name: 'the start of the semester', first: 285, last: 292, factors: { University: 1.22 } },
  {
    name: 'Black Friday',
    first: 332,
    last: 335,
    factors: { Shop: 1.3, Logistics: 1.18, Bank: 1.1, Startup: 1.05 },
  },
  {
    name: 'the weeks before Christmas',
    first: 339,
    last: 356,
    factors: { Shop: 1.16, Logistics: 1.2, Bank: 1.06 },
  },
  { name: 'Christmas', first: 358, last: 360, factors: publicHoliday },
]

/** The days around the end of a month: payrolls, invoices, statements. */
const monthEnd: Factors = { Bank: 1.14, Saas: 1.1, PublicOffice: 1.06 }
/** Day of the year of the first of each month. */
const monthStarts = [1, 32, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335] as const
const monthEndDays = 2

/** Demand by month, from January, relative to the mean of the year. */
const byMonth: Readonly<Record<Archetype, readonly number[]>> = {
  Shop: [0.98, 0.95, 0.97, 0.98, 0.99, 0.98, 0.98, 0.96, 0.99, 1.02, 1.08, 1.1],
  Saas: [1.02, 1.03, 1.03, 1.01, 1, 0.99, 0.94, 0.92, 1.01, 1.03, 1.03, 0.97],
  GameStudio: [1.05, 1.02, 0.98, 0.96, 0.95, 0.96, 1.02, 1.04, 0.96, 0.98, 1.02, 1.07],
  Media: [1.05, 1.03, 1, 0.98, 0.96, 0.95, 0.94, 0.95, 0.99, 1.02, 1.05, 1.07],
  Bank: [1.03, 1, 1.01, 1, 1, 1, 0.97, 0.95, 0.99, 1, 1.01, 1.04],
  Hospital: [1.08, 1.09, 1.04, 1, 0.97, 0.95, 0.93, 0.93, 0.97, 1, 1.02, 1.04],
  PublicOffice: [1.03, 1.04, 1.04, 1.03, 1.03, 1.02, 1, 0.92, 0.97, 0.98, 0.98, 0.94],
  MlLab: [0.99, 1, 1.02, 1.03, 1.04, 1.02, 0.98, 0.95, 0.98, 1, 1.02, 0.95],
  Startup: [1, 1.01, 1.01, 1.01, 1.01, 1, 0.97, 0.96, 1, 1.02, 1.01, 1],
  Logistics: [0.95, 0.95, 0.98, 0.99, 1, 0.99, 0.97, 0.96, 1.01, 1.03, 1.07, 1.1],
  University: [1.05, 0.95, 0.85, 1.03, 1.08, 1.08, 1.05, 0.75, 0.8, 1.1, 1.12, 1],
}

/** Width of the transition between the factors of two days, around midnight. */
const blend = 3 * hour

/** Factor of the date on an archetype's demand. */
function dateFactor(archetype: Archetype, at: Micros): number {
  const untilNoon = (at % day) - day / 2
  const ofDay = dayFactor(archetype, dayOfYear(at))
  const edge = day / 2 - Math.abs(untilNoon)
  if (edge >= blend) return ofDay
  const neighbor = dayFactor(archetype, dayOfYear(untilNoon > 0 ? at + day : at - day + yearLength))
  return ofDay + ((neighbor - ofDay) * (blend - edge)) / (2 * blend)
}

const yearLength = daysPerYear * day

/** Factor of a day of the year at noon, from the end of the month and the day's occasions. */
export function dayFactor(archetype: Archetype, ofYear: number): number {
  let factor = isMonthEnd(ofYear) ? (monthEnd[archetype] ?? 1) : 1
  for (const { first, last, factors } of occasions) {
    if (ofYear >= first && ofYear <= last) factor *= factors[archetype] ?? 1
  }
  return factor
}

const isMonthEnd = (ofYear: number): boolean =>
  monthStarts.some(
    (start) => (start - 1 - ofYear + daysPerYear) % daysPerYear < monthEndDays || ofYear === start,
  )

/** Combined factor of season and date on an archetype's demand. */
export const calendarFactor = (archetype: Archetype, at: Micros): number =>
  interpolatePeriodic(byMonth[archetype], (dayOfYear(at) - midJanuary + (at % day) / day) / daysPerYear) *
  dateFactor(archetype, at)

const midJanuary = 15

/** The factors of all archetypes, in the order of `archetypes`. */
export function calendarFactors(at: Micros, into: Float64Array): void {
  for (let row = 0; row < archetypes.length; row++) into[row] = calendarFactor(archetypes[row], at)
}

/** The occasion that begins on this day, if any. */
export function occasionBeginning(at: Micros): string | null {
  const today = dayOfYear(at)
  const occasion = occasions.find(({ first }) => first === today)
  if (occasion !== undefined) return occasion.name
  return isMonthEnd(today) && !isMonthEnd(dayOfYear(at - day + yearLength)) ? 'the end of the month' : null
}
