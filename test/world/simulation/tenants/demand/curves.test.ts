import { describe, expect, test } from 'vitest'
import type { CurveName } from '../../../../../src/world/simulation/tenants/demand/curves.ts'
import {
  curveAt,
  curveNames,
  curvesAt,
  seasonAt,
} from '../../../../../src/world/simulation/tenants/demand/curves.ts'
import {
  calendarFactor,
  calendarFactors,
  dayFactor,
  occasionBeginning,
} from '../../../../../src/world/simulation/tenants/demand/calendar.ts'
import type { Archetype } from '../../../../../src/contract/vocabularies.ts'
import { archetypes } from '../../../../../src/contract/vocabularies.ts'
import { day, dayOfYear, hour } from '../../../../../src/world/simulation/time.ts'

/** Time of a full hour of a weekday, from Monday at midnight. */
const at = (weekday: number, hourOfDay: number): number => weekday * day + hourOfDay * hour

test.each<[CurveName, number, number, number]>([
  // At noon the factor is that of the day, at midnight the mean of two days.
  ['evening', 0, 12, 0.66 * 0.9],
  ['evening', 1, 0, 0.34 * 0.89],
  ['evening', 6, 12, 0.66 * 0.98],
  ['evening', 0, 0, 0.34 * 0.94],
  ['evening', 0, 12.5, 0.645 * (0.9 - 0.02 / 48)],
  ['office', 4, 12, 0.88 * 0.94],
  ['office', 5, 12, 0.88 * 0.5],
  ['leisure', 5, 12, 0.5],
  ['ward', 6, 12, 0.9 * 0.68],
  ['night', 2, 12, 0.27],
  ['night', 3, 0, 0.9],
  ['early', 6, 12, 0.78 * 0.5],
  ['campus', 5, 12, 0.92 * 0.62],
  ['research', 4, 12, 0.94 * 0.98],
])('the curve %s on day %i at %f h is at %f', (name, weekday, hourOfDay, height) => {
  expect(curveAt(name, at(weekday, hourOfDay))).toBeCloseTo(height, 9)
  const heights = new Float64Array(curveNames.length)
  curvesAt(at(weekday + 7, hourOfDay), heights)
  expect(heights[curveNames.indexOf(name)]).toBeCloseTo(height, 9)
})

test.each<[CurveName, number, number]>([
  ['evening', 20, 3],
  ['office', 10, 3],
  ['leisure', 20, 5],
  ['ward', 9, 3],
  ['night', 2, 10],
  ['early', 7, 1],
  ['campus', 11, 4],
  ['research', 15, 5],
])('the curve %s has its peak at %i h and its trough at %i h', (name, peak, trough) => {
  const hours = Array.from({ length: 24 }, (_, hourOfDay) => curveAt(name, at(2, hourOfDay)))
  expect(hours.indexOf(Math.max(...hours))).toBe(peak)
  expect(hours.indexOf(Math.min(...hours))).toBe(trough)
})

test.each([
  [0, 0, 0.97],
  [0, 0.25, 1.04],
  [91, 0, 0.97],
  [45.5, 0, 0.96],
  [45.5, 0.5, 0.97],
  [0, 1 / 24, 0.985],
])('after %f days, a customer at phase %f of its season is at %f', (days, phase, factor) => {
  expect(seasonAt(days * day, phase)).toBeCloseTo(factor, 9)
})

/**
 * First and last day of each occasion, and the adjacent days; the ends of months are two days before and the first.
 */
