import { clamp, interpolateRound } from '../numeric.ts'
import type { Micros } from '../time.ts'
import { day, daysPerYear, firstDayOfYear, hour } from '../time.ts'
import type { Climate } from './climate.ts'
import type { FacilityWorld } from '../state.ts'

/**
 * The weather at each region: a yearly and a daily course, and spells of warm or cold days that come and go by chance.
 */

/** Course of a year and of a day about their means, from -1 to 1, in months and in steps of two hours. */
const byMonth = [-1, -0.93, -0.6, -0.12, 0.4, 0.8, 1, 0.95, 0.55, 0.05, -0.5, -0.85] as const
const byTimeOfDay = [-0.6, -0.8, -1, -0.85, -0.15, 0.5, 0.85, 1, 0.95, 0.55, 0, -0.35] as const
const midJanuary = 15

/** Hourly persistence of a warm or cold spell, which lasts some three days, and its hourly shock in degrees. */
const spellPersistence = 0.986
const spellShock = 0.6
const spellMax = 9

/** Usual temperature at a moment of the year. */
export function usualCelsius({ meanCelsius, yearlySwing, dailySwing }: Climate, now: Micros): number {
  const dayOfYear = firstDayOfYear + now / day
  const yearly = interpolateRound(byMonth, (dayOfYear - midJanuary) / daysPerYear)
  return meanCelsius + yearlySwing * yearly + dailySwing * interpolateRound(byTimeOfDay, now / day)
}

/** Updates the outdoor temperature of each zone: that of its region. To be called once a minute. */
export function updateWeather({ topology, facility, random, now }: FacilityWorld): void {
  const { climates, spell } = facility.weather
  if (now % hour === 0) {
    const stream = random.stream('facility.weather')
    for (let region = 0; region < spell.length; region++) {
      spell[region] = clamp(
        spell[region] * spellPersistence + spellShock * stream.bell(),
        -spellMax,
        spellMax,
      )
    }
  }
  topology.zones.forEach(({ region }, zone) => {
    facility.outdoorCelsius[zone] = usualCelsius(climates[region], now) + spell[region]
  })
}
