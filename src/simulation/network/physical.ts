import type { Plant } from '../plant/tables.ts'
import type { Physical, WorldState } from '../state.ts'
import { minute, stepLength } from '../time.ts'
import { moveHeat, setpointCelsius, settleCooling } from './cooling.ts'
import { drawCooling, drawPower, settleBreakers, settleFeeds, settleSupplies } from './power.ts'
import { layWiring } from './wiring.ts'

export const stepsAMinute = minute / stepLength

/**
 * What is broken becomes what has power, how warm it gets, and which devices and links are up. All of it is
 * looked at when something broke or was repaired, and every minute, in which heat moves; links that flap, always.
 */
export function stepPhysical(state: WorldState): void {
  const { wiring } = state.physical
  const minuteBegins = state.tick % stepsAMinute === 0
  if (!minuteBegins && wiring.seenVersion === state.condition.version) {
    if (wiring.flappingCount > 0 && settleFlaps(state)) state.physical.topologyVersion++
    return
  }
  wiring.seenVersion = state.condition.version
  settleFeeds(state)
  settleCooling(state)
  settleSupplies(state)
  drawPower(state)
  if (minuteBegins) {
    moveHeat(state)
    countErrors(state)
  }
  drawCooling(state)
  if (settleBreakers(state)) settleSupplies(state)
  if (minuteBegins) countDarkness(state)
  let changed = settleHosts(state)
  changed = settleDevices(state) || changed
  changed = settleLinks(state) || changed
  if (changed) state.physical.topologyVersion++
}

function settleHosts(state: WorldState): boolean {
  const { hostRunning, hostPowered, hostHeatTripped, wiring } = state.physical
  const { hostBroken, hostMaintenance } = state.condition
  const { up } = wiring
  let changed = false
  for (let host = 0; host < hostRunning.length; host++) {
    const stopped = hostBroken[host] + hostMaintenance[host] + hostHeatTripped[host]
    const running = hostPowered[host] && stopped === 0 ? 1 : 0
    if (running !== hostRunning[host]) {
      hostRunning[host] = running
      changed = true
    }
    up[host] = running
  }
  return changed
}

function settleDevices(state: WorldState): boolean {
  const { physical, condition } = state
  const { wiring, switchUp, gatewayUp, applianceUp } = physical
  const switches = settleUp(switchUp, physical.switchFeeds, condition.switchBroken)
  const gateways = settleUp(gatewayUp, physical.gatewayFeeds, condition.gatewayBroken)
  const appliances = settleUp(applianceUp, physical.applianceFeeds, condition.applianceBroken)
  wiring.up.set(switchUp, wiring.firstSwitch)
  wiring.up.set(gatewayUp, wiring.firstGateway)
  wiring.up.set(applianceUp, wiring.firstAppliance)
  return switches || gateways || appliances
}

function settleUp(up: Uint8Array, feeds: Uint8Array, broken: Uint8Array): boolean {
  let changed = false
  for (let row = 0; row < up.length; row++) {
    const now = feeds[row] > 0 && !broken[row] ? 1 : 0
    if (now !== up[row]) {
      up[row] = now
      changed = true
    }
  }
  return changed
}

/** A wire that loses more than this share of frames carries no signal at all. */
const deadFrom = 0.97

function settleLinks(state: WorldState): boolean {
  const { physical, condition } = state
  const { wiring, portUp } = physical
  const { a, b, cable, deviceA, deviceB, up } = wiring
  const { cableCut, portLoss, portFlapping } = condition
  let changed = false
  physical.lossyPorts = 0
  wiring.flappingCount = 0
  for (let link = 0; link < wiring.count; link++) {
    const one = a[link]
    const other = b[link]
    let now = up[deviceA[link]] & up[deviceB[link]]
    if (cableCut[cable[link]] > 0) now = 0
    if (portLoss[one] > 0 || portLoss[other] > 0) {
      physical.lossyPorts++
      if (portLoss[one] >= deadFrom || portLoss[other] >= deadFrom) now = 0
    }
    if (portFlapping[one] + portFlapping[other] > 0 && now === 1) {
      wiring.flapping[wiring.flappingCount++] = link
      if (flapsNow(state, one)) now = 0
      if (now < portUp[one]) countFlaps(physical, one, other)
    }
    if (now === portUp[one]) continue
    portUp[one] = now
    portUp[other] = now
    changed = true
  }
  return changed
}

