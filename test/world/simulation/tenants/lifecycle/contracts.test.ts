import { describe, expect, test } from 'vitest'
import type { Contract } from '../../../../../src/world/simulation/tenants/contract.ts'
import { createContractFactory } from '../../../../../src/world/simulation/tenants/lifecycle/contracts.ts'
import { generateCustomerName } from '../../../../../src/world/simulation/tenants/lifecycle/customer-names.ts'
import {
  poolFillRatio,
  seedCustomers,
} from '../../../../../src/world/simulation/tenants/lifecycle/population.ts'
import { closeAccount, openAccount } from '../../../../../src/world/simulation/tenants/lifecycle/signing.ts'
import { curveNames } from '../../../../../src/world/simulation/tenants/demand/curves.ts'
import { weeklyPeakGbps } from '../../../../../src/world/simulation/tenants/demand/demand.ts'
import { createFleet } from '../../../../../src/world/simulation/tenants/placement/fleet.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { day, hour } from '../../../../../src/world/simulation/time.ts'
import { FixedStream } from '../../fixed-stream.ts'
import { createTenantsFixture, drawAlways, plainContract, webTerms } from '../tenants-fixture.ts'

/**
 * Two hosts with 64 virtual CPUs each: one with an overcommit limit of 2, 256 GB, 4 TB and 250,000 operations for
 * most classes, one with a limit of 1.3, 1 TB, 16 TB and 600,000 operations for databases and caches.
 */
const draft = (draw: number, tilt?: number, scale: 2 | 'small' = 2): Contract =>
  createContractFactory(createTenantsFixture(scale).world.topology, new Set()).draft(
    new FixedStream(draw),
    tilt,
  )

const services = (contract: Contract) =>
  contract.services.map(({ class: name, count, vcpu, memMb, ssdGb, iops, slices, durability }) => [
    name,
    count,
    vcpu,
    memMb / 512,
    ssdGb,
    iops,
    slices,
    durability,
  ])

describe('a contract whose every draw is', () => {
  test('one half is of the middle archetype and tier, and requires nothing', () => {
    const contract = draft(0.5)
    expect({ ...contract, services: [] }).toEqual({
      ...plainContract,
      name: 'Meridian Ledge News',
      archetype: 'Media',
      kindLabel: 'Podcast host',
      // 5 units are 1.95 times as many.
      growthCeiling: 14,
      services: [],
    })
    // A unit of the first: 128 × 0.62 / 5.2 = 15.3 virtual CPUs, in twos; of each 2 GB × 0.85, 31.25 GB × 0.5 and
    // 1953 operations × 0.4, times 0.975. A customer gets at most 30 % of the 128 virtual CPUs of a host: two units.
    expect(services(contract)).toEqual([
      ['web', 2, 16, 53, 240, 12_200, 0, 'Ephemeral'],
      ['object-storage', 2, 16, 59, 440, 21_300, 0, 'Single'],
      ['cache', 2, 10, 252, 370, 10_500, 0, 'Ephemeral'],
      ['database', 1, 10, 240, 1_500, 56_200, 0, 'Single'],
    ])
  })

  test.each<[number, Partial<Contract>, number]>([
    [
      0.04,
      {
        archetype: 'Shop',
        tier: 'Bronze',
        compliance: 'PCI-DSS',
        requiredRegion: 0,
        multiZone: true,
        privateSegment: true,
        auditLogs: true,
        uncontended: false,
        faultIsolation: true,
        requiredArch: null,
      },
      17,
    ],
    [
      0.2999,
      {
        archetype: 'Saas',
        tier: 'Silver',
        compliance: 'SOC-2',
        requiredRegion: null,
        multiZone: true,
        privateSegment: false,
        auditLogs: true,
        faultIsolation: true,
      },
      26,
    ],
    [
      0.8999,
      {
        archetype: 'Logistics',
        tier: 'Gold',
        compliance: null,
        multiZone: false,
        auditLogs: false,
        faultIsolation: false,
      },
      8,
    ],
  ])('%f is for %j', (draw, expected, growthCeiling) => {
    expect(draft(draw)).toMatchObject({ ...expected, growthCeiling })
  })

  test('0.8999 has the smallest mix and the largest units', () => {
    expect(services(draft(0.8999))).toEqual([
      ['app', 1, 20, 94, 420, 21_800, 0, 'Ephemeral'],
      ['database', 1, 14, 384, 2_400, 90_100, 0, 'Single'],
      ['queue', 1, 20, 85, 630, 39_200, 0, 'Single'],
    ])
  })

  test('0.04 spans two zones with two units of each service', () => {
    expect(services(draft(0.04)).map(([name, count, vcpu]) => [name, count, vcpu])).toEqual([
      ['web', 2, 8],
      ['app', 2, 8],
      ['database', 2, 6],
      ['cache', 2, 6],
      ['queue', 2, 8],
      ['object-storage', 2, 8],
    ])
  })

  test.each([
    [0.1, 'Bronze'],
    [1, 'Silver'],
    [1.4, 'Gold'],
  ] as const)('one half, at a tilt of %f, is %s', (tilt, tier) => {
    expect(draft(0.5, tilt).tier).toBe(tier)
  })

  test('0.72 trains models on hosts that have what it takes', () => {
    const contract = draft(0.72, 1, 'small')
    expect(contract.archetype).toBe('MlLab')
    expect(services(contract)[0].filter((_, at) => at < 2 || at === 6)).toEqual(['gpu-training', 2, 8])
  })

  test('one half keeps replicas apart where there are hosts enough', () => {
    const stateful = draft(0.5, 1, 'small').services.map(({ class: name, count, durability }) => [
      name,
      count,
      durability,
    ])
    expect(stateful).toEqual([
      ['web', 6, 'Ephemeral'],
      ['object-storage', 6, 'ErasureCoded'],
      ['cache', 3, 'Ephemeral'],
      ['database', 2, 'Replicated2'],
    ])
  })
})

