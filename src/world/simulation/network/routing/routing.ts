import type { NetworkWorld } from '../../state.ts'
import { multiZoneCapable } from '../capabilities.ts'
import { takeVersions } from '../../part.ts'
import { countBytes } from '../counters.ts'
import { layerOf } from './graph.ts'
import type { Routes } from './routes.ts'

/**
 * The highest tier that a node reaches. A node uses all links to its best parents, in proportion to their speed, and
 * no other links.
 */
export const reachLevel = {
  down: 0,
  /** An edge switch that reaches only its own hosts. */
  rack: 1,
  /** Up to an aggregation switch. */
  row: 2,
  /** Up to a core, but to no gateway. */
  zone: 3,
  /** To a gateway of another zone, through another core. */
  detour: 4,
  /** To a gateway of its own zone that announces routes. */
  gateway: 5,
} as const

/**
 * Turnaround of east-west traffic: at the edge switch, in the same row of racks, at a core, or at a core of another
 * zone. Services are spread over racks, so most of their traffic leaves the rack.
 */
export const eastWestShares = { rack: 0.2, row: 0.3, zone: 0.44, otherZones: 0.06 } as const

/** Round-trip latency added by a detour through another zone's gateway. */
const detourMs = { sameRegion: 1.6, otherRegion: 14 } as const

/** Recalculates routes after a change of a device, a link or a route announcement. */
export function stepRoutes(state: NetworkWorld): void {
  const { routes, connectivityVersion: linksVersion } = state.network
  if (!takeVersions(routes.known, linksVersion, state.facility.version, state.condition.version)) return
  const announcementsChanged = updateAnnouncements(state)
  const { connectivityVersion } = state.network
  if (routes.connectivityVersion === connectivityVersion && !announcementsChanged) return
  routes.connectivityVersion = connectivityVersion
  state.network.routeVersion++
  reachFromAbove(state)
  for (let node = 0; node < routes.graph.nodeCount; node++) updateLinkShares(state, node)
  updateCoreOrder(routes)
  updatePeerShares(state)
  updateTurnShares(routes)
  updateHostReachability(state)
  updateOneArmLinks(state)
  const { portTxGbps, portRxGbps, portDroppedGbps } = state.network
  countBytes(state)
  portTxGbps.fill(0)
  portRxGbps.fill(0)
  portDroppedGbps.fill(0)
}

/** A gateway announces routes while it is up, has a link to a carrier, and has not withdrawn them by mistake. */
function updateAnnouncements(state: NetworkWorld): boolean {
  const { gatewayAdvertising, routes } = state.network
  const { graph } = routes
  let changed = false
  for (let gateway = 0; gateway < gatewayAdvertising.length; gateway++) {
    const node = graph.gatewayNode[gateway]
    let lines = 0
    for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
      lines += state.network.portUp[graph.linkChildPort[link]]
    }
    const able = state.facility.gatewayUp[gateway] === 1 && lines > 0
    const advertising = able && state.condition.gatewayWithdrawn[gateway] === 0 ? 1 : 0
    if (advertising === gatewayAdvertising[gateway]) continue
    gatewayAdvertising[gateway] = advertising
    changed = true
  }
  return changed
}

function reachFromAbove(state: NetworkWorld): void {
  const { graph, reach: reached } = state.network.routes
  const { layerStart } = graph
  reached.fill(reachLevel.gateway, layerStart[layerOf.carrier])
  for (let node = layerStart[layerOf.gateway]; node < layerStart[layerOf.carrier]; node++) {
    reached[node] = state.network.gatewayAdvertising[graph.nodeRow[node]]
      ? reachLevel.gateway
      : reachLevel.down
  }
  for (let node = layerStart[layerOf.firewall]; node < layerStart[layerOf.gateway]; node++) {
    reached[node] = state.facility.applianceUp[graph.nodeRow[node]] ? bestAbove(state, node) : reachLevel.down
  }
  const alone = [reachLevel.down, reachLevel.rack, reachLevel.row, reachLevel.zone]
  const firstCore = layerStart[layerOf.core]
  for (let node = layerStart[layerOf.firewall] - 1; node >= firstCore; node--) {
    const up = state.facility.switchUp[graph.nodeRow[node]]
    reached[node] = up ? Math.max(reachLevel.zone, bestAbove(state, node)) : reachLevel.down
  }
  reachOverOtherZones(state)
  for (let layer = layerOf.aggregation; layer >= layerOf.edge; layer--) {
    for (let node = layerStart[layer]; node < layerStart[layer + 1]; node++) {
      const up = state.facility.switchUp[graph.nodeRow[node]]
      reached[node] = up ? Math.max(alone[layer], bestAbove(state, node)) : reachLevel.down
    }
  }
  for (let host = 0; host < layerStart[layerOf.edge]; host++) {
    reached[host] = state.facility.hostRunning[host] ? bestAbove(state, host) : reachLevel.down
  }
}

function bestAbove(state: NetworkWorld, node: number): number {
  const { graph, reach: reached } = state.network.routes
  let best: number = reachLevel.down
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
    const above = reached[graph.linkParent[link]]
    if (above > best && state.network.portUp[graph.linkChildPort[link]]) best = above
  }
  return best
}

