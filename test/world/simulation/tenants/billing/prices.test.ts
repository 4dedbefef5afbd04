import { expect, test } from 'vitest'
import type { ServiceClass, Tier } from '../../../../../src/contract/vocabularies.ts'
import {
  addonMonthDollars,
  addonPrice,
} from '../../../../../src/world/simulation/tenants/billing/addon-prices.ts'
import { unitMonthDollars } from '../../../../../src/world/simulation/tenants/prices.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

/** A unit of 2 virtual CPUs, 10 GB of memory, 100 GB of disk, and slices of a GPU. */
test.each<[Tier, ServiceClass, number, boolean, number]>([
  ['Bronze', 'web', 0, false, 22 + 8 + 1.2],
  ['Silver', 'web', 0, false, 28 + 10 + 1.2],
  ['Gold', 'web', 0, false, 36 + 12 + 1.2],
  ['Platinum', 'web', 0, false, 50 + 15 + 1.2],
  ['Silver', 'gpu-training', 2, false, 28 + 10 + 1.2 + 620],
  ['Silver', 'gpu-inference', 3, false, 28 + 10 + 1.2 + 450],
  ['Silver', 'web', 3, false, 28 + 10 + 1.2],
  ['Platinum', 'web', 0, true, 86.06],
])(
  'a month of a %s unit of %s with %i slices, on dedicated hosts: %s, costs $%f',
  (tier, name, slices, dedicated, dollars) => {
    const unit = { class: name, vcpu: 2, memMb: 10_240, ssdGb: 100, slices }
    expect(unitMonthDollars(unit, tier, dedicated)).toBeCloseTo(dollars, 9)
  },
)

const { world } = createTenantsFixture()
const { topology } = world

/** The gateway's fabric carries 200 Gbit/s. */
test.each([
  ['DdosShield', 18_000, 640],
  ['WebFirewall', 14_000, 520],
  ['IntrusionPrevention', 16_000, 580],
  ['BotFilter', 8_000, 300],
] as const)('%s costs $%i, and $%i a month', (addon, capex, monthly) => {
  Object.assign(topology.gatewaySkus[topology.gateways.sku[0]], { fabricGbps: 200 })
  expect(addonPrice(topology, 0, addon)).toEqual({ capex, monthly })
})

test.each([
  [0b0000, 0],
  [0b0001, 640],
  [0b1010, 820],
  [0b1111, 2_040],
])('a gateway with the add-ons %i pays $%i a month', (addons, dollars) => {
  Object.assign(topology.gatewaySkus[topology.gateways.sku[0]], { fabricGbps: 200 })
  topology.gateways.addons[0] = addons
  expect(addonMonthDollars(topology, 0)).toBe(dollars)
})
