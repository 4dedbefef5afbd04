import { describe, expect, test } from 'vitest'
import type { Tier } from '../../../../../src/contract/vocabularies.ts'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import { createSlaPeriod } from '../../../../../src/world/simulation/tenants/account.ts'
import { createAccounting } from '../../../../../src/world/simulation/tenants/billing/accounting.ts'
import { createLifecycle } from '../../../../../src/world/simulation/tenants/lifecycle/lifecycle.ts'
import {
  assignSegment,
  createSegmentsState,
  removePrivateSegment,
} from '../../../../../src/world/simulation/tenants/lifecycle/segments.ts'
import { createFleet } from '../../../../../src/world/simulation/tenants/placement/fleet.ts'
import { attemptPlacement } from '../../../../../src/world/simulation/tenants/placement/placement-attempt.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { day, hour } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture, drawAlways, plainContract } from '../tenants-fixture.ts'

const now = 100 * day

function createRun(draw = 0.5) {
  const fixture = createTenantsFixture()
  const { world, context, state, addCustomer } = fixture
  drawAlways(world, draw)
  Object.assign(world, { now })
  state.reputation.value = 0.5
  const placer = createPlacer(context)
  const accounting = createAccounting(context)
  const lifecycle = createLifecycle(context, placer, createFleet(context, placer), accounting)
  /** A satisfied customer without scheduled changes. */
  const add = (changes: Partial<Account> = {}): Account =>
    addCustomer({ nextGrowth: 1_000 * day, priced: now, signed: now - 10 * day, ...changes })
  return { ...fixture, placer, accounting, lifecycle, add }
}

test('a prospect signs: it is placed at once, gets its bonus and waits to be onboarded', () => {
  const { context, state, lifecycle, placer, takeEvents, world } = createRun(0.4)
  const account = lifecycle.sign({
    id: 1,
    contract: plainContract,
    arrived: now,
    expires: now,
    decides: now,
    isFamiliar: false,
    isKey: false,
    bonusDollars: 21,
    monthlyDollars: 1_048,
    countedUnserved: null,
    placement: attemptPlacement(context, placer, plainContract),
    placementAt: now,
  })
  expect(account).toMatchObject({
    lifecycle: 'Pending',
    placedUnits: 4,
    requestedUnits: 4,
    live: false,
    signed: now,
  })
  // Half an hour to three hours.
  expect(account.pendingUntil! - now).toBeCloseTo(1.5 * hour, -4)
  expect([state.money.bonuses, state.byId.get(account.id)]).toEqual([21, account])
  expect(takeEvents()).toEqual([
    'Amber Mill Shoes signed a Silver contract. It expects an answer within the hour.',
  ])
  world.now = account.pendingUntil! - 1
  lifecycle.stepTurn(account)
  expect(account.lifecycle).toBe('Pending')
  world.now = account.pendingUntil!
  lifecycle.stepTurn(account)
  expect([account.lifecycle, account.pendingUntil]).toEqual(['Onboarding', null])
})

test('a customer goes live once, with a period that begins', () => {
  const { lifecycle, add, takeEvents } = createRun()
  const account = add({ lifecycle: 'Onboarding', live: false, pendingUntil: now, placedUnits: 4 })
  lifecycle.goLive(account)
  expect(account).toMatchObject({ lifecycle: 'Active', live: true, pendingUntil: null })
  expect(account.period).toEqual(createSlaPeriod(now, now + 30 * day))
  expect(takeEvents()).toEqual(['Amber Mill Shoes is live with 4 units.'])
  lifecycle.goLive(account)
  const leaving = add({ lifecycle: 'Leaving', live: false })
  lifecycle.goLive(leaving)
  expect([leaving.lifecycle, leaving.live, takeEvents()]).toEqual(['Leaving', false, []])
})

