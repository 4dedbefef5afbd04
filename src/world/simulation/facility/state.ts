import type { Owned, View } from '../part.ts'
import type { RandomStreams } from '../random.ts'
import type { Topology } from '../topology/tables.ts'
import { setpointCelsius } from './limits.ts'
import { createWeather } from './climate.ts'
import type { WeatherState } from './climate.ts'

/** Power, temperature, and which devices run. */
export type FacilityState = Owned<ReturnType<typeof createFacilityState>>

export type FacilityView = View<FacilityState>

/** Creates a facility without power; the first step turns it on. */
export function createFacilityState(topology: Topology, random: RandomStreams) {
  const { hosts, switches, gateways, appliances, feeds, racks, zoneCapacity } = topology
  const weather: WeatherState = createWeather(topology, random)
  return {
    /** Number of live feeds of a device: 0, 1 or 2. */
    hostFeeds: new Uint8Array(hosts.capacity),
    hostPowered: new Uint8Array(hosts.capacity),
    /** Powered, not broken, not in maintenance, not shut down by heat. */
    hostRunning: new Uint8Array(hosts.capacity),
    hostCelsius: new Float64Array(hosts.capacity).fill(setpointCelsius + 15),
    hostWatts: new Float64Array(hosts.capacity),
    /** Shut down by heat; latched until the host has cooled. */
    hostHeatTripped: new Uint8Array(hosts.capacity),
    /** Hot enough to reduce the clock: the host has `throttledCapacityShare` of its capacity. */
    hostThrottled: new Uint8Array(hosts.capacity),
    /** Minutes without power since installation. */
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
    /** Breakers opened by an overload of the surviving feed: no device in the rack has power. */
    rackTripped: new Uint8Array(racks.capacity),
    /** Air temperature between the racks of a zone. */
    zoneCelsius: new Float64Array(zoneCapacity).fill(setpointCelsius),
    zoneCoolingCapacityKw: new Float64Array(zoneCapacity),
    zoneHeatKw: new Float64Array(zoneCapacity),
    /** Power draw of a zone's cooling, ventilation and power conversion. */
    zoneOverheadKw: new Float64Array(zoneCapacity),
    weather,
    /** Outdoor temperature by zone. */
    outdoorCelsius: new Float64Array(zoneCapacity),
    /** Increases whenever a device starts or stops running. */
    version: 0,
    /** Whether a host or the air at a rack was hot enough for a warning at the last update of temperatures. */
    isHot: false,
    /** Whether there was heat, or a feed on batteries, at the last minute. */
    wasWarned: false,
    /** Increases when a feed goes dead or returns, and each minute on batteries or in heat. */
    warningVersion: 0,
    /** The version of `Condition` that this state reflects. */
    conditionVersion: -1,
  }
}
