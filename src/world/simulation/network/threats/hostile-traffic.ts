import type { ThreatClass } from '../../../../contract/vocabularies.ts'
import { threatClasses, threatClassCount } from '../../../../contract/vocabularies.ts'
import type { Topology } from '../../topology/tables.ts'
import { nodeCountOf } from '../routing/graph.ts'
import { applianceCapacity, gatewayCapacity } from '../capabilities.ts'
import type { Owned } from '../../part.ts'

/**
 * Threats at the devices that stop them, in the natural unit of each class (`threatUnits` of the contract). Columns
 * are indexed by `row * threatClassCount + class`.
 */
export type Threats = Owned<ReturnType<typeof createThreats>>

export interface AttackRemainder {
  readonly class: ThreatClass
  /** In the natural unit of the class. */
  readonly magnitude: number
  readonly gbps: number
  /** Requests that waste the customer's CPU. */
  readonly requestsPerSecond: number
  /** Whether intruders are inside. */
  readonly breach: boolean
}

/** The traffic of one attack in one step. */
export interface AttackFlow {
  faultId: number
  customerId: number
  /** Index in `threatClasses`. */
  class: number
  gbps: number
  /** Rows of the hosts that it targets, and the share of it that each gets. */
  hosts: Int32Array
  hostShare: Float64Array
}

/** Hostile traffic of a step before anything stops it. Columns are indexed by `class * nodeCount + node`. */
export type HostileTraffic = Owned<ReturnType<typeof createHostileTraffic>>

/** Attacks that have traffic at a time; further ones wait until one ends. */
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
    /** Gbit/s that is sent over a node to hosts below it. */
    wanted: new Float64Array(threatClassCount * nodeCount),
    /** Share of `wanted` that gets past a node. */
    share: new Float64Array(threatClassCount * nodeCount),
    /** Background noise of scans and junk by gateway and class, in the natural unit. Gateways stop all of it. */
    noise: new Float64Array(topology.gateways.count * threatClassCount),
    /** The same in Gbit/s, by gateway. */
    noiseGbps: new Float64Array(topology.gateways.count),
    /** The attacks, tenants and routes from which this was derived. */
    derivedFrom: { attacks: 0, tenants: -1, routes: -1 },
    /** Increases with every change. */
    version: 0,
    /** Noise at a gateway relative to its mean. */
    noiseLevel: new Float64Array(topology.gateways.count).fill(1),
    /** Attempts to intrude that got through since an attack began, by fault id. */
    intrusionAttempts: new Map<number, number>(),
  }
}

export function createThreats(topology: Topology) {
  const byGateway = () => new Float64Array(topology.gateways.count * threatClassCount)
  const byAppliance = () => new Float64Array(topology.appliances.count * threatClassCount)
  const threats = {
    gatewayReaching: byGateway(),
    gatewayMitigated: byGateway(),
    gatewayCapacity: byGateway(),
    applianceReaching: byAppliance(),
    applianceMitigated: byAppliance(),
    applianceCapacity: byAppliance(),
    /** Hostile traffic that entered through WAN ports, by gateway. */
    gatewayHostileInGbps: new Float64Array(topology.gateways.count),
    /** The attacks of this step, before anything stops them. */
    hostile: createHostileTraffic(topology),
    /** What the defenses did not stop, by customer id. */
    remainders: new Map<number, AttackRemainder>(),
  }
  measureDefenses(threats, topology)
  return threats
}

/** Updates what follows from the topology. The next step starts the flows of the active attacks again. */
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
  for (let at = 0; at < byGateway.length; at++)
    byGateway[at] = gatewayCapacity(topology, Math.floor(at / threatClassCount), at % threatClassCount)
  for (let at = 0; at < byAppliance.length; at++)
    byAppliance[at] = applianceCapacity(topology, Math.floor(at / threatClassCount), at % threatClassCount)
}

/** The class of the attack on a customer, of several the one that gets through or else the oldest; null for none. */
export function attackClassOn({ hostile, remainders }: Threats, customerId: number): ThreatClass | null {
  for (let i = 0; i < hostile.attackCount; i++) {
    const { customerId: victim, class: threat } = hostile.attacks[i]
    if (victim === customerId) return remainders.get(customerId)?.class ?? threatClasses[threat]
  }
  return null
}
