import { describe, expect, test } from 'vitest'
import type { LeadKind } from '../../../../src/world/simulation/operator/prices.ts'
import { leadDaysMax, leadTime } from '../../../../src/world/simulation/operator/prices.ts'
import { isOnOrder, order, refuse } from '../../../../src/world/simulation/operator/purchasing.ts'
import { outstandingDebtOf, resaleOf } from '../../../../src/world/simulation/operator/sales.ts'
import {
  affordable,
  countEarnings,
  depositOf,
  instalmentOf,
  openingReserves,
  spendable,
} from '../../../../src/world/simulation/operator/treasury.ts'
import { createOperatorState } from '../../../../src/world/simulation/operator/model.ts'
import type { Requirement } from '../../../../src/world/simulation/operator/model.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createPlanningFixture } from './planning-fixture.ts'

test.each<[LeadKind, number, number]>([
  ['Hosts', 7, 15],
  ['Rack', 16, 28],
  ['Links', 6, 14],
  ['Wan', 24, 45],
  ['Device', 14, 30],
  ['Cooling', 21, 42],
  ['Power', 30, 60],
  ['Renewal', 7, 15],
  ['Sale', 5, 12],
  ['Hire', 20, 45],
])('%s takes %i to %i days', (kind, least, most) => {
  expect(leadTime(kind, new FixedStream(0))).toBe(least * day)
  expect(leadTime(kind, new FixedStream(1))).toBe(most * day)
  expect(leadDaysMax(kind)).toBe(most)
})

test('a delivery takes whole hours', () => {
  // 7.08 days are 169.92 hours.
  expect(leadTime('Hosts', new FixedStream(0.01))).toBe(170 * hour)
})

test('a company begins with 1,500 dollars a host, and finances what it buys', () => {
  expect(openingReserves(24)).toBe(36_000)
  expect(depositOf(1_000)).toBe(150)
  expect([instalmentOf(3_600, true), instalmentOf(3_600, false)]).toEqual([100, 60])
})

describe('the treasury', () => {
  test('adds what was earned since the last hour, and averages the margin over a week', () => {
    const { state, world } = createPlanningFixture()
    Object.assign(state, { reserves: 100, marginPerHour: 0 })
    const books = {
      revenue: 1_000,
      directCost: 100,
      facilityCost: 50,
      transitCost: 20,
      addonCost: 10,
      credits: 5,
      evictionFees: 15,
    }
    Object.assign(world.money, { ...books, bonuses: 7, revenuePerHour: 30, costPerHour: 10 })
    countEarnings(state, world)
    expect([state.reserves, state.marginPerHour, state.hoursCounted]).toEqual([900, 20, 1])
    expect([state.earnings, state.costPerHour]).toEqual([800, 10])
    Object.assign(world.money, { revenue: 1_001, revenuePerHour: 42, costPerHour: 12 })
    countEarnings(state, world)
    expect([state.reserves, state.marginPerHour, state.hoursCounted]).toEqual([901, 25, 2])
    expect([state.earnings, state.costPerHour]).toEqual([801, 11])
    Object.assign(world.money, { costPerHour: 10 })
    Object.assign(state, { marginPerHour: 20, hoursCounted: 168 })
    Object.assign(world.money, { revenuePerHour: 198 })
    countEarnings(state, world)
    expect([state.marginPerHour, state.hoursCounted]).toEqual([21, 168])
  })

  test('keeps a fifth of a month of costs', () => {
    const { state, world } = createPlanningFixture()
    state.reserves = 10_000
    world.money.costPerHour = 10
    expect(spendable(state, world)).toBeCloseTo(8_540, 9)
  })

  test.each([
    ['the deposit', 1_500, 1e6, 0, 10_000, 10_000],
    ['the margin', 1e9, 1, 0, 15_768, 26_280],
    ['other instalments', 1e9, 1, 38, 14_400, 24_000],
    ['the end of the margin', 1e9, 1, 438, 0, 0],
    ['a loss', 1e9, -1, 0, 0, 0],
    ['debts', -1, 1e6, 0, 0, 0],
  ])(
    'can pay what %s allows: for hosts, and for other works',
    (_, reserves, marginPerHour, instalment, hosts, works) => {
      const { state, world, context } = createPlanningFixture()
      order(context, { ...requirement, dollars: 0 })
      Object.assign(state.purchases[0], { instalment })
      Object.assign(state, { reserves, marginPerHour })
      expect(affordable(state, world, true)).toBeCloseTo(hosts, 6)
      expect(affordable(state, world, false)).toBeCloseTo(works, 6)
    },
  )
})