describe('a minute', () => {
  const turnOf = (changes: Partial<Account>, draw = 0.5) => {
    const run = createRun(draw)
    const account = run.add(changes)
    run.lifecycle.stepTurn(account)
    return { ...run, account, events: run.takeEvents() }
  }

  test.each<[Tier, number]>([
    ['Bronze', 1],
    ['Silver', 2],
    ['Gold', 4],
    ['Platinum', 7],
  ])('ends the probation of a %s customer with %i days of notice', (tier, days) => {
    const { account, events, state } = turnOf({
      tier,
      lifecycle: 'Probation',
      pendingUntil: now,
      satisfaction: 0.5,
    })
    expect(account).toMatchObject({
      lifecycle: 'Leaving',
      pendingUntil: now + days * day,
      mayReturn: true,
      leavingReason: 'the outages of the last weeks',
    })
    expect(state.reputation.value).toBeCloseTo(0.494, 9)
    expect(events[0]).toBe('Amber Mill Shoes gave notice. Reason: the outages of the last weeks.')
  })

  test.each<[string, Partial<Account>, string]>([
    ['leaves a content customer alone', {}, 'Active'],
    [
      'does not end probation early',
      { lifecycle: 'Probation', pendingUntil: now + 1, satisfaction: 0.6 },
      'Probation',
    ],
    ['does not end notice early', { lifecycle: 'Leaving', pendingUntil: now + 1 }, 'Leaving'],
    ['ends notice', { lifecycle: 'Leaving', pendingUntil: now }, 'Gone'],
    ['lets an unhappy one hesitate', { satisfaction: 0.5 }, 'Active'],
    ['ends it', { lifecycle: 'Probation', pendingUntil: now + 1, satisfaction: 0.7 }, 'Active'],
    ['does not begin probation before it is live', { satisfaction: 0.5, live: false }, 'Active'],
  ])('%s', (_, changes, lifecycle) => {
    expect(turnOf(changes).account.lifecycle).toBe(lifecycle)
  })

  test('begins probation when its chance is drawn', () => {
    expect(turnOf({ satisfaction: 0.5 }, 0).account.lifecycle).toBe('Probation')
  })

  test.each([
    ['Active', ['Amber Mill Shoes complained about the outages of the last weeks.']],
    ['Leaving', []],
  ] as const)('an %s customer complains: %j', (lifecycle, texts) => {
    expect(turnOf({ lifecycle, satisfaction: 0.55 }).events).toEqual(texts)
  })

  test.each([
    [2.3e-6, 'Leaving', ['Amber Mill Shoes gave notice. Reason: it moves its systems in-house.']],
    [2.4e-6, 'Active', []],
  ])('at a draw of %f of 1 in 1500 days a content customer is %s', (draw, lifecycle, texts) => {
    const { account, events, state } = turnOf({}, draw)
    expect([account.lifecycle, account.mayReturn, state.reputation.value]).toEqual([lifecycle, false, 0.5])
    expect(events).toEqual(texts)
  })

  test('renews a contract after a year, and grows a customer when it is due', () => {
    const { account } = turnOf({ priced: now - 365 * day })
    expect(account.priced).toBe(now)
    expect(
      turnOf({ priced: now - 365 * day, lifecycle: 'Leaving', pendingUntil: now + 1 }).account.priced,
    ).not.toBe(now)
    const run = createRun()
    const growing = run.add({ nextGrowth: now })
    run.addService(growing, { requested: 4 }, [1])
    run.lifecycle.stepTurn(growing)
    expect(growing.nextGrowth).toBeGreaterThan(now)
  })

  const [active, leaving] = [{ lifecycle: 'Active' }, { lifecycle: 'Leaving' }] as const
  const due = now - 4 * day
  const patient = { placedUnits: 6, temper: 0.8 }
  const inNotice = { lifecycle: 'Leaving', pendingUntil: now + 1 } as const
  test.each<[string, Partial<Account>, Partial<Account>]>([
    ['not with 70 % of its units', { unservedSince: 0, placedUnits: 7 }, { unservedSince: null, ...active }],
    [
      'after four days with fewer',
      { unservedSince: due, placedUnits: 6 },
      { unservedSince: null, ...leaving },
    ],
    ['not before', { unservedSince: due + 1, placedUnits: 6 }, { unservedSince: due + 1, ...active }],
    ['counted from now on', { placedUnits: 6 }, { unservedSince: now, ...active }],
    ['later if it is patient', { unservedSince: now - 4.8 * day, ...patient }, leaving],
    ['not yet if it is patient', { unservedSince: now - 4.8 * day + 1, ...patient }, active],
    [
      'not again during notice',
      { unservedSince: 0, placedUnits: 6, ...inNotice },
      { unservedSince: 0, ...inNotice },
    ],
  ])('ends the contract of a customer without room, %s', (_, changes, expected) => {
    const { account } = turnOf({ requestedUnits: 10, growthUnplacedSince: now, ...changes })
    expect(account).toMatchObject(expected)
  })

  test.each<[Tier, number, number]>([
    ['Bronze', 1, 73],
    ['Silver', 2, 183],
    ['Gold', 4, 365],
    ['Platinum', 7, 730],
  ])(
    'ends that of a %s customer, which pays $1 an hour, with %i days of notice, for $%i',
    (tier, days, dollars) => {
      const { account, state, events } = turnOf({
        tier,
        requestedUnits: 10,
        unservedSince: 0,
        revenuePerHour: 1,
      })
      expect(account).toMatchObject({ pendingUntil: now + days * day, mayReturn: true })
      expect(state.money.evictionFees).toBe(dollars)
      expect(events).toEqual([
        `We ended the contract of Amber Mill Shoes: no host can take what it needs. It cost $${dollars}.`,
      ])
    },
  )
})

