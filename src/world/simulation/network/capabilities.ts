import type { ThreatClass } from '../../../contract/vocabularies.ts'
import { applianceFunctions, securityAddons, threatClasses } from '../../../contract/vocabularies.ts'
import type { Topology } from '../topology/tables.ts'

/** Capabilities of gateways and appliances, which follow from their models and purchased functions. */

export const threatIndex = Object.fromEntries(threatClasses.map((name, index) => [name, index])) as Record<
  ThreatClass,
  number
>

/**
 * Gbit/s on the wire of one natural unit of each class: a Gbit/s; a million packets of 64 bytes per second; a
 * thousand requests of 2 KB per second; a login attempt of 2.5 KB; a probe of 64 bytes.
 */
export const gbpsPerUnit = [1, 0.000512 * 1000, 0.016, 0.00002, 0.000000512] as const

/** The class that the built-in firewall of every gateway mitigates. */
export const builtinFirewallClass: ThreatClass = 'Protocol'

/** The class that each add-on mitigates, in the order of the contract's `securityAddons`. */
export const addonClasses: readonly ThreatClass[] = ['Volumetric', 'Application', 'Intrusion', 'Scan']

/** Natural units that a defense mitigates per Gbit/s of fabric, by class. */
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

/** What an appliance stops at most of a class, in its natural unit, with the functions that are on. */
export function applianceCapacity(topology: Topology, appliance: number, threat: number): number {
  const enabled = topology.appliances.functionsEnabled[appliance]
  let perGbps = 0
  applianceFunctions.forEach((name, bit) => {
    if (enabled & (1 << bit)) perGbps += functionPerGbps[name][threat]
  })
  return perGbps * applianceFabric(topology, appliance)
}

/** Share of its fabric that an appliance loses for each inspecting function beyond the first. */
const fabricSharePerFunction = 0.06

/** Inspection capacity of an appliance. */
export function inspectionCapacityGbps(topology: Topology, appliance: number): number {
  const enabled = topology.appliances.functionsEnabled[appliance]
  let functions = 0
  for (let bit = 0; bit < applianceFunctions.length; bit++) if (enabled & (1 << bit)) functions++
  return applianceFabric(topology, appliance) * (1 - fabricSharePerFunction * Math.max(0, functions - 1))
}

/** An appliance inspects everything that it forwards. */
export const applianceCeilingGbps = inspectionCapacityGbps

/** Share of the forwarding ceiling of each enabled add-on, and the additional share of a fully loaded one. */
const addonIdleShare = 0.015
const addonBusyShare = 0.2

/** Share of its forwarding ceiling that a gateway loses to its add-ons at their present load. */
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

/** Share from which on a gateway counts as throttled by its add-ons. */
export const throttledShareMin = 0.1

/** Whether a gateway can take over for gateways of another zone: if there is another zone. */
export const multiZoneCapable = (topology: Topology, _gateway: number): boolean => topology.zones.length > 1

/** How a gateway uses its WAN lines. */
export const wanPolicy = (topology: Topology, gateway: number): 'Single' | 'ActiveActive' =>
  topology.gateways.wanPorts[gateway] > 1 ? 'ActiveActive' : 'Single'
