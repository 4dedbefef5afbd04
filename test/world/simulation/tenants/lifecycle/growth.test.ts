import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import type { Contract } from '../../../../../src/world/simulation/tenants/contract.ts'
import { abandonGrowth, resize } from '../../../../../src/world/simulation/tenants/lifecycle/growth.ts'
import { poolFillRatio } from '../../../../../src/world/simulation/tenants/lifecycle/population.ts'
import { openAccount } from '../../../../../src/world/simulation/tenants/lifecycle/signing.ts'
import {
  countUnservedContract,
  countUnservedTraffic,
  countUnservedUnits,
  decayUnservedDemand,
} from '../../../../../src/world/simulation/tenants/lifecycle/unserved-demand.ts'
import { createFleet } from '../../../../../src/world/simulation/tenants/placement/fleet.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { day, hour } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture, drawAlways, plainContract, webTerms } from '../tenants-fixture.ts'

const now = 100 * day
const small = { ...webTerms, vcpu: 1, memMb: 1_024, ssdGb: 10, iops: 10 }

/** A customer with 20 small web units, all placed, in a world of two hosts. */
function createCustomer(changes: Partial<Account> = {}, contract: Partial<Contract> = {}, draw = 0) {
  const fixture = createTenantsFixture()
  const { world, context, state, takeEvents } = fixture
  drawAlways(world, draw)
  Object.assign(world, { now })
  const fleet = createFleet(context, createPlacer(context))
  const services = [{ ...small, count: 20 }]
  const account = openAccount(context, { ...plainContract, growthCeiling: 100, services, ...contract })
  for (const service of account.services) fleet.fill(account, service)
  Object.assign(account, { lifecycle: 'Active', live: true, demandDrift: 0, satisfaction: 0.8 }, changes)
  takeEvents()
  const [row] = account.services
  /** Requested and placed units. */
  const units = () => [account.requestedUnits, state.services.requested[row], account.placedUnits]
  return { ...fixture, fleet, account, row, units }
}

const grew = (to: number, reason: string) => [
  `Amber Mill Shoes grew from 20 to ${to} units. Reason: ${reason}.`,
]
const abroad = grew(22, 'it sells in another country')
const shrank = (reason: string) => [`Amber Mill Shoes shrank from 20 to 18 units. Reason: ${reason}.`]

describe('a customer resizes', () => {
  test.each<[string, Partial<Account>, Partial<Contract>, number, number, string[]]>([
    ['by 8 %', {}, {}, 0, 22, abroad],
    ['to 20 %', {}, {}, 0.999, 24, grew(24, 'a larger catalog')],
    ['not above its ceiling', {}, { growthCeiling: 21 }, 0.999, 21, grew(21, 'a larger catalog')],
    ['not at its ceiling', {}, { growthCeiling: 20 }, 0.999, 20, []],
    ['to grow where its demand is as usual', { demandDrift: -0.03 }, {}, 0, 22, abroad],
    ['to shrink where it is lower', { demandDrift: -0.031 }, {}, 0, 18, shrank('it gave up a product line')],
    ['to grow at a satisfaction of 0.55', { satisfaction: 0.55 }, {}, 0, 22, abroad],
    ['to shrink below it', { satisfaction: 0.549 }, {}, 0, 18, shrank('the outages of the last weeks')],
    ['never on probation', { lifecycle: 'Probation' }, {}, 0, 20, []],
  ])('%s', (_, changes, contract, draw, after, texts) => {
    const { context, fleet, account, units, takeEvents } = createCustomer(changes, contract, draw)
    resize(context, fleet, account)
    expect(units()).toEqual([after, after, after])
    expect(takeEvents().slice(-1)).toEqual(texts)
  })

  test('by a unit at least, and again after days', () => {
    const { context, fleet, account } = createCustomer({}, { services: [{ ...small, count: 3 }] }, 1 / Math.E)
    resize(context, fleet, account)
    expect(account.requestedUnits).toBe(4)
    // The mean of a shop is ten days.
    expect((account.nextGrowth - now) / day).toBeCloseTo(10, 6)
  })

  test.each([
    [0.8, 16, 14],
    [0.8, 14, 14],
    [0.5, 10, 8],
    [0.5, 8, 8],
  ])('at a satisfaction of %f from %i to %i of the 20 units in its contract', (satisfaction, from, to) => {
    const { context, state, fleet, account, row, units } = createCustomer(
      { satisfaction, demandDrift: -0.1 },
      {},
      0.999,
    )
    state.services.requested[row] = account.requestedUnits = from
    fleet.trim(row)
    resize(context, fleet, account)
    expect(units()).toEqual([to, to, to])
  })

  test('not below a unit', () => {
    const { context, fleet, account, units } = createCustomer(
      { demandDrift: -0.1 },
      { services: [{ ...small, count: 1 }] },
    )
    resize(context, fleet, account)
    expect(units()).toEqual([1, 1, 1])
  })
})

