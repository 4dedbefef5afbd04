import type { ThreatClass } from '../../../contract/vocabularies.ts'
import { applianceFunctions, securityAddons, threatClasses } from '../../../contract/vocabularies.ts'
import type { Topology } from '../topology/tables.ts'

/** Capabilities of gateways and appliances, derived from their models and purchased functions. */

export const threatIndex = Object.fromEntries(threatClasses.map((name, index) => [name, index])) as Record<
  ThreatClass,
  number
>

/**
 * Wire bandwidth of one natural unit of each class, in Gbit/s: a Gbit/s; a million packets of 64 bytes per second; a
 * thousand requests of 2 KB per second; a login attempt of 2.5 KB; a probe of 64 bytes.
 */
export const gbpsPerUnit = [1, 0.000512 * 1000, 0.016, 0.00002, 0.000000512] as const

/** The class mitigated by the built-in firewall of every gateway. */
export const builtinFirewallClass: ThreatClass = 'Protocol'

/** The class mitigated by each add-on, in the order of the contract's `securityAddons`. */
export const addonClasses: readonly ThreatClass[] = ['Volumetric', 'Application', 'Intrusion', 'Scan']

/** Mitigation capacity per Gbit/s of fabric, in natural units by class. */
const builtinPerGbps = [0, 0.08, 0, 0, 40] as const
const addonPerGbps = [0.35, 0.1, 3, 12, 400] as const
const functionPerGbps = {
  StatefulFirewall: [0, 0.12, 0, 0, 200],
  DdosScrubbing: [0.9, 0.4, 0, 0, 0],
  IntrusionDetection: [0, 0, 0, 0, 0],
  IntrusionPrevention: [0, 0, 1.5, 20, 500],
  WebApplicationFirewall: [0, 0, 2, 0, 0],
  LoadBalancing: [0, 0, 0, 0, 0],
  AuditLog: [0, 0, 0, 0, 0],
} as const satisfies Record<(typeof applianceFunctions)[number], readonly number[]>

export const hasAddon = (topology: Topology, gateway: number, addon: number): boolean =>
  (topology.gateways.addons[gateway] & (1 << addon)) !== 0

const gatewayFabric = (topology: Topology, gateway: number): number =>
  topology.gatewaySkus[topology.gateways.sku[gateway]].fabricGbps

const applianceFabric = (topology: Topology, appliance: number): number =>
  topology.applianceSkus[topology.appliances.sku[appliance]].fabricGbps

/** Mitigation capacity of a gateway for a class, in its natural unit: built-in firewall and enabled add-ons. */
export function gatewayCapacity(topology: Topology, gateway: number, threat: number): number {
  const fabric = gatewayFabric(topology, gateway)
  let perGbps: number = builtinPerGbps[threat]
  for (let addon = 0; addon < securityAddons.length; addon++) {
    const stops = threatIndex[addonClasses[addon]]
    if (stops === threat && hasAddon(topology, gateway, addon)) perGbps += addonPerGbps[stops]
  }
  return perGbps * fabric
}

/** Mitigation capacity of an appliance for a class, in its natural unit, with its enabled functions. */
export function applianceCapacity(topology: Topology, appliance: number, threat: number): number {
  const enabled = topology.appliances.functionsEnabled[appliance]
  let perGbps = 0
  applianceFunctions.forEach((name, bit) => {
    if (enabled & (1 << bit)) perGbps += functionPerGbps[name][threat]
  })
  return perGbps * applianceFabric(topology, appliance)
}

/** Fabric share lost per inspecting function beyond the first. */
const fabricSharePerFunction = 0.06

export function inspectionCapacityGbps(topology: Topology, appliance: number): number {
  const enabled = topology.appliances.functionsEnabled[appliance]
  let functions = 0
  for (let bit = 0; bit < applianceFunctions.length; bit++) if (enabled & (1 << bit)) functions++
  return applianceFabric(topology, appliance) * (1 - fabricSharePerFunction * Math.max(0, functions - 1))
}

/** An appliance inspects all traffic that it forwards. */
export const applianceCeilingGbps = inspectionCapacityGbps

/** Shares of the forwarding ceiling consumed by each enabled add-on: idle, and in addition at full load. */
const addonIdleShare = 0.015
const addonBusyShare = 0.2

/** Share of a gateway's forwarding ceiling consumed by its add-ons at their current load. */
export function addonThrottle(
  topology: Topology,
  gateway: number,
  mitigated: Float64Array,
  capacity: Float64Array,
): number {
  let share = 0
  for (let addon = 0; addon < securityAddons.length; addon++) {
    if (!hasAddon(topology, gateway, addon)) continue
    const at = gateway * threatClasses.length + threatIndex[addonClasses[addon]]
    const load = capacity[at] > 0 ? mitigated[at] / capacity[at] : 0
    share += addonIdleShare + (load > 0.5 ? (load - 0.5) * 2 * addonBusyShare : 0)
  }
  return share
}

/** A gateway counts as throttled by its add-ons from this share. */
export const throttledShareMin = 0.1

/** Whether a gateway can fail over for gateways of another zone: whenever there is one. */
export const multiZoneCapable = (topology: Topology, _gateway: number): boolean => topology.zones.length > 1

export const wanPolicy = (topology: Topology, gateway: number): 'Single' | 'ActiveActive' =>
  topology.gateways.wanPorts[gateway] > 1 ? 'ActiveActive' : 'Single'
