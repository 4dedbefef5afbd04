import { threatClassCount, type WorldState } from '../state.ts'
import { gbpsPerUnit } from './capabilities.ts'

/**
 * What devices in the path stop. Hostile traffic that a device stops ends at the line cards where it came in: it
 * takes none of the fabric.
 */

/** Forgets what was stopped in the step before. */
export function openDefences(state: WorldState): void {
  const { threats } = state
  threats.gatewayReaching.fill(0)
  threats.gatewayMitigated.fill(0)
  threats.applianceReaching.fill(0)
  threats.applianceMitigated.fill(0)
  threats.gatewayHostileInGbps.fill(0)
}

/**
 * Stops at a gateway what its built-in firewall and add-ons can: scans and junk first, which are never let in,
 * then attacks.
 */
export function defendAtGateway(state: WorldState, gateway: number, node: number): void {
  const { threats } = state
  const { hostile } = threats
  const noiseArriving = state.network.flows.noiseShare
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

/** Stops at a firewall in the path what it can. */
export function defendAtFirewall(state: WorldState, appliance: number, node: number): void {
  const { threats } = state
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
