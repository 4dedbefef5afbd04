import type { RandomStreams } from '../random.ts'
import type { Topology } from '../topology/tables.ts'

/** The climates of the regions of a world. */

export interface Climate {
  readonly meanCelsius: number
  /** Degrees by which the warmest month exceeds the mean, and the warmest hour the mean of its day. */
  readonly yearlySwing: number
  readonly dailySwing: number
}

export interface WeatherState {
  /** By region. */
  readonly climates: readonly Climate[]
  /** Degrees by which each region is warmer than usual at this date and hour. */
  readonly spell: Float64Array
}

export function createWeather({ regions }: Topology, random: RandomStreams): WeatherState {
  const stream = random.stream('facility.climate')
  return {
    climates: regions.map(() => ({
      meanCelsius: stream.uniform(9.5, 13.5),
      yearlySwing: stream.uniform(8.5, 11),
      dailySwing: stream.uniform(4.5, 6.5),
    })),
    spell: new Float64Array(regions.length),
  }
}
