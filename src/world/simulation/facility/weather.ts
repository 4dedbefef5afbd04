import { clamp, interpolatePeriodic } from '../numeric.ts'
import type { Micros } from '../time.ts'
import { day, daysPerYear, firstDayOfYear, hour } from '../time.ts'
import type { Climate } from './climate.ts'
import type { RandomStream } from '../random.ts'
import type { FacilityWorld } from '../state.ts'

/** Weather of each region: a yearly and a daily cycle, random spells of warm or cold days, and storms. */

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

/** Thunderstorms of the warm half of the year come in the afternoon; gales of the other half at any hour. */
const stormsPerYear = 14
const stormHours: readonly [min: number, max: number] = [2, 7]
const afternoonFactor = 3
const isAfternoon = (now: Micros): boolean => now % day >= 14 * hour && now % day < 20 * hour
const isWarmSeason = (now: Micros): boolean => usualOfYear(now) > 0

/** Whether a storm begins in this hour, and for how many hours; 0 for none. */
export function drawStorm(now: Micros, stream: RandomStream): number {
  const ofHour = !isWarmSeason(now) ? 1 : isAfternoon(now) ? afternoonFactor : 1 / afternoonFactor
  if (!stream.chance((stormsPerYear / (daysPerYear * 24)) * ofHour)) return 0
  return Math.round(stream.uniform(...stormHours))
}

function stepStorm({ topology, facility, events, now, random }: FacilityWorld, row: number): void {
  const { stormSince, stormUntil } = facility.weather
  const region = topology.regions[row].name
  const entity = { kind: 'World', id: null } as const
  if (stormUntil[row] > 0) {
    if (now < stormUntil[row]) return
    const hours = Math.round((now - stormSince[row]) / hour)
    stormSince[row] = 0
    stormUntil[row] = 0
    events.emit(now, 'WeatherChanged', 'Info', entity, 'event.storm-passed', { region, hours })
    return
  }
  const hours = drawStorm(now, random.stream('facility.storms'))
  if (hours === 0) return
  stormSince[row] = now
  stormUntil[row] = now + hours * hour
  const key = isWarmSeason(now) ? 'event.thunderstorm' : 'event.gale'
  events.emit(now, 'WeatherChanged', 'Warning', entity, key, { region })
}

/** Yearly cycle at a time of the year, from -1 to 1. */
const usualOfYear = (now: Micros): number =>
  interpolatePeriodic(byMonth, (firstDayOfYear + now / day - midJanuary) / daysPerYear)

/** Usual temperature at a time of the year. */
export function usualCelsius({ meanCelsius, yearlySwing, dailySwing }: Climate, now: Micros): number {
  return (
    meanCelsius + yearlySwing * usualOfYear(now) + dailySwing * interpolatePeriodic(byTimeOfDay, now / day)
  )
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
      stepStorm(world, region)
    }
  }
  topology.zones.forEach(({ region }, zone) => {
    facility.outdoorCelsius[zone] = usualCelsius(climates[region], now) + spell[region]
  })
}
