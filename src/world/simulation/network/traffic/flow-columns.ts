import type { Topology } from '../../topology/tables.ts'
import { inspectionCapacityGbps } from '../capabilities.ts'
import type { Graph } from '../routing/graph.ts'

/** A share that changes by less than this has converged. */
export const shareTolerance = 1e-4

function createNodeColumns(nodeCount: number) {
  const byNode = () => new Float64Array(nodeCount)
  return {
    /** Traffic to users that arrives at a node from below, then what the node forwards of it. */
    out: byNode(),
    /** Traffic to other hosts, likewise. */
    between: byNode(),
    /** Demand of users for hosts below a node. */
    inWanted: byNode(),
    betweenWanted: byNode(),
    /** Share of `inWanted` that passes a node. */
    inShare: byNode(),
    /** East-west traffic that passes a node downward, over `betweenWanted`. */
    betweenShare: byNode(),
    /** East-west traffic that turns around at a node. */
    turned: byNode(),
    /** East-west traffic that a core receives from other zones. */
    exchanged: byNode(),
    /** Share of the traffic to users arriving at a node from below that reaches them. */
    outShare: byNode(),
    /** Share of the same that the node itself passes. */
    outPass: byNode(),
    queueMs: byNode(),
    inspectionMs: byNode(),
    /** Lost in the fabric of a node, and to its wrong rules. */
    dropped: byNode(),
    refused: byNode(),
    /** Lost at the sending ports of a node. */
    portDropped: byNode(),
    /** Present capacity of a node's fabric. */
    capacity: byNode(),
    offeredUp: byNode(),
    through: byNode(),
    /** Background noise of scans and junk sent at a gateway, and the share of it that arrives. */
    noise: byNode(),
    noiseShare: byNode(),
    /** Share of good traffic that wrong rules of a node drop. */
    misrule: byNode(),
    /**
     * Share of upward traffic that a full fabric passes. It follows from the previous step, because the downward pass
     * runs after the upward one.
     */
    fairShare: byNode().fill(1),
    /** The sum of `exchange` over all directions from a core. */
    exchangeOut: byNode(),
  }
}

/**
 * Working columns of the flow passes, in Gbit/s by node, link and appliance. Traffic of one kind at a node is not
 * distinguished by origin: a limit there reduces all of it in proportion. The share of traffic that reaches a host
 * is therefore a product of shares along its paths, and one column by node holds it.
 */
export function createFlowColumns(topology: Topology, graph: Graph) {
  const byLink = () => new Float64Array(graph.linkCount)
  const byOneArm = () => new Float64Array(graph.oneArmCount)
  const byAppliance = () => new Float64Array(topology.appliances.capacity)
  return {
    ...createNodeColumns(graph.nodeCount),
    /** Present capacity of a link in each direction. */
    room: Float64Array.from(graph.linkGbps),
    /** Share of frames that survive the wire. */
    wire: byLink().fill(1),
    linkPassUp: byLink(),
    linkQueueUp: byLink(),
    peerWire: new Float64Array(graph.peerCount).fill(1),
    /** Share of the traffic turning around at a core that goes to another zone instead, by direction. */
    exchange: new Float64Array(graph.peerCount),
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
    /** Milliseconds that an inspection took in the previous step. */
    applianceMs: byAppliance(),
    /** Some link has less capacity or more loss than cabled, now or in the previous step. */
    impaired: false,
    storming: false,
    /** The version of the routes that the shares of one-arm appliances reflect. */
    routeVersion: -1,
    /** Whether the shares that one step sets for the next have converged. */
    settled: false,
    /** The versions of the inputs that these columns reflect. */
    known: { load: -1, hostile: -1, routes: -1, marks: -1 },
  }
}
