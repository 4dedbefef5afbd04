import type { View } from '../part.ts'
import type { RandomStreams } from '../random.ts'
import type { Topology } from '../topology/tables.ts'
import { setpointCelsius } from './limits.ts'
import { createWeather, type WeatherState } from './climate.ts'

/** Power, temperature, and which devices run. */
export interface FacilityState {
  /** Power feeds that supply a device: 0, 1 or 2. */
  readonly hostFeeds: Uint8Array
  readonly hostPowered: Uint8Array
  /** Powered, not broken, not in maintenance, not shut down by heat. */
  readonly hostRunning: Uint8Array
  readonly hostCelsius: Float64Array
  readonly hostWatts: Float64Array
  /** The host shut down because of its temperature, and stays off until it has cooled. */
  readonly hostHeatTripped: Uint8Array
  /** The host is hot enough to reduce its clock: it does `throttledCpu` of its work. */
  readonly hostThrottled: Uint8Array
  readonly switchFeeds: Uint8Array
  readonly switchUp: Uint8Array
  readonly gatewayFeeds: Uint8Array
  readonly gatewayUp: Uint8Array
  readonly applianceFeeds: Uint8Array
  readonly applianceUp: Uint8Array
  /** Minutes without power since the device in place was installed. */
  readonly hostDarkMinutes: Uint32Array
  readonly switchDarkMinutes: Uint32Array
  readonly feedLive: Uint8Array
  readonly feedLoadKw: Float64Array
  readonly rackInletCelsius: Float64Array
  readonly rackWatts: Float64Array
  /** The breakers of the rack opened because the surviving feed was overloaded: no device in it has power. */
  readonly rackTripped: Uint8Array
  /** Air temperature of the zone, between racks. */
  readonly zoneCelsius: Float64Array
  readonly zoneCoolingCapacityKw: Float64Array
  readonly zoneHeatKw: Float64Array
  /** Power that cooling, ventilation and power conversion draw in a zone. */
  readonly zoneOverheadKw: Float64Array
  readonly weather: WeatherState
  /** Outdoor temperature by zone. */
  readonly outdoorCelsius: Float64Array
  /** Increases whenever a device starts or stops running. */
  version: number
  /** The version of `Condition` that this state reflects. */
  conditionVersion: number
}

export type FacilityView = View<FacilityState>

/** A facility about to be switched on; the first step gives it power. */
export function createFacilityState(topology: Topology, random: RandomStreams): FacilityState {
  const { hosts, switches, gateways, appliances, feeds, racks, zones } = topology
  return {
    hostFeeds: new Uint8Array(hosts.capacity),
    hostPowered: new Uint8Array(hosts.capacity),
    hostRunning: new Uint8Array(hosts.capacity),
    hostCelsius: new Float64Array(hosts.capacity).fill(setpointCelsius + 15),
    hostWatts: new Float64Array(hosts.capacity),
    hostHeatTripped: new Uint8Array(hosts.capacity),
    hostThrottled: new Uint8Array(hosts.capacity),
    hostDarkMinutes: new Uint32Array(hosts.capacity),
    switchDarkMinutes: new Uint32Array(switches.capacity),
    switchFeeds: new Uint8Array(switches.capacity),
    switchUp: new Uint8Array(switches.capacity),
    gatewayFeeds: new Uint8Array(gateways.capacity),
    gatewayUp: new Uint8Array(gateways.capacity),
    applianceFeeds: new Uint8Array(appliances.capacity),
    applianceUp: new Uint8Array(appliances.capacity),
    feedLive: new Uint8Array(feeds.capacity),
    feedLoadKw: new Float64Array(feeds.capacity),
    rackInletCelsius: new Float64Array(racks.capacity).fill(setpointCelsius),
    rackWatts: new Float64Array(racks.capacity),
    rackTripped: new Uint8Array(racks.capacity),
    zoneCelsius: new Float64Array(zones.length).fill(setpointCelsius),
    zoneCoolingCapacityKw: new Float64Array(zones.length),
    zoneHeatKw: new Float64Array(zones.length),
    zoneOverheadKw: new Float64Array(zones.length),
    weather: createWeather(topology, random),
    outdoorCelsius: new Float64Array(zones.length),
    version: 0,
    conditionVersion: -1,
  }
}
