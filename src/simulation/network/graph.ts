import { deviceKind, type Plant } from '../plant/tables.ts'

/**
 * The plant as layers of nodes: every trunk leads from a lower layer to a higher one, so that traffic to users is
 * settled in one pass upwards and traffic from users in one pass downwards. Made once; routes are laid over it.
 */

export const layers = ['host', 'edge', 'aggregation', 'core', 'firewall', 'gateway', 'carrier'] as const
export type Layer = (typeof layers)[number]
export const layerOf = Object.fromEntries(layers.map((name, index) => [name, index])) as Record<Layer, number>

export interface Graph {
  readonly nodeCount: number
  /** Nodes of layer n are those from `layerStart[n]` up to `layerStart[n + 1]`; hosts come first, by row. */
  readonly layerStart: Int32Array
  readonly nodeRow: Int32Array
  /** -1 for carriers. */
  readonly nodeZone: Int32Array
  readonly switchNode: Int32Array
  /** -1 for appliances that do not stand in the path. */
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
  /** Both directions of each link between cores of different zones; the other direction of `n` is `n ^ 1`. */
  readonly peerCount: number
  readonly peerFrom: Int32Array
  readonly peerTo: Int32Array
  readonly peerTxPort: Int32Array
  readonly peerRxPort: Int32Array
  readonly peerGbps: Float64Array
  /** Appliances beside the path, ascending by the node that they hang on. */
  readonly stickCount: number
  readonly firstStick: Int32Array
  readonly stickNode: Int32Array
  readonly stickAppliance: Int32Array
  readonly stickPort: Int32Array
  readonly stickAppliancePort: Int32Array
  readonly stickGbps: Float64Array
}

/** How many nodes the graph of a plant has. */
export function nodeCountOf(plant: Plant): number {
  const firewalls = plant.appliances.kind.filter((kind) => kind === 'Firewall').length
  return plant.hosts.count + plant.switches.count + firewalls + plant.gateways.count + plant.carriers.length
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

function layNodes(plant: Plant): Nodes {
  const bySwitch = new Int32Array(plant.switches.count).fill(-1)
  const byAppliance = new Int32Array(plant.appliances.count).fill(-1)
  const byGateway = new Int32Array(plant.gateways.count).fill(-1)
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
    all(plant.switches.count).filter((sw) => plant.switches.role[sw] === role)
  const zoneOfSwitch = (sw: number) => plant.switches.zone[sw]
  lay('host', all(plant.hosts.count), (host) => plant.hosts.zone[host])
  for (const role of ['edge', 'aggregation', 'core'] as const)
    lay(role, switchesOf(role), zoneOfSwitch, bySwitch)
  const firewalls = all(plant.appliances.count).filter(
    (device) => plant.appliances.kind[device] === 'Firewall',
  )
  lay('firewall', firewalls, (device) => plant.appliances.zone[device], byAppliance)
  lay('gateway', all(plant.gateways.count), (gateway) => plant.gateways.zone[gateway], byGateway)
  const firstCarrier = row.length
  lay('carrier', all(plant.carriers.length), () => -1)
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

/** The node of the device that a port sits on; -1 for panels and for appliances beside the path. */
function nodeOfPort(plant: Plant, nodes: Nodes, port: number): number {
  const device = plant.ports.device[port]
  switch (plant.ports.deviceKind[port]) {
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
  readonly sticks: End[]
}

function wire(plant: Plant, nodes: Nodes): Wiring {
  const layerOfNode = (node: number): number => {
    let layer = 0
    while (nodes.layerStart[layer + 1] <= node) layer++
    return layer
  }
  const wiring: Wiring = { links: [], peers: [], sticks: [] }
  for (let port = 0; port < plant.ports.count; port++) {
    const otherPort = plant.ports.peer[port]
    if (otherPort < 0) continue
    const node = nodeOfPort(plant, nodes, port)
    const other = nodeOfPort(plant, nodes, otherPort)
    if (node < 0) continue
    if (other < 0) wiring.sticks.push({ node, other: plant.ports.device[otherPort], port, otherPort })
    else if (layerOfNode(node) < layerOfNode(other)) wiring.links.push({ node, other, port, otherPort })
    else if (layerOfNode(node) === layerOfNode(other) && port < otherPort) {
      wiring.peers.push({ node, other, port, otherPort })
      wiring.peers.push({ node: other, other: node, port: otherPort, otherPort: port })
    }
  }
  const byNode = (a: End, b: End) => a.node - b.node || a.port - b.port
  wiring.links.sort(byNode)
  wiring.sticks.sort(byNode)
  return wiring
}

function firstOf(ends: readonly End[], nodeCount: number): Int32Array {
  const first = new Int32Array(nodeCount + 1)
  for (const end of ends) first[end.node + 1]++
  for (let node = 0; node < nodeCount; node++) first[node + 1] += first[node]
  return first
}

const column = (ends: readonly End[], pick: (end: End) => number): Int32Array => Int32Array.from(ends, pick)

export function layGraph(plant: Plant): Graph {
  const nodes = layNodes(plant)
  const { links, peers, sticks } = wire(plant, nodes)
  const nodeCount = nodeCountOf(plant)
  const speed = (ends: readonly End[]) =>
    Float64Array.from(ends, (end) =>
      Math.min(plant.ports.capacityGbps[end.port], plant.ports.capacityGbps[end.otherPort]),
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
    stickCount: sticks.length,
    firstStick: firstOf(sticks, nodeCount),
    stickNode: column(sticks, (end) => end.node),
    stickAppliance: column(sticks, (end) => end.other),
    stickPort: column(sticks, (end) => end.port),
    stickAppliancePort: column(sticks, (end) => end.otherPort),
    stickGbps: speed(sticks),
  }
}
