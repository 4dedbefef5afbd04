import { describe, expect, test } from 'vitest'
import {
  createCompanyState,
  daysCovered,
  monthsCovered,
} from '../../../../../src/world/simulation/operator/chapters/company.ts'
import type { Stance } from '../../../../../src/world/simulation/operator/chapters/company.ts'
import { payDividend } from '../../../../../src/world/simulation/operator/chapters/owners.ts'
import { reviewLedger, stanceOf } from '../../../../../src/world/simulation/operator/chapters/stance.ts'
import { affordable } from '../../../../../src/world/simulation/operator/treasury.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { createPlanningFixture } from '../planning-fixture.ts'

/** A company with a cost of $10 an hour, which is $7,300 a month. */
function companyWith(reserves: number, marginPerHour: number, at = 100 * day) {
  const fixture = createPlanningFixture()
  Object.assign(fixture.state, { reserves, marginPerHour, costPerHour: 10 })
  fixture.world.now = at
  return { ...fixture, company: fixture.state.company }
}

test('a new company belongs to its founders, and owes nothing', () => {
  expect(createCompanyState()).toEqual({
    owner: 'The founders',
    stance: 'Investing',
    stanceSince: 0,
    measures: 0,
    measuredAt: 0,
    loan: null,
    programDollars: 0,
    blockedSince: null,
    capitalAdded: 0,
    project: null,
    opened: null,
    initiative: null,
    nextInitiative: 0,
    nextGeneration: 0,
    conferenceAt: null,
    yearBegan: { revenue: 0, earnings: 0 },
  })
})

test.each([
  // Reserves, cost an hour: months and days.
  [7_300, 10, 1, 30],
  [-7_300, 10, -1, 0],
  [100, 0, 100, 3_042],
])('reserves of %i dollars at a cost of %i an hour', (reserves, costPerHour, months, days) => {
  expect(monthsCovered({ reserves, costPerHour })).toBe(months)
  expect(daysCovered({ reserves, costPerHour })).toBe(days)
})

test.each<[Stance, number, number, Stance]>([
  ['Investing', 0.1, 0.2, 'Investing'],
  ['Investing', 0.09, 0.2, 'InTrouble'],
  ['InTrouble', 0.49, 0.2, 'InTrouble'],
  ['InTrouble', 0.5, 0.2, 'Investing'],
  ['InTrouble', 0.5, -0.04, 'Careful'],
  ['Investing', 0.99, -0.04, 'Careful'],
  ['Investing', 0.99, -0.03, 'Investing'],
  ['Investing', 1, -0.04, 'Investing'],
  ['Careful', 0.5, 0.02, 'Careful'],
  ['Careful', 0.5, 0.03, 'Investing'],
  ['Careful', 5.9, 0.02, 'Careful'],
  ['Careful', 6, 0.02, 'Hoarding'],
  ['Investing', 4, 0.2, 'Investing'],
  ['Investing', 4.1, 0.2, 'Hoarding'],
  ['Hoarding', 3.1, 0.2, 'Hoarding'],
  ['Hoarding', 3, 0.2, 'Investing'],
])('%s with reserves for %d months and a margin of %d of the cost is %s', (before, months, margin, after) => {
  expect(stanceOf(before, months, margin)).toBe(after)
})

