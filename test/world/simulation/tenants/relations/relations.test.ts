import { describe, expect, test } from 'vitest'
import type { Band, Tier } from '../../../../../src/contract/vocabularies.ts'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import { updateProbation } from '../../../../../src/world/simulation/tenants/relations/probation.ts'
import { stepRenewal } from '../../../../../src/world/simulation/tenants/relations/renewal.ts'
import {
  interestFactor,
  loseReputation,
  opinionOfCustomers,
  tierTilt,
  updateReputation,
} from '../../../../../src/world/simulation/tenants/relations/reputation.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture, drawAlways } from '../tenants-fixture.ts'

describe('probation', () => {
  const now = 10 * day
  const updated = (changes: Partial<Account>, draw = 0) => {
    const { world, context, addCustomer, takeEvents } = createTenantsFixture()
    drawAlways(world, draw)
    world.now = now
    const account = addCustomer(changes)
    updateProbation(context, account)
    return { state: [account.lifecycle, account.pendingUntil], events: takeEvents() }
  }
  const active = { lifecycle: 'Active', pendingUntil: null } as const
  const onProbation = { lifecycle: 'Probation', pendingUntil: 12 * day } as const

  test.each<[string, Partial<Account>, readonly unknown[]]>([
    ['does not begin at 0.52', { ...active, satisfaction: 0.52 }, ['Active', null]],
    ['begins below it, for three days at least', { ...active, satisfaction: 0.519 }, ['Probation', 13 * day]],
    ['does not begin again', { ...onProbation, satisfaction: 0.3 }, ['Probation', 12 * day]],
    ['does not end at 0.62', { ...onProbation, satisfaction: 0.62 }, ['Probation', 12 * day]],
    ['ends above it', { ...onProbation, satisfaction: 0.621 }, ['Active', null]],
    [
      'does not begin during notice',
      { lifecycle: 'Leaving', pendingUntil: 11 * day, satisfaction: 0.1 },
      ['Leaving', 11 * day],
    ],
    [
      'does not end notice',
      { lifecycle: 'Leaving', pendingUntil: 11 * day, satisfaction: 0.9 },
      ['Leaving', 11 * day],
    ],
  ])('%s', (_, changes, state) => {
    expect(updated(changes).state).toEqual(state)
  })

  test('lasts three to 24 days', () => {
    const { world, context, addCustomer } = createTenantsFixture()
    const lasting = Array.from({ length: 200 }, () => {
      const account = addCustomer({ ...active, satisfaction: 0.5 })
      while (account.pendingUntil === null) updateProbation(context, account)
      return (account.pendingUntil - world.now) / day
    })
    expect(Math.min(...lasting)).toBeGreaterThanOrEqual(3)
    expect(Math.max(...lasting)).toBeLessThanOrEqual(24)
    expect(Math.max(...lasting) - Math.min(...lasting)).toBeGreaterThan(18)
  })

  test('begins on different days for those who suffered together', () => {
    const { world, context, addCustomer } = createTenantsFixture()
    const accounts = Array.from({ length: 25 }, () => addCustomer({ ...active, satisfaction: 0.5 }))
    const byDay = Array.from({ length: 5 }, () => {
      for (let turn = 0; turn < 288; turn++) for (const account of accounts) updateProbation(context, account)
      world.now += day
      return accounts.filter(({ lifecycle }) => lifecycle === 'Probation').length
    })
    expect(byDay[0]).toBeGreaterThan(3)
    expect(byDay[0]).toBeLessThan(16)
    expect(byDay[4]).toBeGreaterThan(18)
  })

  test('says when it begins and ends', () => {
    expect(updated({ ...active, satisfaction: 0.5 }).events).toEqual([
      'Amber Mill Shoes will give notice on day 13 unless its service improves. Reason: the outages of the last weeks.',
    ])
    expect(updated({ ...onProbation, satisfaction: 0.7 }).events).toEqual([
      'Amber Mill Shoes is satisfied again and stays.',
    ])
  })
})

const renewed = 'Amber Mill Shoes renewed its contract for a year'

