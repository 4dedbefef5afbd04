import { liveFeedsOfZone } from './feeds.ts'
import { clamp } from '../numeric.ts'
import {
  inletRestartCelsius,
  inletShutdownCelsius,
  restartCelsius,
  setpointCelsius,
  setpointRise,
  shutdownCelsius,
  throttleCelsius,
} from './limits.ts'
import type { FacilityWorld } from '../state.ts'

/**
 * Heat. All power that devices draw becomes heat in the air of their zone. Cooling removes it up to the capacity of
 * its units; the rest warms the air, and then the racks, over minutes.
 */

/** Temperatures are recalculated once a minute. */
const moveSeconds = 60

/** Seconds in which a zone warms by one degree at its design heat without cooling. */
const secondsPerDegree = 32
/** Share of the design heat that escapes through the walls for each degree above the setpoint. */
const leakShare = 0.006
/** Time constant in which cooling with spare capacity returns warm air to the setpoint. */
const recoverySeconds = 420
/** Temperature from which dampers let hot air out, and the share of the design heat that leaves for each degree above. */
const dampersCelsius = 41
const dampersShare = 0.12
/** Degrees by which the inlet of a rack next to a broken unit is warmer, at full rack power. */
const localRise = 7
/** Degrees by which a rack at full power warms its own inlet. */
const rackRise = 2.5
const rackInertiaSeconds = 240
const hostInertiaSeconds = 200

/** Degrees by which a host is warmer than its inlet: at rest, and in addition at full load. A broken fan or dust multiplies both. */
const hostRestRise = 11
const hostBusyRise = 27
const brokenFanFactor = 2.1

/** Outdoor temperature up to which a cooling unit has its full capacity, and the share that it loses per degree above. */
const fullCapacityCelsiusMax = 24
const capacityLossPerDegree = 0.015

/** Sums the capacity of the working units of each zone. The hotter it is outside, the less heat a unit gets rid of. */
export function updateCoolingCapacity(state: FacilityWorld): void {
  const { topology, facility, condition } = state
  facility.zoneCoolingCapacityKw.fill(0)
  for (let unit = 0; unit < topology.coolingUnits.count; unit++) {
    const zone = topology.coolingUnits.zone[unit]
    if (condition.coolingBroken[unit] || liveFeedsOfZone(state, zone) === 0) continue
    const heat = Math.max(0, facility.outdoorCelsius[zone] - fullCapacityCelsiusMax)
    const share = Math.max(0.6, 1 - capacityLossPerDegree * heat) * (1 - condition.coolingLost[unit])
    facility.zoneCoolingCapacityKw[zone] += topology.coolingUnits.capacityKw[unit] * share
  }
}

/** Outdoor temperatures between which cooling goes from outside air alone to compressors alone. */
const freeCoolingCelsiusMax = 10
const compressorCelsiusMin = 32
/** Power for each unit of heat that is removed by outside air and by compressors. */
const freeCoolingPower = 0.05
const compressorPower = 0.32
/** Power of fans and pumps for each unit of working cooling capacity, at any load. */
const circulationPower = 0.03

const compressorShare = (outdoorCelsius: number): number =>
  clamp((outdoorCelsius - freeCoolingCelsiusMax) / (compressorCelsiusMin - freeCoolingCelsiusMax), 0, 1)

/** Power that the cooling of a zone draws: more the hotter it is outside, and some of it at any load. */
export function coolingKw({ facility }: FacilityWorld, zone: number): number {
  const capacity = facility.zoneCoolingCapacityKw[zone]
  const removed = Math.min(facility.zoneHeatKw[zone], capacity)
  const compressors = compressorShare(facility.outdoorCelsius[zone])
  const power = freeCoolingPower + (compressorPower - freeCoolingPower) * compressors
  return circulationPower * capacity + power * removed
}

/** Temperature that the air of a zone is cooled to: outside air makes it colder than compressors do. */
const setpointOf = ({ facility }: FacilityWorld, zone: number): number =>
  setpointCelsius + setpointRise * compressorShare(facility.outdoorCelsius[zone])

const designKw = (state: FacilityWorld, zone: number): number => {
  let kw = 0
  for (const unit of state.topology.zones[zone].coolingUnits)
    kw += state.topology.coolingUnits.capacityKw[unit]
  return kw
}

/** Sums the heat of each zone: all that its racks draw. */
export function sumHeat({ topology, facility }: FacilityWorld): void {
  facility.zoneHeatKw.fill(0)
  for (let rack = 0; rack < topology.racks.count; rack++) {
    facility.zoneHeatKw[topology.racks.zone[rack]] += facility.rackWatts[rack] / 1000
  }
}

/** Updates the temperatures of zones, racks and hosts, in this order. */
export function moveHeat(state: FacilityWorld): void {
  const { topology } = state
  for (let zone = 0; zone < topology.zones.length; zone++) warmZone(state, zone)
  for (const host of topology.hosts.rows) warmHost(state, host)
}

function warmZone(state: FacilityWorld, zone: number): void {
  const { topology, facility, condition } = state
  const { zoneCelsius, zoneHeatKw, zoneCoolingCapacityKw, rackInletCelsius, rackWatts } = facility
  const design = designKw(state, zone)
  const store = design * secondsPerDegree
  const above = zoneCelsius[zone] - setpointOf(state, zone)
  const vented = dampersShare * Math.max(0, zoneCelsius[zone] - dampersCelsius)
  const heat = zoneHeatKw[zone] - design * (leakShare * above + vented)
  const wanted = heat + (above * store) / recoverySeconds
  const removed = Math.max(0, Math.min(zoneCoolingCapacityKw[zone], wanted))
  zoneCelsius[zone] += ((heat - removed) * moveSeconds) / store
  const { racks, coolingUnits } = topology.zones[zone]
  for (let nth = 0; nth < racks.length; nth++) {
    const rack = racks[nth]
    const nearest = coolingUnits[nth % coolingUnits.length]
    const fullness = rackWatts[rack] / 1000 / topology.racks.capacityKw[rack]
    const local = condition.coolingBroken[nearest] ? localRise * fullness : 0
    const target = zoneCelsius[zone] + rackRise * fullness + local
    rackInletCelsius[rack] += ((target - rackInletCelsius[rack]) * moveSeconds) / rackInertiaSeconds
  }
}

function warmHost(state: FacilityWorld, host: number): void {
  const { topology, facility, condition } = state
  const { hosts, hostSkus } = topology
  const { hostCelsius, hostThrottled, hostHeatTripped } = facility
  const rack = hosts.rack[host]
  const inlet = rack >= 0 ? facility.rackInletCelsius[rack] : facility.zoneCelsius[hosts.zone[host]]
  const sku = hostSkus[hosts.sku[host]]
  let target = inlet
  if (facility.hostWatts[host] > 0) {
    const busy = (facility.hostWatts[host] - sku.idleWatts) / (sku.busyWatts - sku.idleWatts)
    const rise = hostRestRise + hostBusyRise * busy
    const isStifled = condition.hostFanBroken[host] + condition.hostAirBlocked[host] > 0
    target += isStifled ? rise * brokenFanFactor : rise
  }
  const celsius = hostCelsius[host] + ((target - hostCelsius[host]) * moveSeconds) / hostInertiaSeconds
  hostCelsius[host] = celsius
  hostThrottled[host] = celsius >= throttleCelsius && facility.hostWatts[host] > 0 ? 1 : 0
  if (celsius >= shutdownCelsius || inlet >= inletShutdownCelsius) hostHeatTripped[host] = 1
  else if (celsius < restartCelsius && inlet < inletRestartCelsius) hostHeatTripped[host] = 0
}
