import type { TrafficWorld } from '../../state.ts'
import { layerOf } from '../routing/graph.ts'
import { linkQueueMs } from './queueing.ts'
import { eastWestShares } from '../routing/routing.ts'
import { inspectEgress } from './one-arm-appliances.ts'

/** The upward pass: user traffic to the carriers, and east-west traffic to its turning node. */
export function runEgressPass(state: TrafficWorld): void {
  const { routes } = state.network
  const { layerStart } = routes.graph
  const { coreOrder } = routes
  const direct = coreOrder.length - routes.detouringCores
  startAtHosts(state)
  passNodes(state, 0, layerStart[layerOf.core])
  updateExchange(state)
  for (let i = direct; i < coreOrder.length; i++) passNodes(state, coreOrder[i], coreOrder[i] + 1)
  for (let i = direct; i < coreOrder.length; i++) passToOtherZones(state, coreOrder[i])
  for (let i = 0; i < direct; i++) passNodes(state, coreOrder[i], coreOrder[i] + 1)
  exchangeBetweenZones(state)
  passNodes(state, layerStart[layerOf.firewall], layerStart[layerOf.carrier])
}

function startAtHosts(state: TrafficWorld): void {
  const { routes, flows, hostReachable } = state.network
  const { wantedInGbps, wantedOutGbps, wantedEastWestGbps } = state.load
  const { hostSendShare } = routes
  const { out, between, inWanted, betweenWanted } = flows
  const hosts = routes.graph.layerStart[layerOf.edge]
  for (let host = 0; host < hosts; host++) {
    const reachable = hostReachable[host]
    const sent = wantedEastWestGbps[host] * hostSendShare[host]
    out[host] = reachable ? wantedOutGbps[host] : 0
    inWanted[host] = reachable ? wantedInGbps[host] : 0
    between[host] = sent
    betweenWanted[host] = sent
  }
  out.fill(0, hosts)
  between.fill(0, hosts)
  inWanted.fill(0, hosts)
  betweenWanted.fill(0, hosts)
  flows.exchanged.fill(0)
  flows.dropped.fill(0)
  flows.refused.fill(0)
  flows.portDropped.fill(0)
}

/** Passes traffic up through the nodes in [`first`, `end`), and over their links. */
function passNodes(state: TrafficWorld, first: number, end: number): void {
  const { portTxGbps, portRxGbps, portDroppedGbps, routes, flows } = state.network
  const { graph, linkShare } = routes
  const { firstLink, linkParent, linkChildPort, linkParentPort } = graph
  const { out, between, inWanted, betweenWanted, portDropped, room, wire, linkPassUp, linkQueueUp } = flows
  const { impaired } = flows
  const hosts = graph.layerStart[layerOf.edge]
  for (let node = first; node < end; node++) {
    if (node >= hosts) passNodeUpwards(state, node)
    const offeredAll = out[node] + between[node]
    for (let link = firstLink[node]; link < firstLink[node + 1]; link++) {
      const share = linkShare[link]
      if (share === 0) continue
      const parent = linkParent[link]
      const offered = offeredAll * share
      const limit = room[link]
      let pass = offered > limit ? limit / offered : 1
      if (impaired) pass *= wire[link]
      const sent = offered * pass
      const port = linkChildPort[link]
      portTxGbps[port] = sent
      portRxGbps[linkParentPort[link]] = sent
      portDroppedGbps[port] = offered - sent
      portDropped[node] += offered - sent
      out[parent] += out[node] * share * pass
      between[parent] += between[node] * share * pass
      inWanted[parent] += inWanted[node] * share
      betweenWanted[parent] += betweenWanted[node] * share
      linkPassUp[link] = pass
      linkQueueUp[link] = linkQueueMs(offered, limit)
    }
  }
}

