import { threatClassCount } from '../../../../contract/vocabularies.ts'
import type { TrafficWorld } from '../../state.ts'
import { gbpsPerUnit } from '../capabilities.ts'

/** Mitigation by devices on the path. Mitigated traffic ends at a device's line cards and uses none of its fabric. */

/** Clears the mitigated traffic of the previous step. */
export function resetMitigation(world: TrafficWorld): void {
  const { threats } = world
  threats.gatewayReaching.fill(0)
  threats.gatewayMitigated.fill(0)
  threats.applianceReaching.fill(0)
  threats.applianceMitigated.fill(0)
  threats.gatewayHostileInGbps.fill(0)
}

/** Mitigates at a gateway: all noise, and attacks up to the capacity of its built-in firewall and add-ons. */
export function mitigateAtGateway(world: TrafficWorld, gateway: number, node: number): void {
  const { threats } = world
  const { hostile } = threats
  const noiseArriving = world.network.flows.noiseShare
  for (let threat = 0; threat < threatClassCount; threat++) {
    const at = gateway * threatClassCount + threat
    const noise = hostile.noise[at] * noiseArriving[node]
    if (noise === 0) continue
    threats.gatewayReaching[at] = noise
    threats.gatewayMitigated[at] = noise
    threats.gatewayHostileInGbps[gateway] += noise * gbpsPerUnit[threat]
  }
  for (let i = 0; i < hostile.classCount; i++) {
    const threat = hostile.classes[i]
    const at = gateway * threatClassCount + threat
    const here = threat * hostile.nodeCount + node
    const arriving = (hostile.share[here] * hostile.wanted[here]) / gbpsPerUnit[threat]
    if (arriving === 0) continue
    const left = threats.gatewayCapacity[at] - threats.gatewayMitigated[at]
    const stopped = arriving < left ? arriving : left
    threats.gatewayReaching[at] += arriving
    threats.gatewayMitigated[at] += stopped
    threats.gatewayHostileInGbps[gateway] += arriving * gbpsPerUnit[threat]
    hostile.share[here] *= stopped === arriving ? 0 : 1 - stopped / arriving
  }
}

/** Mitigates at a firewall on the path, up to its capacity. */
export function mitigateAtFirewall(world: TrafficWorld, appliance: number, node: number): void {
  const { threats } = world
  const { hostile } = threats
  for (let i = 0; i < hostile.classCount; i++) {
    const threat = hostile.classes[i]
    const at = appliance * threatClassCount + threat
    const here = threat * hostile.nodeCount + node
    const arriving = (hostile.share[here] * hostile.wanted[here]) / gbpsPerUnit[threat]
    if (arriving === 0) continue
    const stopped = arriving < threats.applianceCapacity[at] ? arriving : threats.applianceCapacity[at]
    threats.applianceReaching[at] = arriving
    threats.applianceMitigated[at] = stopped
    hostile.share[here] *= stopped === arriving ? 0 : 1 - stopped / arriving
  }
}
