import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import {
  addGrievance,
  grievanceCost,
  softenGrievance,
  updateGrievances,
  worstGrievance,
} from '../../../../../src/world/simulation/tenants/relations/grievances.ts'
import { ordinaryReason, reasonOf } from '../../../../../src/world/simulation/tenants/relations/reasons.ts'
import { RandomStream } from '../../../../../src/world/simulation/random.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture, customer } from '../tenants-fixture.ts'

const { state, addService } = createTenantsFixture()

/** Updated grievances: failures, latency, breach, redundancy, capacity, requirements, price. */
const after = (account: Account, now = 0): readonly number[] => {
  updateGrievances(state, account, now)
  return [...account.grievances]
}
const gold = { tier: 'Gold' } as const
const allFail = { turnTotal: 1_000, turnFailed: 1_000 }

/** Cost of five minutes in millionths of satisfaction. */
describe('a turn', () => {
  test.each<[string, Partial<Account>, number, number]>([
    ['in which all is well', { ...gold, turnTotal: 1_000 }, 0, 0],
    ['without requests', { ...gold, turnTotal: 0, turnFailed: 0 }, 0, 0],
    ['of failures, to Bronze', { ...allFail, tier: 'Bronze' }, 0, 10_103.775],
    ['of failures, to Silver', { ...allFail, tier: 'Silver' }, 0, 13_826.437_5],
    ['of failures, to Gold', { ...allFail, ...gold }, 0, 17_562.697_5],
    ['of failures, to Platinum', { ...allFail, tier: 'Platinum' }, 0, 21_267.553_75],
    [
      'of failures, to a customer that takes them harder',
      { ...allFail, ...gold, temper: 1.4 },
      0,
      24_587.776_5,
    ],
    ['of as many failures as the plan allows', { ...gold, turnTotal: 1_000, turnFailed: 1 }, 0, 0],
    ['of failures at half of 40 times that', { ...gold, turnTotal: 1_000, turnFailed: 21 }, 0, 2_882.3],
    ['of latency at the promise', { ...gold, p99Ms: 100 }, 1, 0],
    ['of latency just above it', { ...gold, p99Ms: 100.1 }, 1, 114.456],
    ['of latency half above it', { ...gold, p99Ms: 150 }, 1, 342],
    ['of twice the promised latency', { ...gold, p99Ms: 200 }, 1, 570],
    ['of ten times the promised latency', { ...gold, p99Ms: 1_000 }, 1, 570],
    ['of a millisecond where less is promised', { ...gold, p99Ms: 1, p99BudgetMs: 0.5 }, 1, 0],
    ['with intruders', { ...gold, breached: true }, 2, 1_250],
    ['without redundancy', { ...gold, redundancyBroken: true }, 3, 95],
    ['without a requirement', { ...gold, requirementsUnmet: 4 }, 5, 75],
  ])('%s', (_, lived, cause, millionths) => {
    const expected = [0, 0, 0, 0, 0, 0, 0]
    expected[cause] = millionths
    after(customer(lived)).forEach((value, at) => expect(value * 1e6).toBeCloseTo(expected[at], 3))
  })

  test.each([
    [10, 10, 0],
    [10, 9, 160],
    [8, 6, 400],
    [8, 0, 400],
  ])('with %i units requested and %i placed costs %i', (requested, placed, millionths) => {
    const account = customer({ requestedUnits: requested })
    addService(account, { requested, placed })
    expect(after(account)[4] * 1e6).toBeCloseTo(millionths, 6)
  })

  test('takes 1/3456 of all that was', () => {
    const account = customer()
    account.grievances.fill(0.1)
    expect(after(account).slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 0.1 * (1 - 1 / 3_456)))
  })
})

test.each([
  ['Bronze', 1, 0.12],
  ['Silver', 1, 0.088],
  ['Gold', 1, 0.064],
  ['Platinum', 1, 0.04],
  ['Platinum', 2, 0.08],
  ['Bronze', 2, 0.15],
  ['Gold', 0, 0],
] as const)('%s customers hold prices of %i years ago against us by %f', (tier, years, weight) => {
  expect(after(customer({ tier, priced: 10 * day }), 10 * day + years * 365 * day)[6]).toBeCloseTo(weight, 9)
})

