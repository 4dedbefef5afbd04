import type { Plant } from '../plant/tables.ts'
import type { Network, WorldState } from '../state.ts'
import { addonThrottle } from './capabilities.ts'
import { countBytes, sumZones } from './counters.ts'
import { openDefences } from './defence.ts'
import { flowDownwards } from './downward.ts'
import { createFlowColumns, settledWithin } from './flow-columns.ts'
import { stepsAMinute } from './physical.ts'
import { createRoutes } from './routing.ts'
import { createSaturationWatch, watchSaturation } from './saturation.ts'
import { closeSticks, openSticks, shareSticks } from './sticks.ts'
import { addStorms, narrowLinks, stormedCapacity } from './storms.ts'
import { settleResidual, spreadAttacks } from './targets.ts'
import { flowUpwards } from './upward.ts'

/** Of the steps of a minute, the one in which full links are announced. */
const saturationTick = 3

/**
 * Traffic of a step: from what hosts are asked to carry, over the routes, to what every link and device carries.
 *
 * What equals what, to rounding, at the end of every step:
 * - Both ends of a link agree: `portTxGbps` of one is `portRxGbps` of the other. What does not fit on a link, and
 *   what its wires lose, is `portDroppedGbps` of the port that was to send it, and was not sent.
 * - At a device: received = sent + what its ports drop + what its fabric and rules drop (`switchDroppedGbps`,
 *   `gatewayDroppedGbps`, `applianceDroppedGbps`) + hostile traffic that it stops (`gatewayMitigated`,
 *   `applianceMitigated`, each class times its `gbpsPerUnit`). A host ends what it receives, and what it wants to
 *   send is what it sends and its ports drop.
 * - Over all gateways, WAN received = traffic from users that hosts get (the sum of `wantedInGbps` ×
 *   `hostDeliveredIn`) + `lostInsideGbps` + hostile traffic that got in (`gatewayHostileInGbps`, noise included).
 *   WAN sent = traffic to users that leaves (the sum of `wantedOutGbps` × `hostDeliveredOut`), over reachable
 *   hosts. What WAN lines cannot take in is dropped at carriers' ports and never came in.
 */
export function stepFlows(state: WorldState): void {
  const { network } = state
  if (state.tick % stepsAMinute === saturationTick) watchSaturation(state)
  if (unchanged(state)) {
    network.uncountedSteps++
    settleResidual(state)
    return
  }
  countBytes(state)
  network.flows.settled = true
  openCapacities(state)
  narrowLinks(state)
  shareSticks(state)
  openSticks(state)
  openDefences(state)
  network.lostInsideGbps = 0
  spreadAttacks(state)
  flowUpwards(state)
  flowDownwards(state)
  closeSticks(state)
  settleHosts(state)
  settleDevices(state)
  addStorms(state)
  sumZones(state)
  if (throttleMoved(state)) network.flows.settled = false
  network.uncountedSteps = 1
  settleResidual(state)
}

/** Whether nothing that traffic depends on has changed, and what it makes full has settled. */
function unchanged(state: WorldState): boolean {
  const { known, settled } = state.network.flows
  const load = state.load.version
  const hostile = state.threats.hostile.version
  const { made } = state.network.routes
  const marks = state.condition.version
  const same =
    load === known.load && hostile === known.hostile && made === known.routes && marks === known.marks
  if (same) return settled
  known.load = load
  known.hostile = hostile
  known.routes = made
  known.marks = marks
  return false
}

/** Whether add-ons work so much harder or less than the ceilings of this step reckon with. */
function throttleMoved(state: WorldState): boolean {
  const { plant, condition, network, threats } = state
  for (let gateway = 0; gateway < plant.gateways.count; gateway++) {
    const addons = addonThrottle(plant, gateway, threats.gatewayMitigated, threats.gatewayCapacity)
    const throttle = 1 - (1 - addons) * (1 - condition.gatewayThrottle[gateway])
    if (Math.abs(throttle - network.gatewayThrottle[gateway]) > settledWithin) return true
  }
  return false
}