describe('the date', () => {
  test.each<[Archetype, Readonly<Record<number, number>>]>([
    ['Bank', { 1: 0.55 * 1.14, 2: 1, 29: 1, 30: 1.14, 31: 1.14, 32: 1.14, 33: 1 }],
    ['Bank', { 332: 1.1, 335: 1.1 * 1.14, 336: 1, 339: 1.06, 356: 1.06, 357: 1, 358: 0.55 }],
    ['Bank', { 360: 0.55, 361: 1, 364: 1.14, 365: 1.14 }],
    ['Bank', { 58: 1.14, 60: 1.14, 89: 1.14, 91: 1.14, 119: 1.14, 121: 0.55 * 1.14, 150: 1.14 }],
    ['Bank', { 152: 1.14, 180: 1.14, 182: 1.14 }],
    ['Bank', { 211: 1.14, 213: 1.14, 242: 1.14, 244: 1.14, 272: 1.14, 274: 1.14, 303: 1.14 }],
    ['Bank', { 305: 1.14, 333: 1.1 * 1.14, 337: 1 }],
    ['Shop', { 3: 1, 4: 1.18, 17: 1.18, 18: 1, 134: 1, 135: 1.16, 138: 1.16, 139: 1 }],
    ['Shop', { 181: 1, 182: 1.16, 195: 1.16, 196: 1, 331: 1, 332: 1.3, 335: 1.3, 338: 1 }],
    ['Shop', { 339: 1.16, 356: 1.16 }],
    ['Logistics', { 4: 1.1, 110: 0.65, 111: 0.65, 112: 1, 135: 1.06, 160: 0.65, 182: 1.08 }],
    ['Logistics', { 332: 1.18, 339: 1.2 }],
    ['University', { 25: 1, 26: 1.2, 44: 1.2, 45: 1, 110: 0.6, 187: 1, 188: 1.2, 206: 1.2, 207: 1 }],
    ['University', { 284: 1, 285: 1.22, 292: 1.22, 293: 1 }],
    ['PublicOffice', { 109: 1, 110: 0.45, 205: 1, 206: 1.28, 210: 1.28, 212: 1.28 * 1.06, 214: 1 }],
    ['PublicOffice', { 31: 1.06 }],
    ['Saas', { 120: 1.1, 121: 0.6 * 1.1, 122: 1, 160: 0.6, 206: 1.08 }],
    ['Startup', { 332: 1.05, 121: 1 }],
    ['Hospital', { 359: 0.8, 31: 1 }],
    ['GameStudio', { 359: 1.1 }],
    ['Media', { 359: 1.1 }],
    ['MlLab', { 359: 1, 332: 1 }],
  ])('%s', (archetype, days) => {
    for (const [ofYear, factor] of Object.entries(days))
      expect([ofYear, dayFactor(archetype, Number(ofYear))]).toEqual([ofYear, expect.closeTo(factor, 9)])
  })

  test.each([
    [1, 'New Year'],
    [4, 'winter sales'],
    [5, null],
    [26, 'winter exams'],
    [110, 'Easter'],
    [111, null],
    [119, 'the end of the month'],
    [120, null],
    [121, 'Labor Day'],
    [135, 'spring sale'],
    [160, 'Whit Monday'],
    [182, 'summer sales'],
    [188, 'summer exams'],
    [206, 'the deadline for tax returns'],
    [285, 'the start of the semester'],
    [332, 'Black Friday'],
    [339, 'the weeks before Christmas'],
    [358, 'Christmas'],
  ])('on day %i of the year begins %s', (ofYear, name) => {
    // The world begins on day 125.
    expect(occasionBeginning(((ofYear - 125 + 365) % 365) * day + 5 * hour)).toBe(name)
  })
})

/** Factors of a month apply at its middle: day 15.5 of the year, and every 30.4 days from there. */
describe('season and date', () => {
  test.each<[Archetype, number, number, number]>([
    ['MlLab', 15, 0, 0.99],
    // Black Friday at noon: 43.8 % of the way from November's 1.08 to December's 1.1.
    ['Shop', 332, 12, 1.3 * 1.088_767],
    // The next day's factor begins to apply at 21:00, and has equal weight at midnight.
    ['Shop', 331, 21, 1.088_356],
    ['Shop', 332, 0, 1.15 * 1.088_438],
    ['Shop', 331, 22.5, 1.075 * 1.088_397],
    ['Shop', 332, 3, 1.3 * 1.088_521],
    // Across the end of the year: 31 December, the end of a month, and New Year.
    ['Bank', 1, 0, ((1.14 + 0.627) / 2) * 1.034_603],
  ])('%s, day %i at %f h: %f', (archetype, ofYear, hourOfDay, factor) => {
    const moment = (ofYear - 125 + 365) * day + hourOfDay * hour
    expect(calendarFactor(archetype, moment)).toBeCloseTo(factor, 5)
    const factors = new Float64Array(archetypes.length)
    calendarFactors(moment, factors)
    expect(factors[archetypes.indexOf(archetype)]).toBeCloseTo(factor, 5)
  })
})

// The months of a university from July to September are those of the vacation.
test.each(archetypes.map((archetype) => [archetype, archetype === 'University' ? 0.988 : 1] as const))(
  'the seasons of a year of the archetype %s average out at %d',
  (archetype, mean) => {
    const noons = Array.from({ length: 365 }, (_, nth) => (nth + 0.5) * day)
    const seasons = noons.map(
      (noon) => calendarFactor(archetype, noon) / dayFactor(archetype, dayOfYear(noon)),
    )
    expect(Math.abs(seasons.reduce((sum, season) => sum + season, 0) / 365 - mean)).toBeLessThan(0.004)
  },
)
