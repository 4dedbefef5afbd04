import { takesFractions } from '../part.ts'
import type { View } from '../part.ts'
import type { Topology } from '../topology/tables.ts'
import { createFlowColumns } from './traffic/flow-columns.ts'
import { createLinkIndex } from './links/link-index.ts'
import type { LinkIndex } from './links/link-index.ts'
import { createRoutes } from './routing/routes.ts'

/** Link states, traffic, and losses. */
type PublishedState = ReturnType<typeof createPublishedState>

function createPublishedState(topology: Topology) {
  const columns = (count: number) => () => new Float64Array(count)
  const host = columns(topology.hosts.capacity)
  const port = columns(topology.ports.capacity)
  const sw = columns(topology.switches.capacity)
  const gateway = columns(topology.gateways.capacity)
  const appliance = columns(topology.appliances.capacity)
  const zone = columns(topology.zoneCapacity)
  return {
    /** Whether the link of a port carries traffic. */
    portUp: new Uint8Array(topology.ports.capacity),
    portFlaps: port(),
    portErrors: port(),
    /** Number of links that lose frames. */
    lossyLinks: 0,
    /** Number of ports that drop traffic. */
    droppingPorts: 0,
    /** Number of links with a flapping port. */
    flappingLinks: 0,
    /** Increases whenever a device or a link goes up or down. */
    connectivityVersion: 0,
    /** Increases whenever routes are recalculated. */
    routeVersion: 0,
    /** Increases whenever the traffic is recalculated. */
    flowVersion: 0,
    /** Running, with a path from a gateway of its zone that announces routes. */
    hostReachable: new Uint8Array(topology.hosts.capacity),
    /** Running and reachable from other hosts of the zone. */
    hostConnected: new Uint8Array(topology.hosts.capacity),
    /** Delivered share of legitimate traffic, from users to the host and from the host to users. */
    hostDeliveredIn: host(),
    hostDeliveredOut: host(),
    /** Latency added by queues on full links and detours, and by inspection. */
    hostQueueMs: host(),
    hostInspectionMs: host(),
    portTxGbps: port(),
    portRxGbps: port(),
    /** Updated by `countBytes`, which callers run before reading them. */
    portTxBytes: port(),
    portRxBytes: port(),
    /** Traffic beyond the capacity of the link, in the egress direction of the port. */
    portDroppedGbps: port(),
    switchFabricGbps: sw(),
    /** Traffic beyond the capacity of the fabric; for appliances, also the traffic denied by wrong rules. */
    switchDroppedGbps: sw(),
    gatewayFabricGbps: gateway(),
    gatewayDroppedGbps: gateway(),
    gatewayCeilingGbps: gateway(),
    /** Share of a gateway's forwarding ceiling consumed by add-ons. */
    gatewayThrottle: gateway(),
    applianceFabricGbps: appliance(),
    applianceDroppedGbps: appliance(),
    /** Legitimate traffic denied by wrong rules. */
    applianceRefusedGbps: appliance(),
    gatewayAdvertising: new Uint8Array(topology.gateways.capacity),
    zoneWanInGbps: zone(),
    zoneWanOutGbps: zone(),
    zoneEastWestGbps: zone(),
    zoneDroppedGbps: zone(),
    /** Legitimate traffic that entered through a WAN port and was dropped on the way to its host. */
    lostInsideGbps: 0,
  }
}

export type NetworkView = View<PublishedState>

export type NetworkState = ReturnType<typeof createNetworkState>

/** The published state with the internal columns of the network. */
export function createNetworkState(topology: Topology) {
  const routes = createRoutes(topology)
  const links: LinkIndex = createLinkIndex(topology)
  return {
    ...takesFractions(createPublishedState(topology)),
    /** Derived from the topology; replaced when it changes. */
    links,
    routes,
    flows: createFlowColumns(topology, routes.graph),
    saturation: {
      /** By cable: minutes of saturation or, once announced, of recovery. */
      minutes: new Uint8Array(topology.cables.capacity),
      announced: new Uint8Array(topology.cables.capacity),
      /** Cables with a count of minutes, or announced as saturated. */
      watched: 0,
    },
    /** Steps whose bytes the counters do not include yet. */
    uncountedSteps: 0,
  }
}

/** Rebuilds the columns derived from the topology. The next step recalculates all links and routes. */
export function rederiveNetwork(network: NetworkState, topology: Topology): void {
  network.links = createLinkIndex(topology)
  network.routes = createRoutes(topology)
  network.flows = createFlowColumns(topology, network.routes.graph)
}
