import type { ApplianceKind, ThreatClass } from '../../contract/vocabularies.ts'
import { threatClassCount, type WorldState } from '../state.ts'
import { inspectionQueueMs, inspectionRestMs } from './queueing.ts'
import { gbpsPerUnit, threatIndex } from './capabilities.ts'
import { settledWithin } from './flow-columns.ts'

/**
 * Appliances beside the path: a share of the traffic of their node goes there over their cable and comes back on
 * it. Where several of a kind hang on a node, each takes its part.
 */

/** Share of good traffic that visits an appliance of a kind, from users and to users. */
const goodShares: Readonly<Record<ApplianceKind, readonly [fromUsers: number, toUsers: number]>> = {
  Firewall: [0, 0],
  DdosScrubber: [0.03, 0],
  IntrusionPrevention: [0.25, 0.1],
  LoadBalancer: [0.4, 0.4],
}

/** Which kind of appliance beside the path a class of hostile traffic is steered to, all of it. */
const steeredTo: Readonly<Record<ThreatClass, ApplianceKind>> = {
  Volumetric: 'DdosScrubber',
  Protocol: 'DdosScrubber',
  Application: 'LoadBalancer',
  Intrusion: 'IntrusionPrevention',
  Scan: 'IntrusionPrevention',
}

const steered: readonly ApplianceKind[] = Object.keys(threatIndex).map(
  (name) => steeredTo[name as ThreatClass],
)

/** Shares of the appliances that are up, made anew with the routes. */
export function shareSticks(state: WorldState): void {
  const { routes, flows } = state.network
  if (flows.version === routes.made) return
  flows.version = routes.made
  const { graph, stickUp } = routes
  const { appliances } = state.plant
  const kindOf = (stick: number): ApplianceKind => appliances.kind[graph.stickAppliance[stick]]
  flows.stickTx.fill(0)
  flows.stickRx.fill(0)
  for (let stick = 0; stick < graph.stickCount; stick++) {
    const node = graph.stickNode[stick]
    let speedOfKind = 0
    for (let other = graph.firstStick[node]; other < graph.firstStick[node + 1]; other++) {
      if (stickUp[other] && kindOf(other) === kindOf(stick)) speedOfKind += graph.stickGbps[other]
    }
    const part = stickUp[stick] ? graph.stickGbps[stick] / speedOfKind : 0
    const [fromUsers, toUsers] = goodShares[kindOf(stick)]
    flows.stickInShare[stick] = fromUsers * part
    flows.stickOutShare[stick] = toUsers * part
    flows.stickSteered[stick] = part
  }
}

/** What cables to appliances and the appliances themselves carry at most in this step. */
export function openSticks(state: WorldState): void {
  const { plant, condition, network } = state
  const { routes, flows } = network
  const { graph } = routes
  for (let appliance = 0; appliance < plant.appliances.count; appliance++) {
    flows.applianceRoom[appliance] = flows.applianceCeiling[appliance]
    flows.applianceOffered[appliance] = 0
    network.applianceDroppedGbps[appliance] = 0
    network.applianceRefusedGbps[appliance] = 0
    network.applianceFabricGbps[appliance] = 0
  }
  for (let stick = 0; stick < graph.stickCount; stick++) {
    flows.stickTx[stick] = 0
    flows.stickRx[stick] = 0
    network.portDroppedGbps[graph.stickPort[stick]] = 0
    const loss =
      (1 - condition.portLoss[graph.stickPort[stick]]) *
      (1 - condition.portLoss[graph.stickAppliancePort[stick]])
    flows.stickRoom[stick] = graph.stickGbps[stick]
    flows.stickWire[stick] = loss
  }
}

/** Sends good traffic to an appliance and back; gives the share that comes back. */
function visit(state: WorldState, stick: number, offered: number, fair: number): number {
  const { routes, flows, portDroppedGbps } = state.network
  const { graph } = routes
  if (offered === 0) return 1
  const appliance = graph.stickAppliance[stick]
  const room = flows.stickRoom[stick]
  const sent = (offered > room ? room : offered) * flows.stickWire[stick]
  flows.stickRoom[stick] -= sent
  flows.stickTx[stick] += sent
  portDroppedGbps[graph.stickPort[stick]] += offered - sent
  flows.portDropped[graph.stickNode[stick]] += offered - sent
  const back = passAppliance(state, appliance, sent * fair, 1 - state.condition.applianceMisrule[appliance])
  flows.applianceOffered[appliance] += sent
  state.network.applianceDroppedGbps[appliance] += sent - back
  flows.stickRx[stick] += back
  return back / offered
}

function passAppliance(state: WorldState, appliance: number, arriving: number, ruled: number): number {
  const { flows, applianceFabricGbps, applianceRefusedGbps } = state.network
  const room = flows.applianceRoom[appliance]
  const through = arriving > room ? room : arriving
  flows.applianceRoom[appliance] -= through
  applianceFabricGbps[appliance] += through
  applianceRefusedGbps[appliance] += through * (1 - ruled)
  return through * ruled
}

