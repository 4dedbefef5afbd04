import { throttleCelsius } from '../network/cooling.ts'
import { portRole } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'
import type { SymptomBoard } from './board.ts'
import type { Domains } from './domain.ts'

/**
 * What monitoring sees of hosts, switches, gateways, appliances, power and air. Whatever does not answer because
 * what it hangs on does not answer either is not told on its own.
 */

/** Degrees at which a host warns, and a zone's air counts as too warm. */
const hostWarningCelsius = throttleCelsius - 2
const zoneWarningCelsius = 32

export function watchFacility(state: WorldState, board: SymptomBoard): void {
  const { plant, physical, condition, now } = state
  for (let row = 0; row < plant.feeds.count; row++) {
    if (physical.feedLive[row] === 0) board.see('feed-dead', 'PowerFeed', row, 1, now)
  }
  for (let row = 0; row < plant.coolingUnits.count; row++) {
    if (condition.coolingBroken[row] > 0) board.see('cooling-stopped', 'CoolingUnit', row, 1, now)
  }
  for (let zone = 0; zone < plant.zones.length; zone++) {
    let hottest = 0
    for (const rack of plant.zones[zone].racks) hottest = Math.max(hottest, physical.rackInletCelsius[rack])
    if (hottest > zoneWarningCelsius) board.see('zone-hot', 'Zone', zone, hottest, now)
  }
}

/** Whether a zone has any voltage at all. */
function isPowered({ plant, physical }: WorldState, zone: number): boolean {
  const [a, b] = plant.zones[zone].feeds
  return physical.feedLive[a] > 0 || physical.feedLive[b] > 0
}

function announces({ plant, network }: WorldState, zone: number): boolean {
  return plant.zones[zone].gateways.some((gateway) => network.gatewayAdvertising[gateway] > 0)
}

export function watchHosts(state: WorldState, board: SymptomBoard, domains: Domains): void {
  const { physical, network, condition } = state
  const { hostRunning, hostCelsius, hostHeatTripped } = physical
  const { hostFanBroken, hostDiskBroken, hostSupplyBroken } = condition
  const { hostReachable } = network
  for (let row = 0; row < hostRunning.length; row++) {
    const answers = hostRunning[row] > 0 && hostReachable[row] > 0
    const cool = hostCelsius[row] <= hostWarningCelsius && hostHeatTripped[row] === 0
    if (answers && cool && hostFanBroken[row] + hostDiskBroken[row] + hostSupplyBroken[row] === 0) continue
    if (!answers && isSilent(state, board, row, domains)) board.see('host-silent', 'Host', row, 1, state.now)
    if (!cool) board.see('host-hot', 'Host', row, hostCelsius[row], state.now)
    if (hostFanBroken[row] > 0) board.see('host-fan', 'Host', row, 1, state.now)
    if (hostDiskBroken[row] > 0) board.see('host-disk', 'Host', row, 1, state.now)
    if (hostSupplyBroken[row] > 0) board.see('host-supply', 'Host', row, 1, state.now)
  }
}

/**
 * A host that does not answer is told where it should: what it hangs on is there, and it is not out for work, unless
 * that is what the work is about.
 */
function isSilent(state: WorldState, board: SymptomBoard, row: number, domains: Domains): boolean {
  const { plant, physical, condition } = state
  const zone = plant.hosts.zone[row]
  const isOut = condition.hostMaintenance[row] > 0 && !board.shows('host-silent', 'Host', row)
  if (isOut || !isPowered(state, zone)) return false
  if (physical.hostRunning[row] === 0) return true
  return announces(state, zone) && domains.edgesOf(row).some((edge) => physical.switchUp[edge] > 0)
}

export function watchNetworkDevices(state: WorldState, board: SymptomBoard): void {
  watchSwitches(state, board)
  watchGateways(state, board)
  watchAppliances(state, board)
}

/** Share of what a fabric carries that must be dropped to be told. */
const droppedShare = 0.002

function watchSwitches(state: WorldState, board: SymptomBoard): void {
  const { plant, physical, network, condition, now } = state
  for (let row = 0; row < plant.switches.count; row++) {
    if (physical.switchUp[row] === 0) {
      if (isPowered(state, plant.switches.zone[row])) board.see('switch-silent', 'Switch', row, 1, now)
      continue
    }
    if (condition.switchSupplyBroken[row] > 0) board.see('switch-supply', 'Switch', row, 1, now)
    if (condition.switchStorm[row] > 0) board.see('switch-storm', 'Switch', row, 1, now)
    const lost = condition.switchFabricLost[row]
    if (lost > 0) board.see('switch-degraded', 'Switch', row, 100 * lost, now)
    const dropped = network.switchDroppedGbps[row]
    if (dropped > droppedShare * plant.switchSkus[plant.switches.sku[row]].fabricGbps) {
      board.see('switch-dropping', 'Switch', row, dropped, now)
    }
  }
}

/** Share of its rated forwarding that a gateway must lack to be told. */
const throttledShare = 0.22

function watchGateways(state: WorldState, board: SymptomBoard): void {
  const { plant, physical, network, now } = state
  for (let row = 0; row < plant.gateways.count; row++) {
    if (physical.gatewayUp[row] === 0) {
      if (isPowered(state, plant.gateways.zone[row])) board.see('gateway-silent', 'Gateway', row, 1, now)
      continue
    }
    if (network.gatewayAdvertising[row] === 0 && hasLine(state, row))
      board.see('gateway-withdrawn', 'Gateway', row, 1, now)
    const fabric = plant.gatewaySkus[plant.gateways.sku[row]].fabricGbps
    const lacking = 1 - network.gatewayCeilingGbps[row] / fabric
    if (lacking > throttledShare) board.see('gateway-throttled', 'Gateway', row, 100 * lacking, now)
    const dropped = network.gatewayDroppedGbps[row]
    if (dropped > droppedShare * fabric) board.see('gateway-dropping', 'Gateway', row, dropped, now)
  }
}

/** Without any line to a carrier it cannot announce anything: then the lines are told. */
function hasLine({ plant, physical }: WorldState, gateway: number): boolean {
  const first = plant.gateways.firstPort[gateway]
  for (let port = first; port < first + plant.gateways.portCount[gateway]; port++)
    if (plant.ports.role[port] === portRole.GatewayWan && physical.portUp[port] > 0) return true
  return false
}

function watchAppliances(state: WorldState, board: SymptomBoard): void {
  const { plant, physical, network, now } = state
  for (let row = 0; row < plant.appliances.count; row++) {
    if (physical.applianceUp[row] === 0) {
      if (isPowered(state, plant.appliances.zone[row]))
        board.see('appliance-silent', 'Appliance', row, 1, now)
      continue
    }
    const dropped = network.applianceDroppedGbps[row]
    const fabric = plant.applianceSkus[plant.appliances.sku[row]].fabricGbps
    if (dropped > droppedShare * fabric) board.see('appliance-dropping', 'Appliance', row, dropped, now)
  }
}
