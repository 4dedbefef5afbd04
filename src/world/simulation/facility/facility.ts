import type { ReadonlyColumn } from '../part.ts'
import { isDue, schedule } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import { moveHeat, sumHeat, updateCoolingCapacity } from './cooling.ts'
import { sumOverheadDraw, sumPowerDraw, updateBreakers, updateFeeds, updateSupplies } from './power.ts'
import { updateWeather } from './weather.ts'
import type { FacilityWorld } from '../state.ts'

/**
 * Derives from what is broken which devices have power, how warm they get, and which of them run. Everything is
 * recalculated when something broke or was repaired, and once a minute, when heat moves.
 */
export function stepFacility(state: FacilityWorld): void {
  const { facility, condition } = state
  const minuteBegins = isDue(schedule.heat, state.tick)
  if (!minuteBegins && facility.conditionVersion === condition.version) return
  facility.conditionVersion = condition.version
  if (minuteBegins) updateWeather(state)
  updateFeeds(state)
  updateCoolingCapacity(state)
  updateSupplies(state)
  sumPowerDraw(state)
  sumHeat(state)
  if (minuteBegins) moveHeat(state)
  sumOverheadDraw(state)
  if (updateBreakers(state)) updateSupplies(state)
  if (minuteBegins) countDarkMinutes(state)
  const hostsChanged = updateRunningHosts(state)
  if (updateRunningDevices(state) || hostsChanged) facility.version++
}

/** Failed SSDs with which a host loses its array, and stops. */
const arrayLostFrom = 2

/** Whether nothing keeps a host from running, but that it may have been taken out of service. */
export const couldRun = (
  { facility, condition }: Pick<WorldView, 'facility' | 'condition'>,
  host: number,
): boolean =>
  facility.hostPowered[host] > 0 &&
  facility.hostHeatTripped[host] === 0 &&
  condition.hostBroken[host] === 0 &&
  condition.hostDiskBroken[host] < arrayLostFrom

function updateRunningHosts(state: FacilityWorld): boolean {
  const { facility, condition } = state
  const { hostRunning } = facility
  let changed = false
  for (let host = 0; host < hostRunning.length; host++) {
    const running = condition.hostMaintenance[host] === 0 && couldRun(state, host) ? 1 : 0
    if (running === hostRunning[host]) continue
    hostRunning[host] = running
    changed = true
  }
  return changed
}

function updateRunningDevices({ facility, condition }: FacilityWorld): boolean {
  const switches = updateRunning(facility.switchUp, facility.switchFeeds, condition.switchBroken)
  const gateways = updateRunning(facility.gatewayUp, facility.gatewayFeeds, condition.gatewayBroken)
  const appliances = updateRunning(facility.applianceUp, facility.applianceFeeds, condition.applianceBroken)
  return switches || gateways || appliances
}

function updateRunning(up: Uint8Array, feeds: Uint8Array, broken: ReadonlyColumn): boolean {
  let changed = false
  for (let row = 0; row < up.length; row++) {
    const isUp = feeds[row] > 0 && !broken[row] ? 1 : 0
    if (isUp === up[row]) continue
    up[row] = isUp
    changed = true
  }
  return changed
}

/** Once a minute: counts it for each device that is without power. */
function countDarkMinutes({ facility }: FacilityWorld): void {
  const { hostFeeds, hostDarkMinutes, switchFeeds, switchDarkMinutes } = facility
  for (let host = 0; host < hostFeeds.length; host++) if (hostFeeds[host] === 0) hostDarkMinutes[host]++
  for (let sw = 0; sw < switchFeeds.length; sw++) if (switchFeeds[sw] === 0) switchDarkMinutes[sw]++
}
