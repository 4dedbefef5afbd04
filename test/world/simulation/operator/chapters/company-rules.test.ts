import { describe, expect, test } from 'vitest'
import { stepChapters } from '../../../../../src/world/simulation/operator/chapters/chapters.ts'
import { stepConference } from '../../../../../src/world/simulation/operator/chapters/conference.ts'
import { payDividend, reviewOwnership } from '../../../../../src/world/simulation/operator/chapters/owners.ts'
import { reviewStaff } from '../../../../../src/world/simulation/operator/chapters/people.ts'
import { reviewPrices } from '../../../../../src/world/simulation/operator/chapters/pricing.ts'
import { reviewLedger } from '../../../../../src/world/simulation/operator/chapters/stance.ts'
import type { Technician } from '../../../../../src/world/simulation/operations/technicians.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { FixedStream } from '../../fixed-stream.ts'
import { createPlanningFixture } from '../planning-fixture.ts'

/** A company with a cost of $10 an hour, which is $7,300 a month. */
function companyWith(reserves: number, marginPerHour: number) {
  const fixture = createPlanningFixture()
  Object.assign(fixture.state, { reserves, marginPerHour, costPerHour: 10 })
  fixture.world.now = 100 * day
  const severities = () => fixture.world.events.state.window.map(({ severity }) => severity)
  return { ...fixture, severities, company: fixture.state.company }
}

type Fixture = ReturnType<typeof companyWith>
test.each<[string, number, (fixture: Fixture) => void, string]>([
  ['the ledger', 100, ({ company }) => void (company.blockedSince = 86 * day), 'event.program-approved'],
  [
    'projects',
    100,
    ({ context }) => void Object.assign(context.site, { hostsMax: 30 }),
    'event.zone-announced',
  ],
  // The world begins on day 125 of a year.
  ['list prices', 10, () => {}, 'event.prices-lowered'],
  ['ownership', 241, () => {}, 'event.year-closed'],
  ['the conference', 100, ({ company }) => void (company.conferenceAt = 100 * day), 'event.conference-held'],
  ['initiatives', 77, () => {}, 'event.advertising-began'],
  [
    'staff',
    100,
    ({ context }) => void Object.assign(context, { chance: new FixedStream(0) }),
    'event.staff-left',
  ],
])('a day of the company includes a review of %s', (_, today, prepare, key) => {
  const fixture = companyWith(1e6, 1)
  fixture.world.now = today * day
  fixture.company.nextGeneration = Infinity
  prepare(fixture)
  stepChapters(fixture.context)
  expect(fixture.world.events.state.window.map(({ msg_key }) => msg_key)).toContain(key)
})

describe('a conference', () => {
  const customer = (id: number, satisfaction: number, revenuePerHour: number) => ({
    id,
    name: `C${id}`,
    satisfaction,
    revenuePerHour,
  })
  const others = [3, 4, 5].map((id) => customer(id, 0.6, 9))
  const invites = (speakers: string): string[] => [
    `The company invites its customers to a conference in 30 days. Speakers: ${speakers}.`,
  ]

  test.each([
    ['satisfied customers', [customer(1, 0.7, 1), customer(2, 0.8, 2), ...others], 111, invites('C2 and C1')],
    ['no dissatisfied one', [customer(1, 0.69, 1), customer(2, 0.8, 2), ...others], 111, invites('C2')],
    ['the older of equals', [customer(2, 0.8, 2), customer(1, 0.8, 2), ...others], 111, invites('C1 and C2')],
    [
      'none of the customers',
      [customer(1, 0.6, 1), customer(2, 0.6, 2), ...others],
      111,
      invites('to be announced'),
    ],
    ['too few customers', [customer(1, 0.8, 1), ...others], 111, []],
    ['satisfied customers, a day early', [customer(1, 0.8, 1), customer(2, 0.8, 2), ...others], 110, []],
  ])('with %s', (_, active, today, expected) => {
    const { context, world, texts, company } = companyWith(1e6, 1)
    Object.assign(world.tenants, { active })
    // The world begins on day 125 of a year; the invitation is on day 236.
    world.now = today * day
    stepConference(context)
    expect(texts()).toEqual(expected)
    expect(company.conferenceAt).toBe(expected.length === 0 ? null : 141 * day)
  })

  test.each(['Careful', 'InTrouble'] as const)('is not announced by a company that is %s', (stance) => {
    const { context, world, company } = companyWith(1e6, 1)
    Object.assign(world.tenants, { active: [...others, customer(1, 0.8, 1), customer(2, 0.8, 2)] })
    world.now = 111 * day
    company.stance = stance
    stepConference(context)
    expect(company.conferenceAt).toBeNull()
  })
})

