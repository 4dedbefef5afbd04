import type { Topology } from '../../topology/tables.ts'
import { deviceKind } from '../../topology/tables.ts'

/**
 * The topology as layers of nodes: every trunk leads from a lower layer to a higher one, so that one upward pass
 * settles the traffic to users, and one downward pass the traffic from users. Built once; routes are shares of its
 * links.
 */

const layers = ['host', 'edge', 'aggregation', 'core', 'firewall', 'gateway', 'carrier'] as const
type Layer = (typeof layers)[number]
export const layerOf = Object.fromEntries(layers.map((name, index) => [name, index])) as Record<Layer, number>

export interface Graph {
  readonly nodeCount: number
  /** Nodes of layer n are [`layerStart[n]`, `layerStart[n + 1]`); hosts come first, by row. */
  readonly layerStart: Int32Array
  readonly nodeRow: Int32Array
  /** -1 for carriers. */
  readonly nodeZone: Int32Array
  readonly switchNode: Int32Array
  /** -1 for one-arm appliances. */
  readonly applianceNode: Int32Array
  readonly gatewayNode: Int32Array
  /** Links between layers, ascending by the lower node; those of a node begin at `firstLink[node]`. */
  readonly linkCount: number
  readonly firstLink: Int32Array
  readonly linkChild: Int32Array
  readonly linkParent: Int32Array
  readonly linkChildPort: Int32Array
  readonly linkParentPort: Int32Array
  readonly linkGbps: Float64Array
  /** Both directions of each link between cores of different zones; the reverse of direction `n` is `n ^ 1`. */
  readonly peerCount: number
  readonly peerFrom: Int32Array
  readonly peerTo: Int32Array
  readonly peerTxPort: Int32Array
  readonly peerRxPort: Int32Array
  readonly peerGbps: Float64Array
  /** Links to one-arm appliances, ascending by their attachment node. */
  readonly oneArmCount: number
  readonly firstOneArm: Int32Array
  readonly oneArmNode: Int32Array
  readonly oneArmAppliance: Int32Array
  readonly oneArmPort: Int32Array
  readonly oneArmAppliancePort: Int32Array
  readonly oneArmGbps: Float64Array
}

export function nodeCountOf(topology: Topology): number {
  const firewalls = topology.appliances.kind.filter((kind) => kind === 'Firewall').length
  return (
    topology.hosts.count +
    topology.switches.count +
    firewalls +
    topology.gateways.count +
    topology.carriers.length
  )
}

interface Nodes {
  readonly layerStart: Int32Array
  readonly row: Int32Array
  readonly zone: Int32Array
  readonly bySwitch: Int32Array
  readonly byAppliance: Int32Array
  readonly byGateway: Int32Array
  readonly firstCarrier: number
}

function buildNodes(topology: Topology): Nodes {
  const bySwitch = new Int32Array(topology.switches.count).fill(-1)
  const byAppliance = new Int32Array(topology.appliances.count).fill(-1)
  const byGateway = new Int32Array(topology.gateways.count).fill(-1)
  const layerStart = new Int32Array(layers.length + 1)
  const row: number[] = []
  const zone: number[] = []
  const lay = (layer: Layer, rows: Iterable<number>, zoneOf: (row: number) => number, by?: Int32Array) => {
    layerStart[layerOf[layer]] = row.length
    for (const device of rows) {
      if (by) by[device] = row.length
      row.push(device)
      zone.push(zoneOf(device))
    }
  }
  const all = (count: number) => Array.from({ length: count }, (_, index) => index)
  const switchesOf = (role: string) =>
    all(topology.switches.count).filter((sw) => topology.switches.role[sw] === role)
  const zoneOfSwitch = (sw: number) => topology.switches.zone[sw]
  lay('host', all(topology.hosts.count), (host) => topology.hosts.zone[host])
  for (const role of ['edge', 'aggregation', 'core'] as const)
    lay(role, switchesOf(role), zoneOfSwitch, bySwitch)
  const firewalls = all(topology.appliances.count).filter(
    (device) => topology.appliances.kind[device] === 'Firewall',
  )
  lay('firewall', firewalls, (device) => topology.appliances.zone[device], byAppliance)
  lay('gateway', all(topology.gateways.count), (gateway) => topology.gateways.zone[gateway], byGateway)
  const firstCarrier = row.length
  lay('carrier', all(topology.carriers.length), () => -1)
  layerStart[layers.length] = row.length
  return {
    layerStart,
    row: Int32Array.from(row),
    zone: Int32Array.from(zone),
    bySwitch,
    byAppliance,
    byGateway,
    firstCarrier,
  }
}