describe('a company without money', () => {
  test('borrows, raises prices, sells what is empty, and is taken over, a week after another', () => {
    const { context, state, world, company, tariff, texts } = companyWith(-100, -2)
    // Paid off long ago.
    world.topology.hosts.installed.fill(-4 * 365 * day)
    for (let week = 0; week < 4; week++) {
      state.reserves = -100
      reviewLedger(context)
      world.now += 6 * day
      reviewLedger(context)
      world.now += day
    }
    expect(texts()).toEqual([
      expect.stringMatching(
        / lends the company \$15,000 for 36 months: its reserves cover 0 days of cost\.$/,
      ),
      'All customers pay 8 % more from today: reserves cover 0 days of cost.',
      expect.stringMatching(/^Plans to sell .+: empty, and the company needs the money\.$/),
      expect.stringMatching(
        /^To save money, pool General x86 is cut back: its 4 empty hosts are for sale\.$/,
      ),
      expect.stringMatching(
        / takes over the company from the founders, pays off its debts, adds \$29,000, and will invest \$15,000\.$/,
      ),
    ])
    expect(tariff.asked).toEqual([['all', 0.08]])
    expect(company).toMatchObject({ loan: null, programDollars: 15_000 })
    expect(state.reserves).toBe(29_000)
  })

  test('does not judge its margin in the first week', () => {
    const { context, texts } = companyWith(-100, -2, 7 * day - 1)
    reviewLedger(context)
    expect(texts()).toEqual([])
  })

  test('judges it from the end of the first week on', () => {
    const { context, company } = companyWith(5_000, -2, 7 * day)
    reviewLedger(context)
    expect(company.stance).toBe('Careful')
  })

  test('saves while it loses money, and says when it is sound again', () => {
    const { context, state, world, texts } = companyWith(5_000, -3)
    reviewLedger(context)
    Object.assign(state, { marginPerHour: 4 })
    world.now += 12 * day
    reviewLedger(context)
    expect(texts()).toEqual([
      'The company loses $3 an hour. It stops hiring, and replaces only what is worn out, until it earns money again.',
      'The company is sound again after 12 days: reserves cover 21 days of cost.',
    ])
  })

  test('pays a loan off when two and a half months of cost remain', () => {
    const { context, state, world, company } = companyWith(18_549, 1)
    company.loan = { lender: 'A bank', monthlyDollars: 100, monthsLeft: 3, nextPayment: world.now + day }
    reviewLedger(context)
    expect([state.reserves, company.loan?.monthsLeft]).toEqual([18_549, 3])
    state.reserves = 18_550
    reviewLedger(context)
    expect([state.reserves, company.loan]).toEqual([18_250, null])
  })

  test('pays a loan back month by month', () => {
    const { context, state, world, company, texts } = companyWith(5_000, 1)
    company.loan = { lender: 'A bank', monthlyDollars: 100, monthsLeft: 2, nextPayment: world.now }
    for (let month = 0; month < 3; month++) {
      reviewLedger(context)
      world.now += 30 * day
    }
    expect([state.reserves, company.loan, texts()]).toEqual([
      4_800,
      null,
      ['The company has paid back the loan of A bank.'],
    ])
  })
})

describe('a company that could not pay for any order', () => {
  const blocked = (days: number, margin: number, capitalAdded: number, reserves: number) => {
    const made = companyWith(reserves, margin)
    Object.assign(made.company, { blockedSince: made.world.now - days * day, capitalAdded })
    reviewLedger(made.context)
    return made
  }

  test.each([
    ['waits two weeks', 13.9, 1, 0, 5_000, 0],
    ['invests what it has', 14, -0.1, 2, 5_111, 7_000],
    ['borrows if it earns', 14, 1, 0, 20_000, 14_600],
    ['gets money of its owner if it does not', 14, -0.1, 0, 20_000, 15_000],
    ['is sold the third time', 14, -0.1, 2, 34_000, 15_000],
  ])('%s', (_, days, margin, before, reserves, program) => {
    const { state, company, world, context } = blocked(
      days,
      margin,
      before,
      program === 7_000 ? 5_111 : 5_000,
    )
    expect([state.reserves, company.programDollars]).toEqual([reserves, program])
    if (program === 0) return
    // Money for investments may be spent at any margin.
    state.marginPerHour = -50
    expect(affordable(state, world, true)).toBeCloseTo(program, 6)
    expect(context.state.company.blockedSince).toBeNull()
  })
})

describe('the owners', () => {
  test.each([
    ['leave what is needed for two and a half months', 18_250 + 3_600, 1, 21_850, 0],
    ['take the rest from half a month of cost on', 18_250 + 4_000, 1, 18_250, 4_000],
    ['take nothing from a company that loses money', 80_000, -1, 80_000, 0],
  ])('%s', (_, reserves, margin, left, dividend) => {
    const { context, state, texts } = companyWith(reserves, margin)
    payDividend(context)
    expect(state.reserves).toBe(left)
    expect(texts()).toEqual(
      dividend === 0 ? [] : ['The founders took a dividend of $4,000; reserves of $18,250 remain.'],
    )
  })
})