describe('a technician', () => {
  /** A team of two with one skill, of whom the second stays. */
  function teamWith(about: Partial<Technician>, other: Partial<Technician> = {}) {
    const fixture = companyWith(1e6, 1)
    const { staff } = fixture.operations.dispatcher.roster
    const [first, second] = staff
    Object.assign(first, { joined: -500 * day, secondSkill: null }, about)
    Object.assign(second, { joined: fixture.world.now, isGone: false }, other)
    ;(staff as Technician[]).length = 2
    return { ...fixture, first, second }
  }
  const leaving = 0.0011
  const learning = 0.0083

  test.each<[string, Partial<Technician>, Partial<Technician>, number, 'leaves' | 'learns' | 'stays']>([
    ['may leave at a chance of 1 in 900 a day', {}, {}, leaving, 'leaves'],
    ['stays above that chance', { secondSkill: 'power' }, {}, 0.0012, 'stays'],
    ['may leave after 120 days', { joined: -20 * day }, {}, leaving, 'leaves'],
    ['stays for 120 days', { joined: -20 * day + 1 }, {}, leaving, 'stays'],
    ['stays while at work', { order: 7 }, {}, leaving, 'stays'],
    ['has left once', { isGone: true }, {}, leaving, 'stays'],
    ['stays as the last of a skill', { secondSkill: 'power' }, { skill: 'power' }, leaving, 'stays'],
    ['stays as the last of a region', { secondSkill: 'power' }, { region: 1 }, leaving, 'stays'],
    ['stays if the others have left', { secondSkill: 'power' }, { isGone: true }, leaving, 'stays'],
    ['learns instead of leaving', {}, { skill: 'power' }, leaving, 'learns'],
    ['may learn at a chance of 1 in 120 a day', {}, {}, learning, 'learns'],
    ['learns nothing above that chance', {}, {}, 0.0084, 'stays'],
    ['may learn after a year', { joined: -265 * day }, {}, learning, 'learns'],
    ['learns nothing in the first year', { joined: -265 * day + 1 }, {}, learning, 'stays'],
    ['learns no third skill', { secondSkill: 'security' }, {}, learning, 'stays'],
  ])('%s', (_, about, other, draw, expected) => {
    const { context, state, first, texts } = teamWith(about, other)
    const { secondSkill, isGone } = { secondSkill: null, isGone: false, ...about }
    reviewStaff({ ...context, chance: new FixedStream(draw) })
    expect(first.isGone).toBe(expected === 'leaves' || isGone)
    expect(first.secondSkill).toBe(expected === 'learns' ? 'power' : secondSkill)
    expect([state.totals.left, texts().length]).toEqual([
      expected === 'leaves' ? 1 : 0,
      expected === 'stays' ? 0 : 1,
    ])
  })

  test('leaves after a number of months, and a vacancy', () => {
    const { context, state, texts } = teamWith({ joined: -20 * day, name: 'Ines K.' })
    reviewStaff({ ...context, chance: new FixedStream(0) })
    expect(texts()).toEqual([
      'Ines K., technician for hardware, leaves after 4 months: a job closer to home.',
    ])
    expect(state.vacancies).toEqual([{ name: 'Ines K.', skill: 'hardware', region: 0 }])
  })
})

