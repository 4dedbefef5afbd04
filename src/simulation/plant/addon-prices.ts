import { securityAddons } from '../../contract/vocabularies.ts'
import type { Plant } from './tables.ts'

/** What security add-ons of gateways cost: to buy and by the month, for each Gbit/s of the gateway's fabric. */
const perGbps = {
  DdosShield: { capex: 90, monthly: 3.2 },
  WebFirewall: { capex: 70, monthly: 2.6 },
  IntrusionPrevention: { capex: 80, monthly: 2.9 },
  BotFilter: { capex: 40, monthly: 1.5 },
} as const satisfies Record<(typeof securityAddons)[number], { capex: number; monthly: number }>

/** Dollars to buy an add-on, and dollars a month to have it on. */
export function addonPrice(
  plant: Plant,
  gateway: number,
  addon: (typeof securityAddons)[number],
): { readonly capex: number; readonly monthly: number } {
  const fabric = plant.gatewaySkus[plant.gateways.sku[gateway]].fabricGbps
  const price = perGbps[addon]
  return { capex: Math.round(price.capex * fabric), monthly: Math.round(price.monthly * fabric) }
}

/** What the add-ons of a gateway that are on cost a month. */
export function addonMonthDollars(plant: Plant, gateway: number): number {
  let dollars = 0
  securityAddons.forEach((addon, bit) => {
    if (plant.gateways.addons[gateway] & (1 << bit)) dollars += addonPrice(plant, gateway, addon).monthly
  })
  return dollars
}
