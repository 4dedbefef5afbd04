import { clamp, interpolatePeriodic } from '../numeric.ts'
import type { Micros } from '../time.ts'
import { day, daysPerYear, firstDayOfYear, hour } from '../time.ts'
import type { Climate } from './climate.ts'
import type { FacilityWorld } from '../state.ts'

/** Weather of each region: a yearly and a daily cycle, and random spells of warm or cold days. */

/** Yearly cycle by month and daily cycle by two hours, each about its mean, from -1 to 1. */
const byMonth = [-1, -0.93, -0.6, -0.12, 0.4, 0.8, 1, 0.95, 0.55, 0.05, -0.5, -0.85] as const
const byTimeOfDay = [-0.6, -0.8, -1, -0.85, -0.15, 0.5, 0.85, 1, 0.95, 0.55, 0, -0.35] as const
const midJanuary = 15

/**
 * Hourly autocorrelation of a warm or cold spell, which gives it some three days, its hourly shock, and its bound, in
 * degrees.
 */
const spellPersistence = 0.986
const spellShock = 0.6
const spellMax = 9

/** Deviations at which unusual weather begins and ends. */
const unusualFrom = 7
const unusualUntil = 3

function announceWeather({ topology, facility, events, now }: FacilityWorld, row: number): void {
  const { spell, unusualSince } = facility.weather
  const degrees = Math.round(Math.abs(spell[row]))
  const region = topology.regions[row].name
  const entity = { kind: 'World', id: null } as const
  if (unusualSince[row] === 0 && Math.abs(spell[row]) >= unusualFrom) {
    unusualSince[row] = now
    const key = spell[row] > 0 ? 'event.warm-spell' : 'event.cold-spell'
    events.emit(now, 'WeatherChanged', 'Info', entity, key, { region, degrees })
  } else if (unusualSince[row] !== 0 && Math.abs(spell[row]) < unusualUntil) {
    const days = Math.max(1, Math.round((now - unusualSince[row]) / day))
    unusualSince[row] = 0
    events.emit(now, 'WeatherChanged', 'Info', entity, 'event.weather-passed', { region, days })
  }
}

/** Usual temperature at a time of the year. */
export function usualCelsius({ meanCelsius, yearlySwing, dailySwing }: Climate, now: Micros): number {
  const dayOfYear = firstDayOfYear + now / day
  const yearly = interpolatePeriodic(byMonth, (dayOfYear - midJanuary) / daysPerYear)
  return meanCelsius + yearlySwing * yearly + dailySwing * interpolatePeriodic(byTimeOfDay, now / day)
}

/** Updates the outdoor temperature of each zone from its region. Runs once a minute. */
export function updateWeather(world: FacilityWorld): void {
  const { topology, facility, random, now } = world
  const { climates, spell } = facility.weather
  if (now % hour === 0) {
    const stream = random.stream('facility.weather')
    for (let region = 0; region < spell.length; region++) {
      spell[region] = clamp(
        spell[region] * spellPersistence + spellShock * stream.bell(),
        -spellMax,
        spellMax,
      )
      announceWeather(world, region)
    }
  }
  topology.zones.forEach(({ region }, zone) => {
    facility.outdoorCelsius[zone] = usualCelsius(climates[region], now) + spell[region]
  })
}
