import type { Topology } from '../../topology/tables.ts'
import { inspectionCapacityGbps } from '../capabilities.ts'
import type { Graph } from '../routing/graph.ts'

/**
 * Working columns of the flow passes, in Gbit/s by node, link and appliance. Traffic of one kind at a node is not
 * distinguished by origin: a limit there reduces all of it in proportion. The share of traffic that reaches a host
 * is therefore a product of shares along its paths, and one column by node holds it.
 */
export interface FlowColumns {
  /** Traffic to users that arrives at a node from below, then what the node forwards of it. */
  readonly out: Float64Array
  /** Traffic to other hosts, likewise. */
  readonly between: Float64Array
  /** Demand of users for hosts below a node. */
  readonly inWanted: Float64Array
  readonly betweenWanted: Float64Array
  /** Share of `inWanted` that passes a node. */
  readonly inShare: Float64Array
  /** East-west traffic that passes a node downward, over `betweenWanted`. */
  readonly betweenShare: Float64Array
  /** East-west traffic that turns around at a node. */
  readonly turned: Float64Array
  /** East-west traffic that a core receives from other zones. */
  readonly exchanged: Float64Array
  /** Share of the traffic to users arriving at a node from below that reaches them. */
  readonly outShare: Float64Array
  /** Share of the same that the node itself passes. */
  readonly outPass: Float64Array
  readonly queueMs: Float64Array
  readonly inspectionMs: Float64Array
  /** Lost in the fabric of a node, and to its wrong rules. */
  readonly dropped: Float64Array
  readonly refused: Float64Array
  /** Lost at the sending ports of a node. */
  readonly portDropped: Float64Array
  /** Present capacity of a node's fabric. */
  readonly capacity: Float64Array
  readonly offeredUp: Float64Array
  readonly through: Float64Array
  /** Background noise of scans and junk sent at a gateway, and the share of it that arrives. */
  readonly noise: Float64Array
  readonly noiseShare: Float64Array
  /** Share of good traffic that wrong rules of a node drop. */
  readonly misrule: Float64Array
  /**
   * Share of upward traffic that a full fabric passes. It follows from the previous step, because the downward pass
   * runs after the upward one.
   */
  readonly fairShare: Float64Array
  /** Present capacity of a link in each direction. */
  readonly room: Float64Array
  /** Share of frames that survive the wire. */
  readonly wire: Float64Array
  readonly linkPassUp: Float64Array
  readonly linkQueueUp: Float64Array
  readonly peerWire: Float64Array
  /** Share of the traffic turning around at a core that goes to another zone instead, by direction. */
  readonly exchange: Float64Array
  /** The sum of the same over all directions from a core. */
  readonly exchangeOut: Float64Array
  readonly peerPass: Float64Array
  readonly oneArmInShare: Float64Array
  readonly oneArmOutShare: Float64Array
  readonly oneArmSteered: Float64Array
  readonly oneArmTx: Float64Array
  readonly oneArmRx: Float64Array
  readonly oneArmRoom: Float64Array
  readonly oneArmWire: Float64Array
  readonly applianceCeiling: Float64Array
  readonly applianceRoom: Float64Array
  readonly applianceOffered: Float64Array
  readonly applianceFairShare: Float64Array
  /** Milliseconds that an inspection took in the previous step. */
  readonly applianceMs: Float64Array
  /** Some link has less capacity or more loss than cabled, now or in the previous step. */
  impaired: boolean
  storming: boolean
  /** The version of the routes that the shares of one-arm appliances reflect. */
  routeVersion: number
  /** Whether the shares that one step sets for the next have converged. */
  settled: boolean
  /** The versions of the inputs that these columns reflect. */
  readonly known: { load: number; hostile: number; routes: number; marks: number }
}

/** A share that changes by less than this has converged. */
export const shareTolerance = 1e-4

export function createFlowColumns(topology: Topology, graph: Graph): FlowColumns {
  const byNode = () => new Float64Array(graph.nodeCount)
  const byLink = () => new Float64Array(graph.linkCount)
  const byOneArm = () => new Float64Array(graph.oneArmCount)
  const byAppliance = () => new Float64Array(topology.appliances.capacity)
  return {
    out: byNode(),
    between: byNode(),
    inWanted: byNode(),
    betweenWanted: byNode(),
    inShare: byNode(),
    betweenShare: byNode(),
    turned: byNode(),
    exchanged: byNode(),
    outShare: byNode(),
    outPass: byNode(),
    queueMs: byNode(),
    inspectionMs: byNode(),
    dropped: byNode(),
    refused: byNode(),
    portDropped: byNode(),
    capacity: byNode(),
    offeredUp: byNode(),
    through: byNode(),
    noise: byNode(),
    noiseShare: byNode(),
    misrule: byNode(),
    fairShare: byNode().fill(1),
    room: Float64Array.from(graph.linkGbps),
    wire: byLink().fill(1),
    linkPassUp: byLink(),
    linkQueueUp: byLink(),
    peerWire: new Float64Array(graph.peerCount).fill(1),
    exchange: new Float64Array(graph.peerCount),
    exchangeOut: byNode(),
    peerPass: new Float64Array(graph.peerCount),
    oneArmInShare: byOneArm(),
    oneArmOutShare: byOneArm(),
    oneArmSteered: byOneArm(),
    oneArmTx: byOneArm(),
    oneArmRx: byOneArm(),
    oneArmRoom: byOneArm(),
    oneArmWire: byOneArm(),
    applianceCeiling: byAppliance().map((_, appliance) => inspectionCapacityGbps(topology, appliance)),
    applianceRoom: byAppliance(),
    applianceOffered: byAppliance(),
    applianceFairShare: byAppliance().fill(1),
    applianceMs: byAppliance(),
    impaired: false,
    storming: false,
    routeVersion: -1,
    settled: false,
    known: { load: -1, hostile: -1, routes: -1, marks: -1 },
  }
}