test('growth without a host is announced once, as a wish, and a customer that waits for room asks for no more', () => {
  const { context, state, fleet, account, row, units, takeEvents } = createCustomer()
  state.services.vcpuMilli[row] = 1e6
  resize(context, fleet, account)
  expect(takeEvents()).toEqual([
    'Amber Mill Shoes wants to grow from 20 to 22 units, but there is no host for 2 of its web units (pool General x86). Reason: it sells in another country.',
  ])
  expect(account.nextGrowth - now).toBeGreaterThanOrEqual(3 * day)
  resize(context, fleet, account)
  expect([units(), takeEvents()]).toEqual([[22, 22, 20], []])
})

describe('growth is refused', () => {
  test.each([
    [92_160, 22],
    [92_161, 20],
  ])('where more than 72 %% of the allocatable CPU would be allocated: at %i of 128 000', (milli, after) => {
    const { context, state, fleet, account, units, takeEvents } = createCustomer()
    state.capacity.pools[state.capacity.pool[1]].milli = milli
    resize(context, fleet, account)
    expect(units()).toEqual([after, after, after])
    if (after === 22) return
    expect([...state.unservedDemand.values()]).toEqual([
      { units: 2, vcpu: 2, memMb: 2_048, ssdGb: 20, slices: 0, gbps: 0 },
    ])
    expect([...account.grievances]).toEqual([0, 0, 0, 0, 0.015, 0, 0])
    expect(takeEvents()).toEqual([])
  })

  test('where the network has no room', () => {
    const { context, state, fleet, account, units } = createCustomer()
    state.demand.zonePeaks.out.fill(10_000)
    resize(context, fleet, account)
    expect(units()).toEqual([20, 20, 20])
    // 2 virtual CPUs answer 160 requests/s of 32.5 kB.
    const [demand] = state.unservedDemand.values()
    expect(demand.gbps).toBeCloseTo(0.0425984, 7)
    expect(account.grievances[4]).toBe(0.015)
  })
})

describe('growth that is not placed', () => {
  const due = now - 10 * hour
  test.each<[string, number, number | null, readonly [requested: number, since: number | null]]>([
    ['is noted', 2, null, [22, now]],
    ['is called off after ten hours', 2, due, [20, null]],
    ['not before', 2, due + 1, [22, due + 1]],
    ['not if it is more than 30 % of its units', 9, due, [29, due]],
    ['but if it is 30 %', 8, due, [20, null]],
    ['is forgotten once it is placed', 0, due, [20, null]],
  ])('%s', (_, gap, since, [requested, sinceThen]) => {
    const { context, state, fleet, account, row, units, takeEvents } = createCustomer({
      growthUnplacedSince: since,
    })
    account.requestedUnits += gap
    state.services.requested[row] += gap
    abandonGrowth(context, fleet, account)
    expect([units(), account.growthUnplacedSince]).toEqual([[requested, requested, 20], sinceThen])
    const isCalledOff = gap > 0 && requested === 20
    expect([...state.unservedDemand.values()].map(({ units: unserved, vcpu }) => [unserved, vcpu])).toEqual(
      isCalledOff ? [[gap, gap]] : [],
    )
    expect(takeEvents()).toEqual(
      isCalledOff
        ? [`Amber Mill Shoes called off its growth, as no host could take it. Units given up: ${gap}.`]
        : [],
    )
  })
})

