import type { TrafficWorld } from '../../state.ts'
import { mitigateAtFirewall, mitigateAtGateway } from '../threats/threat-mitigation.ts'
import { shareTolerance } from './flow-columns.ts'
import { layerOf } from '../routing/graph.ts'
import { fabricQueueMs, inspectionQueueMs, inspectionRestMs, linkQueueMs } from './queueing.ts'
import { reachLevel } from '../routing/routing.ts'
import { inspectIngress } from './one-arm-appliances.ts'
import { sendOverPeer } from './egress-pass.ts'

/**
 * The downward pass: traffic from users, hostile traffic, and east-west traffic from its turning node, with the
 * delivered shares and queueing delays, which accumulate from the top. Parents are settled before their children.
 */
export function runIngressPass(state: TrafficWorld): void {
  const { routes, flows } = state.network
  const { layerStart, nodeCount } = routes.graph
  const { coreOrder } = routes
  const { hostile } = state.threats
  const firstCarrier = layerStart[layerOf.carrier]
  flows.inShare.fill(1, firstCarrier)
  flows.outShare.fill(1, firstCarrier)
  flows.betweenShare.fill(0, firstCarrier)
  flows.queueMs.fill(0, firstCarrier)
  flows.inspectionMs.fill(0, firstCarrier)
  for (let i = 0; i < hostile.classCount; i++) {
    const from = hostile.classes[i] * nodeCount
    hostile.share.fill(1, from + firstCarrier, from + nodeCount)
  }
  passNodes(state, layerStart[layerOf.firewall], firstCarrier)
  for (const core of coreOrder) passNodes(state, core, core + 1)
  passNodes(state, 0, layerStart[layerOf.core])
}

/** Passes traffic down to and through the nodes in [`first`, `end`), from the top. */
function passNodes(state: TrafficWorld, first: number, end: number): void {
  const { network, threats } = state
  const { portTxGbps, portRxGbps, portDroppedGbps, routes, flows } = network
  const { graph, linkShare } = routes
  const { firstLink, linkParent, linkChildPort, linkParentPort, layerStart } = graph
  const { inWanted, betweenWanted, inShare, betweenShare, outShare, queueMs, inspectionMs, noise } = flows
  const { room, wire, portDropped, linkPassUp, linkQueueUp } = flows
  const { impaired } = flows
  const attacked = threats.hostile.classCount > 0
  const firstEdge = layerStart[layerOf.edge]
  const firstCarrier = layerStart[layerOf.carrier]
  for (let node = end - 1; node >= first; node--) {
    const wanted = inWanted[node]
    const between = betweenWanted[node]
    let arriving = 0
    let arrivingBetween = 0
    let arrivingNoise = 0
    let delivered = 0
    let queue = 0
    let inspection = 0
    if (attacked) clearHostile(state, node)
    for (let link = firstLink[node]; link < firstLink[node + 1]; link++) {
      const share = linkShare[link]
      if (share === 0) continue
      const parent = linkParent[link]
      const good = share * inShare[parent] * wanted
      let offered = good + share * (betweenShare[parent] * between + noise[node])
      if (attacked) offered += share * hostileFrom(state, parent, node)
      const limit = room[link]
      let pass = offered > limit ? limit / offered : 1
      if (impaired) pass *= wire[link]
      const sent = offered * pass
      const port = linkParentPort[link]
      portTxGbps[port] = sent
      portRxGbps[linkChildPort[link]] = sent
      portDroppedGbps[port] = offered - sent
      if (pass < 1) {
        portDropped[parent] += offered - sent
        if (parent < firstCarrier) network.lostInsideGbps += good * (1 - pass)
      }
      const taken = share * pass
      if (attacked) takeHostile(state, parent, node, taken)
      arriving += taken * inShare[parent]
      arrivingBetween += taken * betweenShare[parent]
      arrivingNoise += taken
      delivered += share * linkPassUp[link] * outShare[parent]
      queue += share * (queueMs[parent] + linkQueueMs(offered, limit) + linkQueueUp[link])
      inspection += share * inspectionMs[parent]
    }
    inShare[node] = arriving
    betweenShare[node] = arrivingBetween
    outShare[node] = delivered
    queueMs[node] = queue
    inspectionMs[node] = inspection
    if (node < firstEdge) continue
    flows.noiseShare[node] = arrivingNoise
    settleNode(state, node)
  }
}

function settleNode(state: TrafficWorld, node: number): void {
  const { graph } = state.network.routes
  const { layerStart } = graph
  if (node >= layerStart[layerOf.gateway]) mitigateAtGateway(state, graph.nodeRow[node], node)
  else if (node >= layerStart[layerOf.firewall]) mitigateAtFirewall(state, graph.nodeRow[node], node)
  else if (node >= layerStart[layerOf.core]) takeFromOtherZones(state, node)
  passNodeDownwards(state, node)
}