describe('list prices', () => {
  const lowered = 'List prices fall by 4 %: pools are only 30 % full.'
  const lifted = 'List prices rise by 4 %: demand for more hosts was turned away.'
  const undercut = 'List prices fall by 4 %: a competitor offers the same for less.'

  /** The world begins on day 125 of a year. */
  test.each([
    ['in the middle of May', 10, 0.3, 0, lowered],
    ['a day later', 11, 0.3, 0, null],
    ['in the middle of August', 102, 0.3, 0, lowered],
    ['in the middle of November', 194, 0.3, 0, lowered],
    ['in the middle of February', 286, 0.3, 0, lowered],
    ['with fuller pools', 10, 0.5, 0, null],
    ['with full pools', 10, 0.7, 0, null],
    ['with full pools and demand that was turned away', 10, 0.7, 3, lifted],
    ['with a margin of more than half of the revenue', 10, 0.5, 0, undercut],
  ])('are reviewed %s', (_, today, fill, unserved, expected) => {
    const { context, state, world, tariff, texts } = companyWith(1e6, 1)
    world.now = today * day
    for (const pool of context.capacity.pools) Object.assign(pool, { milli: fill * pool.maxMilli })
    const [{ hosts, maxMilli }] = context.capacity.pools
    const demand = { vcpu: (unserved * maxMilli) / hosts / 1_000, memMb: 0, slices: 0 }
    Object.assign(world.tenants, { unservedDemand: new Map([[1, demand]]) })
    Object.assign(world.money, { revenuePerHour: 20 })
    state.marginPerHour = expected === undercut ? 11 : 10
    reviewPrices(context)
    expect(texts()).toEqual(expected === null ? [] : [expected])
    expect(tariff.asked).toEqual(expected === null ? [] : [['list', expected === lifted ? 0.04 : -0.04]])
  })

  test('follow the average over pools by their hosts, and no margin of a company without revenue', () => {
    const { context, state, world, texts } = companyWith(1e6, 1)
    world.now = 10 * day
    // Ten hosts of 24 are full to 72 %, and all others are empty.
    const [pool] = context.capacity.pools
    Object.assign(pool, { milli: 0.72 * pool.maxMilli })
    state.marginPerHour = 50
    reviewPrices(context)
    expect(texts()).toEqual([lowered])
  })
})

describe('a company in trouble', () => {
  test('skips the loan if it has one, and is sold if no host is empty', () => {
    const { context, world, company, tariff, texts, severities } = companyWith(-100, -2)
    const loan = { lender: 'A bank', monthlyDollars: 100, monthsLeft: 9, nextPayment: Infinity }
    Object.assign(company, { loan, measuredAt: 93 * day })
    world.load.unitCount.fill(1)
    reviewLedger(context)
    expect([tariff.asked, company.measures, company.measuredAt]).toEqual([[['all', 0.08]], 2, 100 * day])
    world.now += 7 * day - 1
    reviewLedger(context)
    expect(company.measures).toBe(2)
    world.now += 1
    reviewLedger(context)
    expect(texts()).toEqual([
      'All customers pay 8 % more from today: reserves cover 0 days of cost.',
      'Tern Rock Ventures takes over the company from the founders, pays off its debts, adds $29,000, and will invest $15,000.',
    ])
    expect([company.measures, severities()]).toEqual([4, ['Warning', 'Warning']])
  })

  test('begins again with the first measure after the last', () => {
    const { context, company, world } = companyWith(-100, -2)
    Object.assign(company, { measures: 4, stance: 'InTrouble' })
    reviewLedger(context)
    expect([company.measures, company.loan]).toEqual([0, null])
    world.now += 7 * day
    reviewLedger(context)
    expect([company.measures, company.loan?.lender]).toEqual([1, 'Tamsin & Hale Bank'])
  })

  test('borrows two months of cost for three years at 15 %', () => {
    const { context, state, company } = companyWith(-100, -2)
    reviewLedger(context)
    expect(state.reserves).toBe(14_900)
    expect(company.loan).toEqual({
      lender: 'Tamsin & Hale Bank',
      // 15,000 × 1.15 / 36.
      monthlyDollars: 479.166_666_666_666_7,
      monthsLeft: 36,
      nextPayment: 130 * day,
    })
  })

  test('with money again that still loses it continues to save, without an event', () => {
    const { context, company, texts } = companyWith(5_000, -2)
    Object.assign(company, { stance: 'InTrouble', stanceSince: 90 * day, measures: 2 })
    reviewLedger(context)
    expect([company.stance, company.stanceSince, company.measures]).toEqual(['Careful', 90 * day, 2])
    expect(texts()).toEqual([])
  })

  test('is sound after a day at least, and forgets its measures', () => {
    const { context, company, texts } = companyWith(9_000, 2)
    Object.assign(company, { stance: 'InTrouble', stanceSince: 100 * day - 1, measures: 2 })
    reviewLedger(context)
    expect([company.stance, company.measures]).toEqual(['Investing', 0])
    expect(texts()).toEqual(['The company is sound again after 1 day: reserves cover 38 days of cost.'])
  })

  test.each([
    ['Careful', 5_000, -3, ['Warning']],
    ['InTrouble', 700, 1, ['Warning']],
    ['Hoarding', 30_000, 1, []],
  ] as const)('becomes %s', (stance, reserves, margin, expected) => {
    const { context, company, severities } = companyWith(reserves, margin)
    // A loan that is not due, so that the first measure is to raise prices.
    company.loan = { lender: 'A bank', monthlyDollars: 1e6, monthsLeft: 9, nextPayment: Infinity }
    reviewLedger(context)
    expect([company.stance, company.stanceSince, severities()]).toEqual([
      stance,
      stance === 'Hoarding' ? 0 : 100 * day,
      expected,
    ])
  })
})