/** A core without a gateway detours through cores of other zones whose gateways can take over. */
function reachOverOtherZones(state: NetworkWorld): void {
  const { graph, reach: reached, detourMs: added } = state.network.routes
  const zones = state.topology.zones
  added.fill(0)
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const from = graph.peerFrom[peer]
    const to = graph.peerTo[peer]
    if (!canTakeOver(state, peer)) continue
    const near = zones[graph.nodeZone[from]].region === zones[graph.nodeZone[to]].region
    reached[from] = reachLevel.detour
    added[from] = Math.max(added[from], near ? detourMs.sameRegion : detourMs.otherRegion)
  }
}

function canTakeOver(state: NetworkWorld, peer: number): boolean {
  const { graph, reach: reached } = state.network.routes
  const from = reached[graph.peerFrom[peer]]
  if (from !== reachLevel.zone && from !== reachLevel.detour) return false
  if (reached[graph.peerTo[peer]] !== reachLevel.gateway) return false
  if (!state.network.portUp[graph.peerTxPort[peer]]) return false
  const { gateways } = state.topology.zones[graph.nodeZone[graph.peerTo[peer]]]
  return gateways.some((gateway) => multiZoneCapable(state.topology, gateway))
}

function updateLinkShares(state: NetworkWorld, node: number): void {
  const { graph, reach: reached, linkShare } = state.network.routes
  const own = reached[node]
  let sum = 0
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
    const usable = own > 0 && reached[graph.linkParent[link]] === own
    const up = usable && state.network.portUp[graph.linkChildPort[link]] === 1
    linkShare[link] = up ? graph.linkGbps[link] : 0
    sum += linkShare[link]
  }
  if (sum === 0) return
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) linkShare[link] /= sum
}

function updateCoreOrder(routes: Routes): void {
  const { graph, reach: reached, coreOrder } = routes
  const firstCore = graph.layerStart[layerOf.core]
  let filled = 0
  for (const detouring of [false, true]) {
    for (let i = 0; i < coreOrder.length; i++) {
      if ((reached[firstCore + i] === reachLevel.detour) === detouring) coreOrder[filled++] = firstCore + i
    }
    if (!detouring) routes.detouringCores = coreOrder.length - filled
  }
}

function updatePeerShares(state: NetworkWorld): void {
  const { graph, reach: reached, detourShare, exchangeShare } = state.network.routes
  const detourSum = new Float64Array(graph.nodeCount)
  const exchangeSum = new Float64Array(graph.nodeCount)
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const from = graph.peerFrom[peer]
    const up = state.network.portUp[graph.peerTxPort[peer]] === 1
    exchangeShare[peer] = up ? graph.peerGbps[peer] : 0
    const detours = up && reached[from] === reachLevel.detour && canTakeOver(state, peer)
    detourShare[peer] = detours ? graph.peerGbps[peer] : 0
    exchangeSum[from] += exchangeShare[peer]
    detourSum[from] += detourShare[peer]
  }
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const from = graph.peerFrom[peer]
    if (exchangeSum[from] > 0) exchangeShare[peer] /= exchangeSum[from]
    if (detourSum[from] > 0) detourShare[peer] /= detourSum[from]
  }
}

/** Updates the share of the east-west traffic from below that turns around at each node. */
function updateTurnShares(routes: Routes): void {
  const { graph, reach: reached, turnShare } = routes
  const { rack, row } = eastWestShares
  const { layerStart } = graph
  turnShare.fill(0)
  for (let node = layerStart[layerOf.edge]; node < layerStart[layerOf.firewall]; node++) {
    const own = reached[node]
    if (node >= layerStart[layerOf.core]) turnShare[node] = 1
    else if (node >= layerStart[layerOf.aggregation])
      turnShare[node] = own <= reachLevel.row ? 1 : row / (1 - rack)
    else turnShare[node] = own === reachLevel.rack ? 1 : own === reachLevel.row ? rack / (rack + row) : rack
  }
}

function updateHostReachability(state: NetworkWorld): void {
  const { hostReachable, hostConnected, routes } = state.network
  const hosts = routes.graph.layerStart[layerOf.edge]
  const { rack, row } = eastWestShares
  for (let host = 0; host < hosts; host++) {
    const own = routes.reach[host]
    hostReachable[host] = own >= reachLevel.detour ? 1 : 0
    hostConnected[host] = own >= reachLevel.zone ? 1 : 0
    const sends =
      own >= reachLevel.zone ? 1 : own === reachLevel.row ? rack + row : own === reachLevel.rack ? rack : 0
    routes.hostSendShare[host] = sends
  }
}

function updateOneArmLinks(state: NetworkWorld): void {
  const { graph, oneArmUp } = state.network.routes
  for (let oneArm = 0; oneArm < graph.oneArmCount; oneArm++) {
    const up = state.facility.applianceUp[graph.oneArmAppliance[oneArm]]
    oneArmUp[oneArm] = up && state.network.portUp[graph.oneArmPort[oneArm]] ? 1 : 0
  }
}
