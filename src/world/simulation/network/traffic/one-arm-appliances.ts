import { survivingShare } from '../links/frame-loss.ts'
import { threatClassCount } from '../../../../contract/vocabularies.ts'
import type { ApplianceKind, ThreatClass } from '../../../../contract/vocabularies.ts'
import type { TrafficWorld } from '../../state.ts'
import { inspectionQueueMs, inspectionRestMs } from './queueing.ts'
import { gbpsPerUnit, threatIndex } from '../capabilities.ts'
import { shareTolerance } from './flow-columns.ts'

/**
 * One-arm appliances: part of a node's traffic passes over a cable to the appliance and back. Appliances of one kind
 * at a node share the load.
 */

/** Inspected shares of legitimate traffic by kind of appliance, from users and to users. */
const inspectedShares: Readonly<Record<ApplianceKind, readonly [fromUsers: number, toUsers: number]>> = {
  Firewall: [0, 0],
  DdosScrubber: [0.03, 0],
  IntrusionPrevention: [0.25, 0.1],
  LoadBalancer: [0.4, 0.4],
}

/** The kind of one-arm appliance that receives all hostile traffic of a class. */
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

/** Updates the shares of the running appliances after a change of routes. */
export function updateInspectionShares(state: TrafficWorld): void {
  const { routes, flows, routeVersion } = state.network
  if (flows.routeVersion === routeVersion) return
  flows.routeVersion = routeVersion
  const { graph, oneArmUp } = routes
  const { appliances } = state.topology
  const kindOf = (oneArm: number): ApplianceKind => appliances.kind[graph.oneArmAppliance[oneArm]]
  flows.oneArmTx.fill(0)
  flows.oneArmRx.fill(0)
  for (let oneArm = 0; oneArm < graph.oneArmCount; oneArm++) {
    const node = graph.oneArmNode[oneArm]
    let speedOfKind = 0
    for (let other = graph.firstOneArm[node]; other < graph.firstOneArm[node + 1]; other++) {
      if (oneArmUp[other] && kindOf(other) === kindOf(oneArm)) speedOfKind += graph.oneArmGbps[other]
    }
    const part = oneArmUp[oneArm] ? graph.oneArmGbps[oneArm] / speedOfKind : 0
    const [fromUsers, toUsers] = inspectedShares[kindOf(oneArm)]
    flows.oneArmInShare[oneArm] = fromUsers * part
    flows.oneArmOutShare[oneArm] = toUsers * part
    flows.oneArmSteered[oneArm] = part
  }
}

/** Resets the available capacity of appliances and their cables for this step. */
export function openOneArmLinks(state: TrafficWorld): void {
  const { topology, network } = state
  const { routes, flows } = network
  const { graph } = routes
  for (let appliance = 0; appliance < topology.appliances.count; appliance++) {
    flows.applianceRoom[appliance] = flows.applianceCeiling[appliance]
    flows.applianceOffered[appliance] = 0
    network.applianceDroppedGbps[appliance] = 0
    network.applianceRefusedGbps[appliance] = 0
    network.applianceFabricGbps[appliance] = 0
  }
  for (let oneArm = 0; oneArm < graph.oneArmCount; oneArm++) {
    flows.oneArmTx[oneArm] = 0
    flows.oneArmRx[oneArm] = 0
    network.portDroppedGbps[graph.oneArmPort[oneArm]] = 0
    flows.oneArmRoom[oneArm] = graph.oneArmGbps[oneArm]
    flows.oneArmWire[oneArm] = survivingShare(
      state,
      graph.oneArmPort[oneArm],
      graph.oneArmAppliancePort[oneArm],
    )
  }
}

/** Sends legitimate traffic through an appliance and returns the share that comes back. */
function inspect(state: TrafficWorld, oneArm: number, offered: number, fair: number): number {
  const { routes, flows, portDroppedGbps } = state.network
  const { graph } = routes
  if (offered === 0) return 1
  const appliance = graph.oneArmAppliance[oneArm]
  const room = flows.oneArmRoom[oneArm]
  const sent = (offered > room ? room : offered) * flows.oneArmWire[oneArm]
  flows.oneArmRoom[oneArm] -= sent
  flows.oneArmTx[oneArm] += sent
  portDroppedGbps[graph.oneArmPort[oneArm]] += offered - sent
  flows.portDropped[graph.oneArmNode[oneArm]] += offered - sent
  const back = passAppliance(state, appliance, sent * fair, 1 - state.condition.applianceMisrule[appliance])
  flows.applianceOffered[appliance] += sent
  state.network.applianceDroppedGbps[appliance] += sent - back
  flows.oneArmRx[oneArm] += back
  return back / offered
}

function passAppliance(state: TrafficWorld, appliance: number, arriving: number, ruled: number): number {
  const { flows, applianceFabricGbps, applianceRefusedGbps } = state.network
  const room = flows.applianceRoom[appliance]
  const through = arriving > room ? room : arriving
  flows.applianceRoom[appliance] -= through
  applianceFabricGbps[appliance] += through
  applianceRefusedGbps[appliance] += through * (1 - ruled)
  return through * ruled
}