describe('unserved demand', () => {
  test('is that of the largest pool that accepts a class', () => {
    const { context, state, world } = createTenantsFixture('small')
    const poolOf = (contract: Contract): string => {
      state.unservedDemand.clear()
      countUnservedContract(context, contract, 1)
      const [id] = state.unservedDemand.keys()
      return world.topology.pools[id - 1].name
    }
    expect(poolOf(plainContract)).toBe('General x86')
    expect(poolOf({ ...plainContract, requiredArch: 'arm64' })).toBe('General arm64')
    expect(poolOf({ ...plainContract, dedicatedHosts: true })).toBe('Dedicated')
    expect(poolOf({ ...plainContract, services: [{ ...webTerms, class: 'database' }] })).toBe('Memory x86')
  })

  test('is not counted where no pool could ever serve it', () => {
    const { context, state } = createTenantsFixture()
    countUnservedContract(context, { ...plainContract, requiredArch: 'arm64' }, 1)
    countUnservedTraffic(context, { ...plainContract, requiredArch: 'arm64' }, 1)
    expect(state.unservedDemand.size).toBe(0)
  })

  test('grows and is withdrawn by unit, and is never less than nothing', () => {
    const { context, state } = createTenantsFixture()
    countUnservedUnits(context, plainContract, webTerms, 3)
    countUnservedUnits(context, plainContract, { ...webTerms, slices: 2 }, -1)
    const [demand] = state.unservedDemand.values()
    expect(demand).toEqual({ units: 2, vcpu: 32, memMb: 65_536, ssdGb: 1_000, slices: 0, gbps: 0 })
    countUnservedTraffic(context, plainContract, 1.5)
    countUnservedTraffic(context, plainContract, -1)
    expect(demand.gbps).toBe(0.5)
    countUnservedTraffic(context, plainContract, -1)
    countUnservedContract(context, plainContract, -1)
    expect(demand).toEqual({ units: 0, vcpu: 0, memMb: 0, ssdGb: 0, slices: 0, gbps: 0 })
  })

  test.each([
    [4, { vcpu: 336, gbps: 33.6 }, { vcpu: 336, gbps: 33.6 }],
    [5, { vcpu: 336, gbps: 33.6 }, { vcpu: 335, gbps: 33.5 }],
    [365, { vcpu: 0.1, gbps: 0.099 }, null],
    [365, { vcpu: 0.101, gbps: 0 }, { vcpu: 0.100699, gbps: 0 }],
    [365, { vcpu: 0, gbps: 0.101 }, { vcpu: 0, gbps: 0.100699 }],
  ])('fades by 1/336 an hour, at step %i of %j', (tick, demand, after) => {
    const { context, state, world } = createTenantsFixture()
    state.unservedDemand.set(1, { units: 0, memMb: 0, ssdGb: 0, slices: 0, ...demand })
    world.tick = tick
    decayUnservedDemand(context)
    const left = state.unservedDemand.get(1)
    expect(left === undefined).toBe(after === null)
    if (after === null) return
    expect(left!.vcpu).toBeCloseTo(after.vcpu, 6)
    expect(left!.gbps).toBeCloseTo(after.gbps, 6)
  })
})

/** Allocatable are 128 virtual CPUs, 256 GB, 4000 GB and 8 slices; there are ten hosts. */
test.each([
  ['CPU', { milli: 64_000 }, 0.5],
  ['memory', { memMb: 131_072 }, 0.5],
  ['the scarcer of both', { milli: 64_000, memMb: 196_608 }, 0.75],
  // Typical fill ratios are 78 % for disks and 80 % for dedicated hosts, at 62 % for CPU.
  ['disk', { ssdGb: 3_120 }, 0.62],
  ['dedicated hosts', { dedicatedHosts: 8 }, 0.62],
  ['GPU slices', { slices: 4, slicesTotal: 8 }, 0.475],
])('a pool is filled by %s: %j', (_, used, ratio) => {
  const { context, state } = createTenantsFixture()
  Object.assign(state.capacity.pools[0], {
    hosts: 10,
    maxMilli: 128_000,
    memMbTotal: 262_144,
    ssdGbTotal: 4_000,
    ...used,
  })
  expect(poolFillRatio(context, 0)).toBeCloseTo(ratio, 9)
})