/** Applies fabric, rules and one-arm appliances of a node to upward traffic, and turns its share around. */
function passNodeUpwards(state: TrafficWorld, node: number): void {
  const { flows, routes } = state.network
  const { out, between, capacity, fairShare } = flows
  const arriving = out[node] + between[node]
  const room = capacity[node]
  const fair = fairShare[node]
  const pass = arriving * fair > room ? room / arriving : fair
  flows.offeredUp[node] = arriving
  flows.through[node] = arriving * pass
  const ruled = 1 - flows.misrule[node]
  flows.dropped[node] += arriving * (1 - pass)
  flows.refused[node] += out[node] * pass * (1 - ruled)
  out[node] *= pass * ruled
  const turning = between[node] * pass * routes.turnShare[node]
  between[node] = between[node] * pass - turning
  flows.turned[node] = turning
  flows.outPass[node] = pass * ruled
  const { firstOneArm } = routes.graph
  if (firstOneArm[node] < firstOneArm[node + 1]) {
    const back = inspectEgress(state, node, out[node])
    out[node] *= back
    flows.outPass[node] *= back
  }
}

/** Cores of different zones exchange equal amounts of their turning traffic: the minimum of the two demands. */
function updateExchange(state: TrafficWorld): void {
  const { routes, flows } = state.network
  const { graph, exchangeShare } = routes
  const { betweenWanted, exchange, exchangeOut } = flows
  const part = eastWestShares.otherZones / (eastWestShares.otherZones + eastWestShares.zone)
  const ofAll = 1 - eastWestShares.rack - eastWestShares.row
  exchangeOut.fill(0)
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const from = graph.peerFrom[peer]
    const mine = betweenWanted[from] * ofAll * part * exchangeShare[peer]
    const theirs = betweenWanted[graph.peerTo[peer]] * ofAll * part * exchangeShare[peer ^ 1]
    const exchanged = mine < theirs ? mine : theirs
    exchange[peer] = exchanged > 0 ? exchanged / (betweenWanted[from] * ofAll) : 0
    exchangeOut[from] += exchange[peer]
  }
}

/** Sends the user traffic of a core without a gateway to the cores that take over, with its exchange with them. */
function passToOtherZones(state: TrafficWorld, core: number): void {
  const { routes, flows } = state.network
  const { graph, detourShare } = routes
  const { out, inWanted, turned, exchange, exchanged } = flows
  const before = out[core]
  const wanted = inWanted[core]
  for (let peer = 0; peer < graph.peerCount; peer++) {
    const share = detourShare[peer]
    if (graph.peerFrom[peer] !== core || share === 0) continue
    const to = graph.peerTo[peer]
    const exchanging = turned[core] * exchange[peer]
    const pass = sendOverPeer(state, peer, before * share + exchanging)
    out[to] += before * share * pass
    inWanted[to] += wanted * share
    exchanged[to] += exchanging * pass
  }
}

/** Exchanges traffic on links without a detour. On one, the ingress pass exchanges it with the returning traffic. */
function exchangeBetweenZones(state: TrafficWorld): void {
  const { routes, flows } = state.network
  const { graph, detourShare } = routes
  for (let peer = 0; peer < graph.peerCount; peer++) {
    if (detourShare[peer] > 0 || detourShare[peer ^ 1] > 0 || routes.exchangeShare[peer] === 0) continue
    const exchanging = flows.turned[graph.peerFrom[peer]] * flows.exchange[peer]
    const pass = sendOverPeer(state, peer, exchanging)
    flows.exchanged[graph.peerTo[peer]] += exchanging * pass
  }
}

/** Sends traffic over a link between cores of different zones and returns the delivered share. */
export function sendOverPeer(state: TrafficWorld, peer: number, offered: number): number {
  const { portTxGbps, portRxGbps, portDroppedGbps, routes, flows } = state.network
  const { graph } = routes
  const room = graph.peerGbps[peer]
  const pass = (offered > room ? room / offered : 1) * flows.peerWire[peer]
  const sent = offered * pass
  portTxGbps[graph.peerTxPort[peer]] = sent
  portRxGbps[graph.peerRxPort[peer]] = sent
  portDroppedGbps[graph.peerTxPort[peer]] = offered - sent
  flows.portDropped[graph.peerFrom[peer]] += offered - sent
  flows.peerPass[peer] = pass
  return pass
}
