import { describe, expect, test } from 'vitest'
import { createProspect } from '../../../../../src/world/simulation/tenants/lifecycle/arrivals.ts'
import {
  announceLoss,
  keyShareOf,
  nextNegotiation,
} from '../../../../../src/world/simulation/tenants/lifecycle/key-accounts.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { FixedStream } from '../../fixed-stream.ts'
import { createTenantsFixture, plainContract } from '../tenants-fixture.ts'

describe('a large prospect', () => {
  const courted = (draw: number) => {
    const { world, context, state, takeEvents } = createTenantsFixture()
    world.now = 100 * day
    state.tariff.level = 1.1
    const sizes: number[] = []
    const contracts = { draft: (_: unknown, __?: number, size = 1) => (sizes.push(size), plainContract) }
    const prospect = createProspect(context, contracts, createPlacer(context), new FixedStream(draw), true)
    return { context, prospect, sizes, takeEvents }
  }

  test.each([
    [0, 2.5, 12, 30],
    [0.5, 3.25, 18.5, 40],
    [1, 4, 25, 50],
  ])(
    'at draws of %d is %d times as large, decides after %d days and waits for %d',
    (draw, size, decides, expires) => {
      const { prospect, sizes } = courted(draw)
      expect(sizes).toEqual([size])
      expect([prospect.isKey, prospect.isFamiliar]).toEqual([true, false])
      expect(prospect.decides / day - 100).toBeCloseTo(decides, 6)
      expect(prospect.expires / day - 100).toBeCloseTo(expires, 6)
    },
  )

  test('is announced at list prices, and so is its loss', () => {
    const { context, prospect, takeEvents } = courted(0.5)
    announceLoss(context, prospect, 'a cheaper offer')
    const dollars = prospect.monthlyDollars.toLocaleString('en-US')
    expect(takeEvents()).toEqual([
      `Amber Mill Shoes (${plainContract.kindLabel}) negotiates a Silver contract over 4 units, worth $${dollars} a month. It decides in about 19 days.`,
      'Amber Mill Shoes decided against us. Reason: a cheaper offer.',
    ])
  })

  test('comes a month after the last at the earliest', () => {
    expect(nextNegotiation(5 * day, new FixedStream(1)) / day).toBeCloseTo(37.5, 6)
  })
})

test.each([
  ['brings 8 % of the revenue', 8.01, 12, 0.0801],
  ['brings less', 7.99, 12, null],
  ['is one of a few', 50, 11, null],
])('a customer that %s takes weeks to move out', (_, revenuePerHour, others, share) => {
  const { state, addCustomer } = createTenantsFixture()
  const account = addCustomer({ revenuePerHour })
  for (let n = 0; n < others; n++) addCustomer({ revenuePerHour: (100 - revenuePerHour) / others })
  state.accounts = [...state.byId.values()]
  const found = keyShareOf(state, account)
  expect(found === null ? null : Math.round(found * 1e9) / 1e9).toBe(share)
})
