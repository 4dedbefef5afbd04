import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import {
  attackFailing,
  updateAccountQuality,
} from '../../../../../src/world/simulation/tenants/quality/account-quality.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

type ServiceOptions = Parameters<ReturnType<typeof createTenantsFixture>['addService']>[1]
type Attack = Parameters<typeof updateAccountQuality>[2]

const { state, addCustomer, addService } = createTenantsFixture()
state.demand.trafficFactor.in = 2
state.demand.trafficFactor.out = 3

/** Rows of `terms` are latency terms of the services, in order. */
function qualityOf(
  rows: readonly ServiceOptions[],
  terms: readonly (readonly number[])[] = [],
  attack?: Attack,
): Account {
  const account = addCustomer()
  for (const options of rows) {
    const row = addService(account, { rps: 100, successRatio: 1, ...options })
    state.services.terms.set(terms[account.services.length - 1] ?? [], 7 * row)
  }
  updateAccountQuality(state, account, attack)
  return account
}

const database = { class: 'database', role: 'behind' } as const
const queue = { class: 'queue', role: 'behind' } as const
const batch = { class: 'batch', role: 'job' } as const

const attack = (gbps: number, breach = false): NonNullable<Attack> => ({
  class: 'Volumetric',
  magnitude: gbps,
  gbps,
  requestsPerSecond: 0,
  breach,
})

test.each<[string, Attack, number, number]>([
  ['without an attack', undefined, 1, 0],
  ['what defenses stop', attack(0), 0, 0],
  ['as large as twice its traffic', attack(1), 0.45, 0.35],
  ['of a tenth of that', attack(0.1), 0.45, 0.063636],
  ['of any size', attack(1e9), 0.45, 0.7],
  ['with intruders inside', attack(0, true), 0.45, 0.03],
  ['a flood and intruders', attack(1, true), 0.45, 0.38],
])('an attack, %s, lets its share of requests fail', (_, remainder, servedGbps, failing) => {
  expect(attackFailing(remainder, servedGbps)).toBeCloseTo(failing, 6)
})

describe('the share of failing requests', () => {
  test.each<[string, readonly ServiceOptions[], number]>([
    ['is none without requests', [{ rps: 0, successRatio: 0 }], 0],
    ['is that of the front end', [{ successRatio: 0.9 }], 0.1],
    ['is the mean of front ends by requests', [{ rps: 300, successRatio: 0.9 }, { successRatio: 0.5 }], 0.2],
    ['counts what fails behind it', [{}, { ...database, successRatio: 0.8 }], 0.2],
    ['counts a quarter of the cache', [{}, { class: 'cache', role: 'behind', successRatio: 0.6 }], 0.1],
    ['counts half of a queue', [{}, { ...queue, successRatio: 0.6 }], 0.2],
    [
      'multiplies what succeeds',
      [{ successRatio: 0.5 }, { ...database, successRatio: 0.5 }, { ...queue, successRatio: 0 }],
      0.875,
    ],
    ['counts jobs like requests', [{}, { ...batch, successRatio: 0 }], 0.5],
  ])('%s', (_, rows, failing) => {
    expect(qualityOf(rows).failing).toBeCloseTo(failing, 9)
  })

  test('includes what an attack displaces, and its state is noted', () => {
    const account = qualityOf([{}, database], [], attack(0, true))
    expect(account.failing).toBeCloseTo(0.03, 9)
    expect([account.attackClass, account.breached]).toEqual(['Volumetric', true])
    updateAccountQuality(state, account, undefined)
    expect([account.attackClass, account.breached, account.failing]).toEqual([null, false, 0])
  })
})

test('requests are those of front ends and jobs; each service answers what succeeds', () => {
  const account = qualityOf([
    { rps: 100, successRatio: 0.9 },
    { ...database, rps: 400, successRatio: 0.5 },
    { ...batch, rps: 10, successRatio: 0.2 },
  ])
  expect(account.requestsPerSecond).toBe(110)
  expect(account.services.map((row) => state.services.servedRps[row])).toEqual([45, 200, 1])
})

describe('starving jobs', () => {
  const job = { ...batch, requested: 4, serving: 4 } as const
  const succeeding = (successRatio: number) => ({ ...job, successRatio })
  test.each<[string, readonly ServiceOptions[], number]>([
    ['none in a front end', [{ successRatio: 0.5 }], 0],
    ['what fails of the job', [{ ...job, unitDemandMilli: 800, successRatio: 0.9 }], 0.1],
    ['none of a job without work', [{ ...job, rps: 0, successRatio: 0 }], 0],
    ['the job that is hit worst', [0.75, 0.5, 0.9].map(succeeding), 0.5],
    // The demand is twice the booked capacity, so at most half of it can succeed.
    ['none of what was not booked', [{ ...job, unitDemandMilli: 2_000, successRatio: 0.5 }], 0],
    ['half of what was booked', [{ ...job, unitDemandMilli: 2_000, successRatio: 0.25 }], 0.5],
    [
      'half of the units found no host',
      [{ ...job, serving: 2, unitDemandMilli: 2_000, successRatio: 0.5 }],
      0.5,
    ],
    ['never less than none', [{ ...job, unitDemandMilli: 2_000, successRatio: 0.9 }], 0],
  ])('are %s', (_, rows, starving) => {
    expect(qualityOf(rows).starving).toBeCloseTo(starving, 9)
  })
})

