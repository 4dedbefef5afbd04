import type { TrafficWorld } from '../../state.ts'
import { addonThrottle, inspectionCapacityGbps } from '../capabilities.ts'
import { countBytes, sumZones } from '../counters.ts'
import { resetMitigation } from '../threats/threat-mitigation.ts'
import { runIngressPass } from './ingress-pass.ts'
import { shareTolerance } from './flow-columns.ts'
import { takeVersions } from '../../part.ts'
import { isDue, schedule } from '../../schedule.ts'
import { announceSaturation } from '../links/saturation.ts'
import { closeOneArmLinks, openOneArmLinks, updateInspectionShares } from './one-arm-appliances.ts'
import { addStorms, applyLinkImpairments, capacityShareInStorm } from './storms.ts'
import { recordRemainders, spreadAttacks } from '../threats/attack-distribution.ts'
import { runEgressPass } from './egress-pass.ts'

/**
 * Traffic of a step: from the load of the hosts, over the routes, to the traffic of every link and device.
 *
 * Invariants at the end of every step, up to rounding:
 * - Both ends of a link agree: `portTxGbps` of one is `portRxGbps` of the other. What does not fit on a link, and
 *   what its wire loses, is `portDroppedGbps` of the sending port, and does not count as sent.
 * - At a device: received = sent + what its ports drop + what its fabric and rules drop (`switchDroppedGbps`,
 *   `gatewayDroppedGbps`, `applianceDroppedGbps`) + hostile traffic that it mitigates (`gatewayMitigated`,
 *   `applianceMitigated`, each class times its `gbpsPerUnit`). A host consumes what it receives, and its demand to
 *   send is what it sends plus what its ports drop.
 * - Over all gateways, WAN received = traffic from users that hosts get (the sum of `wantedInGbps` ×
 *   `hostDeliveredIn`) + `lostInsideGbps` + hostile traffic that got in (`gatewayHostileInGbps`, noise included).
 *   WAN sent = traffic to users that leaves (the sum of `wantedOutGbps` × `hostDeliveredOut`), over reachable
 *   hosts. What WAN lines cannot accept is dropped at the carriers' ports and never enters.
 */
export function stepFlows(state: TrafficWorld): void {
  const { network } = state
  if (isDue(schedule.linkSaturation, state.tick)) announceSaturation(state)
  if (inputsUnchanged(state)) {
    network.uncountedSteps++
    recordRemainders(state)
    return
  }
  countBytes(state)
  network.flows.settled = true
  updateCapacities(state)
  applyLinkImpairments(state)
  updateInspectionShares(state)
  openOneArmLinks(state)
  resetMitigation(state)
  network.lostInsideGbps = 0
  spreadAttacks(state)
  runEgressPass(state)
  runIngressPass(state)
  closeOneArmLinks(state)
  publishHostFlows(state)
  publishDeviceFlows(state)
  addStorms(state)
  countDroppingPorts(state)
  sumZones(state)
  if (isThrottleChanged(state)) network.flows.settled = false
  network.uncountedSteps = 1
  network.flowVersion++
  recordRemainders(state)
}

/** Allows readers to skip a search for dropping ports in the usual case of none. */
function countDroppingPorts({ topology, network }: TrafficWorld): void {
  const { portDroppedGbps } = network
  network.droppingPorts = 0
  for (let port = 0; port < topology.ports.count; port++)
    if (portDroppedGbps[port] > 0) network.droppingPorts++
}

/** Whether the flows remain the same: their inputs are unchanged and their feedback has converged. */
function inputsUnchanged(state: TrafficWorld): boolean {
  const { load, threats, condition, network } = state
  const { flows, routeVersion } = network
  const changed = takeVersions(
    flows.known,
    load.version,
    threats.hostile.version,
    routeVersion,
    condition.version,
  )
  return !changed && flows.settled
}

