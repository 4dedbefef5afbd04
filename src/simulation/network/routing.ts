import type { Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'
import { multiZoneCapable } from './capabilities.ts'
import { countBytes } from './counters.ts'
import { type Graph, layGraph, layerOf } from './graph.ts'

/**
 * How far up a node can get. A node uses all links to the best neighbours above it, each in proportion to its
 * speed, and none to worse ones.
 */
export const reach = {
  down: 0,
  /** An edge switch that reaches its own hosts only. */
  rack: 1,
  /** Up to an aggregation switch. */
  row: 2,
  /** Up to a core, but to no gateway. */
  zone: 3,
  /** To a gateway of another zone, over another core. */
  detour: 4,
  /** To a gateway of its own zone that announces routes. */
  gateway: 5,
} as const

/**
 * Where traffic between hosts turns round: under the same edge switch, in the same row of racks, at a core, or
 * over a core in another zone. Services are spread over racks, so most of it leaves the rack.
 */
export const eastWestShares = { rack: 0.2, row: 0.3, zone: 0.44, otherZones: 0.06 } as const

/** Milliseconds there and back over another zone's gateway, within a region and between regions. */
const detourMs = { sameRegion: 1.6, otherRegion: 14 } as const

export interface Routes {
  readonly graph: Graph
  readonly reach: Uint8Array
  /** Share of what a node sends up that takes a link; the shares of a node's links add up to 1, or to 0. */
  readonly linkShare: Float64Array
  /** By direction between cores: share of what a cut-off core sends out that goes this way. */
  readonly detourShare: Float64Array
  /** By direction between cores: share of its traffic to other zones that a core sends this way. */
  readonly exchangeShare: Float64Array
  /** Share of the traffic between hosts that arrives from below and turns round at a node. */
  readonly turnShare: Float64Array
  /** Share of a host's traffic to other hosts that finds a way. */
  readonly hostSendShare: Float64Array
  /** Added by a detour from a core on, there and back. */
  readonly detourMs: Float64Array
  readonly stickUp: Uint8Array
  /** Cores that reach a gateway of their own, or none at all; then those that go over another zone. */
  readonly coreOrder: Int32Array
  detouringCores: number
  /** The `topologyVersion` for which this holds. */
  version: number
  /** How often routes were laid. */
  made: number
}

export function createRoutes(plant: Plant): Routes {
  const graph = layGraph(plant)
  const cores = graph.layerStart[layerOf.core + 1] - graph.layerStart[layerOf.core]
  return {
    graph,
    reach: new Uint8Array(graph.nodeCount),
    linkShare: new Float64Array(graph.linkCount),
    detourShare: new Float64Array(graph.peerCount),
    exchangeShare: new Float64Array(graph.peerCount),
    turnShare: new Float64Array(graph.nodeCount),
    hostSendShare: new Float64Array(plant.hosts.count),
    detourMs: new Float64Array(graph.nodeCount),
    stickUp: new Uint8Array(graph.stickCount),
    coreOrder: new Int32Array(cores),
    detouringCores: 0,
    version: -1,
    made: 0,
  }
}

/** Lays routes anew when a device, a link or an announcement has changed. */
export function stepRouting(state: WorldState): void {
  const { routes } = state.network
  const announcementsChanged = settleAnnouncements(state)
  if (routes.version === state.physical.topologyVersion && !announcementsChanged) return
  routes.version = state.physical.topologyVersion
  routes.made++
  reachFromAbove(state)
  for (let node = 0; node < routes.graph.nodeCount; node++) shareLinks(state, node)
  orderCores(routes)
  sharePeers(state)
  settleTurns(routes)
  settleHosts(state)
  settleSticks(state)
  const { portTxGbps, portRxGbps, portDroppedGbps } = state.network
  countBytes(state)
  portTxGbps.fill(0)
  portRxGbps.fill(0)
  portDroppedGbps.fill(0)
}

/** A gateway announces routes while it is up, has not stopped by mistake, and has a line to a carrier. */
function settleAnnouncements(state: WorldState): boolean {
  const { gatewayAdvertising, routes } = state.network
  const { graph } = routes
  let changed = false
  for (let gateway = 0; gateway < gatewayAdvertising.length; gateway++) {
    const node = graph.gatewayNode[gateway]
    let lines = 0
    for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
      lines += state.physical.portUp[graph.linkChildPort[link]]
    }
    const able = state.physical.gatewayUp[gateway] === 1 && lines > 0
    const advertising = able && state.condition.gatewayWithdrawn[gateway] === 0 ? 1 : 0
    if (advertising === gatewayAdvertising[gateway]) continue
    gatewayAdvertising[gateway] = advertising
    changed = true
  }
  return changed
}

