import { expect, test } from 'vitest'
import { traitsOf } from '../../../../../src/world/simulation/tenants/relations/character.ts'
import { updateGrievances } from '../../../../../src/world/simulation/tenants/relations/grievances.ts'
import { createTariff } from '../../../../../src/world/simulation/tenants/relations/tariff.ts'
import { interestFactor } from '../../../../../src/world/simulation/tenants/relations/reputation.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

test.each([
  ['Amber Mill Shoes', 'expects an answer within the hour', [1.3, 1, 1, 1]],
  ['Brook', 'takes an outage in its stride', [0.75, 1, 1, 1]],
  ['Delta', 'counts every dollar', [1, 1.8, 1, 1]],
  ['Grove', 'plans to grow fast', [1, 1, 1.6, 1]],
  ['Fern', 'rarely changes its providers', [1, 1, 1, 3]],
])('%s %s', (name, says, factors) => {
  const traits = traitsOf({ name })
  expect(traits.says).toBe(says)
  expect([traits.temper, traits.priceSense, traits.growth, traits.loyalty]).toEqual(factors)
})

test('a list price moves no customer, a rise moves all, and they resent it until they renew', () => {
  const { context, state, addCustomer, addService } = createTenantsFixture()
  const tariff = createTariff(context)
  const account = addCustomer({ tier: 'Gold', priced: 0 })
  const row = addService(account, { unitMicroPerMinute: 1_000 })
  tariff.changeList(0.04)
  expect([tariff.level, state.services.unitMicroPerMinute[row], account.priceLevel]).toEqual([1.04, 1_000, 1])
  tariff.raiseAll(0.1)
  expect(tariff.level).toBeCloseTo(1.144, 9)
  expect(state.services.unitMicroPerMinute[row]).toBeCloseTo(1_100, 9)
  expect([account.priceLevel, account.priceRise]).toEqual([1.1, 0.1])
  updateGrievances(state, account, 0)
  // Of 0.9 by a rise of 100 %, four fifths for Gold.
  expect(account.grievances[6]).toBeCloseTo(0.9 * 0.1 * 0.8, 9)
})

test('a conference brings half as many prospects again, for three weeks', () => {
  const { context, state, world } = createTenantsFixture()
  state.reputation.value = 0.75
  world.now = 10 * day
  createTariff(context).promote(21 * day)
  expect(interestFactor(state, 31 * day - 1)).toBeCloseTo(1.5, 9)
  expect(interestFactor(state, 31 * day)).toBeCloseTo(1, 9)
})
