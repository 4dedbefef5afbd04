import type { Plant } from '../plant/tables.ts'
import { inspectionCapacityGbps } from './capabilities.ts'
import type { Graph } from './graph.ts'

/**
 * What network/flows.ts works on, in Gbit/s by node, link and appliance. Traffic of one kind at one node is never
 * told apart by where it comes from: whatever limits it there limits all of it in proportion. So what arrives of
 * the traffic to a host is a product of shares along its paths, and one column by node holds it.
 */
export interface FlowColumns {
  /** Traffic to users that arrives at a node from below, then what of it goes on. */
  readonly out: Float64Array
  /** Traffic to other hosts, likewise. */
  readonly between: Float64Array
  /** What users want to send to hosts below a node over it. */
  readonly inWanted: Float64Array
  readonly betweenWanted: Float64Array
  /** Share of `inWanted` that comes through a node. */
  readonly inShare: Float64Array
  /** Traffic between hosts that comes through a node downwards, over `betweenWanted`. */
  readonly betweenShare: Float64Array
  /** Traffic between hosts that turns round at a node. */
  readonly turned: Float64Array
  /** Traffic between hosts that comes to a core from other zones. */
  readonly exchanged: Float64Array
  /** Share of traffic to users arriving at a node from below that gets to them. */
  readonly outShare: Float64Array
  /** Share of the same that the node itself lets through. */
  readonly outPass: Float64Array
  readonly queueMs: Float64Array
  readonly inspectionMs: Float64Array
  /** Lost in the fabric of a node, and to its wrong rules. */
  readonly dropped: Float64Array
  readonly refused: Float64Array
  /** Lost where ports of a node send. */
  readonly portDropped: Float64Array
  /** What the fabric of a node carries at most now. */
  readonly capacity: Float64Array
  readonly offeredUp: Float64Array
  readonly through: Float64Array
  /** Scans and junk sent at a gateway beside all this, and the share of it that arrives. */
  readonly noise: Float64Array
  readonly noiseShare: Float64Array
  /** Share of good traffic that wrong rules of a node drop. */
  readonly misrule: Float64Array
  /**
   * Share of traffic from below that a full fabric lets through, settled with what arrived in the step before:
   * what comes from above is known only after what goes up.
   */
  readonly fairShare: Float64Array
  /** What a link carries at most in each direction now. */
  readonly room: Float64Array
  /** Share of frames that survive the wire. */
  readonly wire: Float64Array
  readonly linkPassUp: Float64Array
  readonly linkQueueUp: Float64Array
  readonly peerWire: Float64Array
  /** Share of what turns round at a core that goes to another zone instead, by direction. */
  readonly exchange: Float64Array
  /** The same for all directions from a core. */
  readonly exchangeOut: Float64Array
  readonly peerPass: Float64Array
  readonly stickInShare: Float64Array
  readonly stickOutShare: Float64Array
  readonly stickSteered: Float64Array
  readonly stickTx: Float64Array
  readonly stickRx: Float64Array
  readonly stickRoom: Float64Array
  readonly stickWire: Float64Array
  readonly applianceCeiling: Float64Array
  readonly applianceRoom: Float64Array
  readonly applianceOffered: Float64Array
  readonly applianceFairShare: Float64Array
  /** What a visit took in the step before. */
  readonly applianceMs: Float64Array
  /** Links are narrower or lossier than cabled now, or were so in the step before. */
  impaired: boolean
  storming: boolean
  /** The version of the routes for which the shares of sticks hold. */
  version: number
  /** Shares that one step settles for the next no longer move. */
  settled: boolean
  /** The versions of what traffic depends on for which all this holds. */
  readonly known: { load: number; hostile: number; routes: number; marks: number }
}

/** A share that moves by less than this has settled. */
export const settledWithin = 1e-4

export function createFlowColumns(plant: Plant, graph: Graph): FlowColumns {
  const byNode = () => new Float64Array(graph.nodeCount)
  const byLink = () => new Float64Array(graph.linkCount)
  const byStick = () => new Float64Array(graph.stickCount)
  const byAppliance = () => new Float64Array(plant.appliances.count)
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
    stickInShare: byStick(),
    stickOutShare: byStick(),
    stickSteered: byStick(),
    stickTx: byStick(),
    stickRx: byStick(),
    stickRoom: byStick(),
    stickWire: byStick(),
    applianceCeiling: byAppliance().map((_, appliance) => inspectionCapacityGbps(plant, appliance)),
    applianceRoom: byAppliance(),
    applianceOffered: byAppliance(),
    applianceFairShare: byAppliance().fill(1),
    applianceMs: byAppliance(),
    impaired: false,
    storming: false,
    version: -1,
    settled: false,
    known: { load: -1, hostile: -1, routes: -1, marks: -1 },
  }
}
