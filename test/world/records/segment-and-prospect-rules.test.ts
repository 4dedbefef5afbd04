import { describe, expect, test } from 'vitest'
import type { ServiceClass } from '../../../src/contract/vocabularies.ts'
import { createProspectRecords } from '../../../src/world/records/tenants/prospects.ts'
import { createSegmentRecords } from '../../../src/world/records/tenants/segments.ts'
import type { Contract, Prospect } from '../../../src/world/simulation/tenants/contract.ts'
import type { TenantsPart } from '../../../src/world/simulation/tenants/view.ts'
import { createTenantsFixture, plainContract, webTerms } from '../simulation/tenants/tenants-fixture.ts'

/** Records of segments, subnets and prospects by the state of tenants. */

/** Four hosts behind a load balancer, each with 100 virtual CPUs, 1,000 MB and 500 GB. */
function tenants() {
  const fixture = createTenantsFixture(4)
  const { world, state } = fixture
  state.capacity.maxMilli.fill(100_000)
  state.capacity.memMb.fill(1_000)
  state.capacity.ssdGb.fill(500)
  const part = { state } as TenantsPart
  const segments = () => {
    const records = createSegmentRecords(world, part)
    records.update()
    return records
  }
  return { ...fixture, part, segments }
}

describe('a segment', () => {
  test('has its members, the hosts that carry them, and room on those that are theirs alone', () => {
    const { world, state, addCustomer, segments } = tenants()
    addCustomer({ segmentId: 1, hosts: Int32Array.of(2, 0) })
    addCustomer({ segmentId: 1, hosts: Int32Array.of(2, 3) })
    addCustomer({ segmentId: 2, hosts: Int32Array.of(1) })
    state.capacity.owner.set([1, 0, 1, 2])
    world.load.allocatedMilli.set([10_000, 0, 20_000, 30_000])
    world.load.allocatedMemMb.set([100, 0, 200, 300])
    world.load.allocatedSsdGb.set([50, 0, 60, 70])
    const [shared, gold, platinum] = segments().segments
    expect(shared).toMatchObject({
      name: 'shared',
      tier_rule: 'Everyone',
      explicit_customer_ids: [],
      member_count: 2,
      carrier_host_ids: [1, 3, 4],
      dedicated_host_ids: [1, 3, 4],
      dedicated_host_count: 3,
      dedicated_total_vcpu_milli: 300_000,
      dedicated_free_vcpu_milli: 240_000,
      dedicated_total_mem_mb: 3_000,
      dedicated_free_mem_mb: 2_400,
      dedicated_total_disk_gb: 1_500,
      dedicated_free_disk_gb: 1_320,
    })
    expect(gold).toMatchObject({ member_count: 1, carrier_host_ids: [2], dedicated_host_ids: [] })
    expect(platinum).toMatchObject({ member_count: 0, carrier_host_ids: [], dedicated_free_vcpu_milli: 0 })
  })

  test.each<
    [string, Parameters<ReturnType<typeof tenants>['addCustomer']>, 'front' | 'behind' | 'job', string]
  >([
    ['a front end', [], 'front', 'LoadBalancer'],
    ['what is behind it', [], 'behind', 'Firewall'],
    ['a job', [], 'job', 'Gateway'],
    ['a job in a private segment', [{ privateSegment: true }], 'job', 'Firewall'],
    ['a job under HIPAA', [{ compliance: 'HIPAA' }], 'job', 'Firewall'],
    ['a front end with an air gap', [{}, { airGap: true }], 'front', 'Isolated'],
  ])('has a subnet for %s', (_, given, role, route) => {
    const { addCustomer, addService, segments } = tenants()
    addService(addCustomer(...given), { role }, [3, 1, 3])
    expect(segments().subnets).toMatchObject([
      { l2vni: 1_000_001, vrf_id: 1, member_count: 3, carrier_host_ids: [2, 4], routes_via: route },
    ])
  })

  test('has no balanced subnet without a load balancer', () => {
    const { world, addCustomer, addService, segments } = tenants()
    Object.assign(world.topology.zones[0], { appliances: [] })
    addService(addCustomer(), {}, [0])
    expect(segments().subnets).toMatchObject([{ routes_via: 'Gateway' }])
  })
})

describe('a prospect', () => {
  function recordOf(contract: Partial<Contract>, placement: Partial<Prospect['placement']> = {}) {
    const { world, part, state } = tenants()
    const prospect = {
      id: 7,
      contract: { ...plainContract, ...contract },
      expires: 5,
      bonusDollars: 12.346,
      monthlyDollars: 100.004,
      placement,
    }
    state.prospects.list = [prospect as unknown as Prospect]
    const { records, update } = createProspectRecords(world.topology, part)
    update()
    return records[0]
  }

  test('states its units, averages of a unit, and money to the cent', () => {
    const services = [
      webTerms,
      { ...webTerms, class: 'cache', count: 1, vcpu: 1, memMb: 1, ssdGb: 0 },
    ] as const
    expect(recordOf({ services })).toMatchObject({
      id: 7,
      expires_at_ns: 5_000n,
      initial_vm_count: 5,
      vcpu_per_vm: 13,
      memory_mb_per_vm: 26_215,
      block_gb_per_vm: 400,
      services_summary: '4 × web, 1 × cache',
      signup_bonus_dollars: 12.35,
      estimated_monthly_revenue_dollars: 100,
    })
  })

  test.each<[ServiceClass, number, string]>([
    ['web', 4, 'up to 320 requests/s'],
    ['web', 64, 'up to 5,100 requests/s'],
    ['cache', 1, 'up to 800 lookups/s'],
    ['batch', 1, 'up to 0.9 jobs/s'],
  ])('that asks for %s on %i virtual CPUs gets %s', (name, vcpu, label) => {
    const services = [{ ...webTerms, class: name, count: 1, vcpu }]
    expect(recordOf({ services }).services[0].throughput_label).toBe(label)
  })

  test.each<[Partial<Contract>, number | null, string | null]>([
    [{ tier: 'Silver' }, 1, 'shared'],
    [{ tier: 'Gold' }, 2, 'gold'],
    [{ tier: 'Platinum' }, 3, 'platinum'],
    [{ tier: 'Gold', privateSegment: true }, null, null],
  ])('with %j would be in segment %s, %s', (contract, id, name) => {
    expect(recordOf(contract)).toMatchObject({ covering_segment_id: id, covering_segment_name: name })
  })

  test.each<[Partial<Contract>, boolean]>([
    [{}, false],
    [{ dedicatedHosts: true }, true],
    [{ privateSegment: true }, true],
  ])('with %j requires something dedicated: %s', (contract, expected) => {
    expect(recordOf(contract).requires_dedicated).toBe(expected)
  })

  test('shows how it fits', () => {
    const fit = {
      vcpuAfterPct: 71.236,
      memAfterPct: 50,
      ssdAfterPct: 12.344,
      canServe: true,
      oversubscribed: false,
      overCapacity: false,
      recommendation: 'AcceptWithCare',
      uncontendedHosts: 3,
    } as const
    expect(recordOf({}, fit)).toMatchObject({
      fit_vcpu_after_pct: 71.24,
      fit_mem_after_pct: 50,
      fit_ssd_after_pct: 12.34,
      fit_can_serve_now: true,
      fit_oversubscribed: false,
      fit_over_capacity: false,
      fit_recommendation: 'AcceptWithCare',
      uncontended_hosts_available: 3,
    })
  })
})