test.each([
  ['the installments of a loan', { loan: { monthlyDollars: 38 } }, 14_400, 24_000],
  ['money for investments', { loan: { monthlyDollars: 438 }, programDollars: 700 }, 700, 700],
  ['less of it than the margin carries', { programDollars: 700 }, 15_768, 26_280],
])('an operator with a margin of 438 dollars a month for installments, and %s', (_, about, hosts, works) => {
  const { state, world } = createPlanningFixture()
  Object.assign(state, { marginPerHour: 1 })
  Object.assign(state.company, about)
  expect(affordable(state, world, true)).toBeCloseTo(hosts, 6)
  expect(affordable(state, world, false)).toBeCloseTo(works, 6)
})

test('a new operator has its reserves, and knows nothing of its site', () => {
  const { world } = createPlanningFixture()
  const {
    linkPeak,
    switchPeak,
    gatewayPeak,
    appliancePeak,
    zonePeakKw,
    zonePeakHeatKw,
    emptyHours,
    ...rest
  } = createOperatorState(world.topology, 36_000)
  const { company, ...state } = rest
  expect(company.owner).toBe('The founders')
  expect(state).toEqual({
    reserves: 36_000,
    earnings: 0,
    marginPerHour: 0,
    costPerHour: 0,
    hoursCounted: 0,
    poolUse: [[], [], [], [], [], [], []],
    waiting: new Map(),
    purchases: [],
    sales: [],
    lastId: 0,
    vacancies: [],
    refusedAt: new Map(),
    automatedHosts: 24,
    totals: {
      ordered: 0,
      installed: 0,
      renewed: 0,
      hired: 0,
      left: 0,
      refused: 0,
      spent: 0,
      sold: 0,
      proceeds: 0,
    },
  })
  // Four zones at most, each with links of five roles.
  expect(
    [linkPeak, zonePeakKw, zonePeakHeatKw, switchPeak, gatewayPeak, appliancePeak, emptyHours].map(
      ({ length }) => length,
    ),
  ).toEqual([20, 4, 4, 84, 4, 20, 168])
})

const requirement: Requirement = {
  what: 'a rack',
  because: 'it is needed',
  entity: { kind: 'Zone', id: 2 },
  zone: 1,
  works: [{ kind: 'Rack', zone: 1 }],
  dollars: 6_000,
  lead: 'Rack',
}