test('names are unique: beyond fifty tries they are numbered', () => {
  const taken = new Set<string>()
  const draw = new FixedStream(0.5)
  expect(generateCustomerName(draw, 'Bank', taken)).toBe('Meridian Ledge Credit Union')
  expect(generateCustomerName(draw, 'Bank', taken)).toBe('Meridian Ledge Credit Union 51')
  expect(generateCustomerName(new FixedStream(0.56), 'Bank', taken)).toMatch(/ & .* Credit Union$/)
  expect(taken.size).toBe(3)
})

describe('an account', () => {
  const opened = () => {
    const fixture = createTenantsFixture()
    const { world, context, state } = fixture
    drawAlways(world, 0.75)
    Object.assign(world, { now: 10 * day })
    const version = state.unitsChanged
    const account = openAccount(context, {
      ...plainContract,
      privateSegment: true,
      services: [
        webTerms,
        { ...webTerms, class: 'app', count: 2 },
        { ...webTerms, class: 'batch', durability: 'Replicated2' },
      ],
    })
    return { ...fixture, account, version }
  }

  test('begins with what was agreed', () => {
    const { account, state } = opened()
    expect(account).toMatchObject({
      id: 1,
      lifecycle: 'Pending',
      live: false,
      requestedUnits: 10,
      placedUnits: 0,
      segmentId: 4,
      privateSegment: true,
      homeZone: 0,
      homeRegion: 0,
      seasonPhase: 0.75,
      signed: 10 * day,
      priced: 10 * day,
      classes: ['web', 'app', 'batch'],
      services: [0, 1, 2],
    })
    // It expects an answer within the hour: outages weigh 1.3 times as much.
    expect(account.temper).toBeCloseTo(1.56, 9)
    expect([
      account.nextGrowth > 10 * day,
      account.nextCopy > 10 * day,
      account.nextLaunch > 10 * day,
    ]).toEqual([true, true, true])
    expect([state.accounts, state.byId.get(1), state.unitsChanged]).toEqual([[account], account, true])
  })

  test('has services as agreed: an application behind its web front end, and jobs at night', () => {
    const { state } = opened()
    const { services } = state
    const columns = [
      'customer',
      'vcpuMilli',
      'memMb',
      'ssdGb',
      'iops',
      'requested',
      'role',
      'userFacing',
      'cpuMs',
      'durability',
      'successRatio',
      'diskQuality',
      'spreadKept',
    ] as const
    expect(columns.map((name) => services[name][0])).toEqual([
      1, 16_000, 32_768, 500, 1_000, 4, 0, 1, 8, 0, 1, 1, 1,
    ])
    expect(columns.map((name) => services[name][1])).toEqual([
      1, 16_000, 32_768, 500, 1_000, 2, 1, 0, 17.5, 0, 1, 1, 1,
    ])
    expect(columns.map((name) => services[name][2])).toEqual([
      1, 16_000, 32_768, 500, 1_000, 4, 2, 1, 900, 2, 1, 1, 1,
    ])
    expect([0, 1, 2].map((row) => curveNames[services.curve[row]])).toEqual(['evening', 'evening', 'night'])
    // $262 a month; 64 % of 16 virtual CPUs in requests of 8 ms, and 6 % more; 7.5 and 32.5 kB, and 12.5 % more.
    expect(services.unitMicroPerMinute[0]).toBeCloseTo(262e6 / 43_800, 6)
    expect(services.peakRpsPerUnit[0]).toBeCloseTo(1_356.8, 6)
    expect(services.inGbpsPerRps[0]).toBeCloseTo(69.12e-6, 12)
    expect(services.outGbpsPerRps[0]).toBeCloseTo(299.52e-6, 12)
    expect(services.eastWestGbpsPerRps[0]).toBeCloseTo(69.12e-6, 12)
    expect(services.demandDrift[0]).toBeCloseTo(0.051_962, 6)
  })

  test('is closed with all that it had', () => {
    const { context, state, account } = opened()
    const placer = createPlacer(context)
    const fleet = createFleet(context, placer)
    for (const row of account.services) fleet.fill(account, row)
    account.live = true
    state.unitsChanged = false
    // At most 128 virtual CPUs are allocated, 16 a unit.
    expect(state.units.count).toBe(8)
    closeAccount(context, account, (unit) => placer.remove(unit))
    expect([state.units.count, account.live, state.accounts, state.byId.size, state.unitsChanged]).toEqual([
      0,
      false,
      [],
      0,
      true,
    ])
    expect(state.segments.entries.map(({ id }) => id)).toEqual([1, 2, 3])
    expect([...state.services.customer.subarray(0, 3)]).toEqual([0, 0, 0])
    expect(state.services.freeRows).toEqual([0, 1, 2])
  })
})

