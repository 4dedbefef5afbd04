import type { NetworkWorld } from '../state.ts'
import { stepSeconds } from '../time.ts'
import { layerOf } from './routing/graph.ts'

/**
 * Frames of 64 bytes per step for each Gbit/s. Counters grow by whole frames: multiples of 64 bytes add up exactly
 * far beyond 2^53, so that a counter does not depend on the frequency of its reads.
 */
const framesPerGbps = (stepSeconds * 125e6) / 64

/** Adds the bytes of the steps since the last call to the counters, which are integers and never decrease. */
export function countBytes(state: NetworkWorld): void {
  const { network } = state
  const { portTxGbps, portRxGbps, portTxBytes, portRxBytes, uncountedSteps } = network
  if (uncountedSteps === 0) return
  network.uncountedSteps = 0
  const { count, a, b } = network.links
  const bytes = 64 * uncountedSteps
  for (let link = 0; link < count; link++) {
    const one = a[link]
    const other = b[link]
    // Both ends of a link see the same traffic.
    const there = Math.round(portTxGbps[one] * framesPerGbps) * bytes
    const back = Math.round(portRxGbps[one] * framesPerGbps) * bytes
    portTxBytes[one] += there
    portRxBytes[other] += there
    portRxBytes[one] += back
    portTxBytes[other] += back
  }
}

/**
 * Sums by zone. WAN traffic is that of the zone's gateways, including traffic of other zones; east-west traffic is
 * that received by the zone's hosts; traffic beyond the capacity of WAN links counts as dropped in the zone of their
 * gateway.
 */
export function sumZones(state: NetworkWorld): void {
  const { network } = state
  const { routes, flows, portTxGbps, portRxGbps, portDroppedGbps } = network
  const { graph } = routes
  const { layerStart, nodeZone } = graph
  network.zoneWanInGbps.fill(0)
  network.zoneWanOutGbps.fill(0)
  network.zoneEastWestGbps.fill(0)
  network.zoneDroppedGbps.fill(0)
  for (let node = 0; node < layerStart[layerOf.carrier]; node++) {
    const dropped = flows.dropped[node] + flows.refused[node] + flows.portDropped[node]
    network.zoneDroppedGbps[nodeZone[node]] += dropped
  }
  for (let appliance = 0; appliance < network.applianceDroppedGbps.length; appliance++) {
    if (graph.applianceNode[appliance] >= 0) continue
    network.zoneDroppedGbps[state.topology.appliances.zone[appliance]] +=
      network.applianceDroppedGbps[appliance]
  }
  for (let host = 0; host < layerStart[layerOf.edge]; host++) {
    network.zoneEastWestGbps[nodeZone[host]] += flows.betweenShare[host] * flows.betweenWanted[host]
  }
  const first = graph.firstLink[layerStart[layerOf.gateway]]
  for (let link = first; link < graph.firstLink[layerStart[layerOf.carrier]]; link++) {
    const zone = nodeZone[graph.linkChild[link]]
    const port = graph.linkChildPort[link]
    network.zoneWanInGbps[zone] += portRxGbps[port]
    network.zoneWanOutGbps[zone] += portTxGbps[port]
    network.zoneDroppedGbps[zone] += portDroppedGbps[graph.linkParentPort[link]]
  }
}
