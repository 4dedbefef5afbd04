import { noVersions } from '../../part.ts'
import type { Topology } from '../../topology/tables.ts'
import type { Graph } from './graph.ts'
import { buildGraph, layerOf } from './graph.ts'

export interface Routes {
  readonly graph: Graph
  readonly reach: Uint8Array
  /** Share of a node's upward traffic on a link; the shares of a node sum to 1 or 0. */
  readonly linkShare: Float64Array
  /** By direction between cores: share of an isolated core's user traffic on this detour. */
  readonly detourShare: Float64Array
  /** By direction between cores: share of a core's interzone traffic on this link. */
  readonly exchangeShare: Float64Array
  /** Share of the east-west traffic from below that turns around at a node. */
  readonly turnShare: Float64Array
  /** Share of a host's east-west traffic with a path. */
  readonly hostSendShare: Float64Array
  /** Round-trip latency added by a detour from a core. */
  readonly detourMs: Float64Array
  readonly oneArmUp: Uint8Array
  /** Cores that reach a gateway of their zone or no gateway, then cores with a detour through another zone. */
  readonly coreOrder: Int32Array
  detouringCores: number
  /** The versions of the inputs of these routes. */
  readonly known: Float64Array
  /** The `connectivityVersion` that these routes reflect. */
  connectivityVersion: number
}

export function createRoutes(topology: Topology): Routes {
  const graph = buildGraph(topology)
  const cores = graph.layerStart[layerOf.core + 1] - graph.layerStart[layerOf.core]
  return {
    graph,
    reach: new Uint8Array(graph.nodeCount),
    linkShare: new Float64Array(graph.linkCount),
    detourShare: new Float64Array(graph.peerCount),
    exchangeShare: new Float64Array(graph.peerCount),
    turnShare: new Float64Array(graph.nodeCount),
    hostSendShare: new Float64Array(topology.hosts.capacity),
    detourMs: new Float64Array(graph.nodeCount),
    oneArmUp: new Uint8Array(graph.oneArmCount),
    coreOrder: new Int32Array(cores),
    detouringCores: 0,
    known: noVersions(),
    connectivityVersion: -1,
  }
}
