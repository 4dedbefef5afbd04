import { describe, expect, test } from 'vitest'
import type { Contract, ServiceTerms } from '../../../../../src/world/simulation/tenants/contract.ts'
import { attemptPlacement } from '../../../../../src/world/simulation/tenants/placement/placement-attempt.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { createTenantsFixture, plainContract, webTerms } from '../tenants-fixture.ts'

/** Two hosts, one of which accepts web front ends: 64 virtual CPUs with an overcommit limit of 2, 256 GB, 4 TB. */
const createMarket = (scale: 2 | 'small' = 2) => {
  const fixture = createTenantsFixture(scale)
  const { context } = fixture
  return {
    ...fixture,
    attempt: (contract: Partial<Contract>) =>
      attemptPlacement(context, createPlacer(context), { ...plainContract, ...contract }),
  }
}
const units = (changes: Partial<ServiceTerms>) => ({
  services: [{ ...webTerms, memMb: 1_024, ssdGb: 10, ...changes }],
})

describe('an attempt', () => {
  test('reports the utilization with the contract: 4 × 16 of 128 virtual CPUs, 128 of 256 GB, 2 of 4 TB', () => {
    expect(createMarket().attempt({})).toEqual({
      zone: 0,
      vcpuAfterPct: 50,
      memAfterPct: 50,
      ssdAfterPct: 50,
      canServe: true,
      oversubscribed: false,
      overCapacity: false,
      recommendation: 'Accept',
      uncontendedHosts: 1,
      networkFull: false,
    })
  })

  const gold = { tier: 'Gold' } as const
  const full = { canServe: false, overCapacity: true, recommendation: 'AddCapacity' }
  const declined = { canServe: false, recommendation: 'Decline' }
  test.each<[Partial<Contract>, object]>([
    [units({ vcpu: 14, count: 6 }), { canServe: true, recommendation: 'Accept' }],
    [units({ vcpu: 16, count: 6 }), { canServe: true, recommendation: 'AddCapacity' }],
    [
      { ...units({ vcpu: 16, count: 6 }), ...gold },
      { canServe: true, recommendation: 'AcceptWithCare' },
    ],
    // The overcommit target is 1.6: 102 virtual CPUs.
    [
      { ...units({ vcpu: 17, count: 6 }), ...gold },
      { vcpuAfterPct: 79.6875, oversubscribed: false },
    ],
    [
      { ...units({ vcpu: 103, count: 1 }), ...gold },
      { oversubscribed: true, recommendation: 'AddCapacity' },
    ],
    [units({ vcpu: 32, count: 4 }), { canServe: true, vcpuAfterPct: 100, overCapacity: false }],
    [units({ vcpu: 33, count: 4 }), { ...full, vcpuAfterPct: 100 }],
    [units({ vcpu: 1, memMb: 70_000 }), { ...full, memAfterPct: 100 }],
    [units({ vcpu: 1, ssdGb: 1_001 }), { ...full, ssdAfterPct: 100 }],
    [{ requiredArch: 'arm64' }, { ...declined, vcpuAfterPct: 100 }],
    [{ requiredArch: 'x86_64' }, { canServe: true, vcpuAfterPct: 50 }],
    // The region has one zone.
    [{ multiZone: true }, declined],
    [{ dedicatedHosts: true }, declined],
    [units({ class: 'gpu-training', slices: 1 }), declined],
    // Each replica needs a separate host.
    [units({ durability: 'Replicated2', count: 2 }), { canServe: false, recommendation: 'AddCapacity' }],
  ])('of %j is %j', (contract, expected) => {
    expect(createMarket().attempt(contract)).toMatchObject(expected)
  })

  test('counts what is allocated already, of the pools that accept a service', () => {
    const { state, attempt } = createMarket()
    const [memory, general] = [0, 1].map((host) => state.capacity.pools[state.capacity.pool[host]])
    Object.assign(general, { milli: 12_800, memMb: 26_214.4, ssdGb: 400 })
    Object.assign(memory, { milli: 83_200 })
    expect(attempt({})).toMatchObject({ vcpuAfterPct: 60, memAfterPct: 60, ssdAfterPct: 60 })
  })

  test('waits while the network of its zone has no room for its traffic', () => {
    const { state, attempt } = createMarket()
    state.demand.zonePeaks.out.fill(10_000)
    expect(attempt({})).toMatchObject({ canServe: true, networkFull: true, recommendation: 'AddCapacity' })
    expect(attempt(units({ vcpu: 33 })).networkFull).toBe(false)
  })

  test('releases everything that it allocated', () => {
    const { state, attempt } = createMarket('small')
    for (const contract of [
      {},
      { uncontended: true },
      { dedicatedHosts: true },
      { multiZone: true, services: [webTerms, webTerms] },
    ])
      expect(attempt(contract).canServe).toBe(true)
    const { load, capacity } = state
    for (const column of [
      load.allocatedMilli,
      load.allocatedMemMb,
      load.allocatedSsdGb,
      load.unitCount,
      capacity.allocatedIops,
      capacity.owner,
      capacity.uncontendedUnits,
    ])
      expect(column.every((value) => value === 0)).toBe(true)
  })
})

describe('hosts without contention', () => {
  const close = ({ state }: ReturnType<typeof createMarket>) => void (state.capacity.open[1] = 0)
  const withCache = (count: number): Partial<Contract> => ({
    services: [webTerms, { ...webTerms, class: 'cache', count }],
  })
  test.each<[string, (market: ReturnType<typeof createMarket>) => void, Partial<Contract>, number]>([
    ['are counted', () => {}, {}, 1],
    ['not at a contention of 0.7', ({ state }) => void (state.load.contention[1] = 0.7), {}, 0],
    ['but below it', ({ state }) => void (state.load.contention[1] = 0.69), {}, 1],
    ['not if they are not open', close, {}, 0],
    ['if a unit fits', ({ state }) => void (state.load.allocatedMilli[1] = 48_000), {}, 1],
    ['not if it has not', ({ state }) => void (state.load.allocatedMilli[1] = 48_001), {}, 0],
    ['not without memory', ({ state }) => void (state.load.allocatedMemMb[1] = 229_377), {}, 0],
    ['for the service with most units', close, withCache(5), 1],
    ['for the first of equal ones', close, withCache(webTerms.count), 0],
  ])('%s', (_, change, contract, hosts) => {
    const market = createMarket()
    change(market)
    expect(market.attempt(contract).uncontendedHosts).toBe(hosts)
  })
})

test('an attempt prefers the region with the lower share of allocated CPU', () => {
  const { world, state, attempt } = createMarket('small')
  const [, second] = world.topology.zones
  Object.assign(second, { region: 1 })
  Object.assign(world.topology, {
    regions: [world.topology.regions[0], { ...world.topology.regions[0], name: 'Elsewhere' }],
  })
  for (const host of second.hosts) state.capacity.region[host] = 1
  expect(attempt({}).zone).toBe(0)
  state.load.allocatedMilli[world.topology.zones[0].hosts[0]] = 1_000
  expect(attempt({}).zone).toBe(1)
  expect(attempt({ requiredRegion: 0 }).zone).toBe(0)
  // The only region with room is chosen.
  for (const host of second.hosts) state.capacity.open[host] = 0
  expect(attempt({})).toMatchObject({ zone: 0, canServe: true })
})
