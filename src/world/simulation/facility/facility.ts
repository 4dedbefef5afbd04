import type { ReadonlyColumn } from '../part.ts'
import { isDue, schedule } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import { moveHeat, sumHeat, updateCoolingCapacity } from './cooling.ts'
import { sumOverheadDraw, sumPowerDraw, updateBreakers, updateFeeds, updateSupplies } from './power.ts'
import { updateWeather } from './weather.ts'
import type { FacilityWorld } from '../state.ts'

/**
 * Derives power, temperature and running state of devices from their condition. Recalculates after every failure or
 * repair, and once a minute with the temperatures.
 */
export function stepFacility(state: FacilityWorld): void {
  const { facility, condition } = state
  const minuteBegins = isDue(schedule.heat, state.tick)
  const conditionChanged = facility.conditionVersion !== condition.version
  if (!minuteBegins && !conditionChanged) return
  facility.conditionVersion = condition.version
  if (minuteBegins) updateWeather(state)
  const feedsChanged = updateFeeds(state)
  const isDisturbed = conditionChanged || feedsChanged
  updateCoolingCapacity(state)
  if (isDisturbed) updateSupplies(state)
  sumPowerDraw(state)
  sumHeat(state)
  const isTripped = minuteBegins && moveHeat(state)
  sumOverheadDraw(state)
  const isSwitched = updateBreakers(state)
  if (isSwitched) updateSupplies(state)
  if (minuteBegins) countDarkMinutes(state)
  const isWarned = minuteBegins && (isTripped || facility.isHot || isOnBattery(state))
  if (feedsChanged || isWarned || facility.wasWarned) facility.warningVersion++
  if (minuteBegins) facility.wasWarned = isWarned
  if (!isDisturbed && !isTripped && !isSwitched) return
  const hostsChanged = updateRunningHosts(state)
  if (updateRunningDevices(state) || hostsChanged) facility.version++
}

const isOnBattery = ({ condition }: FacilityWorld): boolean =>
  condition.feedBatteryEmpty.some((empty) => empty > 0)

/** Number of failed SSDs that loses a host's array and stops the host. */
const arrayLossMin = 2

/** Whether a host would run if it were in service. */
export const couldRun = (
  { facility, condition }: Pick<WorldView, 'facility' | 'condition'>,
  host: number,
): boolean =>
  facility.hostPowered[host] > 0 &&
  facility.hostHeatTripped[host] === 0 &&
  condition.hostBroken[host] === 0 &&
  condition.hostDiskBroken[host] < arrayLossMin

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

/** Once a minute: adds to the dark minutes of devices without power. */
function countDarkMinutes({ facility }: FacilityWorld): void {
  const { hostFeeds, hostDarkMinutes, switchFeeds, switchDarkMinutes } = facility
  for (let host = 0; host < hostFeeds.length; host++) if (hostFeeds[host] === 0) hostDarkMinutes[host]++
  for (let sw = 0; sw < switchFeeds.length; sw++) if (switchFeeds[sw] === 0) switchDarkMinutes[sw]++
}