describe('an order', () => {
  test.each<[string, Partial<Requirement>, object]>([
    ['works', {}, { hires: null, instalment: 100, due: day + 22 * day, resaleDollars: 0 }],
    [
      'a host',
      { works: [{ kind: 'Renewal', host: 3 }], lead: 'Renewal', resaleDollars: 77 },
      { instalment: 6_000 / 36, due: day + 11 * day, resaleDollars: 77 },
    ],
    [
      'hosts with a rack',
      {
        works: [
          { kind: 'Rack', zone: 1 },
          { kind: 'Hosts', zone: 1, pool: 0, count: 2 },
        ],
      },
      { instalment: 6_000 / 36 },
    ],
    [
      'a technician',
      { works: [], hires: 'power', lead: 'Hire' },
      { hires: 'power', instalment: 0, due: day + 32.5 * day },
    ],
  ])('of %s', (_, about, expected) => {
    const { state, context, world } = createPlanningFixture()
    world.now = day
    state.reserves = 1e6
    expect(order(context, { ...requirement, ...about })).toBe(true)
    expect(state.purchases).toEqual([
      expect.objectContaining({ id: 1, zone: 1, dollars: 6_000, ordered: day, workOrder: null, ...expected }),
    ])
    expect([state.reserves, state.totals.spent, state.totals.ordered]).toEqual([999_100, 6_000, 1])
  })

  test.each([
    [6_000, true],
    [6_001, false],
  ])('of %i dollars with 6,000 affordable: %s', (dollars, isOrdered) => {
    const { state, context, texts } = createPlanningFixture()
    state.reserves = 900
    expect(order(context, { ...requirement, dollars })).toBe(isOrdered)
    expect(state.purchases).toHaveLength(isOrdered ? 1 : 0)
    expect(texts()).toEqual([
      isOrdered
        ? 'Ordered a rack for $6,000, delivery in 22 days: it is needed.'
        : 'Cannot afford a rack: $6,001 needed, $6,000 available. It is needed because it is needed.',
    ])
  })

  test.each([
    ['begins a time without orders, if there is none yet', 6_001, null, 2 * day],
    ['continues it', 6_001, day, day],
    ['that can be paid ends it', 6_000, day, null],
  ])('%s', (_, dollars, before, after) => {
    const { state, context, world } = createPlanningFixture()
    world.now = 2 * day
    state.reserves = 900
    Object.assign(state.company, { blockedSince: before, programDollars: 8_000 })
    order(context, { ...requirement, dollars })
    expect([state.company.blockedSince, state.company.programDollars]).toEqual([
      after,
      dollars === 6_000 ? 2_000 : 8_000,
    ])
  })

  test('is found while it is not in service', () => {
    const { state, context } = createPlanningFixture()
    const isRack = () => isOnOrder(context, ({ kind }) => kind === 'Rack')
    expect(isRack()).toBe(false)
    order(context, { ...requirement, works: [{ kind: 'Power', zone: 1, kw: 1 }, ...requirement.works] })
    expect(isRack()).toBe(true)
    state.purchases.length = 0
    expect(isRack()).toBe(false)
  })
})

test('a refusal is announced once, and again after a week without; another subject or reason has its own', () => {
  const { state, context, world } = createPlanningFixture()
  const refusedAt = (
    now: number,
    about: Partial<Requirement> = {},
    refusal: 'room' | 'power' = 'room',
  ): number => {
    world.now = now
    refuse(context, { ...requirement, ...about }, refusal)
    return state.totals.refused
  }
  const daily = Array.from({ length: 30 }, (_, nth) => refusedAt(nth * day))
  expect(new Set(daily)).toEqual(new Set([1]))
  expect([refusedAt(36 * day - 1), refusedAt(43 * day - 1)]).toEqual([1, 2])
  expect(refusedAt(43 * day, { entity: { kind: 'Zone', id: 3 } })).toBe(3)
  expect(refusedAt(43 * day, { entity: { kind: 'Pool', id: 2 } })).toBe(4)
  expect(refusedAt(43 * day, {}, 'power')).toBe(5)
})

describe('a host of 9,800 dollars', () => {
  const hoursPerYear = 8_766

  test.each([
    ['new', 0, 0, 8_330],
    ['new but with half worn disks', 0, 0.5, 5_831],
    ['new but with worn-out disks', 0, 1, 3_332],
    ['a year and a half old', 1.5, 0, 3_906.44],
    ['three years old', 3, 0, 1_750.88],
  ])('that is %s', (_, years, wear, dollars) => {
    const { world } = createPlanningFixture()
    world.now = years * hoursPerYear * hour
    world.condition.hostWear[3] = wear
    expect(world.topology.hostSkus[world.topology.hosts.sku[3]].priceDollars).toBe(9_800)
    expect(resaleOf(world, 3)).toBe(dollars)
  })

  test.each([
    [0, 9_800],
    [18, 4_900],
    [35, 9_800 / 36],
    [36, 0],
    [40, 0],
  ])('is paid off in 36 months: after %i, %d dollars are owed', (months, dollars) => {
    const { world } = createPlanningFixture()
    world.now = months * 730 * hour
    expect(outstandingDebtOf(world, 3)).toBeCloseTo(dollars, 6)
  })
})
