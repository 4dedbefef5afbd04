import type { ThreatClass } from '../../../../contract/vocabularies.ts'

/**
 * Threats at the devices that stop them, in the natural unit of each class (`threatUnits` of the contract). Columns
 * are indexed by `row * threatClassCount + class`.
 */
export interface Threats {
  readonly gatewayReaching: Float64Array
  readonly gatewayMitigated: Float64Array
  readonly gatewayCapacity: Float64Array
  readonly applianceReaching: Float64Array
  readonly applianceMitigated: Float64Array
  readonly applianceCapacity: Float64Array
  /** Hostile traffic that entered through WAN ports, by gateway. */
  readonly gatewayHostileInGbps: Float64Array
  /** The attacks of this step, before anything stops them. */
  readonly hostile: HostileTraffic
  /** What the defenses did not stop, by customer id. */
  readonly remainders: Map<number, AttackRemainder>
}

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
export interface HostileTraffic {
  /** Running attacks: the first `attackCount` of `attacks`. */
  readonly attacks: AttackFlow[]
  attackCount: number
  /** Classes with an attack: the first `classCount` of `classes`. */
  readonly classes: Uint8Array
  classCount: number
  nodeCount: number
  /** Gbit/s that is sent over a node to hosts below it. */
  wanted: Float64Array
  /** Share of `wanted` that gets past a node. */
  share: Float64Array
  /** Background noise of scans and junk by gateway and class, in the natural unit. Gateways stop all of it. */
  readonly noise: Float64Array
  /** The same in Gbit/s, by gateway. */
  readonly noiseGbps: Float64Array
  /** The attacks, tenants and routes from which this was derived. */
  readonly derivedFrom: { attacks: number; tenants: number; routes: number }
  /** Increases with every change. */
  version: number
  /** Noise at a gateway relative to its mean. */
  readonly noiseLevel: Float64Array
  /** Attempts to intrude that got through since an attack began, by fault id. */
  readonly intrusionAttempts: Map<number, number>
}