test.each([
  ['failures', 0.85],
  ['latency', 0.4],
  ['breach', 0.5],
  ['redundancy', 0.15],
  ['capacity', 0.4],
  ['requirements', 0.2],
  ['price', 0.15],
] as const)('%s cost at most %f, and at half of it a new one counts half', (cause, most) => {
  const account = customer()
  addGrievance(account, cause, most / 2)
  expect(grievanceCost(account)).toBeCloseTo(most / 2, 9)
  addGrievance(account, cause, 0.02)
  expect(grievanceCost(account)).toBeCloseTo(most / 2 + 0.01, 9)
  softenGrievance(account, cause, 0.2)
  expect(grievanceCost(account)).toBeCloseTo(0.8 * (most / 2 + 0.01), 9)
  addGrievance(account, cause, 100)
  expect(grievanceCost(account)).toBe(most)
})

test.each([
  [[0, 0, 0, 0, 0, 0, 0], 'failures'],
  [[0.1, 0.1, 0, 0, 0, 0, 0], 'failures'],
  [[0.1, 0.11, 0, 0, 0, 0, 0], 'latency'],
  [[0, 0.1, 0.2, 0, 0, 0, 0], 'breach'],
  [[0, 0, 0, 0.1, 0, 0.05, 0], 'redundancy'],
  [[0, 0, 0, 0, 0.1, 0.05, 0], 'capacity'],
  [[0, 0, 0, 0, 0.1, 0.15, 0], 'requirements'],
  // The price grievance counts only by a clear margin.
  [[0.08, 0, 0, 0, 0, 0, 0.12], 'failures'],
  [[0.06, 0, 0, 0, 0, 0, 0.12], 'price'],
] as const)('%j weigh most by %s', (weights, cause) => {
  expect(worstGrievance(customer({ grievances: Float64Array.from(weights) }))).toBe(cause)
})

describe('the reason in words', () => {
  const reason = (cause: number, changes: Partial<Account> = {}): string => {
    const account = customer({ tier: 'Gold', ...changes })
    account.grievances[cause] = 0.1
    Object.assign(account.period, { total: 100_000, failed: 104 })
    return reasonOf(account)
  }

  test.each<[number, Partial<Account>, string]>([
    [0, {}, 'the outages of the last weeks'],
    [0, { tier: 'Platinum' }, 'failed requests: 0.10 % in this SLA period, 0.05 % allowed'],
    [1, { p99Ms: 100.4 }, 'the slow responses of the last weeks'],
    [1, { p99Ms: 240.4 }, 'slow responses: 240 ms at p99, 100 ms promised'],
    [2, {}, 'the intrusion into its systems'],
    [3, {}, 'missing redundancy that its contract promises'],
    [4, { requestedUnits: 8, placedUnits: 8 }, 'capacity that it asked for and did not get'],
    [4, { requestedUnits: 8, placedUnits: 6 }, 'missing capacity: 2 of 8 units are not placed'],
    [5, {}, 'contract requirements that are not met'],
    [6, {}, 'prices above the market'],
  ])('%i, %j', (cause, changes, words) => {
    expect(reason(cause, changes)).toBe(words)
  })

  test('of a customer without any is one of three, or for two of five the end of its business', () => {
    const random = new RandomStream(1n, 'reasons')
    const counts = new Map<string, number>()
    for (let i = 0; i < 5_000; i++) {
      const words = ordinaryReason(random, 'Media')
      counts.set(words, (counts.get(words) ?? 0) + 1)
    }
    expect(counts.size).toBe(4)
    expect(counts.get('it stops publishing')! / 1_000).toBeCloseTo(2, 0)
    expect(ordinaryReason(random, 'Bank')).not.toContain('stops')
  })
})
