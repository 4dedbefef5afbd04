import { type ThreatClass, threatClasses, threatClassCount } from '../../../../contract/vocabularies.ts'
import type { Topology } from '../../topology/tables.ts'
import { nodeCountOf } from '../routing/graph.ts'
import { applianceCapacity, gatewayCapacity } from '../capabilities.ts'
import type { HostileTraffic, Threats } from './model.ts'

/** Attacks that have traffic at a time; further ones wait until one ends. */
export const attacksMax = 64

function createHostileTraffic(topology: Topology): HostileTraffic {
  const nodeCount = nodeCountOf(topology)
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
    noise: new Float64Array(topology.gateways.count * threatClassCount),
    noiseGbps: new Float64Array(topology.gateways.count),
    derivedFrom: { attacks: 0, tenants: -1, routes: -1 },
    version: 0,
    noiseLevel: new Float64Array(topology.gateways.count).fill(1),
    intrusionAttempts: new Map(),
  }
}

export function createThreats(topology: Topology): Threats {
  const byGateway = () => new Float64Array(topology.gateways.count * threatClassCount)
  const byAppliance = () => new Float64Array(topology.appliances.count * threatClassCount)
  const threats: Threats = {
    gatewayReaching: byGateway(),
    gatewayMitigated: byGateway(),
    gatewayCapacity: byGateway(),
    applianceReaching: byAppliance(),
    applianceMitigated: byAppliance(),
    applianceCapacity: byAppliance(),
    gatewayHostileInGbps: new Float64Array(topology.gateways.count),
    hostile: createHostileTraffic(topology),
    remainders: new Map(),
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
