import { expect, test } from 'vitest'
import type { Contract } from '../../../../src/world/simulation/tenants/contract.ts'
import { createTenantContext } from '../../../../src/world/simulation/tenants/context.ts'
import { createTenantsState } from '../../../../src/world/simulation/tenants/state.ts'
import { attemptPlacement } from '../../../../src/world/simulation/tenants/placement/placement-attempt.ts'
import { createPlacer } from '../../../../src/world/simulation/tenants/placement/placement.ts'
import {
  assignSegment,
  createSegmentsState,
  removePrivateSegment,
} from '../../../../src/world/simulation/tenants/lifecycle/segments.ts'
import { createTenantRecords } from '../../../../src/world/records/tenants/tenants.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'

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

/** Two hosts, one of which accepts web front ends: 64 virtual CPUs with an overcommit limit of 2, 256 GB, 4 TB. */
function createEmptyWorld() {
  const { state } = createQuietWorld(1n, 2)
  const context = createTenantContext(state, createTenantsState(state.topology, state.load, state.money))
  return {
    state,
    context,
    fit: (wanted: Contract) => attemptPlacement(context, createPlacer(context), wanted),
  }
}

test('an attempt reports the utilization with the contract: 4 × 16 of 128 virtual CPUs, 128 of 256 GB, 2 of 4 TB', () => {
  expect(createEmptyWorld().fit(contract)).toEqual({
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

test('a placement attempt releases everything that it allocated', () => {
  const { state, context, fit } = createEmptyWorld()
  fit({ ...contract, uncontended: true })
  fit({ ...contract, dedicatedHosts: true })
  const { load } = state
  for (const column of [load.allocatedMilli, load.allocatedMemMb, load.allocatedSsdGb, load.unitCount]) {
    expect(column.every((value) => value === 0)).toBe(true)
  }
  const { allocatedIops, owner, uncontendedUnits } = context.state.capacity
  for (const column of [allocatedIops, owner, uncontendedUnits])
    expect(column.every((value) => value === 0)).toBe(true)
})

test('a contract that would use up the reserve is accepted with care or waits for capacity, by its plan', () => {
  const { fit } = createEmptyWorld()
  const sized = (vcpu: number, tier: Contract['tier'] = 'Silver'): Contract => ({
    ...contract,
    tier,
    services: [{ ...contract.services[0], vcpu, count: 6, memMb: 1_024, ssdGb: 10 }],
  })
  expect(fit(sized(14))).toMatchObject({ canServe: true, recommendation: 'Accept' })
  expect(fit(sized(16))).toMatchObject({ canServe: true, recommendation: 'AddCapacity' })
  expect(fit(sized(16, 'Gold'))).toMatchObject({ canServe: true, recommendation: 'AcceptWithCare' })
  expect(fit(sized(18, 'Gold'))).toMatchObject({
    canServe: true,
    oversubscribed: true,
    recommendation: 'AddCapacity',
  })
  expect(fit(sized(24))).toMatchObject({ canServe: false, overCapacity: true, recommendation: 'AddCapacity' })
  expect(fit({ ...contract, requiredArch: 'arm64' })).toMatchObject({
    canServe: false,
    recommendation: 'Decline',
  })
  expect(fit({ ...contract, multiZone: true }).recommendation).toBe('Decline')
})

test('a prospect that fits is placed completely when it signs', () => {
  const sim = createRunningSimulation(51, 60)
  const signed = new Map<string, boolean>()
  runFor(sim, 5 * day, () => {
    for (const { contract: wanted, placement: fit } of sim.customers.state.prospects.list)
      signed.set(wanted.name, fit.canServe)
  })
  const newcomers = accountsOf(sim).filter((account) => account.signed > 0 && account.live)
  expect(newcomers.length).toBeGreaterThan(0)
  expect(newcomers.filter(({ name }) => signed.get(name) !== true)).toEqual([])
  expect(newcomers.filter(({ placedUnits, requestedUnits }) => placedUnits < requestedUnits)).toEqual([])
})

test('a prospect signs if its record says so, and otherwise its last event says why', () => {
  const sim = createRunningSimulation(52, 24)
  const lastSeen = new Map<string, string>()
  const outcome = new Map<string, string>()
  let last = -1
  runFor(sim, 25 * day, () => {
    for (const event of sim.state.events.state.window) {
      if (Number(event.at_ns) <= last) continue
      last = Number(event.at_ns)
      const nameOf = (key: string) => event.msg_args.find((argument) => argument.key === key)!.text
      if (event.msg_key === 'event.prospect-expired') outcome.set(nameOf('prospect'), nameOf('reason'))
      else if (event.msg_key === 'event.customer-signed') outcome.set(nameOf('customer'), 'signed')
    }
    for (const { contract: wanted, placement: fit } of sim.customers.state.prospects.list)
      lastSeen.set(wanted.name, fit.recommendation)
  })
  const allowed: Record<string, RegExp> = {
    Accept: /^signed|^it has heard|offer$|^it runs/,
    AcceptWithCare: /^signed|^it has heard|offer$|^it runs/,
    AddCapacity: /no room/,
    Decline: /requirements/,
  }
  const wrong = [...outcome].filter(([name, what]) => !allowed[lastSeen.get(name)!].test(what))
  expect(wrong).toEqual([])
  const accepted = [...outcome].filter(([name]) => lastSeen.get(name)!.startsWith('Accept'))
  const signed = accepted.filter(([, what]) => what === 'signed')
  expect(accepted.length).toBeGreaterThan(0)
  expect(signed.length).toBeGreaterThan(accepted.length / 2)
})

test('a contract waits while the network of its zone has no room for its traffic', () => {
  const { context, fit } = createEmptyWorld()
  expect(fit(contract).networkFull).toBe(false)
  context.state.demand.zonePeaks.out.fill(10_000)
  expect(fit(contract)).toMatchObject({ canServe: true, networkFull: true, recommendation: 'AddCapacity' })
})

test('customers share segments by tier, or get a private one if their contract requires it', () => {
  const segments = createSegmentsState()
  expect(assignSegment(segments, { ...contract, tier: 'Bronze' }, 1).name).toBe('shared')
  expect(assignSegment(segments, { ...contract, tier: 'Gold' }, 2).tierRule).toBe('GoldAndUp')
  const privateSegment = assignSegment(segments, { ...contract, privateSegment: true }, 3)
  expect(privateSegment).toMatchObject({ id: 4, vni: 10_004, tierRule: 'Explicit', customerId: 3 })
  removePrivateSegment(segments, 3)
  expect(segments.entries.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(assignSegment(segments, { ...contract, privateSegment: true }, 5).id).toBe(5)
})

test('a customer has one subnet per service class, in its segment', () => {
  const sim = createRunningSimulation(52, 'medium')
  runFor(sim, hour)
  const records = createTenantRecords(sim.state, sim.customers, () => [])
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