/** The node of a port's device; -1 for panels and one-arm appliances. */
function nodeOfPort(topology: Topology, nodes: Nodes, port: number): number {
  const device = topology.ports.device[port]
  switch (topology.ports.deviceKind[port]) {
    case deviceKind.Host:
      return device
    case deviceKind.Switch:
      return nodes.bySwitch[device]
    case deviceKind.Appliance:
      return nodes.byAppliance[device]
    case deviceKind.Gateway:
      return nodes.byGateway[device]
    case deviceKind.Upstream:
      return nodes.firstCarrier + device
    default:
      return -1
  }
}

interface End {
  readonly node: number
  readonly other: number
  readonly port: number
  readonly otherPort: number
}

interface Wiring {
  readonly links: End[]
  readonly peers: End[]
  readonly oneArms: End[]
}

function wire(topology: Topology, nodes: Nodes): Wiring {
  const layerOfNode = (node: number): number => {
    let layer = 0
    while (nodes.layerStart[layer + 1] <= node) layer++
    return layer
  }
  const wiring: Wiring = { links: [], peers: [], oneArms: [] }
  for (let port = 0; port < topology.ports.count; port++) {
    const otherPort = topology.ports.peer[port]
    if (otherPort < 0) continue
    const node = nodeOfPort(topology, nodes, port)
    const other = nodeOfPort(topology, nodes, otherPort)
    if (node < 0) continue
    if (other < 0) wiring.oneArms.push({ node, other: topology.ports.device[otherPort], port, otherPort })
    else if (layerOfNode(node) < layerOfNode(other)) wiring.links.push({ node, other, port, otherPort })
    else if (layerOfNode(node) === layerOfNode(other) && port < otherPort) {
      wiring.peers.push({ node, other, port, otherPort })
      wiring.peers.push({ node: other, other: node, port: otherPort, otherPort: port })
    }
  }
  const byNode = (a: End, b: End) => a.node - b.node || a.port - b.port
  wiring.links.sort(byNode)
  wiring.oneArms.sort(byNode)
  return wiring
}

function firstOf(ends: readonly End[], nodeCount: number): Int32Array {
  const first = new Int32Array(nodeCount + 1)
  for (const end of ends) first[end.node + 1]++
  for (let node = 0; node < nodeCount; node++) first[node + 1] += first[node]
  return first
}

const column = (ends: readonly End[], pick: (end: End) => number): Int32Array => Int32Array.from(ends, pick)

export function buildGraph(topology: Topology): Graph {
  const nodes = buildNodes(topology)
  const { links, peers, oneArms } = wire(topology, nodes)
  const nodeCount = nodeCountOf(topology)
  const speed = (ends: readonly End[]) =>
    Float64Array.from(ends, (end) =>
      Math.min(topology.ports.capacityGbps[end.port], topology.ports.capacityGbps[end.otherPort]),
    )
  return {
    nodeCount,
    layerStart: nodes.layerStart,
    nodeRow: nodes.row,
    nodeZone: nodes.zone,
    switchNode: nodes.bySwitch,
    applianceNode: nodes.byAppliance,
    gatewayNode: nodes.byGateway,
    linkCount: links.length,
    firstLink: firstOf(links, nodeCount),
    linkChild: column(links, (end) => end.node),
    linkParent: column(links, (end) => end.other),
    linkChildPort: column(links, (end) => end.port),
    linkParentPort: column(links, (end) => end.otherPort),
    linkGbps: speed(links),
    peerCount: peers.length,
    peerFrom: column(peers, (end) => end.node),
    peerTo: column(peers, (end) => end.other),
    peerTxPort: column(peers, (end) => end.port),
    peerRxPort: column(peers, (end) => end.otherPort),
    peerGbps: speed(peers),
    oneArmCount: oneArms.length,
    firstOneArm: firstOf(oneArms, nodeCount),
    oneArmNode: column(oneArms, (end) => end.node),
    oneArmAppliance: column(oneArms, (end) => end.other),
    oneArmPort: column(oneArms, (end) => end.port),
    oneArmAppliancePort: column(oneArms, (end) => end.otherPort),
    oneArmGbps: speed(oneArms),
  }
}
