import { survivingShare } from '../links/frame-loss.ts'
import type { NetworkWorld } from '../../state.ts'
import { layerOf } from '../routing/graph.ts'

/**
 * A broadcast storm circulates between a switch and its neighbors below the firewalls: each of these links carries it
 * in both directions. Storm control limits it to four fifths of the capacity of the links and the switch fabric.
 */
const stormShare = 0.8

/** Share of the fabric available to other traffic. */
export const capacityShareInStorm = (storms: number): number => (storms > 0 ? 1 - stormShare : 1)

function anyStorm(state: NetworkWorld): boolean {
  const { switchStorm } = state.condition
  for (let sw = 0; sw < switchStorm.length; sw++)
    if (switchStorm[sw] && state.facility.switchUp[sw]) return true
  return false
}

const stormsAt = (state: NetworkWorld, node: number): boolean => {
  const { graph } = state.network.routes
  if (node < graph.layerStart[layerOf.edge] || node >= graph.layerStart[layerOf.firewall]) return false
  const row = graph.nodeRow[node]
  return state.condition.switchStorm[row] > 0 && state.facility.switchUp[row] === 1
}

/** Updates link capacities, reduced by storms, and the share of frames that survive each wire. */
export function applyLinkImpairments(state: NetworkWorld): void {
  const { routes, flows, portTxGbps, portRxGbps, portDroppedGbps } = state.network
  const { graph } = routes
  const storming = anyStorm(state)
  if (storming || flows.storming) {
    // Storms also load links without a route.
    portTxGbps.fill(0)
    portRxGbps.fill(0)
    portDroppedGbps.fill(0)
  }
  const impaired = storming || state.network.lossyLinks > 0
  if (impaired || flows.impaired) {
    for (let link = 0; link < graph.linkCount; link++) {
      const flooded = storming && stormTakes(state, link)
      flows.room[link] = flooded ? graph.linkGbps[link] * (1 - stormShare) : graph.linkGbps[link]
      flows.wire[link] = survivingShare(state, graph.linkChildPort[link], graph.linkParentPort[link])
    }
    for (let peer = 0; peer < graph.peerCount; peer++) {
      flows.peerWire[peer] = survivingShare(state, graph.peerTxPort[peer], graph.peerRxPort[peer])
    }
  }
  flows.storming = storming
  flows.impaired = impaired
}

function stormTakes(state: NetworkWorld, link: number): boolean {
  const { graph } = state.network.routes
  const parent = graph.linkParent[link]
  if (parent >= graph.layerStart[layerOf.firewall]) return false
  return stormsAt(state, graph.linkChild[link]) || stormsAt(state, parent)
}

/** Adds the traffic of the storm itself to links and fabrics. */
export function addStorms(state: NetworkWorld): void {
  const { network, topology, condition } = state
  if (!network.flows.storming) return
  const { graph } = network.routes
  for (let sw = 0; sw < topology.switches.count; sw++) {
    if (condition.switchStorm[sw] === 0 || !state.facility.switchUp[sw]) continue
    const fabric =
      topology.switchSkus[topology.switches.sku[sw]].fabricGbps * (1 - condition.switchFabricLost[sw])
    network.switchFabricGbps[sw] += fabric * stormShare
  }
  for (let link = 0; link < graph.linkCount; link++) {
    const child = graph.linkChildPort[link]
    const parent = graph.linkParentPort[link]
    if (!state.network.portUp[child] || !stormTakes(state, link)) continue
    const flood = graph.linkGbps[link] * stormShare * network.flows.wire[link]
    network.portTxGbps[child] += flood
    network.portRxGbps[child] += flood
    network.portTxGbps[parent] += flood
    network.portRxGbps[parent] += flood
  }
}
