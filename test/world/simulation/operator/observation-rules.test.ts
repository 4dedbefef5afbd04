import { describe, expect, test } from 'vitest'
import { linksByRole } from '../../../../src/world/simulation/operator/links.ts'
import {
  growthPerDay,
  linkIndex,
  poolFill,
  recordPeaks,
  recordPoolUse,
} from '../../../../src/world/simulation/operator/observation.ts'
import type { PoolUsage } from '../../../../src/world/simulation/tenants/placement/capacity.ts'
import { createPlanningFixture } from './planning-fixture.ts'

const usage: PoolUsage = {
  hosts: 10,
  dedicatedHosts: 0,
  units: 0,
  iops: 0,
  iopsTotal: 1,
  milli: 0,
  physicalMilli: 50,
  maxMilli: 100,
  targetMilli: 80,
  memMb: 0,
  memMbTotal: 740,
  ssdGb: 0,
  ssdGbTotal: 100,
  slices: 0,
  slicesTotal: 4,
}

test.each<[string, Partial<PoolUsage>, number]>([
  ['nothing', {}, 0],
  ['CPU', { milli: 50 }, 0.5],
  ['memory, of which 74 % count as 70', { memMb: 740 }, 0.945_946],
  ['disks, of which all count as 85 %', { ssdGb: 100 }, 0.85],
  ['slices of GPUs', { slices: 3 }, 0.75],
  ['slices where there are none', { slices: 3, slicesTotal: 0 }, 0],
  ['dedicated hosts, of which all count as 85 %', { dedicatedHosts: 10 }, 0.85],
  ['the scarcest of several', { milli: 50, memMb: 370, ssdGb: 70, dedicatedHosts: 1 }, 0.595],
])('a pool is filled by %s', (_, part, fill) => {
  expect(poolFill({ ...usage, ...part })).toBeCloseTo(fill, 6)
})

test('the use of a pool is kept for 28 days, in hosts', () => {
  const { state, context } = createPlanningFixture()
  const pools = [{ ...usage, milli: 50 }]
  for (let day = 0; day < 28; day++) recordPoolUse(state, { ...context.capacity, pools })
  recordPoolUse(state, { ...context.capacity, pools: [{ ...usage, milli: 60 }] })
  expect(state.poolUse[0]).toHaveLength(28)
  expect([state.poolUse[0][0], state.poolUse[0].at(-1)]).toEqual([5, 6])
})

test.each([
  [[1, 2, 3, 4], 0],
  [[0, 2, 4, 6, 8], 2],
  [[0, 0, 0, 0, 10], 2],
  [[3, 1, 4, 1, 5, 9], 1.114_286],
  [[9, 8, 7, 6, 5], 0],
])('use of %j grows by %d a day', (history, growth) => {
  expect(growthPerDay(history)).toBeCloseTo(growth, 6)
})

describe('peaks', () => {
  test('rise by a quarter of the way in an hour, and fade by two thousandths', () => {
    const { state, world } = createPlanningFixture()
    const { facility } = world
    Object.assign(facility.feedLoadKw, [4, 3])
    facility.zoneHeatKw[1] = 8
    const hours = [4, 4, 0].map((kw) => {
      facility.feedLoadKw[0] = kw
      if (kw === 0) facility.feedLoadKw[1] = 0
      recordPeaks(state, world)
      return state.zonePeakKw[0]
    })
    expect(hours[0]).toBeCloseTo(1.75, 12)
    expect(hours[1]).toBeCloseTo(3.059_875, 12)
    expect(hours[2]).toBeCloseTo(3.053_755_25, 12)
    expect([state.zonePeakKw[1], state.zonePeakHeatKw[0]]).toEqual([0, 0])
    expect(state.zonePeakHeatKw[1]).toBeGreaterThan(4)
  })

  test('of devices are shares of their fabrics', () => {
    const { state, world } = createPlanningFixture()
    const { network } = world
    // Of 60, 20 and 10 Gbit/s.
    network.switchFabricGbps[2] = 30
    network.gatewayFabricGbps[1] = 10
    network.applianceFabricGbps[3] = 8
    recordPeaks(state, world)
    expect(Array.from(state.switchPeak.slice(0, 4))).toEqual([0, 0, 0.125, 0])
    expect(Array.from(state.gatewayPeak.slice(0, 2))).toEqual([0, 0.125])
    expect(state.appliancePeak[3]).toBeCloseTo(0.2, 12)
  })

  test('of devices are those of all rows on a site without room for more', () => {
    const { state, world } = createPlanningFixture()
    const { network } = world
    const { switches, gateways, appliances } = world.topology
    for (const table of [switches, gateways, appliances]) Object.assign(table, { count: table.capacity })
    // Of 60, 20 and 10 Gbit/s.
    network.switchFabricGbps[83] = 30
    network.gatewayFabricGbps[3] = 10
    network.applianceFabricGbps[19] = 8
    recordPeaks(state, world)
    expect([state.switchPeak[83], state.gatewayPeak[3]]).toEqual([0.125, 0.125])
    expect(state.appliancePeak[19]).toBeCloseTo(0.2, 12)
  })

  test.each([
    ['by what they send', [8, 0, 0, 0], [1, 0, 0, 0], 0.05],
    ['by what they receive, if that is more', [1, 0, 0, 0], [8, 0, 0, 0], 0.05],
    ['together', [10, 10, 4, 0], [0, 0, 0, 0], 0.15],
  ])('of links of a role are counted %s', (_, sent, received, peak) => {
    const { state, world } = createPlanningFixture()
    const { topology, network } = world
    // The four links of 10 Gbit/s from aggregation to core switches of the first zone.
    const uplinks = linksByRole(topology)[linkIndex(0, 0)]
    const ports = uplinks.flat().map((cable) => topology.cables.a[cable])
    network.portUp.fill(0)
    ports.forEach((port, at) => {
      network.portUp[port] = 1
      network.portTxGbps[port] = sent[at]
      network.portRxGbps[port] = received[at]
    })
    recordPeaks(state, world)
    expect(state.linkPeak[linkIndex(0, 0)]).toBeCloseTo(peak, 12)
    network.portUp[ports[3]] = 0
    state.linkPeak.fill(0)
    recordPeaks(state, world)
    expect(state.linkPeak[0]).toBeCloseTo((peak * 4) / 3, 12)
  })

  test('of links that are all down stay as they are', () => {
    const { state, world } = createPlanningFixture()
    world.network.portUp.fill(0)
    state.linkPeak.fill(0.5)
    recordPeaks(state, world)
    expect(new Set(state.linkPeak)).toEqual(new Set([0.5]))
  })
})
