import { type ThreatClass, threatClasses } from '../../contract/vocabularies.ts'
import type { Plant } from '../plant/tables.ts'
import { type Threats, threatClassCount } from '../state.ts'
import { nodeCountOf } from './graph.ts'

/** Attacks that run at the same time; more wait their turn. */
export const attacksMax = 64

/** An attack as it is in one step. */
export interface AttackNow {
  faultId: number
  customerId: number
  class: number
  /** What is sent at the customer, in Gbit/s. */
  gbps: number
  /** Rows of the hosts that it is aimed at, and the share of it that each gets. */
  hosts: Int32Array
  hostShare: Float64Array
}

/** Hostile traffic of a step: what is sent at whom, before anything stops it. Columns are by class, then by node. */
export interface HostileTraffic {
  /** Running attacks: the first `attackCount` of `attacks`. */
  readonly attacks: AttackNow[]
  attackCount: number
  /** Classes under attack now: the first `classCount` of `classes`. */
  readonly classes: Uint8Array
  classCount: number
  readonly nodeCount: number
  /** Gbit/s sent at hosts below a node over it. */
  readonly wanted: Float64Array
  /** Share of `wanted` that comes through a node. */
  readonly share: Float64Array
  /** Scans and junk that always arrive, by gateway and class, in the natural unit. They end at the gateway. */
  readonly noise: Float64Array
  /** The same in Gbit/s, by gateway. */
  readonly noiseGbps: Float64Array
  /** What the running attacks and their targets were when this was made. */
  readonly known: { attacks: number; tenants: number; routes: number }
  /** Goes up whenever any of this has changed. */
  version: number
  /** How much noise there is at a gateway, about 1. */
  readonly noiseLevel: Float64Array
  /** Attempts of intruders that have got through since an attack began, by fault. */
  readonly exposure: Map<number, number>
}

export function createHostile(plant: Plant): HostileTraffic {
  const nodeCount = nodeCountOf(plant)
  const none = { hosts: new Int32Array(0), hostShare: new Float64Array(0) }
  return {
    attacks: Array.from({ length: attacksMax }, () => ({
      faultId: 0,
      customerId: 0,
      class: 0,
      gbps: 0,
      ...none,
    })),
    attackCount: 0,
    classes: new Uint8Array(threatClassCount),
    classCount: 0,
    nodeCount,
    wanted: new Float64Array(threatClassCount * nodeCount),
    share: new Float64Array(threatClassCount * nodeCount),
    noise: new Float64Array(plant.gateways.count * threatClassCount),
    noiseGbps: new Float64Array(plant.gateways.count),
    known: { attacks: 0, tenants: -1, routes: -1 },
    version: 0,
    noiseLevel: new Float64Array(plant.gateways.count).fill(1),
    exposure: new Map(),
  }
}

/** Class of the attack that aims at a customer, of several the one that gets through or else the oldest; null for none. */
export function attackOn({ hostile, residual }: Threats, customerId: number): ThreatClass | null {
  for (let i = 0; i < hostile.attackCount; i++) {
    const { customerId: victim, class: threat } = hostile.attacks[i]
    if (victim === customerId) return residual.get(customerId)?.class ?? threatClasses[threat]
  }
  return null
}
