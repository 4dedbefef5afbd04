import { deviceKind, type Plant } from '../plant/tables.ts'
import type { Physical, WorldState } from '../state.ts'
import { moveHeat, setpointCelsius, settleCooling } from './cooling.ts'
import { drawCooling, drawPower, settleBreakers, settleFeeds, settleSupplies } from './power.ts'

/** What is broken becomes what has power, how warm it gets, and which devices and links are up. */
export function stepPhysical(state: WorldState): void {
  settleFeeds(state)
  settleCooling(state)
  settleSupplies(state)
  drawPower(state)
  moveHeat(state)
  drawCooling(state)
  if (settleBreakers(state)) settleSupplies(state)
  let changed = settleHosts(state)
  changed = settleDevices(state) || changed
  changed = settlePorts(state) || changed
  if (changed) state.physical.topologyVersion++
}

function settleHosts(state: WorldState): boolean {
  const { physical, condition } = state
  const { hostRunning, hostPowered, hostHeatTripped } = physical
  let changed = false
  for (let host = 0; host < hostRunning.length; host++) {
    const stopped = condition.hostBroken[host] || condition.hostMaintenance[host] || hostHeatTripped[host]
    const running = hostPowered[host] && !stopped ? 1 : 0
    if (running !== hostRunning[host]) {
      hostRunning[host] = running
      changed = true
    }
  }
  return changed
}

function settleDevices(state: WorldState): boolean {
  const { physical, condition } = state
  const switches = settleUp(physical.switchUp, physical.switchFeeds, condition.switchBroken)
  const gateways = settleUp(physical.gatewayUp, physical.gatewayFeeds, condition.gatewayBroken)
  const appliances = settleUp(physical.applianceUp, physical.applianceFeeds, condition.applianceBroken)
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

/** Steps of a flap's round, and how many of them the link is down. */
const flapRound = 6
const flapDown = 1
/** How often a link that flaps goes down and comes back within one step of being down. */
const flapsPerRound = 3
/** A wire that loses more than this carries no signal at all. */
const deadFrom = 0.97

function settlePorts(state: WorldState): boolean {
  const { plant, physical, condition } = state
  const { cable, peer } = plant.ports
  const { portUp } = physical
  let changed = false
  physical.lossyPorts = 0
  for (let port = 0; port < portUp.length; port++) {
    if (condition.portLoss[port] > 0) countErrors(state, port)
    const other = peer[port]
    if (other < port) continue
    const broken = condition.portFlapping[port] + condition.portFlapping[other]
    let up = 0
    if (!condition.cableCut[cable[port]] && deviceUp(state, port) && deviceUp(state, other)) {
      up = broken > 0 && flapsNow(state, port, other) ? 0 : 1
      if (condition.portLoss[port] >= deadFrom || condition.portLoss[other] >= deadFrom) up = 0
    }
    if (up === portUp[port]) continue
    portUp[port] = up
    portUp[other] = up
    changed = true
  }
  return changed
}

function deviceUp(state: WorldState, port: number): number {
  const { plant, physical } = state
  const device = plant.ports.device[port]
  switch (plant.ports.deviceKind[port]) {
    case deviceKind.Host:
      return physical.hostRunning[device]
    case deviceKind.Switch:
      return physical.switchUp[device]
    case deviceKind.Gateway:
      return physical.gatewayUp[device]
    case deviceKind.Appliance:
      return physical.applianceUp[device]
    default:
      return 1
  }
}

/** Whether a flapping link is in the part of its round in which it is down; the flaps are counted. */
function flapsNow(state: WorldState, port: number, other: number): boolean {
  const { portFlaps, portErrors } = state.physical
  const phase = (state.tick + port) % flapRound
  if (phase >= flapDown) return false
  if (phase === 0) {
    for (const end of [port, other]) {
      portFlaps[end] += flapsPerRound
      portErrors[end] += flapsPerRound * 2
    }
  }
  return true
}

/** Frames of 1,000 bytes in ten seconds for each Gbit/s. */
const framesPerGbps = 1_250_000

function countErrors(state: WorldState, port: number): void {
  const { physical, condition, network } = state
  physical.lossyPorts++
  const loss = condition.portLoss[port]
  const carried = network.portTxGbps[port] + network.portRxGbps[port]
  const lost = loss < deadFrom ? (carried * loss) / (1 - loss) : 0
  physical.portErrors[port] += Math.round(lost * framesPerGbps)
}

/** A plant that has just been switched on, as the first step finds it: all devices up, at rest, cool. */
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
    topologyVersion: 0,
  }
}
