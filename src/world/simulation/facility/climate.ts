import type { RandomStreams } from '../random.ts'
import type { Topology } from '../topology/tables.ts'

/** The climates of the regions of a world. */

export interface Climate {
  readonly meanCelsius: number
  /** Amplitudes, in degrees: of the year about its mean, and of a day about its mean. */
  readonly yearlySwing: number
  readonly dailySwing: number
}

export interface WeatherState {
  /** By region. */
  readonly climates: readonly Climate[]
  /** By region: deviation from the usual temperature of the date and hour, in degrees. */
  readonly spell: Float64Array
  /** By region: when unusual weather was announced; 0 for none. */
  readonly unusualSince: Float64Array
  /** By region: when the present storm began and when it passes; 0 for none. */
  readonly stormSince: Float64Array
  readonly stormUntil: Float64Array
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
    unusualSince: new Float64Array(regions.length),
    stormSince: new Float64Array(regions.length),
    stormUntil: new Float64Array(regions.length),
  }
}
