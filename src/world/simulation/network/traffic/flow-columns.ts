import { noVersions } from '../../part.ts'
import type { Topology } from '../../topology/tables.ts'
import type { Graph } from '../routing/graph.ts'

/** Convergence limit of a share's change. */
export const shareTolerance = 1e-4

function createNodeColumns(nodeCount: number) {
  const byNode = () => new Float64Array(nodeCount)
  return {
    /** User traffic arriving at a node from below, then the part forwarded by the node. */
    out: byNode(),
    /** East-west traffic, likewise. */
    between: byNode(),
    /** Demand of users for hosts below a node. */
    inWanted: byNode(),
    betweenWanted: byNode(),
    /** Share of `inWanted` that passes a node. */
    inShare: byNode(),
    /** Share of `betweenWanted` that passes a node downward. */
    betweenShare: byNode(),
    /** East-west traffic that turns around at a node. */
    turned: byNode(),
    /** East-west traffic received by a core from other zones. */
    exchanged: byNode(),
    /** Delivered share of the user traffic arriving at a node from below. */
    outShare: byNode(),
    /** Share of that traffic passed by the node itself. */
    outPass: byNode(),
    queueMs: byNode(),
    inspectionMs: byNode(),
    /** Lost in the fabric of a node, and denied by its wrong rules. */
    dropped: byNode(),
    refused: byNode(),
    /** Lost at the sending ports of a node. */
    portDropped: byNode(),
    /** Current capacity of a node's fabric. */
    capacity: byNode(),
    offeredUp: byNode(),
    through: byNode(),
    /** Background noise of scans and junk sent to a gateway, and its delivered share. */
    noise: byNode(),
    noiseShare: byNode(),
    /** Share of legitimate traffic dropped by wrong rules of a node. */
    misrule: byNode(),
    /**
     * Share of upward traffic passed by a full fabric, from the previous step: the downward pass runs after the
     * upward one.
     */
    fairShare: byNode().fill(1),
    /** The sum of `exchange` over all directions from a core. */
    exchangeOut: byNode(),
  }
}

/**
 * Working columns of the flow passes, in Gbit/s by node, link and appliance. Traffic of one kind at a node is not
 * distinguished by origin: a limit there reduces all of it in proportion. The delivered share of a host's traffic is
 * therefore a product of shares along its paths, kept in one column by node.
 */
export function createFlowColumns(topology: Topology, graph: Graph) {
  const byLink = () => new Float64Array(graph.linkCount)
  const byOneArm = () => new Float64Array(graph.oneArmCount)
  const byAppliance = () => new Float64Array(topology.appliances.capacity)
  return {
    ...createNodeColumns(graph.nodeCount),
    /** Current capacity of a link in each direction. */
    room: Float64Array.from(graph.linkGbps),
    /** Share of frames that survive the wire. */
    wire: byLink().fill(1),
    linkPassUp: byLink(),
    linkQueueUp: byLink(),
    peerWire: new Float64Array(graph.peerCount).fill(1),
    /** By direction: share of the traffic turning around at a core that is exchanged with another zone. */
    exchange: new Float64Array(graph.peerCount),
    peerPass: new Float64Array(graph.peerCount),
    oneArmInShare: byOneArm(),
    oneArmOutShare: byOneArm(),
    oneArmSteered: byOneArm(),
    oneArmTx: byOneArm(),
    oneArmRx: byOneArm(),
    oneArmRoom: byOneArm(),
    oneArmWire: byOneArm(),
    applianceCeiling: byAppliance(),
    applianceRoom: byAppliance(),
    applianceOffered: byAppliance(),
    applianceFairShare: byAppliance().fill(1),
    /** Inspection latency in the previous step. */
    applianceMs: byAppliance(),
    /** Whether any link has less capacity or more loss than its cabling, now or in the previous step. */
    impaired: false,
    storming: false,
    /** The version of the routes that the shares of one-arm appliances reflect. */
    routeVersion: -1,
    /** Whether the feedback of shares between steps has converged. */
    settled: false,
    /** The versions of the inputs that these columns reflect. */
    known: noVersions(),
  }
}