/** Passes traffic to users through the appliances of its node and returns the remaining share. */
export function inspectEgress(state: TrafficWorld, node: number, out: number): number {
  const { routes, flows } = state.network
  const { firstOneArm, oneArmAppliance } = routes.graph
  let lost = 0
  for (let oneArm = firstOneArm[node]; oneArm < firstOneArm[node + 1]; oneArm++) {
    const share = flows.oneArmOutShare[oneArm]
    if (share === 0) continue
    const fair = flows.applianceFairShare[oneArmAppliance[oneArm]]
    lost += share * (1 - inspect(state, oneArm, out * share, fair))
  }
  return Math.max(0, 1 - lost)
}

/** Scratch: hostile traffic arriving at the current node, by class, before it is steered to appliances. */
const hostileArriving = new Float64Array(threatClassCount)

/** Passes traffic of users through the appliances of its node, hostile traffic through those that mitigate it. */
export function inspectIngress(state: TrafficWorld, node: number): void {
  const { routes, flows } = state.network
  const { firstOneArm } = routes.graph
  const arriving = flows.inShare[node] * flows.inWanted[node]
  const { hostile } = state.threats
  for (let threat = 0; threat < threatClassCount; threat++) {
    const at = threat * hostile.nodeCount + node
    hostileArriving[threat] = hostile.share[at] * hostile.wanted[at]
  }
  let lost = 0
  for (let oneArm = firstOneArm[node]; oneArm < firstOneArm[node + 1]; oneArm++) {
    const visiting = (flows.oneArmInShare[oneArm] + flows.oneArmOutShare[oneArm]) / 2
    flows.inspectionMs[node] += visiting * flows.applianceMs[routes.graph.oneArmAppliance[oneArm]]
    if (hostile.classCount > 0) steerHostile(state, node, oneArm)
    const share = flows.oneArmInShare[oneArm]
    if (share > 0) lost += share * (1 - inspect(state, oneArm, arriving * share, 1))
  }
  if (lost > 0) {
    state.network.lostInsideGbps += arriving * lost
    flows.inShare[node] *= Math.max(0, 1 - lost)
  }
}

function steerHostile(state: TrafficWorld, node: number, oneArm: number): void {
  const { routes, flows } = state.network
  const { hostile } = state.threats
  const appliance = routes.graph.oneArmAppliance[oneArm]
  const kind = state.topology.appliances.kind[appliance]
  const part = flows.oneArmSteered[oneArm]
  for (let i = 0; i < hostile.classCount; i++) {
    const threat = hostile.classes[i]
    const at = threat * hostile.nodeCount + node
    const offered = hostileArriving[threat] * part
    if (steered[threat] !== kind || offered === 0) continue
    const back = inspectHostile(state, oneArm, appliance, threat, offered)
    hostile.share[at] = Math.max(0, hostile.share[at] - (offered - back) / hostile.wanted[at])
  }
}

/** Sends hostile traffic through an appliance, which mitigates it up to its capacity, and returns the remainder. */
function inspectHostile(
  state: TrafficWorld,
  oneArm: number,
  appliance: number,
  threat: number,
  offered: number,
): number {
  const { routes, flows, portDroppedGbps, applianceDroppedGbps } = state.network
  const { applianceReaching, applianceMitigated, applianceCapacity } = state.threats
  const room = flows.oneArmRoom[oneArm]
  const sent = (offered > room ? room : offered) * flows.oneArmWire[oneArm]
  flows.oneArmRoom[oneArm] -= sent
  flows.oneArmTx[oneArm] += sent
  portDroppedGbps[routes.graph.oneArmPort[oneArm]] += offered - sent
  flows.portDropped[routes.graph.oneArmNode[oneArm]] += offered - sent
  const at = appliance * threatClassCount + threat
  const left = (applianceCapacity[at] - applianceMitigated[at]) * gbpsPerUnit[threat]
  const stopped = sent < left ? sent : Math.max(0, left)
  applianceReaching[at] += sent / gbpsPerUnit[threat]
  applianceMitigated[at] += stopped / gbpsPerUnit[threat]
  flows.applianceOffered[appliance] += sent - stopped
  const back = passAppliance(state, appliance, sent - stopped, 1)
  applianceDroppedGbps[appliance] += sent - stopped - back
  flows.oneArmRx[oneArm] += back
  return back
}

/** Writes the traffic of the cables' ports, and the fair share of each appliance for the next upward pass. */
export function closeOneArmLinks(state: TrafficWorld): void {
  const { routes, flows, portTxGbps, portRxGbps } = state.network
  const { graph } = routes
  for (let oneArm = 0; oneArm < graph.oneArmCount; oneArm++) {
    const port = graph.oneArmPort[oneArm]
    const appliancePort = graph.oneArmAppliancePort[oneArm]
    portTxGbps[port] = flows.oneArmTx[oneArm]
    portRxGbps[appliancePort] = flows.oneArmTx[oneArm]
    portTxGbps[appliancePort] = flows.oneArmRx[oneArm]
    portRxGbps[port] = flows.oneArmRx[oneArm]
  }
  for (let appliance = 0; appliance < flows.applianceOffered.length; appliance++) {
    const offered = flows.applianceOffered[appliance]
    const ceiling = flows.applianceCeiling[appliance]
    const fair = offered > ceiling ? ceiling / offered : 1
    if (Math.abs(fair - flows.applianceFairShare[appliance]) > shareTolerance) flows.settled = false
    flows.applianceFairShare[appliance] = fair
    flows.applianceMs[appliance] = inspectionRestMs + inspectionQueueMs(offered, ceiling)
  }
}
