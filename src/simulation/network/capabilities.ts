import {
  applianceFunctions,
  securityAddons,
  type ThreatClass,
  threatClasses,
} from '../../contract/vocabularies.ts'
import type { Plant } from '../plant/tables.ts'

/** What gateways and appliances can do, read off their models and what was bought for them. */

export const threatIndex = Object.fromEntries(threatClasses.map((name, index) => [name, index])) as Record<
  ThreatClass,
  number
>

/**
 * Gbit/s that one natural unit of a class takes on the wire: a Gbit/s; a million packets a second of 64 bytes; a
 * thousand requests a second of 2 KB; a login attempt of 2.5 KB; a probe of 64 bytes.
 */
export const gbpsPerUnit = [1, 0.000512 * 1000, 0.016, 0.00002, 0.000000512] as const

/** The class that the firewall built into every gateway is made for. */
export const builtinFirewallClass: ThreatClass = 'Protocol'

/** The class that each add-on stops, in the order of the contract's `securityAddons`. */
export const addonClasses: readonly ThreatClass[] = ['Volumetric', 'Application', 'Intrusion', 'Scan']

/** Natural units that a defence stops for each Gbit/s of fabric, by class. */
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

export const hasAddon = (plant: Plant, gateway: number, addon: number): boolean =>
  (plant.gateways.addons[gateway] & (1 << addon)) !== 0

const gatewayFabric = (plant: Plant, gateway: number): number =>
  plant.gatewaySkus[plant.gateways.sku[gateway]].fabricGbps

const applianceFabric = (plant: Plant, appliance: number): number =>
  plant.applianceSkus[plant.appliances.sku[appliance]].fabricGbps

/** What a gateway stops at most of a class, in its natural unit: built-in firewall and add-ons that are on. */
export function gatewayCapacity(plant: Plant, gateway: number, threat: number): number {
  const fabric = gatewayFabric(plant, gateway)
  let perGbps: number = builtinPerGbps[threat]
  for (let addon = 0; addon < securityAddons.length; addon++) {
    const stops = threatIndex[addonClasses[addon]]
    if (stops === threat && hasAddon(plant, gateway, addon)) perGbps += addonPerGbps[stops]
  }
  return perGbps * fabric
}

/** What an appliance stops at most of a class, in its natural unit, with the functions that are on. */
export function applianceCapacity(plant: Plant, appliance: number, threat: number): number {
  const enabled = plant.appliances.functionsEnabled[appliance]
  let perGbps = 0
  applianceFunctions.forEach((name, bit) => {
    if (enabled & (1 << bit)) perGbps += functionPerGbps[name][threat]
  })
  return perGbps * applianceFabric(plant, appliance)
}

/** Share of its fabric that an appliance loses for each function beyond the first that looks into traffic. */
const functionCost = 0.06

/** What an appliance can look into at most. */
export function inspectionCapacityGbps(plant: Plant, appliance: number): number {
  const enabled = plant.appliances.functionsEnabled[appliance]
  let functions = 0
  for (let bit = 0; bit < applianceFunctions.length; bit++) if (enabled & (1 << bit)) functions++
  return applianceFabric(plant, appliance) * (1 - functionCost * Math.max(0, functions - 1))
}

/** An appliance forwards nothing that it did not look into. */
export const applianceCeilingGbps = inspectionCapacityGbps

/** Share of the forwarding ceiling that each add-on takes by being on, and at most more when it works hard. */
const addonIdleShare = 0.015
const addonBusyShare = 0.2

/** Share of its forwarding that a gateway's add-ons take away when they stop so much of what they can. */
export function addonThrottle(
  plant: Plant,
  gateway: number,
  mitigated: Float64Array,
  capacity: Float64Array,
): number {
  let share = 0
  for (let addon = 0; addon < securityAddons.length; addon++) {
    if (!hasAddon(plant, gateway, addon)) continue
    const at = gateway * threatClasses.length + threatIndex[addonClasses[addon]]
    const load = capacity[at] > 0 ? mitigated[at] / capacity[at] : 0
    share += addonIdleShare + (load > 0.5 ? (load - 0.5) * 2 * addonBusyShare : 0)
  }
  return share
}

/** From this share on, add-ons count as slowing the gateway down. */
export const throttledFrom = 0.1

/** Whether a gateway can take over for the gateways of another zone: where there is another zone. */
export const multiZoneCapable = (plant: Plant, _gateway: number): boolean => plant.zones.length > 1

/** How a gateway uses its WAN lines. */
export const wanPolicy = (plant: Plant, gateway: number): 'Single' | 'ActiveActive' =>
  plant.gateways.wanPorts[gateway] > 1 ? 'ActiveActive' : 'Single'