test.each<[string, number, number, number, number, number, number]>([
  // Cost and margin an hour, capital added before, reserves, and what they and the money for investments rise by.
  ['one month of cost is invested', 50, -0.1, 0, 30_000, 0, 37_000],
  ['two months of cost are lent', 25, 1, 0, 10_000, 37_000, 36_500],
  ['two months of cost are added', 25, -0.1, 0, 10_000, 37_000, 37_000],
  ['four months of cost are paid, and half of it is invested', 12.5, -0.1, 2, 5_000, 37_000, 19_000],
])('in thousands of dollars, %s', (_, costPerHour, margin, capitalAdded, reserves, added, program) => {
  const { context, state, company } = companyWith(reserves, margin)
  Object.assign(state, { costPerHour })
  Object.assign(company, { capitalAdded, blockedSince: 86 * day })
  reviewLedger(context)
  expect([state.reserves - reserves, company.programDollars]).toEqual([added, program])
})

describe('the owners', () => {
  const loan = { lender: 'A bank', monthlyDollars: 100, monthsLeft: 9, nextPayment: Infinity }

  test.each([
    ['without a margin', 0, {}, 0],
    ['from a loan', 1, { loan }, 0],
    ['from what a zone in construction needs', 1, { project: { dollars: 3_000, stage: 0 } }, 8_000],
    ['from what the last installment of a zone needs', 1, { project: { dollars: 3_000, stage: 3 } }, 11_000],
  ])('take no dividend %s', (_, margin, about, dollars) => {
    const { context, state, company } = companyWith(30_000, margin)
    Object.assign(company, about)
    payDividend(context)
    expect(30_000 - state.reserves).toBe(dollars)
  })

  test('close a year with what was earned since the last one', () => {
    const { context, state, world, company, texts } = companyWith(0, 0)
    Object.assign(company, { yearBegan: { revenue: 4_000, earnings: -500 } })
    Object.assign(world.money, { revenue: 9_000.4 })
    state.earnings = 1_500
    world.now = 241 * day
    reviewOwnership(context)
    expect(texts()).toEqual([
      'A business year ends: revenue of $5,000, earnings of $2,000, 0 customers on 24 hosts.',
    ])
    expect(company.yearBegan).toEqual({ revenue: 9_000.4, earnings: 1_500 })
  })

  /** Days since the beginning of the world; it begins on day 125 of a year. */
  test.each([
    [241, true],
    [242, false],
    [331, true],
    [332, false],
    [57, true],
    [149, true],
  ])('take dividends on day %i: %s', (today, isQuarter) => {
    const { context, state, world } = companyWith(30_000, 1)
    world.now = today * day
    reviewOwnership(context)
    expect(state.reserves).toBe(isQuarter ? 19_000 : 30_000)
  })

  test.each([
    ['a negative reserve', 'The founders', -5_000, 29_000],
    ['a reserve', 'The Lantern Family Office', 5_000, 34_000],
  ])('of a company with %s sell it the third time', (_, owner, reserves, left) => {
    const { context, state, company, texts } = companyWith(reserves, -0.1)
    Object.assign(company, { owner, loan, capitalAdded: 2, stance: 'Careful', blockedSince: 86 * day })
    // Trouble and its measures are another matter.
    company.measuredAt = Infinity
    reviewLedger(context)
    expect(state.reserves).toBe(left)
    expect(company).toMatchObject({ loan: null, capitalAdded: 0, programDollars: 15_000, blockedSince: null })
    expect(texts().at(-1)).toMatch(/ takes over the company from the (?:founders|Lantern Family Office), /)
  })

  test.each([
    [5_111, 2, 'The founders approved investments of $7,000'],
    [5_110, 1, 'The founders put $15,000 into the company'],
  ])('with reserves of %i dollars; 0.7 months of cost are 5,110', (reserves, capital, expected) => {
    const { context, company, texts } = companyWith(reserves, -0.1)
    Object.assign(company, { capitalAdded: capital - 1, blockedSince: 86 * day })
    reviewLedger(context)
    expect(texts()[0]).toContain(expected)
  })
})
