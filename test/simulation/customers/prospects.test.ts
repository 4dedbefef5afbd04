import { expect, test } from 'vitest'
import type { Contract } from '../../../src/simulation/customers/account.ts'
import { createBusiness } from '../../../src/simulation/customers/business.ts'
import { tryFit } from '../../../src/simulation/customers/fit.ts'
import { createPlacer } from '../../../src/simulation/customers/placement.ts'
import { createSegments } from '../../../src/simulation/customers/segments.ts'
import { createCustomerRecords } from '../../../src/simulation/records/tenancy.ts'
import { hour } from '../../../src/simulation/time.ts'
import { stillWorld } from '../still-world.ts'
import { accountsOf, livingWorld, run } from './living.ts'

const contract: Contract = {
  name: 'Amber Mill Shoes',
  archetype: 'Shop',
  kindLabel: 'Online shop',
  tier: 'Silver',
  compliance: null,
  requiredArch: 'x86_64',
  requiredRegion: 0,
  multiZone: false,
  privateSegment: false,
  auditLogs: false,
  airGap: false,
  dedicatedHosts: false,
  uncontended: false,
  faultIsolation: false,
  growthCeiling: 10,
  services: [
    {
      class: 'web',
      count: 4,
      vcpu: 16,
      memMb: 32_768,
      ssdGb: 500,
      iops: 1_000,
      slices: 0,
      durability: 'Ephemeral',
    },
  ],
}

/** Two hosts, of which one takes web front ends: 64 virtual CPUs that may be promised twice, 256 GB, 4 TB. */
function emptyPlant() {
  const { state } = stillWorld(1n, 2)
  const business = createBusiness(state)
  return { state, business, fit: (wanted: Contract) => tryFit(business, createPlacer(business), wanted) }
}

test('a contract that fits is tried out whole: 4 × 16 of 128 virtual CPUs, 128 of 256 GB, 2 of 4 TB', () => {
  expect(emptyPlant().fit(contract)).toEqual({
    zone: 0,
    vcpuAfterPct: 50,
    memAfterPct: 50,
    ssdAfterPct: 50,
    canServe: true,
    oversubscribed: false,
    overCapacity: false,
    recommendation: 'Accept',
    uncontendedHosts: 1,
  })
})

test('trying it out leaves nothing behind', () => {
  const { state, business, fit } = emptyPlant()
  fit({ ...contract, uncontended: true })
  fit({ ...contract, dedicatedHosts: true })
  const { load } = state
  for (const column of [load.allocatedMilli, load.allocatedMemMb, load.allocatedSsdGb, load.unitCount]) {
    expect(column.every((value) => value === 0)).toBe(true)
  }
  const { promisedIops, owner, calmUnits } = business.capacity
  for (const column of [promisedIops, owner, calmUnits])
    expect(column.every((value) => value === 0)).toBe(true)
})

test('beyond the target it is taken with care, beyond what there is not at all', () => {
  const { fit } = emptyPlant()
  const sized = (vcpu: number): Contract => ({
    ...contract,
    services: [{ ...contract.services[0], vcpu, count: 6, memMb: 1_024, ssdGb: 10 }],
  })
  expect(fit(sized(18))).toMatchObject({
    canServe: true,
    oversubscribed: true,
    recommendation: 'AcceptWithCare',
  })
  expect(fit(sized(24))).toMatchObject({ canServe: false, overCapacity: true, recommendation: 'AddCapacity' })
  expect(fit({ ...contract, requiredArch: 'arm64' })).toMatchObject({
    canServe: false,
    recommendation: 'Decline',
  })
  expect(fit({ ...contract, multiZone: true }).recommendation).toBe('Decline')
})

test('what was said to fit is placed whole when it signs', () => {
  const sim = livingWorld(51, 300)
  const signed = new Map<string, boolean>()
  run(sim, 20 * hour, () => {
    for (const { contract: wanted, fit } of sim.customers.prospects.list)
      signed.set(wanted.name, fit.canServe)
  })
  const newcomers = accountsOf(sim).filter((account) => account.signed > 0 && account.live)
  expect(newcomers.length).toBeGreaterThan(0)
  expect(newcomers.filter(({ name }) => signed.get(name) !== true)).toEqual([])
  expect(newcomers.filter(({ placedUnits, requestedUnits }) => placedUnits < requestedUnits)).toEqual([])
})

test('customers share segments by tier; whoever needs one of its own gets it', () => {
  const segments = createSegments()
  expect(segments.assign({ ...contract, tier: 'Bronze' }, 1).name).toBe('shared')
  expect(segments.assign({ ...contract, tier: 'Gold' }, 2).tierRule).toBe('GoldAndUp')
  const own = segments.assign({ ...contract, privateSegment: true }, 3)
  expect(own).toMatchObject({ id: 4, vni: 10_004, tierRule: 'Explicit', customerId: 3 })
  segments.drop(3)
  expect(segments.entries.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(segments.assign({ ...contract, privateSegment: true }, 5).id).toBe(5)
})

test('every tenant has one subnet for each service class, in the segment that it belongs to', () => {
  const sim = livingWorld(52, 'medium')
  run(sim, hour)
  const records = createCustomerRecords(sim.state, sim.customers, () => [])
  records.update()
  const services = records.customers.flatMap((customer) => customer.services)
  expect(records.subnets).toHaveLength(services.length)
  expect(new Set(records.subnets.map(({ l2vni }) => l2vni)).size).toBe(records.subnets.length)
  expect(new Set(records.segments.map(({ vni }) => vni)).size).toBe(records.segments.length)
  for (const segment of records.segments) {
    const subnets = records.subnets.filter(({ vrf_id }) => vrf_id === segment.id)
    const carriers = new Set(subnets.flatMap(({ carrier_host_ids }) => carrier_host_ids))
    expect([...carriers].map(Number).toSorted((a, b) => a - b)).toEqual(segment.carrier_host_ids.map(Number))
  }
  const airGapped = records.customers.filter(({ demands_air_gap }) => demands_air_gap)
  for (const { id } of airGapped) {
    const shared = records.hosts.filter(({ served_customer_ids: ids }) => ids.includes(id) && ids.length > 1)
    expect(shared).toEqual([])
  }
})
