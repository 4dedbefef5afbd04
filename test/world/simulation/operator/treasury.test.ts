import { expect, test } from 'vitest'
import { createCompanyState } from '../../../../src/world/simulation/operator/chapters/company.ts'
import type { OperatorState } from '../../../../src/world/simulation/operator/model.ts'
import {
  affordable,
  countEarnings,
  depositOf,
  instalmentOf,
  openingReserves,
  spendable,
} from '../../../../src/world/simulation/operator/treasury.ts'
import { createState } from '../../../../src/world/simulation/step.ts'

const createBooks = (changes: Partial<OperatorState>, money: object) => {
  const world = createState(1n, 1)
  Object.assign(world.money, money)
  const state = {
    reserves: 0,
    earnings: 0,
    marginPerHour: 0,
    hoursCounted: 0,
    costPerHour: 0,
    purchases: [],
    company: createCompanyState(),
    ...changes,
  } as unknown as OperatorState
  // Views missing in a world without parts are never read.
  return { state, world: world as unknown as Parameters<typeof affordable>[1] }
}

test('a company begins with $1500 a host, pays 15 % with the order, hosts in 36 months and works in 60', () => {
  expect(openingReserves(4)).toBe(6_000)
  expect(depositOf(1_000)).toBe(150)
  expect([instalmentOf(36_000, true), instalmentOf(36_000, false)]).toEqual([1_000, 600])
})

test.each([
  [0, 1_000],
  [1, 854],
  [10, -460],
])(
  'at a cost of $%f an hour, a fifth of a month is kept: of $1000, $%f may be spent',
  (costPerHour, dollars) => {
    const { state, world } = createBooks({ reserves: 1_000 }, { costPerHour })
    expect(spendable(state, world)).toBe(dollars)
  },
)

/** A margin of $100 an hour is $73,000 a month, of which $43,800 are available for installments. */
test.each<[string, number, readonly number[], boolean, number]>([
  ['reserves', 15_000, [], true, 100_000],
  ['the margin, over 36 months of a host', 1e9, [], true, 1_576_800],
  ['the margin, over 60 months of works', 1e9, [], false, 2_628_000],
  ['instalments of what is on order', 1e9, [40_000, 2_800], true, 36_000],
  ['more instalments than the margin allows', 1e9, [43_900], true, 0],
  ['nothing in reserve', -1, [], true, 0],
])('what can be afforded is bounded by %s', (_, reserves, instalments, isHost, dollars) => {
  const purchases = instalments.map((instalment) => ({ instalment })) as OperatorState['purchases']
  const { state, world } = createBooks({ reserves, marginPerHour: 100, purchases }, {})
  expect(affordable(state, world, isHost)).toBeCloseTo(dollars, 6)
})

test('earnings are revenue less every cost, and are added to the reserves once', () => {
  const { state, world } = createBooks(
    { reserves: 500, earnings: 100, marginPerHour: 10, hoursCounted: 3 },
    {
      revenue: 1_000,
      directCost: 100,
      facilityCost: 90,
      transitCost: 80,
      addonCost: 70,
      credits: 60,
      evictionFees: 50,
      revenuePerHour: 30,
      costPerHour: 12,
    },
  )
  countEarnings(state, world)
  expect(state).toMatchObject({ earnings: 550, reserves: 950, hoursCounted: 4, marginPerHour: 12 })
  countEarnings(state, world)
  expect(state).toMatchObject({ reserves: 950, hoursCounted: 5, marginPerHour: 13.2 })
  Object.assign(state, { hoursCounted: 168, marginPerHour: 18 + 168 })
  countEarnings(state, world)
  // The margin is averaged over a week.
  expect(state).toMatchObject({ hoursCounted: 168, marginPerHour: 185 })
})
