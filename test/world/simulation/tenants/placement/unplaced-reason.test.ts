import { describe, expect, test } from 'vitest'
import { createTenantContext } from '../../../../../src/world/simulation/tenants/context.ts'
import { createTenantsState } from '../../../../../src/world/simulation/tenants/state.ts'
import { explainUnplacedUnits } from '../../../../../src/world/simulation/tenants/placement/unplaced-reason.ts'
import type { PlacementRequest } from '../../../../../src/world/simulation/tenants/placement/placement-rules.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { classIndex } from '../../../../../src/world/simulation/tenants/demand/service-classes.ts'
import { createQuietWorld } from '../../quiet-world.ts'

/** A small unit of a web front end, accepted by any host of the general pool. */
const smallUnit: PlacementRequest = {
  customerId: 1,
  segmentId: 1,
  privateSegment: false,
  classIndex: classIndex.web,
  milli: 1_000,
  memMb: 1_024,
  ssdGb: 10,
  iops: 100,
  slices: 0,
  units: 1,
  arch: null,
  region: 0,
  dedicated: false,
  uncontended: false,
  perHostMax: 3,
  perRackMax: 1,
  perZoneMax: 1,
}

function createEmptyWorld(scale: number | 'small') {
  const { state } = createQuietWorld(1n, scale)
  const context = createTenantContext(state, createTenantsState(state.topology, state.load, state.money))
  const placer = createPlacer(context)
  return {
    state,
    context,
    placer,
    findHost: (request: Partial<PlacementRequest>) => placer.findHost({ ...smallUnit, ...request }, 0),
    explain: (request: Partial<PlacementRequest>): string => {
      const reason = explainUnplacedUnits(context, placer, { ...smallUnit, ...request })
      const { code, unit, subject, needed, available, shortfall, considered, candidates } = reason
      const lack = `${needed} ${unit} needed, ${available} there, ${shortfall} short`
      return `${code} in ${subject}: ${lack}; ${candidates} of ${considered} hosts`
    },
  }
}

/** Two hosts: host 0 is a Heron M2-64 of the memory pool, host 1 a Kestrel R1-64 of the general pool. */
describe('in a world of two hosts', () => {
  test('a unit goes to the host whose pool takes its class', () => {
    const { findHost } = createEmptyWorld(2)
    expect(findHost({})).toBe(1)
    expect(findHost({ classIndex: classIndex.database })).toBe(0)
  })

  test.each<
    [string, (world: ReturnType<typeof createEmptyWorld>) => void, Partial<PlacementRequest>, string]
  >([
    [
      'CPU',
      ({ state }) => void (state.load.allocatedMilli[1] = 100_000),
      { milli: 40_000 },
      'no_vcpu in pool General x86: 40 vcpu needed, 28 there, 12 short; 1 of 1 hosts',
    ],
    [
      'memory',
      ({ state }) => void (state.load.allocatedMemMb[1] = 200_000),
      { memMb: 65_536 },
      'no_memory in pool General x86: 65536 mb needed, 62144 there, 3392 short; 1 of 1 hosts',
    ],
    [
      'disk',
      ({ state }) => void (state.load.allocatedSsdGb[1] = 3_900),
      { ssdGb: 150 },
      'no_disk in pool General x86: 150 gb needed, 100 there, 50 short; 1 of 1 hosts',
    ],
    [
      'disk operations',
      ({ context }) => void (context.state.capacity.allocatedIops[1] = 249_000),
      { iops: 3_000 },
      'no_iops in pool General x86: 3000 iops needed, 1000 there, 2000 short; 1 of 1 hosts',
    ],
    [
      'a host whose CPU is not contended',
      ({ state }) => void (state.load.allocatedMilli[1] = 60_000),
      { uncontended: true, milli: 5_000 },
      'no_uncontended_host in pool General x86: 1 hosts needed, 0 there, 1 short; 1 of 1 hosts',
    ],
    [
      'GPU slices',
      () => {},
      { classIndex: classIndex['gpu-training'], slices: 4 },
      'no_gpu in Westholm: 1 hosts needed, 0 there, 1 short; 0 of 0 hosts',
    ],
    [
      'the architecture',
      () => {},
      { arch: 'arm64' },
      'no_arch in Westholm: 1 hosts needed, 0 there, 1 short; 0 of 1 hosts',
    ],
    [
      'a host that is on',
      ({ context }) => void (context.state.capacity.open[1] = 0),
      {},
      'no_host_online in pool General x86: 1 hosts needed, 0 there, 1 short; 1 of 1 hosts',
    ],
  ])('a unit lacks %s', (_, prepare, request, reason) => {
    const world = createEmptyWorld(2)
    prepare(world)
    expect(world.explain(request)).toBe(reason)
  })

  test.each([
    [100_000, false, 28_000],
    [60_000, true, 4_000],
  ])('beside %i milli, contended or not (%j), %i fit and no more', (allocated, uncontended, milli) => {
    const { state, findHost } = createEmptyWorld(2)
    state.load.allocatedMilli[1] = allocated
    expect([milli, milli + 1_000].map((each) => findHost({ uncontended, milli: each }))).toEqual([1, -1])
  })
})