/** Steps of a flap's round; in the first of them the link is down. */
const flapRound = 6
/** How often a link that flaps goes down and comes back within the step in which it is down. */
const flapsARound = 3

const flapsNow = (state: WorldState, port: number): boolean => (state.tick + port) % flapRound === 0

function settleFlaps(state: WorldState): boolean {
  const { wiring, portUp } = state.physical
  let changed = false
  for (let n = 0; n < wiring.flappingCount; n++) {
    const one = wiring.a[wiring.flapping[n]]
    const other = wiring.b[wiring.flapping[n]]
    const now = flapsNow(state, one) ? 0 : 1
    if (now === portUp[one]) continue
    portUp[one] = now
    portUp[other] = now
    changed = true
    if (now === 0) countFlaps(state.physical, one, other)
  }
  return changed
}

function countFlaps({ portFlaps, portErrors }: Physical, one: number, other: number): void {
  portFlaps[one] += flapsARound
  portFlaps[other] += flapsARound
  portErrors[one] += flapsARound * 2
  portErrors[other] += flapsARound * 2
}

/** Frames of 1,000 bytes in a minute for each Gbit/s. */
const framesPerGbps = (stepsAMinute * stepLength * 125e6) / 1e6 / 1000

/** Counts the frames that wires have lost, as the port that fails sees them. */
function countErrors(state: WorldState): void {
  const { physical, condition, network } = state
  if (physical.lossyPorts === 0) return
  for (let port = 0; port < condition.portLoss.length; port++) {
    const loss = condition.portLoss[port]
    if (loss === 0 || loss >= deadFrom) continue
    const carried = network.portTxGbps[port] + network.portRxGbps[port]
    physical.portErrors[port] += Math.round(((carried * loss) / (1 - loss)) * framesPerGbps)
  }
}

/** Once a minute: which devices have been without power for it. */
function countDarkness({ physical }: WorldState): void {
  const { hostFeeds, hostDarkMinutes, switchFeeds, switchDarkMinutes } = physical
  for (let host = 0; host < hostFeeds.length; host++) if (hostFeeds[host] === 0) hostDarkMinutes[host]++
  for (let sw = 0; sw < switchFeeds.length; sw++) if (switchFeeds[sw] === 0) switchDarkMinutes[sw]++
}

/** A plant about to be switched on; the first step gives it power. */
export function createPhysical(plant: Plant): Physical {
  const { hosts, switches, gateways, appliances, feeds, racks, zones, ports } = plant
  return {
    hostFeeds: new Uint8Array(hosts.count),
    hostPowered: new Uint8Array(hosts.count),
    hostRunning: new Uint8Array(hosts.count),
    hostCelsius: new Float64Array(hosts.count).fill(setpointCelsius + 15),
    hostWatts: new Float64Array(hosts.count),
    hostHeatTripped: new Uint8Array(hosts.count),
    hostThrottled: new Uint8Array(hosts.count),
    hostDarkMinutes: new Uint32Array(hosts.count),
    switchDarkMinutes: new Uint32Array(switches.count),
    switchFeeds: new Uint8Array(switches.count),
    switchUp: new Uint8Array(switches.count),
    gatewayFeeds: new Uint8Array(gateways.count),
    gatewayUp: new Uint8Array(gateways.count),
    applianceFeeds: new Uint8Array(appliances.count),
    applianceUp: new Uint8Array(appliances.count),
    feedLive: new Uint8Array(feeds.count),
    feedLoadKw: new Float64Array(feeds.count),
    rackInletCelsius: new Float64Array(racks.count).fill(setpointCelsius),
    rackWatts: new Float64Array(racks.count),
    rackTripped: new Uint8Array(racks.count),
    zoneCelsius: new Float64Array(zones.length).fill(setpointCelsius),
    zoneCoolingCapacityKw: new Float64Array(zones.length),
    zoneHeatKw: new Float64Array(zones.length),
    portUp: new Uint8Array(ports.count),
    lossyPorts: 0,
    portFlaps: new Float64Array(ports.count),
    portErrors: new Float64Array(ports.count),
    wiring: layWiring(plant),
    topologyVersion: 0,
  }
}
