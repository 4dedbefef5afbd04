import type { ThreatClass } from '../../../../contract/vocabularies.ts'
import { threatClasses, threatClassCount } from '../../../../contract/vocabularies.ts'
import type { Topology } from '../../topology/tables.ts'
import { nodeCountOf } from '../routing/graph.ts'
import { applianceCapacity, gatewayCapacity } from '../capabilities.ts'
import type { Owned } from '../../part.ts'

/**
 * Threats at the devices that mitigate them, in the natural unit of each class (`threatUnits` of the contract).
 * Columns are indexed by `row * threatClassCount + class`.
 */
export type Threats = Owned<ReturnType<typeof createThreats>>

export interface AttackRemainder {
  readonly class: ThreatClass
  /** In the natural unit of the class. */
  readonly magnitude: number
  readonly gbps: number
  /** Requests that waste the customer's CPU. */
  readonly requestsPerSecond: number
  /** Whether intruders are inside the customer's systems. */
  readonly breach: boolean
}

/** The traffic of one attack in one step. */
export interface AttackFlow {
  faultId: number
  customerId: number
  /** Index in `threatClasses`. */
  class: number
  gbps: number
  /** Rows of the targeted hosts, and the share of the attack on each. */
  hosts: Int32Array
  hostShare: Float64Array
}

/** Hostile traffic of a step before any mitigation. Columns are indexed by `class * nodeCount + node`. */
export type HostileTraffic = Owned<ReturnType<typeof createHostileTraffic>>

/** Bound of simultaneous attack flows; further attacks wait for the end of one. */
export const attacksMax = 64

function createHostileTraffic(topology: Topology) {
  const nodeCount = nodeCountOf(topology)
  const none = { hosts: new Int32Array(0), hostShare: new Float64Array(0) }
  return {
    /** Running attacks: the first `attackCount` of `attacks`. */
    attacks: Array.from(
      { length: attacksMax },
      (): AttackFlow => ({
        faultId: 0,
        customerId: 0,
        class: 0,
        gbps: 0,
        ...none,
      }),
    ),
    attackCount: 0,
    /** Classes with an attack: the first `classCount` of `classes`. */
    classes: new Uint8Array(threatClassCount),
    classCount: 0,
    nodeCount,
    /** Traffic through a node to hosts below it, in Gbit/s. */
    wanted: new Float64Array(threatClassCount * nodeCount),
    /** Share of `wanted` that passes a node. */
    share: new Float64Array(threatClassCount * nodeCount),
    /** Background noise of scans and junk by gateway and class, in the natural unit. Gateways stop all of it. */
    noise: new Float64Array(topology.gateways.capacity * threatClassCount),
    /** Background noise by gateway, in Gbit/s. */
    noiseGbps: new Float64Array(topology.gateways.capacity),
    /** Versions of the inputs: attacks, tenants and routes. */
    derivedFrom: { attacks: 0, tenants: -1, routes: -1 },
    /** Increases with every change. */
    version: 0,
    /** Noise at a gateway relative to its mean. */
    noiseLevel: new Float64Array(topology.gateways.capacity).fill(1),
    /** Delivered intrusion attempts since the start of an attack, by fault id. */
    intrusionAttempts: new Map<number, number>(),
  }
}

export function createThreats(topology: Topology) {
  const byGateway = () => new Float64Array(topology.gateways.capacity * threatClassCount)
  const byAppliance = () => new Float64Array(topology.appliances.capacity * threatClassCount)
  const threats = {
    gatewayReaching: byGateway(),
    gatewayMitigated: byGateway(),
    gatewayCapacity: byGateway(),
    applianceReaching: byAppliance(),
    applianceMitigated: byAppliance(),
    applianceCapacity: byAppliance(),
    /** Hostile traffic that entered through WAN ports, by gateway. */
    gatewayHostileInGbps: new Float64Array(topology.gateways.capacity),
    /** The attacks of this step, before any mitigation. */
    hostile: createHostileTraffic(topology),
    /** The remainder after all defenses, by customer id. */
    remainders: new Map<number, AttackRemainder>(),
  }
  measureDefenses(threats, topology)
  return threats
}

/** Rebuilds the columns derived from the topology. The next step restarts the flows of the active attacks. */
export function rederiveThreats(threats: Threats, topology: Topology): void {
  const { nodeCount, wanted, share } = createHostileTraffic(topology)
  Object.assign(threats.hostile, { nodeCount, wanted, share, attackCount: 0, classCount: 0 })
  threats.hostile.derivedFrom.routes = -1
  measureDefenses(threats, topology)
}

function measureDefenses(
  { gatewayCapacity: byGateway, applianceCapacity: byAppliance }: Threats,
  topology: Topology,
) {
  for (let at = 0; at < topology.gateways.count * threatClassCount; at++)
    byGateway[at] = gatewayCapacity(topology, Math.floor(at / threatClassCount), at % threatClassCount)
  for (let at = 0; at < topology.appliances.count * threatClassCount; at++)
    byAppliance[at] = applianceCapacity(topology, Math.floor(at / threatClassCount), at % threatClassCount)
}

/** The class of the attack on a customer: that of the remainder, or else of the oldest attack; null without one. */
export function attackClassOn({ hostile, remainders }: Threats, customerId: number): ThreatClass | null {
  for (let i = 0; i < hostile.attackCount; i++) {
    const { customerId: victim, class: threat } = hostile.attacks[i]
    if (victim === customerId) return remainders.get(customerId)?.class ?? threatClasses[threat]
  }
  return null
}
