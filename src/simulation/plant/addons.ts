import { securityAddons } from '../../contract/vocabularies.ts'
import type { Plant } from './tables.ts'

/** Security add-ons for gateways: what they are called, and what they cost for each Gbit/s of the gateway. */
const offers = {
  DdosShield: { name: 'Breakwater DDoS Shield', capexPerGbps: 95, monthlyPerGbps: 4.5 },
  WebFirewall: { name: 'Latchkey Web Firewall', capexPerGbps: 70, monthlyPerGbps: 3.2 },
  IntrusionPrevention: { name: 'Tripwire Intrusion Guard', capexPerGbps: 80, monthlyPerGbps: 3.8 },
  BotFilter: { name: 'Turnstile Bot Filter', capexPerGbps: 45, monthlyPerGbps: 2.4 },
} as const satisfies Record<(typeof securityAddons)[number], object>

const baseCapex = 500
const baseMonthly = 20

export interface AddonOffer {
  readonly name: string
  readonly capexDollars: number
  readonly monthlyDollars: number
}

/** What the n-th of the contract's `securityAddons` is called and costs for a gateway. */
export function addonOffer({ gateways, gatewaySkus }: Plant, gateway: number, addon: number): AddonOffer {
  const offer = offers[securityAddons[addon]]
  const { fabricGbps } = gatewaySkus[gateways.sku[gateway]]
  return {
    name: offer.name,
    capexDollars: offer.capexPerGbps * fabricGbps + baseCapex,
    monthlyDollars: offer.monthlyPerGbps * fabricGbps + baseMonthly,
  }
}

/** What the add-ons of a gateway cost a month. */
export function addonMonthDollars(plant: Plant, gateway: number): number {
  let dollars = 0
  for (let addon = 0; addon < securityAddons.length; addon++) {
    if (plant.gateways.addons[gateway] & (1 << addon)) {
      dollars += addonOffer(plant, gateway, addon).monthlyDollars
    }
  }
  return dollars
}