function reachFromAbove(state: WorldState): void {
  const { graph, reach: reached } = state.network.routes
  const { layerStart } = graph
  reached.fill(reach.gateway, layerStart[layerOf.carrier])
  for (let node = layerStart[layerOf.gateway]; node < layerStart[layerOf.carrier]; node++) {
    reached[node] = state.network.gatewayAdvertising[graph.nodeRow[node]] ? reach.gateway : reach.down
  }
  for (let node = layerStart[layerOf.firewall]; node < layerStart[layerOf.gateway]; node++) {
    reached[node] = state.physical.applianceUp[graph.nodeRow[node]] ? bestAbove(state, node) : reach.down
  }
  const alone = [reach.down, reach.rack, reach.row, reach.zone]
  const firstCore = layerStart[layerOf.core]
  for (let node = layerStart[layerOf.firewall] - 1; node >= firstCore; node--) {
    const up = state.physical.switchUp[graph.nodeRow[node]]
    reached[node] = up ? Math.max(reach.zone, bestAbove(state, node)) : reach.down
  }
  reachOverOtherZones(state)
  for (let layer = layerOf.aggregation; layer >= layerOf.edge; layer--) {
    for (let node = layerStart[layer]; node < layerStart[layer + 1]; node++) {
      const up = state.physical.switchUp[graph.nodeRow[node]]
      reached[node] = up ? Math.max(alone[layer], bestAbove(state, node)) : reach.down
    }
  }
  for (let host = 0; host < layerStart[layerOf.edge]; host++) {
    reached[host] = state.physical.hostRunning[host] ? bestAbove(state, host) : reach.down
  }
}

function bestAbove(state: WorldState, node: number): number {
  const { graph, reach: reached } = state.network.routes
  let best: number = reach.down
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
    const above = reached[graph.linkParent[link]]
    if (above > best && state.physical.portUp[graph.linkChildPort[link]]) best = above
  }
  return best
}

/** A core without a gateway goes over cores of other zones whose gateways can take over. */
function reachOverOtherZones(state: WorldState): void {
  const { graph, reach: reached, detourMs: added } = state.network.routes
  const zones = state.plant.zones
  added.fill(0)
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const from = graph.peerFrom[peer]
    const to = graph.peerTo[peer]
    if (!takesOver(state, peer)) continue
    const near = zones[graph.nodeZone[from]].region === zones[graph.nodeZone[to]].region
    reached[from] = reach.detour
    added[from] = Math.max(added[from], near ? detourMs.sameRegion : detourMs.otherRegion)
  }
}

function takesOver(state: WorldState, peer: number): boolean {
  const { graph, reach: reached } = state.network.routes
  const from = reached[graph.peerFrom[peer]]
  if (from !== reach.zone && from !== reach.detour) return false
  if (reached[graph.peerTo[peer]] !== reach.gateway) return false
  if (!state.physical.portUp[graph.peerTxPort[peer]]) return false
  const { gateways } = state.plant.zones[graph.nodeZone[graph.peerTo[peer]]]
  return gateways.some((gateway) => multiZoneCapable(state.plant, gateway))
}

function shareLinks(state: WorldState, node: number): void {
  const { graph, reach: reached, linkShare } = state.network.routes
  const own = reached[node]
  let sum = 0
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
    const usable = own > 0 && reached[graph.linkParent[link]] === own
    const up = usable && state.physical.portUp[graph.linkChildPort[link]] === 1
    linkShare[link] = up ? graph.linkGbps[link] : 0
    sum += linkShare[link]
  }
  if (sum === 0) return
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) linkShare[link] /= sum
}

function orderCores(routes: Routes): void {
  const { graph, reach: reached, coreOrder } = routes
  const firstCore = graph.layerStart[layerOf.core]
  let filled = 0
  for (const detouring of [false, true]) {
    for (let i = 0; i < coreOrder.length; i++) {
      if ((reached[firstCore + i] === reach.detour) === detouring) coreOrder[filled++] = firstCore + i
    }
    if (!detouring) routes.detouringCores = coreOrder.length - filled
  }
}

function sharePeers(state: WorldState): void {
  const { graph, reach: reached, detourShare, exchangeShare } = state.network.routes
  const detourSum = new Float64Array(graph.nodeCount)
  const exchangeSum = new Float64Array(graph.nodeCount)
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const from = graph.peerFrom[peer]
    const up = state.physical.portUp[graph.peerTxPort[peer]] === 1
    exchangeShare[peer] = up ? graph.peerGbps[peer] : 0
    const detours = up && reached[from] === reach.detour && takesOver(state, peer)
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

/** What turns round at a node, of the traffic between hosts that comes up to it. */
function settleTurns(routes: Routes): void {
  const { graph, reach: reached, turnShare } = routes
  const { rack, row } = eastWestShares
  const { layerStart } = graph
  turnShare.fill(0)
  for (let node = layerStart[layerOf.edge]; node < layerStart[layerOf.firewall]; node++) {
    const own = reached[node]
    if (node >= layerStart[layerOf.core]) turnShare[node] = 1
    else if (node >= layerStart[layerOf.aggregation])
      turnShare[node] = own <= reach.row ? 1 : row / (1 - rack)
    else turnShare[node] = own === reach.rack ? 1 : own === reach.row ? rack / (rack + row) : rack
  }
}

function settleHosts(state: WorldState): void {
  const { hostReachable, hostConnected, routes } = state.network
  const { rack, row } = eastWestShares
  for (let host = 0; host < hostReachable.length; host++) {
    const own = routes.reach[host]
    hostReachable[host] = own >= reach.detour ? 1 : 0
    hostConnected[host] = own >= reach.zone ? 1 : 0
    const sends = own >= reach.zone ? 1 : own === reach.row ? rack + row : own === reach.rack ? rack : 0
    routes.hostSendShare[host] = sends
  }
}

function settleSticks(state: WorldState): void {
  const { graph, stickUp } = state.network.routes
  for (let stick = 0; stick < graph.stickCount; stick++) {
    const up = state.physical.applianceUp[graph.stickAppliance[stick]]
    stickUp[stick] = up && state.physical.portUp[graph.stickPort[stick]] ? 1 : 0
  }
}