/**
 * Twenty-four hosts in two zones and four racks. Dedicated hosts are 11 and 16, storage hosts 1 and 7 in the first
 * zone and 20 in the second.
 */
describe('in a small topology', () => {
  test('dedicated hosts are given to one customer each', () => {
    const { context, state, findHost, explain } = createEmptyWorld('small')
    const wish = { dedicated: true, customerId: 7 }
    state.load.unitCount[11] = 1
    context.state.capacity.owner[11] = 7
    expect(findHost(wish)).toBe(11)
    context.state.capacity.owner[11] = 8
    expect(findHost(wish)).toBe(16)
    state.load.unitCount[16] = 1
    context.state.capacity.owner[16] = 8
    expect(findHost(wish)).toBe(-1)
    expect(explain(wish)).toBe(
      'no_dedicated_host in pool Dedicated: 1 hosts needed, 0 there, 1 short; 2 of 2 hosts',
    )
  })

  test('replicas stand on hosts of their own', () => {
    const { placer, findHost, explain } = createEmptyWorld('small')
    const replica = {
      classIndex: classIndex['object-storage'],
      perHostMax: 1,
      units: 3,
      perRackMax: 3,
      perZoneMax: 3,
    }
    for (const host of [1, 7, 20]) placer.markHost(host, 1)
    expect(findHost(replica)).toBe(-1)
    expect(explain(replica)).toMatch(/^no_fault_isolation .*; 3 of 3 hosts$/)
    placer.markHost(7, -1)
    expect(findHost(replica)).toBe(7)
  })

  test('a unit for the second zone is not put into the first', () => {
    const { context, placer, findHost, explain } = createEmptyWorld('small')
    const second = { classIndex: classIndex['object-storage'], units: 2, perRackMax: 2, perZoneMax: 1 }
    placer.markHost(0, 1)
    expect(findHost(second)).toBe(20)
    context.state.capacity.open[20] = 0
    expect(findHost(second)).toBe(-1)
    expect(explain(second)).toBe(
      'no_second_zone in region Westholm: 2 zones needed, 1 there, 1 short; 2 of 3 hosts',
    )
  })

  test('of hosts that fit, the emptier one is taken', () => {
    const { state, findHost } = createEmptyWorld('small')
    const unit = { classIndex: classIndex['block-storage'], units: 2, perZoneMax: 2, perRackMax: 2 }
    state.load.allocatedMilli[1] = 40_000
    expect(findHost(unit)).toBe(7)
    state.load.allocatedMilli[7] = 50_000
    expect(findHost(unit)).toBe(1)
  })
})