function clearHostile(state: TrafficWorld, node: number): void {
  const { hostile } = state.threats
  for (let i = 0; i < hostile.classCount; i++) {
    hostile.share[hostile.classes[i] * hostile.nodeCount + node] = 0
  }
}

/** Hostile traffic at `parent` that is destined for `node` or below. */
function hostileFrom(state: TrafficWorld, parent: number, node: number): number {
  const { hostile } = state.threats
  let sum = 0
  for (let i = 0; i < hostile.classCount; i++) {
    const first = hostile.classes[i] * hostile.nodeCount
    sum += hostile.share[first + parent] * hostile.wanted[first + node]
  }
  return sum
}

function takeHostile(state: TrafficWorld, parent: number, node: number, taken: number): void {
  const { hostile } = state.threats
  for (let i = 0; i < hostile.classCount; i++) {
    const first = hostile.classes[i] * hostile.nodeCount
    hostile.share[first + node] += taken * hostile.share[first + parent]
  }
}

/** Receives the returning traffic of a core's detour, and the exchanged traffic of other zones. */
function takeFromOtherZones(state: TrafficWorld, core: number): void {
  const { routes, flows } = state.network
  const { graph, detourShare } = routes
  const { inShare, outShare, queueMs, inspectionMs } = flows
  const betweenWanted = flows.betweenWanted[core]
  const { classCount } = state.threats.hostile
  for (let peer = 0; peer < graph.peerCount && routes.reach[core] === reachLevel.detour; peer++) {
    const share = detourShare[peer]
    if (graph.peerFrom[peer] !== core || share === 0) continue
    const other = graph.peerTo[peer]
    const back = peer ^ 1
    const good = share * inShare[other] * flows.inWanted[core]
    const exchanging = flows.turned[other] * flows.exchange[back]
    const attacking = classCount > 0 ? share * hostileFrom(state, other, core) : 0
    const pass = sendOverPeer(state, back, good + exchanging + attacking)
    state.network.lostInsideGbps += good * (1 - pass)
    flows.exchanged[core] += exchanging * pass
    if (classCount > 0) takeHostile(state, other, core, share * pass)
    inShare[core] += share * pass * inShare[other]
    outShare[core] += share * flows.peerPass[peer] * outShare[other]
    queueMs[core] += share * queueMs[other]
    inspectionMs[core] += share * inspectionMs[other]
  }
  queueMs[core] += routes.detourMs[core]
  if (betweenWanted > 0) flows.betweenShare[core] += flows.exchanged[core] / betweenWanted
}

/** Applies the fabric, the rules and the one-arm appliances of a node to downward traffic. */
function passNodeDownwards(state: TrafficWorld, node: number): void {
  const { routes, flows } = state.network
  const { inShare, inWanted, betweenShare, betweenWanted, capacity } = flows
  const { classCount } = state.threats.hostile
  const good = inShare[node] * inWanted[node]
  let arriving = good + betweenShare[node] * betweenWanted[node]
  if (classCount > 0) arriving += hostileFrom(state, node, node)
  const room = Math.max(0, capacity[node] - flows.through[node])
  const pass = arriving > room ? room / arriving : 1
  const ruled = 1 - flows.misrule[node]
  const wanting = flows.offeredUp[node] + arriving
  const fair = wanting > capacity[node] ? capacity[node] / wanting : 1
  if (Math.abs(fair - flows.fairShare[node]) > shareTolerance) flows.settled = false
  flows.fairShare[node] = fair
  flows.through[node] += arriving * pass
  if (pass < 1 || ruled < 1) {
    flows.dropped[node] += arriving * (1 - pass)
    flows.refused[node] += good * pass * (1 - ruled)
    state.network.lostInsideGbps += good * (1 - pass * ruled)
    inShare[node] *= pass * ruled
    betweenShare[node] *= pass
    if (classCount > 0) scaleHostile(state, node, pass)
  }
  const { graph } = routes
  if (graph.firstOneArm[node] < graph.firstOneArm[node + 1]) inspectIngress(state, node)
  if (betweenWanted[node] > 0) {
    const staying = flows.turned[node] * (1 - flows.exchangeOut[node])
    betweenShare[node] += staying / betweenWanted[node]
  }
  flows.outShare[node] *= flows.outPass[node]
  if (node >= graph.layerStart[layerOf.firewall] && node < graph.layerStart[layerOf.gateway]) {
    flows.inspectionMs[node] += inspectionRestMs + inspectionQueueMs(flows.through[node], capacity[node])
  } else flows.queueMs[node] += fabricQueueMs(wanting, capacity[node])
}

function scaleHostile(state: TrafficWorld, node: number, pass: number): void {
  const { hostile } = state.threats
  for (let i = 0; i < hostile.classCount; i++) {
    hostile.share[hostile.classes[i] * hostile.nodeCount + node] *= pass
  }
}
