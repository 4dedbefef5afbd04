import { securityAddons } from '../../../../contract/vocabularies.ts'
import type { Topology } from '../../topology/tables.ts'

/** Prices of security add-ons per Gbit/s of the gateway's fabric: purchase and monthly. */
const perGbps = {
  DdosShield: { capex: 90, monthly: 3.2 },
  WebFirewall: { capex: 70, monthly: 2.6 },
  IntrusionPrevention: { capex: 80, monthly: 2.9 },
  BotFilter: { capex: 40, monthly: 1.5 },
} as const satisfies Record<(typeof securityAddons)[number], { capex: number; monthly: number }>

/** Purchase price and monthly price of an add-on, in dollars. */
export function addonPrice(
  topology: Topology,
  gateway: number,
  addon: (typeof securityAddons)[number],
): { readonly capex: number; readonly monthly: number } {
  const fabric = topology.gatewaySkus[topology.gateways.sku[gateway]].fabricGbps
  const price = perGbps[addon]
  return { capex: Math.round(price.capex * fabric), monthly: Math.round(price.monthly * fabric) }
}

/** Monthly price of the enabled add-ons of a gateway. */
export function addonMonthDollars(topology: Topology, gateway: number): number {
  let dollars = 0
  securityAddons.forEach((addon, bit) => {
    if (topology.gateways.addons[gateway] & (1 << bit))
      dollars += addonPrice(topology, gateway, addon).monthly
  })
  return dollars
}
