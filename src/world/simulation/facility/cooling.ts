import { liveFeedsOfZone } from './feeds.ts'
import { clamp } from '../numeric.ts'
import {
  hostWarningCelsius,
  inletRestartCelsius,
  inletShutdownCelsius,
  inletWarningCelsius,
  restartCelsius,
  setpointCelsius,
  setpointRise,
  shutdownCelsius,
  throttleCelsius,
} from './limits.ts'
import type { FacilityWorld, ObservedWorld } from '../state.ts'

/**
 * Heat. All power that devices draw becomes heat in their zone's air. Cooling units remove it up to their capacity;
 * the remainder warms the air, and then the racks, over minutes.
 */

/** Interval of the temperature update. */
const heatStepSeconds = 60

/** Time for a zone to warm by one degree at its design heat without cooling. */
const secondsPerDegree = 32
/** Heat loss through the walls, as a share of the design heat for each degree above the setpoint. */
const leakShare = 0.006
/** Time constant of the return of warm air to the setpoint under spare cooling capacity. */
const recoverySeconds = 420
/**
 * Temperature at which dampers begin to vent hot air, and the vented share of the design heat for each degree above.
 */
const dampersCelsius = 41
const dampersShare = 0.12
/** Temperature rise at the inlet of a rack next to a broken unit, at full rack power. */
const localRise = 7
/** Temperature rise of a rack's inlet from its own exhaust, at full power. */
const rackRise = 2.5
const rackInertiaSeconds = 240
const hostInertiaSeconds = 200

/**
 * Temperature rise of a host over its inlet: idle, and in addition at full load. A broken fan or dust multiplies
 * both.
 */
const hostRestRise = 11
const hostBusyRise = 27
const brokenFanFactor = 2.1

/** Outdoor temperature limit of a cooling unit's full capacity, and its capacity loss per degree above. */
const fullCapacityCelsiusMax = 24
const capacityLossPerDegree = 0.015

/** Sums the capacity of the working units of each zone, derated by the outdoor temperature. */
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

type CooledWorld = Pick<ObservedWorld, 'topology' | 'facility' | 'condition'>
/** Whether a cooling unit has stopped by its own display, which monitoring reads. */
export const showsStopped = ({ condition }: CooledWorld, unit: number): boolean =>
  condition.coolingBroken[unit] > condition.coolingFrozen[unit]

/** The capacity of a zone by the displays of its units. */
export function shownCoolingKw(state: CooledWorld, zone: number): number {
  const { topology, facility, condition } = state
  let kw = facility.zoneCoolingCapacityKw[zone]
  if (liveFeedsOfZone(state, zone) === 0) return kw
  for (const unit of topology.zones[zone].coolingUnits)
    if (condition.coolingFrozen[unit] > 0) kw += topology.coolingUnits.capacityKw[unit]
  return kw
}

/**
 * Limits of mixed operation: outside air alone below the first outdoor temperature, compressors alone above the
 * second.
 */
const freeCoolingCelsiusMax = 10
const compressorCelsiusMin = 32
/** Power per unit of removed heat, by outside air and by compressors. */
const freeCoolingPower = 0.05
const compressorPower = 0.32
/** Power of fans and pumps per unit of working cooling capacity, independent of load. */
const circulationPower = 0.03

const compressorShare = (outdoorCelsius: number): number =>
  clamp((outdoorCelsius - freeCoolingCelsiusMax) / (compressorCelsiusMin - freeCoolingCelsiusMax), 0, 1)

/** Power draw of a zone's cooling: rises with the outdoor temperature, and has a load-independent part. */
export function coolingKw({ facility }: FacilityWorld, zone: number): number {
  const capacity = facility.zoneCoolingCapacityKw[zone]
  const removed = Math.min(facility.zoneHeatKw[zone], capacity)
  const compressors = compressorShare(facility.outdoorCelsius[zone])
  const power = freeCoolingPower + (compressorPower - freeCoolingPower) * compressors
  return circulationPower * capacity + power * removed
}

/** The air setpoint of a zone: lower with outside air than with compressors. */
const setpointOf = ({ facility }: FacilityWorld, zone: number): number =>
  setpointCelsius + setpointRise * compressorShare(facility.outdoorCelsius[zone])

const designKw = (state: FacilityWorld, zone: number): number => {
  let kw = 0
  for (const unit of state.topology.zones[zone].coolingUnits)
    kw += state.topology.coolingUnits.capacityKw[unit]
  return kw
}

/** Sums the heat of each zone: the power draw of its racks. */
export function sumHeat({ topology, facility }: FacilityWorld): void {
  facility.zoneHeatKw.fill(0)
  for (let rack = 0; rack < topology.racks.count; rack++) {
    facility.zoneHeatKw[topology.racks.zone[rack]] += facility.rackWatts[rack] / 1000
  }
}

/** Updates the temperatures of zones, racks and hosts, in that order. Returns whether a host was shut down, or may run again. */
export function moveHeat(state: FacilityWorld): boolean {
  const { topology, facility } = state
  const { hostHeatTripped } = facility
  let changed = false
  facility.isHot = false
  for (let zone = 0; zone < topology.zones.length; zone++) warmZone(state, zone)
  for (const host of topology.hosts.rows) {
    const wasTripped = hostHeatTripped[host]
    warmHost(state, host)
    if (hostHeatTripped[host] !== wasTripped) changed = true
  }
  return changed
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
  zoneCelsius[zone] += ((heat - removed) * heatStepSeconds) / store
  const { racks, coolingUnits } = topology.zones[zone]
  for (let nth = 0; nth < racks.length; nth++) {
    const rack = racks[nth]
    const nearest = coolingUnits[nth % coolingUnits.length]
    const fullness = rackWatts[rack] / 1000 / topology.racks.capacityKw[rack]
    const local = condition.coolingBroken[nearest] ? localRise * fullness : 0
    const target = zoneCelsius[zone] + rackRise * fullness + local
    rackInletCelsius[rack] += ((target - rackInletCelsius[rack]) * heatStepSeconds) / rackInertiaSeconds
    if (rackInletCelsius[rack] > inletWarningCelsius) facility.isHot = true
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
  const celsius = hostCelsius[host] + ((target - hostCelsius[host]) * heatStepSeconds) / hostInertiaSeconds
  hostCelsius[host] = celsius
  hostThrottled[host] = celsius >= throttleCelsius && facility.hostWatts[host] > 0 ? 1 : 0
  if (celsius >= shutdownCelsius || inlet >= inletShutdownCelsius) hostHeatTripped[host] = 1
  else if (celsius < restartCelsius && inlet < inletRestartCelsius) hostHeatTripped[host] = 0
  if (celsius > hostWarningCelsius || hostHeatTripped[host] > 0) facility.isHot = true
}
