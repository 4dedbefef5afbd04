import type { WorldState } from '../state.ts'
import { feedsOfZone } from './power.ts'

/**
 * Heat. All power that devices draw becomes heat in the air of their zone; cooling takes it away as far as its
 * units can. What it cannot take away warms the air, and the racks with it, over minutes.
 */

/** Heat moves once a minute. */
const moveSeconds = 60

/** The air that cooling aims for. */
export const setpointCelsius = 22
/** Power that cooling draws for the heat that it takes away. */
export const coolingPowerShare = 0.28
/** Seconds in which a zone would warm by one degree with all its design heat and no cooling. */
const secondsPerDegree = 32
/** Share of the design heat that walls and doors let out for each degree above the setpoint. */
const leakShare = 0.006
/** Seconds in which cooling brings warm air most of the way back, where it can. */
const recoverySeconds = 420
/** Racks near a broken unit get warmer air, by this much at full rack power. */
const localRise = 7
/** A rack at full power warms its own inlet a little. */
const rackRise = 2.5
const rackInertiaSeconds = 240
const hostInertiaSeconds = 200

/** Degrees by which a host is warmer than its inlet, at rest and more when busy; with a broken fan, times a factor. */
const hostRestRise = 11
const hostBusyRise = 27
const brokenFanFactor = 2.1

/** From here on its fans run high, it throttles, it shuts down; and it starts again below. */
export const fansHighCelsius = 58
export const throttleCelsius = 70
export const shutdownCelsius = 78
export const restartCelsius = 40

/** What working units of each zone can take away. */
export function settleCooling(state: WorldState): void {
  const { plant, physical, condition } = state
  physical.zoneCoolingCapacityKw.fill(0)
  for (let unit = 0; unit < plant.coolingUnits.count; unit++) {
    const zone = plant.coolingUnits.zone[unit]
    if (condition.coolingBroken[unit] || feedsOfZone(state, zone) === 0) continue
    physical.zoneCoolingCapacityKw[zone] += plant.coolingUnits.capacityKw[unit]
  }
}

const designKw = (state: WorldState, zone: number): number => {
  let kw = 0
  for (const unit of state.plant.zones[zone].coolingUnits) kw += state.plant.coolingUnits.capacityKw[unit]
  return kw
}

/** Warms and cools the air of zones, then of racks, then hosts. */
export function moveHeat(state: WorldState): void {
  const { plant, physical } = state
  physical.zoneHeatKw.fill(0)
  for (let rack = 0; rack < plant.racks.count; rack++) {
    physical.zoneHeatKw[plant.racks.zone[rack]] += physical.rackWatts[rack] / 1000
  }
  for (let zone = 0; zone < plant.zones.length; zone++) warmZone(state, zone)
  for (let host = 0; host < plant.hosts.count; host++) warmHost(state, host)
}

function warmZone(state: WorldState, zone: number): void {
  const { plant, physical, condition } = state
  const { zoneCelsius, zoneHeatKw, zoneCoolingCapacityKw, rackInletCelsius, rackWatts } = physical
  const design = designKw(state, zone)
  const store = design * secondsPerDegree
  const above = zoneCelsius[zone] - setpointCelsius
  const heat = zoneHeatKw[zone] - design * leakShare * above
  const wanted = heat + (above * store) / recoverySeconds
  const removed = Math.max(0, Math.min(zoneCoolingCapacityKw[zone], wanted))
  zoneCelsius[zone] += ((heat - removed) * moveSeconds) / store
  const { racks, coolingUnits } = plant.zones[zone]
  for (let nth = 0; nth < racks.length; nth++) {
    const rack = racks[nth]
    const nearest = coolingUnits[nth % coolingUnits.length]
    const fullness = rackWatts[rack] / 1000 / plant.racks.capacityKw[rack]
    const local = condition.coolingBroken[nearest] ? localRise * fullness : 0
    const target = zoneCelsius[zone] + rackRise * fullness + local
    rackInletCelsius[rack] += ((target - rackInletCelsius[rack]) * moveSeconds) / rackInertiaSeconds
  }
}

function warmHost(state: WorldState, host: number): void {
  const { plant, physical, condition } = state
  const { hosts, hostSkus } = plant
  const { hostCelsius, hostThrottled, hostHeatTripped } = physical
  const rack = hosts.rack[host]
  const inlet = rack >= 0 ? physical.rackInletCelsius[rack] : physical.zoneCelsius[hosts.zone[host]]
  const sku = hostSkus[hosts.sku[host]]
  let target = inlet
  if (physical.hostWatts[host] > 0) {
    const busy = (physical.hostWatts[host] - sku.idleWatts) / (sku.busyWatts - sku.idleWatts)
    const rise = hostRestRise + hostBusyRise * busy
    target += condition.hostFanBroken[host] ? rise * brokenFanFactor : rise
  }
  const celsius = hostCelsius[host] + ((target - hostCelsius[host]) * moveSeconds) / hostInertiaSeconds
  hostCelsius[host] = celsius
  hostThrottled[host] = celsius >= throttleCelsius && physical.hostWatts[host] > 0 ? 1 : 0
  if (celsius >= shutdownCelsius) hostHeatTripped[host] = 1
  else if (celsius < restartCelsius) hostHeatTripped[host] = 0
}