/** What fabrics carry at most in this step, and which rules drop good traffic. */
function openCapacities(state: WorldState): void {
  const { plant, condition, network, threats } = state
  const { graph } = network.routes
  const { capacity, misrule } = network.flows
  for (let sw = 0; sw < plant.switches.count; sw++) {
    const fabric = plant.switchSkus[plant.switches.sku[sw]].fabricGbps
    capacity[graph.switchNode[sw]] =
      fabric * (1 - condition.switchFabricLost[sw]) * stormedCapacity(condition.switchStorm[sw])
  }
  for (let appliance = 0; appliance < plant.appliances.count; appliance++) {
    const node = graph.applianceNode[appliance]
    if (node < 0) continue
    capacity[node] = network.flows.applianceCeiling[appliance]
    misrule[node] = condition.applianceMisrule[appliance]
  }
  for (let gateway = 0; gateway < plant.gateways.count; gateway++) {
    const addons = addonThrottle(plant, gateway, threats.gatewayMitigated, threats.gatewayCapacity)
    const throttle = 1 - (1 - addons) * (1 - condition.gatewayThrottle[gateway])
    const fabric = plant.gatewaySkus[plant.gateways.sku[gateway]].fabricGbps
    network.gatewayThrottle[gateway] = throttle
    network.gatewayCeilingGbps[gateway] = fabric * (1 - throttle)
    capacity[graph.gatewayNode[gateway]] = fabric * (1 - throttle)
  }
}

function settleHosts(state: WorldState): void {
  const { network } = state
  const { inShare, outShare, queueMs, inspectionMs } = network.flows
  const { hostReachable } = network
  for (let host = 0; host < hostReachable.length; host++) {
    const reachable = hostReachable[host]
    network.hostDeliveredIn[host] = reachable ? inShare[host] : 0
    network.hostDeliveredOut[host] = reachable ? outShare[host] : 0
    network.hostQueueMs[host] = queueMs[host]
    network.hostInspectionMs[host] = inspectionMs[host]
  }
}

function settleDevices(state: WorldState): void {
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

export function createNetwork(plant: Plant): Network {
  const routes = createRoutes(plant)
  const flows = createFlowColumns(plant, routes.graph)
  const columns = (count: number) => () => new Float64Array(count)
  const host = columns(plant.hosts.count)
  const port = columns(plant.ports.count)
  const sw = columns(plant.switches.count)
  const gateway = columns(plant.gateways.count)
  const appliance = columns(plant.appliances.count)
  const zone = columns(plant.zones.length)
  return {
    hostReachable: new Uint8Array(plant.hosts.count),
    hostConnected: new Uint8Array(plant.hosts.count),
    hostDeliveredIn: host(),
    hostDeliveredOut: host(),
    hostQueueMs: host(),
    hostInspectionMs: host(),
    portTxGbps: port(),
    portRxGbps: port(),
    portTxBytes: port(),
    portRxBytes: port(),
    portDroppedGbps: port(),
    switchFabricGbps: sw(),
    switchDroppedGbps: sw(),
    gatewayFabricGbps: gateway(),
    gatewayDroppedGbps: gateway(),
    gatewayCeilingGbps: gateway(),
    gatewayThrottle: gateway(),
    applianceFabricGbps: appliance(),
    applianceDroppedGbps: appliance(),
    applianceRefusedGbps: appliance(),
    gatewayAdvertising: new Uint8Array(plant.gateways.count),
    zoneWanInGbps: zone(),
    zoneWanOutGbps: zone(),
    zoneEastWestGbps: zone(),
    zoneDroppedGbps: zone(),
    routes,
    flows,
    lostInsideGbps: 0,
    saturation: createSaturationWatch(plant.cables.count),
    uncountedSteps: 0,
  }
}
