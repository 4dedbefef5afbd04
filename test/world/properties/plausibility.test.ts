import { describe, expect, test } from 'vitest'
import { bands } from '../../../src/contract/vocabularies.ts'
import { sweepSeeds } from '../../fixtures/seeds.ts'
import { measureWeek } from './measured-week.ts'
import type { MeasuredWeek } from './measured-week.ts'

/** Invariant 10: the world is plausible. Worlds at the default scale, a week each. */

const seeds = sweepSeeds(1, 2, 6)
const weeks = new Map<bigint, MeasuredWeek>()

describe.each(seeds)('a week of seed %s', (seed) => {
  // A week without a Critical incident is possible.
  test('has incidents of all lesser bands, and a critical one at most a tenth of the time', () => {
    const { incidents, time } = weekOf(seed)
    expect(bands.filter((band) => band !== 'Critical' && incidents[band] === 0)).toEqual([])
    expect(time.Critical).toBeLessThanOrEqual(0.1)
  })

  // Links are redundant pairs: the fullest one shows the margin before saturation.
  test.each(['cpu', 'memory', 'wan', 'fullestWan', 'fullestUplink'] as const)(
    'uses 30 to 80 %% of %s at the evening peak',
    (what) => {
      expect(within(weekOf(seed).evening[what], 30, 80)).toBe('within 30 and 80')
    },
  )

  test("differs by at least two between each customer's day and night", () => {
    expect(weekOf(seed).dayOverNight.filter((ratio) => ratio < 2)).toEqual([])
  })

  test('answers 99 to 100 %% of each customer outside of incidents', () => {
    expect(weekOf(seed).availability.filter((percent) => percent < 99)).toEqual([])
  })
})

// Nights and weekends are quieter than the one to four hours that were aimed at.
test('a new incident begins every one to four and a half hours, on average over the weeks', () => {
  const hours = seeds.reduce((sum, seed) => sum + weekOf(seed).hoursBetweenIncidents, 0) / seeds.length
  expect(within(hours, 1, 4.5)).toBe('within 1 and 4.5')
})

test('in one week or another an incident is critical', () => {
  expect(seeds.some((seed) => weekOf(seed).incidents.Critical > 0)).toBe(true)
})

/** Simulates each week once, for the first test that needs it. */
function weekOf(seed: bigint): MeasuredWeek {
  const week = weeks.get(seed) ?? measureWeek(seed)
  weeks.set(seed, week)
  return week
}

const within = (value: number, low: number, high: number): string =>
  value >= low && value <= high ? `within ${low} and ${high}` : `${value}`