test('a world begins with a customer for three hosts, pools at 62 %, and traffic as the network is sized for', () => {
  const { world, context, state, takeEvents } = createTenantsFixture('small')
  const placer = createPlacer(context)
  seedCustomers(
    context,
    createContractFactory(world.topology, state.takenNames),
    placer,
    createFleet(context, placer),
  )
  expect([state.accounts.length, state.takenNames.size, takeEvents()]).toEqual([8, 8, []])
  for (const account of state.accounts) {
    expect(account).toMatchObject({ lifecycle: 'Active', live: true, placedUnits: account.requestedUnits })
    expect(account.priced).toBeLessThanOrEqual(0)
    expect(account.priced).toBeGreaterThan(-365 * day)
    expect(account.grievances[0]).toBeLessThan(0.14)
    expect(account.grievances[1]).toBeLessThan(0.05)
    expect(account.satisfaction).toBeCloseTo(0.94 - account.grievances[0] - account.grievances[1], 9)
    expect(account.usualSatisfaction).toBe(account.satisfaction)
    expect([
      account.period.ends % hour,
      account.period.ends >= 2.3 * day,
      account.period.ends <= 30 * day,
    ]).toEqual([0, true, true])
  }
  const fill = state.capacity.pools.map((_, pool) => poolFillRatio(context, pool))
  expect(fill.filter((ratio) => ratio > 0.72)).toEqual([])
  expect(Math.min(...fill.filter((_, pool) => state.capacity.pools[pool].units > 0))).toBeGreaterThan(0.5)
  // 90 % of 0.6 Gbit/s a host out, of which 40 % in and 80 % between hosts: 24 hosts, 12 in a zone.
  const peak = weeklyPeakGbps(state)
  const { trafficFactor, zonePeaks } = state.demand
  expect(peak.out * trafficFactor.out).toBeCloseTo(12.96, 9)
  expect(peak.in * trafficFactor.in).toBeCloseTo(5.184, 9)
  expect(peak.eastWest * trafficFactor.eastWest).toBeCloseTo(10.368, 9)
  for (const zone of [0, 1])
    expect(
      [zonePeaks.out[zone], zonePeaks.in[zone], zonePeaks.eastWest[zone]].map(
        (gbps) => Math.round(gbps * 1e6) / 1e6,
      ),
    ).toEqual([6.48, 2.592, 5.184])
})
