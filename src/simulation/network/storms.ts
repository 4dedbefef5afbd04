import type { WorldState } from '../state.ts'
import { layerOf } from './graph.ts'

/**
 * A broadcast storm goes round between a switch and everything plugged into it below the firewalls: as much
 * comes back on each link as goes out. It takes most of these links and of the fabric of the switch.
 */
const stormShare = 0.9

/** Share of the fabric that a storm leaves to everything else. */
export const stormedCapacity = (storms: number): number => (storms > 0 ? 1 - stormShare : 1)

function anyStorm(state: WorldState): boolean {
  const { switchStorm } = state.condition
  for (let sw = 0; sw < switchStorm.length; sw++)
    if (switchStorm[sw] && state.physical.switchUp[sw]) return true
  return false
}

const stormsAt = (state: WorldState, node: number): boolean => {
  const { graph } = state.network.routes
  if (node < graph.layerStart[layerOf.edge] || node >= graph.layerStart[layerOf.firewall]) return false
  const row = graph.nodeRow[node]
  return state.condition.switchStorm[row] > 0 && state.physical.switchUp[row] === 1
}

/** Settles what each link carries at most: less in a storm, and less of what is sent where wires lose frames. */
export function narrowLinks(state: WorldState): void {
  const { routes, flows, portTxGbps, portRxGbps, portDroppedGbps } = state.network
  const { graph } = routes
  const storming = anyStorm(state)
  if (storming || flows.storming) {
    // Storms also fill links that no route uses.
    portTxGbps.fill(0)
    portRxGbps.fill(0)
    portDroppedGbps.fill(0)
  }
  const impaired = storming || state.physical.lossyPorts > 0
  if (impaired || flows.impaired) {
    const { portLoss } = state.condition
    const survives = (one: number, other: number) => (1 - portLoss[one]) * (1 - portLoss[other])
    for (let link = 0; link < graph.linkCount; link++) {
      const flooded = storming && stormTakes(state, link)
      flows.room[link] = flooded ? graph.linkGbps[link] * (1 - stormShare) : graph.linkGbps[link]
      flows.wire[link] = survives(graph.linkChildPort[link], graph.linkParentPort[link])
    }
    for (let peer = 0; peer < graph.peerCount; peer++) {
      flows.peerWire[peer] = survives(graph.peerTxPort[peer], graph.peerRxPort[peer])
    }
  }
  flows.storming = storming
  flows.impaired = impaired
}

function stormTakes(state: WorldState, link: number): boolean {
  const { graph } = state.network.routes
  const parent = graph.linkParent[link]
  if (parent >= graph.layerStart[layerOf.firewall]) return false
  return stormsAt(state, graph.linkChild[link]) || stormsAt(state, parent)
}

/** Adds the storm itself to links, and to the fabric of the switch. */
export function addStorms(state: WorldState): void {
  const { network, plant, condition } = state
  if (!network.flows.storming) return
  const { graph } = network.routes
  for (let sw = 0; sw < plant.switches.count; sw++) {
    if (condition.switchStorm[sw] === 0 || !state.physical.switchUp[sw]) continue
    const fabric = plant.switchSkus[plant.switches.sku[sw]].fabricGbps * (1 - condition.switchFabricLost[sw])
    network.switchFabricGbps[sw] += fabric * stormShare
  }
  for (let link = 0; link < graph.linkCount; link++) {
    const child = graph.linkChildPort[link]
    const parent = graph.linkParentPort[link]
    if (!state.physical.portUp[child] || !stormTakes(state, link)) continue
    const flood = graph.linkGbps[link] * stormShare * network.flows.wire[link]
    network.portTxGbps[child] += flood
    network.portRxGbps[child] += flood
    network.portTxGbps[parent] += flood
    network.portRxGbps[parent] += flood
  }
}
