import type { View } from '../part.ts'
import type { Topology } from '../topology/tables.ts'
import { createFlowColumns } from './traffic/flow-columns.ts'
import { createLinkIndex } from './links/link-index.ts'
import type { LinkIndex } from './links/link-index.ts'
import { createRoutes } from './routing/routes.ts'

/** Which links are up, where traffic goes, and what is lost on its way. */
type PublishedState = ReturnType<typeof createPublishedState>

function createPublishedState(topology: Topology) {
  const columns = (count: number) => () => new Float64Array(count)
  const host = columns(topology.hosts.capacity)
  const port = columns(topology.ports.capacity)
  const sw = columns(topology.switches.capacity)
  const gateway = columns(topology.gateways.capacity)
  const appliance = columns(topology.appliances.capacity)
  const zone = columns(topology.zones.length)
  return {
    /** The link of a port carries traffic. */
    portUp: new Uint8Array(topology.ports.capacity),
    portFlaps: port(),
    portErrors: port(),
    /** Links that lose frames. */
    lossyLinks: 0,
    /** Ports that drop traffic. */
    droppingPorts: 0,
    /** Links with a flapping port. */
    flappingLinks: 0,
    /** Increases whenever a device or a link goes up or down. */
    connectivityVersion: 0,
    /** Increases whenever routes are recalculated. */
    routeVersion: 0,
    /** The host runs and at least one path from a gateway of its zone that announces routes leads to it. */
    hostReachable: new Uint8Array(topology.hosts.capacity),
    /** Running and reachable from other hosts of the zone. */
    hostConnected: new Uint8Array(topology.hosts.capacity),
    /** Share of good traffic that gets through, users to host and host to users. */
    hostDeliveredIn: host(),
    hostDeliveredOut: host(),
    /** Milliseconds that queues on full links, inspection and detours add on the way. */
    hostQueueMs: host(),
    hostInspectionMs: host(),
    portTxGbps: port(),
    portRxGbps: port(),
    /** Up to date after `countBytes`, which the caller runs before reading them. */
    portTxBytes: port(),
    portRxBytes: port(),
    /** Traffic that did not fit on the link, in the direction out of the port. */
    portDroppedGbps: port(),
    switchFabricGbps: sw(),
    /** Traffic that did not fit in the fabric of the device; with appliances, also what wrong rules refused. */
    switchDroppedGbps: sw(),
    gatewayFabricGbps: gateway(),
    gatewayDroppedGbps: gateway(),
    gatewayCeilingGbps: gateway(),
    /** Share of the forwarding ceiling of a gateway that add-ons take away. */
    gatewayThrottle: gateway(),
    applianceFabricGbps: appliance(),
    applianceDroppedGbps: appliance(),
    /** Good traffic that wrong rules refused. */
    applianceRefusedGbps: appliance(),
    gatewayAdvertising: new Uint8Array(topology.gateways.capacity),
    zoneWanInGbps: zone(),
    zoneWanOutGbps: zone(),
    zoneEastWestGbps: zone(),
    zoneDroppedGbps: zone(),
    /** Good traffic that entered through a WAN port and was dropped before its host. */
    lostInsideGbps: 0,
  }
}

export type NetworkView = View<PublishedState>

export type NetworkState = ReturnType<typeof createNetworkState>

/** With the columns that only the network works on. */
export function createNetworkState(topology: Topology) {
  const routes = createRoutes(topology)
  const links: LinkIndex = createLinkIndex(topology)
  return {
    ...createPublishedState(topology),
    /** Derived from the topology; replaced when it changes. */
    links,
    routes,
    flows: createFlowColumns(topology, routes.graph),
    saturation: {
      /** By cable: minutes for which it has been saturated or, once announced, recovered. */
      minutes: new Uint8Array(topology.cables.capacity),
      announced: new Uint8Array(topology.cables.capacity),
    },
    /** Steps whose bytes have not been added to the counters yet. */
    uncountedSteps: 0,
  }
}

/** Derives again what follows from the topology. The next step finds all links and routes. */
export function rederiveNetwork(network: NetworkState, topology: Topology): void {
  network.links = createLinkIndex(topology)
  network.routes = createRoutes(topology)
  network.flows = createFlowColumns(topology, network.routes.graph)
}
