import type { View } from '../part.ts'
import type { Topology } from '../topology/tables.ts'
import { createFlowColumns, type FlowColumns } from './traffic/flow-columns.ts'
import { createLinkIndex, type LinkIndex } from './links/link-index.ts'
import { createRoutes, type Routes } from './routing/routes.ts'
import { createSaturationState, type SaturationState } from './links/saturation-watch.ts'

/** Which links are up, where traffic goes, and what is lost on its way. */
interface PublishedState {
  /** The link of a port carries traffic. */
  readonly portUp: Uint8Array
  readonly portFlaps: Float64Array
  readonly portErrors: Float64Array
  /** Links that lose frames. */
  lossyLinks: number
  /** Ports that drop traffic. */
  droppingPorts: number
  /** Links with a flapping port. */
  flappingLinks: number
  /** Increases whenever a device or a link goes up or down. */
  connectivityVersion: number
  /** Increases whenever routes are recalculated. */
  routeVersion: number
  /** The host runs and at least one path from a gateway of its zone that announces routes leads to it. */
  readonly hostReachable: Uint8Array
  /** Running and reachable from other hosts of the zone. */
  readonly hostConnected: Uint8Array
  /** Share of good traffic that gets through, users to host and host to users. */
  readonly hostDeliveredIn: Float64Array
  readonly hostDeliveredOut: Float64Array
  /** Milliseconds that queues on full links, inspection and detours add on the way. */
  readonly hostQueueMs: Float64Array
  readonly hostInspectionMs: Float64Array
  readonly portTxGbps: Float64Array
  readonly portRxGbps: Float64Array
  /** Up to date after `countBytes`, which the caller runs before reading them. */
  readonly portTxBytes: Float64Array
  readonly portRxBytes: Float64Array
  /** Traffic that did not fit on the link, in the direction out of the port. */
  readonly portDroppedGbps: Float64Array
  readonly switchFabricGbps: Float64Array
  /** Traffic that did not fit in the fabric of the device; with appliances, also what wrong rules refused. */
  readonly switchDroppedGbps: Float64Array
  readonly gatewayFabricGbps: Float64Array
  readonly gatewayDroppedGbps: Float64Array
  readonly gatewayCeilingGbps: Float64Array
  readonly applianceFabricGbps: Float64Array
  readonly applianceDroppedGbps: Float64Array
  /** Good traffic that wrong rules refused. */
  readonly applianceRefusedGbps: Float64Array
  readonly gatewayAdvertising: Uint8Array
  readonly zoneWanInGbps: Float64Array
  readonly zoneWanOutGbps: Float64Array
  readonly zoneEastWestGbps: Float64Array
  readonly zoneDroppedGbps: Float64Array
  /** Share of the forwarding ceiling of a gateway that add-ons take away. */
  readonly gatewayThrottle: Float64Array
  /** Good traffic that entered through a WAN port and was dropped before its host. */
  lostInsideGbps: number
}

/** With the columns that only the network works on. */
export interface NetworkState extends PublishedState {
  /** Derived from the topology; replaced when it changes. */
  links: LinkIndex
  routes: Routes
  flows: FlowColumns
  readonly saturation: SaturationState
  /** Steps whose bytes have not been added to the counters yet. */
  uncountedSteps: number
}

export type NetworkView = View<PublishedState>

export function createNetworkState(topology: Topology): NetworkState {
  const routes = createRoutes(topology)
  const columns = (count: number) => () => new Float64Array(count)
  const host = columns(topology.hosts.capacity)
  const port = columns(topology.ports.capacity)
  const sw = columns(topology.switches.capacity)
  const gateway = columns(topology.gateways.capacity)
  const appliance = columns(topology.appliances.capacity)
  const zone = columns(topology.zones.length)
  return {
    portUp: new Uint8Array(topology.ports.capacity),
    portFlaps: port(),
    portErrors: port(),
    lossyLinks: 0,
    droppingPorts: 0,
    flappingLinks: 0,
    connectivityVersion: 0,
    routeVersion: 0,
    hostReachable: new Uint8Array(topology.hosts.capacity),
    hostConnected: new Uint8Array(topology.hosts.capacity),
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
    gatewayAdvertising: new Uint8Array(topology.gateways.capacity),
    zoneWanInGbps: zone(),
    zoneWanOutGbps: zone(),
    zoneEastWestGbps: zone(),
    zoneDroppedGbps: zone(),
    lostInsideGbps: 0,
    links: createLinkIndex(topology),
    routes,
    flows: createFlowColumns(topology, routes.graph),
    saturation: createSaturationState(topology.cables.capacity),
    uncountedSteps: 0,
  }
}

/** Derives again what follows from the topology. The next step finds all links and routes. */
export function rederiveNetwork(network: NetworkState, topology: Topology): void {
  network.links = createLinkIndex(topology)
  network.routes = createRoutes(topology)
  network.flows = createFlowColumns(topology, network.routes.graph)
}