/** Whether the load of add-ons differs from the load assumed for the ceilings of this step. */
function isThrottleChanged(state: TrafficWorld): boolean {
  const { topology, condition, network, threats } = state
  for (let gateway = 0; gateway < topology.gateways.count; gateway++) {
    const addons = addonThrottle(topology, gateway, threats.gatewayMitigated, threats.gatewayCapacity)
    const throttle = 1 - (1 - addons) * (1 - condition.gatewayThrottle[gateway])
    if (Math.abs(throttle - network.gatewayThrottle[gateway]) > shareTolerance) return true
  }
  return false
}

/** Updates the capacity of every fabric, and the drops of wrong rules. */
function updateCapacities(state: TrafficWorld): void {
  const { topology, condition, network, threats } = state
  const { graph } = network.routes
  const { capacity, misrule } = network.flows
  for (let sw = 0; sw < topology.switches.count; sw++) {
    const fabric = topology.switchSkus[topology.switches.sku[sw]].fabricGbps
    capacity[graph.switchNode[sw]] =
      fabric * (1 - condition.switchFabricLost[sw]) * capacityShareInStorm(condition.switchStorm[sw])
  }
  for (let appliance = 0; appliance < topology.appliances.count; appliance++) {
    network.flows.applianceCeiling[appliance] =
      inspectionCapacityGbps(topology, appliance) * (1 - condition.applianceUnlicensed[appliance])
    const node = graph.applianceNode[appliance]
    if (node < 0) continue
    capacity[node] = network.flows.applianceCeiling[appliance]
    misrule[node] = condition.applianceMisrule[appliance]
  }
  for (let gateway = 0; gateway < topology.gateways.count; gateway++) {
    const addons = addonThrottle(topology, gateway, threats.gatewayMitigated, threats.gatewayCapacity)
    const throttle = 1 - (1 - addons) * (1 - condition.gatewayThrottle[gateway])
    const fabric = topology.gatewaySkus[topology.gateways.sku[gateway]].fabricGbps
    network.gatewayThrottle[gateway] = throttle
    const ceiling = fabric * (1 - throttle) * (1 - condition.gatewayForeign[gateway])
    network.gatewayCeilingGbps[gateway] = ceiling
    capacity[graph.gatewayNode[gateway]] = ceiling
  }
}

function publishHostFlows(state: TrafficWorld): void {
  const { network } = state
  const { inShare, outShare, queueMs, inspectionMs } = network.flows
  const { hostReachable } = network
  const hosts = state.topology.hosts.count
  for (let host = 0; host < hosts; host++) {
    const reachable = hostReachable[host]
    network.hostDeliveredIn[host] = reachable ? inShare[host] : 0
    network.hostDeliveredOut[host] = reachable ? outShare[host] : 0
    network.hostQueueMs[host] = queueMs[host]
    network.hostInspectionMs[host] = inspectionMs[host]
  }
}

function publishDeviceFlows(state: TrafficWorld): void {
  const { network } = state
  const { graph } = network.routes
  const { through, dropped, refused, capacity } = network.flows
  for (let sw = 0; sw < graph.switchNode.length; sw++) {
    const node = graph.switchNode[sw]
    network.switchFabricGbps[sw] = Math.min(through[node], capacity[node])
    network.switchDroppedGbps[sw] = dropped[node]
  }
  for (let gateway = 0; gateway < graph.gatewayNode.length; gateway++) {
    const node = graph.gatewayNode[gateway]
    network.gatewayFabricGbps[gateway] = Math.min(through[node], capacity[node])
    network.gatewayDroppedGbps[gateway] = dropped[node]
  }
  for (let appliance = 0; appliance < graph.applianceNode.length; appliance++) {
    const node = graph.applianceNode[appliance]
    if (node < 0) continue
    network.applianceFabricGbps[appliance] = Math.min(through[node], capacity[node])
    network.applianceDroppedGbps[appliance] = dropped[node] + refused[node]
    network.applianceRefusedGbps[appliance] = refused[node]
  }
}
