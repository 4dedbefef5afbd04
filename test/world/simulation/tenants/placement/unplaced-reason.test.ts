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
    explain: (request: Partial<PlacementRequest>) =>
      explainUnplacedUnits(context, placer, { ...smallUnit, ...request }),
  }
}

/** Two hosts: host 0 is a Heron M2-64 of the memory pool, host 1 a Kestrel R1-64 of the general pool. */
describe('in a world of two hosts', () => {
  test('a unit goes to the host whose pool takes its class', () => {
    const { findHost } = createEmptyWorld(2)
    expect(findHost({})).toBe(1)
    expect(findHost({ classIndex: classIndex.database })).toBe(0)
  })

  test('CPU is allocated up to twice what the general pool has, and no further', () => {
    const { state, findHost, explain } = createEmptyWorld(2)
    state.load.allocatedMilli[1] = 100_000
    expect(findHost({ milli: 28_000 })).toBe(1)
    expect(findHost({ milli: 29_000 })).toBe(-1)
    expect(explain({ milli: 40_000 })).toEqual({
      code: 'no_vcpu',
      unit: 'vcpu',
      subject: 'pool General x86',
      needed: 40,
      available: 28,
      shortfall: 12,
      considered: 1,
      candidates: 1,
    })
  })

  test('memory is never allocated twice', () => {
    const { state, explain } = createEmptyWorld(2)
    state.load.allocatedMemMb[1] = 200_000
    expect(explain({ memMb: 65_536 })).toEqual({
      code: 'no_memory',
      unit: 'mb',
      subject: 'pool General x86',
      needed: 65_536,
      available: 62_144,
      shortfall: 3_392,
      considered: 1,
      candidates: 1,
    })
  })

  test('disk and disk operations run out like the rest', () => {
    const { context, state, explain } = createEmptyWorld(2)
    state.load.allocatedSsdGb[1] = 3_900
    expect(explain({ ssdGb: 150 })).toMatchObject({
      code: 'no_disk',
      unit: 'gb',
      available: 100,
      shortfall: 50,
    })
    state.load.allocatedSsdGb[1] = 0
    context.state.capacity.allocatedIops[1] = 249_000
    expect(explain({ iops: 3_000 })).toMatchObject({
      code: 'no_iops',
      unit: 'iops',
      needed: 3_000,
      available: 1_000,
      shortfall: 2_000,
    })
  })

  test('a unit that must not be contended finds no host where more CPU is allocated than there is', () => {
    const { state, findHost, explain } = createEmptyWorld(2)
    state.load.allocatedMilli[1] = 60_000
    expect(findHost({ uncontended: true, milli: 4_000 })).toBe(1)
    expect(explain({ uncontended: true, milli: 5_000 })).toMatchObject({
      code: 'no_uncontended_host',
      unit: 'hosts',
      needed: 1,
      available: 0,
      considered: 1,
      candidates: 1,
    })
  })

  test('no host has GPU slices or the other CPU architecture', () => {
    const { explain } = createEmptyWorld(2)
    expect(explain({ classIndex: classIndex['gpu-training'], slices: 4 })).toMatchObject({
      code: 'no_gpu',
      considered: 0,
    })
    expect(explain({ arch: 'arm64' })).toMatchObject({ code: 'no_arch', considered: 1, candidates: 0 })
  })

  test('a host that is off takes nothing', () => {
    const { context, explain } = createEmptyWorld(2)
    context.state.capacity.open[1] = 0
    expect(explain({})).toMatchObject({ code: 'no_host_online', unit: 'hosts', considered: 1, candidates: 1 })
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
    expect(explain(wish)).toEqual({
      code: 'no_dedicated_host',
      unit: 'hosts',
      subject: 'pool Dedicated',
      needed: 1,
      available: 0,
      shortfall: 1,
      considered: 2,
      candidates: 2,
    })
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
    expect(explain(replica)).toMatchObject({ code: 'no_fault_isolation', considered: 3, candidates: 3 })
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
    expect(explain(second)).toEqual({
      code: 'no_second_zone',
      unit: 'zones',
      subject: 'region Westholm',
      needed: 2,
      available: 1,
      shortfall: 1,
      considered: 3,
      candidates: 2,
    })
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
