import { describe, expect, test } from 'vitest'
import { archetypes } from '../../../../src/contract/vocabularies.ts'
import {
  calendarFactor,
  occasionBeginning,
} from '../../../../src/world/simulation/tenants/demand/calendar.ts'
import {
  day,
  dayOfYear,
  firstDayOfYear,
  hour,
  minute,
  weekdayOf,
} from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'

/** Noon of a day of the first year. */
const noonOf = (ofYear: number): number => ((ofYear - firstDayOfYear + 365) % 365) * day + 12 * hour

describe('demand follows the date', () => {
  test('the world begins on 5 May, a Monday, and years have 365 days', () => {
    expect([dayOfYear(0), dayOfYear(240 * day), dayOfYear(241 * day), dayOfYear(365 * day)]).toEqual([
      125, 365, 1, 125,
    ])
  })

  test('Black Friday is a Friday in late November, and the shops are full', () => {
    const blackFriday = noonOf(332)
    expect(weekdayOf(blackFriday)).toBe(4)
    expect(occasionBeginning(blackFriday)).toBe('Black Friday')
    expect(calendarFactor('Shop', blackFriday)).toBeGreaterThan(1.2 * calendarFactor('Shop', noonOf(325)))
    expect(calendarFactor('Hospital', blackFriday)).toBeCloseTo(calendarFactor('Hospital', noonOf(331)), 1)
  })

  test('offices rest at Christmas, banks are busy at the end of a month, students before exams', () => {
    expect(calendarFactor('Bank', noonOf(359))).toBeLessThan(0.65 * calendarFactor('Bank', noonOf(350)))
    expect(calendarFactor('Media', noonOf(359))).toBeGreaterThan(calendarFactor('Media', noonOf(350)))
    expect(calendarFactor('Bank', noonOf(151))).toBeGreaterThan(1.08 * calendarFactor('Bank', noonOf(148)))
    expect(calendarFactor('University', noonOf(196))).toBeGreaterThan(
      1.3 * calendarFactor('University', noonOf(225)),
    )
  })

  test('the mean of a year is about 1, and nothing jumps at midnight', () => {
    for (const archetype of archetypes) {
      let sum = 0
      for (let ofYear = 1; ofYear <= 365; ofYear++) sum += calendarFactor(archetype, noonOf(ofYear))
      expect(sum / 365).toBeGreaterThan(0.9)
      expect(sum / 365).toBeLessThan(1.08)
      for (let at = 0; at < 366 * day; at += 10 * minute) {
        const change = calendarFactor(archetype, at + 10 * minute) - calendarFactor(archetype, at)
        expect(Math.abs(change)).toBeLessThan(0.03)
      }
    }
  })
})

test('launches and viral days bring users, each with its reason, and pass', () => {
  const sim = createRunningSimulation(5, 24)
  const [account] = accountsOf(sim)
  runFor(sim, hour)
  expect(account.launchLevel).toBeLessThan(0.05)
  const others = accountsOf(sim).filter(({ id }) => id !== account.id)
  for (const other of others) other.nextLaunch = other.nextViral = 100 * day
  account.nextLaunch = sim.state.now
  account.nextViral = 100 * day
  runFor(sim, 2 * minute)
  const level = account.launchLevel
  expect(level).toBeGreaterThan(0.02)
  runFor(sim, 3 * day)
  expect(account.launchLevel).toBeLessThan(0.3 * level)
})