test.each([
  [365 * day - 1, 1, 1_000, 0, []],
  [365 * day, 1, 970, 365 * day, [`${renewed}. Its prices fall by 3 %.`]],
  [365 * day, 1.08, 1_047.6, 365 * day, [`${renewed}. Its prices rise by 4.8 %.`]],
  [365 * day, 1 / 0.97, 1_000, 365 * day, [`${renewed} at the same prices.`]],
  [365 * day, 0.8, 850, 365 * day, [`${renewed}. Its prices fall by 15 %.`]],
])('after %i µs of a contract, at a list of %d, a unit costs %d', (now, level, price, priced, events) => {
  const { world, context, state, addCustomer, addService, takeEvents } = createTenantsFixture()
  const account = addCustomer({ priced: 0, priceRise: 0.08 })
  state.tariff.level = level
  const rows = [
    addService(account, { unitMicroPerMinute: 1_000 }),
    addService(account, { unitMicroPerMinute: 1_000 }),
  ]
  world.now = now
  stepRenewal(context, account)
  for (const row of rows) expect(state.services.unitMicroPerMinute[row]).toBeCloseTo(price, 9)
  expect(account.priced).toBe(priced)
  expect([account.priceLevel, account.priceRise]).toEqual(priced > 0 ? [level, 0] : [1, 0.08])
  expect(takeEvents()).toEqual(events)
})

describe('reputation', () => {
  const withCustomers = (
    customers: Partial<Record<Tier, number>>,
    value = 0.5,
    bands: readonly Band[] = [],
  ) => {
    const fixture = createTenantsFixture()
    for (const [tier, satisfaction] of Object.entries(customers))
      fixture.addCustomer({ tier: tier as Tier, satisfaction })
    fixture.state.reputation.value = value
    fixture.world.incidents = new Map(bands.map((band, id) => [id, { id, band } as never]))
    return fixture
  }

  test.each<[string, Partial<Record<Tier, number>>, number]>([
    ['is the usual one without customers', {}, 0.75],
    ['is that of the only customer', { Bronze: 0.3 }, 0.3],
    ['counts Silver one and a half times', { Bronze: 0, Silver: 1 }, 0.6],
    ['counts Gold twice', { Bronze: 0, Gold: 0.9 }, 0.6],
    ['counts Platinum three times', { Bronze: 0, Platinum: 0.8 }, 0.6],
  ])('what customers say %s', (_, customers, opinion) => {
    expect(opinionOfCustomers(withCustomers(customers).state)).toBeCloseTo(opinion, 9)
  })

  test.each<[string, number, number, readonly Band[], number]>([
    ['stays where customers agree', 0.5, 0.5, [], 0.5],
    ['goes 1/504 of the way to what they say', 0.5, 1, [], 0.500992],
    ['sinks as slowly', 0.5, 0, [], 0.499008],
    ['suffers from each Critical incident', 0.5, 0.5, ['Critical', 'Major', 'Critical', 'Watch'], 0.496],
    ['does not suffer from others', 0.5, 0.5, ['Major', 'Minor', 'Watch'], 0.5],
    ['is never below nothing', 0.001, 0, ['Critical'], 0],
    ['is never above 1', 1, 1, [], 1],
  ])('%s', (_, value, satisfaction, bands, next) => {
    const { world, context, state } = withCustomers({ Gold: satisfaction }, value, bands)
    updateReputation(context)
    expect(state.reputation.value).toBe(value)
    world.tick = 365
    updateReputation(context)
    expect(state.reputation.value).toBeCloseTo(next, 6)
  })

  test.each([
    [0.5, 0.494],
    [0.004, 0],
  ])('of %f is %f when a customer leaves for its grievances', (value, next) => {
    const { state } = withCustomers({}, value)
    loseReputation(state)
    expect(state.reputation.value).toBeCloseTo(next, 9)
  })

  test.each([
    [0, 0.2, 0.4],
    [0.375, 0.2, 0.4],
    [0.45, 0.216, 0.4],
    [0.6, 0.512, 0.64],
    [0.75, 1, 1],
    [0.825, 1.331, 1.21],
    [0.9, 1.728, 1.4],
    [1, 1.8, 1.4],
  ])(
    'of %f brings %f times as many prospects, and each tier by %f more than the one below',
    (value, interest, tilt) => {
      const { state } = withCustomers({}, value)
      expect(interestFactor(state, 0)).toBeCloseTo(interest, 9)
      expect(tierTilt(state)).toBeCloseTo(tilt, 9)
    },
  )
})