describe('a customer that is gone', () => {
  const leave = (changes: Partial<Account>) => {
    const run = createRun()
    const account = run.add({
      lifecycle: 'Leaving',
      pendingUntil: now,
      leavingReason: 'a reason',
      revenueMicro: 5,
      ...changes,
    })
    const row = run.addService(account, { placed: 2 }, [0, 0])
    run.lifecycle.stepTurn(account)
    return { ...run, account, row }
  }

  test('has no units, and its row, books and name are closed', () => {
    const { account, state, row, takeEvents } = leave({})
    expect([state.units.count, state.services.customer[row], state.services.freeRows]).toEqual([0, 0, [row]])
    expect([state.accounts, state.byId.size, account.live]).toEqual([[], 0, false])
    expect(state.accounting.totals.goneRevenue).toBe(5)
    expect(takeEvents()).toEqual(['Amber Mill Shoes left after 10 days. Reason: a reason.'])
  })

  test.each([
    [now, '1 day'],
    [now - day, '1 day'],
    [now - 2 * day, '2 days'],
  ])('signed at %i has stayed for %s', (signed, days) => {
    expect(leave({ signed }).takeEvents()).toEqual([`Amber Mill Shoes left after ${days}. Reason: a reason.`])
  })

  test('is remembered if it may return, as one of the last hundred', () => {
    expect(leave({}).state.formerCustomers).toEqual([])
    const { state, lifecycle, add, account } = leave({ mayReturn: true })
    expect(state.formerCustomers).toEqual([{ contract: account.contract, left: now }])
    for (let i = 0; i < 100; i++)
      lifecycle.stepTurn(add({ lifecycle: 'Leaving', pendingUntil: now, mayReturn: true, signed: i }))
    expect(state.formerCustomers).toHaveLength(100)
    expect(state.formerCustomers[0].contract).not.toBe(account.contract)
  })
})

test.each<[Tier, boolean, object]>([
  ['Bronze', false, { id: 1, vni: 10_001, name: 'shared', tierRule: 'Everyone', customerId: null }],
  ['Silver', false, { id: 1, vni: 10_001, name: 'shared', tierRule: 'Everyone', customerId: null }],
  ['Gold', false, { id: 2, vni: 10_002, name: 'gold', tierRule: 'GoldAndUp', customerId: null }],
  ['Platinum', false, { id: 3, vni: 10_003, name: 'platinum', tierRule: 'PlatinumOnly', customerId: null }],
  [
    'Bronze',
    true,
    { id: 4, vni: 10_004, name: 'private Amber Mill Shoes', tierRule: 'Explicit', customerId: 9 },
  ],
])('a %s customer, private: %s, is in its segment', (tier, privateSegment, segment) => {
  const segments = createSegmentsState()
  expect(assignSegment(segments, { ...plainContract, tier, privateSegment }, 9)).toEqual(segment)
  expect(segments.entries).toHaveLength(privateSegment ? 4 : 3)
  removePrivateSegment(segments, 8)
  expect(segments.entries).toHaveLength(privateSegment ? 4 : 3)
  removePrivateSegment(segments, 9)
  expect(segments.entries.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(assignSegment(segments, { ...plainContract, privateSegment: true }, 10).id).toBe(
    privateSegment ? 5 : 4,
  )
})