/** Traffic to users visits the appliances of its node; gives the share that goes on. */
export function visitSticksUpwards(state: WorldState, node: number, out: number): number {
  const { routes, flows } = state.network
  const { firstStick, stickAppliance } = routes.graph
  let lost = 0
  for (let stick = firstStick[node]; stick < firstStick[node + 1]; stick++) {
    const share = flows.stickOutShare[stick]
    if (share === 0) continue
    const fair = flows.applianceFairShare[stickAppliance[stick]]
    lost += share * (1 - visit(state, stick, out * share, fair))
  }
  return Math.max(0, 1 - lost)
}

/** Hostile traffic at the node that is being settled, by class, before any of it is steered aside. */
const hostileArriving = new Float64Array(threatClassCount)

/** Traffic from users visits the appliances of its node, and hostile traffic those that can stop it. */
export function visitSticksDownwards(state: WorldState, node: number): void {
  const { routes, flows } = state.network
  const { firstStick } = routes.graph
  const arriving = flows.inShare[node] * flows.inWanted[node]
  const { hostile } = state.threats
  for (let threat = 0; threat < threatClassCount; threat++) {
    const at = threat * hostile.nodeCount + node
    hostileArriving[threat] = hostile.share[at] * hostile.wanted[at]
  }
  let lost = 0
  for (let stick = firstStick[node]; stick < firstStick[node + 1]; stick++) {
    const visiting = (flows.stickInShare[stick] + flows.stickOutShare[stick]) / 2
    flows.inspectionMs[node] += visiting * flows.applianceMs[routes.graph.stickAppliance[stick]]
    if (hostile.classCount > 0) steerHostile(state, node, stick)
    const share = flows.stickInShare[stick]
    if (share > 0) lost += share * (1 - visit(state, stick, arriving * share, 1))
  }
  if (lost > 0) {
    state.network.lostInsideGbps += arriving * lost
    flows.inShare[node] *= Math.max(0, 1 - lost)
  }
}

function steerHostile(state: WorldState, node: number, stick: number): void {
  const { routes, flows } = state.network
  const { hostile } = state.threats
  const appliance = routes.graph.stickAppliance[stick]
  const kind = state.plant.appliances.kind[appliance]
  const part = flows.stickSteered[stick]
  for (let i = 0; i < hostile.classCount; i++) {
    const threat = hostile.classes[i]
    const at = threat * hostile.nodeCount + node
    const offered = hostileArriving[threat] * part
    if (steered[threat] !== kind || offered === 0) continue
    const back = visitHostile(state, stick, appliance, threat, offered)
    hostile.share[at] = Math.max(0, hostile.share[at] - (offered - back) / hostile.wanted[at])
  }
}

/** Hostile traffic goes to the appliance, which stops what it can; the rest comes back. */
function visitHostile(
  state: WorldState,
  stick: number,
  appliance: number,
  threat: number,
  offered: number,
): number {
  const { routes, flows, portDroppedGbps, applianceDroppedGbps } = state.network
  const { applianceReaching, applianceMitigated, applianceCapacity } = state.threats
  const room = flows.stickRoom[stick]
  const sent = (offered > room ? room : offered) * flows.stickWire[stick]
  flows.stickRoom[stick] -= sent
  flows.stickTx[stick] += sent
  portDroppedGbps[routes.graph.stickPort[stick]] += offered - sent
  flows.portDropped[routes.graph.stickNode[stick]] += offered - sent
  const at = appliance * threatClassCount + threat
  const left = (applianceCapacity[at] - applianceMitigated[at]) * gbpsPerUnit[threat]
  const stopped = sent < left ? sent : Math.max(0, left)
  applianceReaching[at] += sent / gbpsPerUnit[threat]
  applianceMitigated[at] += stopped / gbpsPerUnit[threat]
  flows.applianceOffered[appliance] += sent - stopped
  const back = passAppliance(state, appliance, sent - stopped, 1)
  applianceDroppedGbps[appliance] += sent - stopped - back
  flows.stickRx[stick] += back
  return back
}

/** Writes the ports of the cables, and how much the appliances let through of what comes up in the next step. */
export function closeSticks(state: WorldState): void {
  const { routes, flows, portTxGbps, portRxGbps } = state.network
  const { graph } = routes
  for (let stick = 0; stick < graph.stickCount; stick++) {
    const port = graph.stickPort[stick]
    const appliancePort = graph.stickAppliancePort[stick]
    portTxGbps[port] = flows.stickTx[stick]
    portRxGbps[appliancePort] = flows.stickTx[stick]
    portTxGbps[appliancePort] = flows.stickRx[stick]
    portRxGbps[port] = flows.stickRx[stick]
  }
  for (let appliance = 0; appliance < flows.applianceOffered.length; appliance++) {
    const offered = flows.applianceOffered[appliance]
    const ceiling = flows.applianceCeiling[appliance]
    const fair = offered > ceiling ? ceiling / offered : 1
    if (Math.abs(fair - flows.applianceFairShare[appliance]) > settledWithin) flows.settled = false
    flows.applianceFairShare[appliance] = fair
    flows.applianceMs[appliance] = inspectionRestMs + inspectionQueueMs(offered, ceiling)
  }
}
