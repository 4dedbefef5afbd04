import { describe, expect, test } from 'vitest'
import { createBusiness } from '../../../src/simulation/customers/business.ts'
import { explainLack } from '../../../src/simulation/customers/placement-lack.ts'
import type { Ask } from '../../../src/simulation/customers/placement-rules.ts'
import { createPlacer } from '../../../src/simulation/customers/placement.ts'
import { classIndex } from '../../../src/simulation/customers/service-classes.ts'
import { stillWorld } from '../still-world.ts'

/** A unit of a web front end that any host takes: one virtual CPU and next to nothing of the rest. */
const smallUnit: Ask = {
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

function emptyPlant(scale: number | 'small') {
  const { state } = stillWorld(1n, scale)
  const business = createBusiness(state)
  const placer = createPlacer(business)
  const { standing } = placer
  return {
    state,
    business,
    placer,
    find: (ask: Partial<Ask>) => placer.findHost({ ...smallUnit, ...ask }, standing, 0),
    lack: (ask: Partial<Ask>) => explainLack(business, placer, { ...smallUnit, ...ask }, standing),
  }
}

/** Two hosts: host 0 is a Heron M2-64 of the memory pool, host 1 a Kestrel R1-64 of the general pool. */
describe('in a plant of two hosts', () => {
  test('a unit goes to the host whose pool takes its class', () => {
    const { find } = emptyPlant(2)
    expect(find({})).toBe(1)
    expect(find({ classIndex: classIndex.database })).toBe(0)
  })

  test('CPU is promised up to twice what the general pool has, and no further', () => {
    const { state, find, lack } = emptyPlant(2)
    state.load.allocatedMilli[1] = 100_000
    expect(find({ milli: 28_000 })).toBe(1)
    expect(find({ milli: 29_000 })).toBe(-1)
    expect(lack({ milli: 40_000 })).toEqual({
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

  test('memory is never promised twice', () => {
    const { state, lack } = emptyPlant(2)
    state.load.allocatedMemMb[1] = 200_000
    expect(lack({ memMb: 65_536 })).toEqual({
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
    const { business, state, lack } = emptyPlant(2)
    state.load.allocatedSsdGb[1] = 3_900
    expect(lack({ ssdGb: 150 })).toMatchObject({ code: 'no_disk', unit: 'gb', available: 100, shortfall: 50 })
    state.load.allocatedSsdGb[1] = 0
    business.capacity.promisedIops[1] = 249_000
    expect(lack({ iops: 3_000 })).toMatchObject({
      code: 'no_iops',
      unit: 'iops',
      needed: 3_000,
      available: 1_000,
      shortfall: 2_000,
    })
  })

  test('a unit that must not be contended finds no host where more CPU is promised than there is', () => {
    const { state, find, lack } = emptyPlant(2)
    state.load.allocatedMilli[1] = 60_000
    expect(find({ uncontended: true, milli: 4_000 })).toBe(1)
    expect(lack({ uncontended: true, milli: 5_000 })).toMatchObject({
      code: 'no_uncontended_host',
      unit: 'hosts',
      needed: 1,
      available: 0,
      considered: 1,
      candidates: 1,
    })
  })

  test('nobody has GPU slices or the other processor', () => {
    const { lack } = emptyPlant(2)
    expect(lack({ classIndex: classIndex['gpu-training'], slices: 4 })).toMatchObject({
      code: 'no_gpu',
      considered: 0,
    })
    expect(lack({ arch: 'arm64' })).toMatchObject({ code: 'no_arch', considered: 1, candidates: 0 })
  })

  test('a host that is off takes nothing', () => {
    const { business, lack } = emptyPlant(2)
    business.capacity.open[1] = 0
    expect(lack({})).toMatchObject({ code: 'no_host_online', unit: 'hosts', considered: 1, candidates: 1 })
  })
})

/**
 * Twenty-four hosts in two zones and four racks. Dedicated are hosts 11 and 16, for storage hosts 1 and 7 in the
 * first zone and 20 in the second.
 */
describe('in a small plant', () => {
  test('dedicated hosts are given to one customer each', () => {
    const { business, state, find, lack } = emptyPlant('small')
    const wish = { dedicated: true, customerId: 7 }
    state.load.unitCount[11] = 1
    business.capacity.owner[11] = 7
    expect(find(wish)).toBe(11)
    business.capacity.owner[11] = 8
    expect(find(wish)).toBe(16)
    state.load.unitCount[16] = 1
    business.capacity.owner[16] = 8
    expect(find(wish)).toBe(-1)
    expect(lack(wish)).toEqual({
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
    const { placer, find, lack } = emptyPlant('small')
    const replica = {
      classIndex: classIndex['object-storage'],
      perHostMax: 1,
      units: 3,
      perRackMax: 3,
      perZoneMax: 3,
    }
    for (const host of [1, 7, 20]) placer.standing.onHost[host] = 1
    expect(find(replica)).toBe(-1)
    expect(lack(replica)).toMatchObject({ code: 'no_fault_isolation', considered: 3, candidates: 3 })
    placer.standing.onHost[7] = 0
    expect(find(replica)).toBe(7)
  })

  test('a unit for the second zone is not put into the first', () => {
    const { business, placer, find, lack } = emptyPlant('small')
    const second = { classIndex: classIndex['object-storage'], units: 2, perRackMax: 2, perZoneMax: 1 }
    placer.standing.inZone[0] = 1
    expect(find(second)).toBe(20)
    business.capacity.open[20] = 0
    expect(find(second)).toBe(-1)
    expect(lack(second)).toEqual({
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
    const { state, find } = emptyPlant('small')
    const unit = { classIndex: classIndex['block-storage'], units: 2, perZoneMax: 2, perRackMax: 2 }
    state.load.allocatedMilli[1] = 40_000
    expect(find(unit)).toBe(7)
    state.load.allocatedMilli[7] = 50_000
    expect(find(unit)).toBe(1)
  })
})