test('traffic is that of the services that users call, and unserved is what was not carried', () => {
  const rates = { inGbpsPerRps: 0.001, outGbpsPerRps: 0.002 }
  const account = qualityOf([
    // 100 requests/s demand 0.2 Gbit/s in and 0.6 out.
    { ...rates, carriedInGbps: 0.2, carriedOutGbps: 0.5 },
    { ...rates, carriedInGbps: 0.1, carriedOutGbps: 0.6 },
    { ...rates, role: 'behind', class: 'database', carriedInGbps: 7, carriedOutGbps: 7 },
  ])
  expect(account.servedInGbps).toBeCloseTo(0.3, 9)
  expect(account.servedOutGbps).toBeCloseTo(1.1, 9)
  expect(account.unservedGbps).toBeCloseTo(0.2, 9)
  expect(qualityOf([{ ...rates, carriedInGbps: 0.3, carriedOutGbps: 0.6 }]).unservedGbps).toBe(0)
})

describe('latency', () => {
  const compute = (ms: number) => [ms, 0, 0, 0, 0, 0, 0]
  const storage = (ms: number) => [0, 0, ms, 0, 0, 0, 0]
  test.each<
    [string, readonly ServiceOptions[], (readonly number[])[], [p50: number, p99: number, top: number]]
  >([
    ['is that of the front end', [{ p50: 20 }], [compute(50)], [20, 50, 0]],
    [
      'is the mean of front ends by requests',
      [{ p50: 20, rps: 300 }, { p50: 40 }],
      [compute(50), storage(90)],
      [25, 60, 0],
    ],
    ['names the largest term', [{ p50: 20 }, { p50: 40 }], [compute(50), storage(90)], [30, 70, 2]],
    ['names the first of equal terms', [{ p50: 20 }, { p50: 40 }], [compute(50), storage(50)], [30, 50, 0]],
    // A request waits for two calls of the database, and for every other call of a queue.
    [
      'adds the calls behind it',
      [{ p50: 20 }, { ...database, p50: 5 }],
      [compute(50), storage(30)],
      [30, 110, 2],
    ],
    [
      'adds half a call of a queue',
      [{ p50: 20 }, { ...queue, p50: 8 }],
      [compute(50), storage(30)],
      [24, 65, 0],
    ],
    [
      'leaves out jobs beside a front end',
      [{ p50: 20 }, { ...batch, p50: 900 }],
      [compute(50), storage(3_000)],
      [20, 50, 0],
    ],
    ['is that of jobs without a front end', [{ ...batch, p50: 900 }], [compute(3_000)], [900, 3_000, 0]],
    ['ends when users give up', [{ p50: 40_000 }], [compute(50_000)], [30_000, 30_000, 0]],
    ['has a median of at most the 99th percentile', [{ p50: 60 }], [compute(50)], [50, 50, 0]],
    ['is none without requests', [{ p50: 60, rps: 0 }], [compute(50)], [0, 0, -1]],
  ])('%s', (_, rows, terms, expected) => {
    const { p50Ms, p99Ms, topTerm } = qualityOf(rows, terms)
    expect([p50Ms, p99Ms, topTerm]).toEqual(expected)
  })
})

describe('health', () => {
  const four = { requested: 4, placed: 4, serving: 4 }
  test.each<[string, readonly ServiceOptions[], Attack, number]>([
    ['1 if all units serve', [four], undefined, 1],
    ['the share of units that serve', [{ ...four, serving: 3 }], undefined, 0.75],
    ['never above 1 with more units than requested', [{ ...four, requested: 3 }], undefined, 1],
    ['less if requests fail', [{ ...four, successRatio: 0.5 }], undefined, 0.5],
    ['a tenth less without the promised spread', [{ ...four, spreadKept: 0 }], undefined, 0.9],
    ['the mean over services', [four, { ...four, serving: 1 }], undefined, 0.625],
    ['none without requested units', [{}], undefined, 0],
    // Intruders cost 3 % of the requests of user-facing services.
    ['less under attack in front', [four], attack(0, true), 0.97],
    ['not less under attack behind', [{ ...four, class: 'database', role: 'behind' }], attack(0, true), 1],
  ])('is %s', (_, rows, remainder, health) => {
    expect(qualityOf(rows, [], remainder).health).toBeCloseTo(health, 9)
  })
})

test.each<[string, readonly ServiceOptions[], number]>([
  ['none without units', [{}], 0],
  ['that of serving units over the CPU of placed units', [{ placed: 4, serving: 2, load: 0.5 }], 0.25],
  [
    'a mean by CPU',
    [
      { placed: 1, serving: 1, load: 0.8 },
      { placed: 1, serving: 1, load: 0.4, vcpuMilli: 3_000 },
    ],
    0.5,
  ],
])('the CPU load is %s', (_, rows, load) => {
  expect(qualityOf(rows).cpuLoad).toBeCloseTo(load, 9)
})

const stored = (placed: number, diskQuality: number, durability: 'Single' | 'Replicated2' = 'Single') => ({
  placed,
  durability,
  diskQuality,
})
test.each<[string, readonly ServiceOptions[], number]>([
  ['is 1 of services without data', [{ placed: 4, diskQuality: 0.5 }], 1],
  ['is that of services with data', [{ placed: 4, diskQuality: 0.1 }, stored(1, 0.5)], 0.5],
  ['is a mean by units', [stored(3, 0.5), stored(1, 0.9, 'Replicated2')], 0.6],
  ['counts a service whose units are all unplaced once', [stored(0, 0), stored(3, 1)], 0.75],
])('disk quality %s', (_, rows, quality) => {
  expect(qualityOf(rows).blockQuality).toBeCloseTo(quality, 9)
})
