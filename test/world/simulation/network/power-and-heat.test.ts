import { beforeEach, describe, expect, test } from 'vitest'
import { inletShutdownCelsius, shutdownCelsius } from '../../../../src/world/simulation/facility/limits.ts'
import { mark } from './names.ts'
import { createBusyNetwork, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** One zone: four hosts in one rack, the network in another; feeds A and B; two cooling units of 3 kW. */
let world: NetworkFixture

beforeEach(() => {
  world = createBusyNetwork(4)
})

const minutes = (count: number) => step(world, 6 * count)

describe('power', () => {
  test('a lost feed costs redundancy and nothing else: the other carries all', () => {
    const before = world.facility.feedLoadKw[0]
    mark(world, 'feedBroken', 0)
    step(world)
    expect(Array.from(world.facility.hostFeeds)).toEqual([1, 1, 1, 1])
    expect(Array.from(world.facility.gatewayFeeds)).toEqual([1])
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 1, 1])
    expect(world.facility.feedLoadKw[0]).toBe(0)
    expect(world.facility.feedLoadKw[1]).toBeCloseTo(2 * before, 9)
    expect(world.network.routeVersion).toBe(1)
  })

  test('the heat to be cooled is what the racks draw, also between two movements of heat', () => {
    const drawn = () => Array.from(world.facility.rackWatts).reduce((total, watts) => total + watts, 0) / 1000
    const before = drawn()
    world.tick = 3
    mark(world, 'feedBroken', 0)
    mark(world, 'feedBroken', 1)
    step(world)
    expect(drawn()).toBeLessThan(before)
    expect(world.facility.zoneHeatKw[0]).toBeCloseTo(drawn(), 9)
  })

  test('both feeds lost stop the zone; with them back, it runs again', () => {
    mark(world, 'feedBroken', 0)
    mark(world, 'feedBroken', 1)
    step(world)
    expect(Array.from(world.facility.hostRunning)).toEqual([0, 0, 0, 0])
    expect(Array.from(world.facility.switchUp)).toEqual([0, 0, 0, 0, 0, 0])
    expect(Array.from(world.network.hostReachable)).toEqual([0, 0, 0, 0])
    expect(Array.from(world.facility.zoneCoolingCapacityKw)).toEqual([0])
    mark(world, 'feedBroken', 0, 0)
    step(world)
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 1, 1])
    expect(Array.from(world.network.hostReachable)).toEqual([1, 1, 1, 1])
  })

  test('a host out for work is powered but does not run', () => {
    mark(world, 'hostMaintenance', 2)
    step(world)
    expect(Array.from(world.facility.hostPowered)).toEqual([1, 1, 1, 1])
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 0, 1])
  })
})

describe('heat', () => {
  test('settles near what cooling aims for, with hosts well below where fans run high', () => {
    minutes(60)
    expect(world.facility.zoneCelsius[0]).toBeGreaterThan(20.5)
    expect(world.facility.zoneCelsius[0]).toBeLessThan(22.5)
    for (const celsius of world.facility.rackInletCelsius) expect(celsius).toBeLessThan(26)
    for (const celsius of world.facility.hostCelsius) {
      expect(celsius).toBeGreaterThan(35)
      expect(celsius).toBeLessThan(58)
    }
  })

  test('one failed unit warms the racks near it within minutes, and they cool when it is repaired', () => {
    minutes(60)
    const [first, second] = world.topology.zones[0].racks
    const before = Array.from(world.facility.rackInletCelsius)
    mark(world, 'coolingBroken', 0)
    minutes(2)
    const soon = world.facility.rackInletCelsius[first] - before[first]
    minutes(28)
    const later = world.facility.rackInletCelsius[first] - before[first]
    expect(soon).toBeGreaterThan(0.2)
    expect(later).toBeGreaterThan(soon)
    expect(later).toBeGreaterThan(world.facility.rackInletCelsius[second] - before[second] + 1)
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 1, 1])
    mark(world, 'coolingBroken', 0, 0)
    minutes(60)
    expect(world.facility.rackInletCelsius[first]).toBeCloseTo(before[first], 1)
  })

  test('no cooling at all shuts hosts down within the hour; they come back when it is cool again', () => {
    minutes(30)
    mark(world, 'coolingBroken', 0)
    mark(world, 'coolingBroken', 1)
    let stopped = 0
    for (let minute = 1; minute <= 90 && stopped === 0; minute++) {
      minutes(1)
      if (world.facility.hostHeatTripped.some((tripped) => tripped > 0)) stopped = minute
    }
    expect(stopped).toBeGreaterThan(8)
    expect(stopped).toBeLessThan(45)
    const hottest = Math.max(...world.facility.hostCelsius)
    const hottestInlet = Math.max(...world.facility.rackInletCelsius)
    expect(hottest >= shutdownCelsius || hottestInlet >= inletShutdownCelsius).toBe(true)
    minutes(20)
    expect(Array.from(world.network.hostReachable)).toContain(0)
    mark(world, 'coolingBroken', 0, 0)
    mark(world, 'coolingBroken', 1, 0)
    minutes(90)
    expect(Array.from(world.facility.hostHeatTripped)).toEqual([0, 0, 0, 0])
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 1, 1])
  })

  test('without any cooling for a day, the air gets hardly hotter than it takes to stop the hosts', () => {
    minutes(30)
    mark(world, 'coolingBroken', 0)
    mark(world, 'coolingBroken', 1)
    minutes(24 * 60)
    expect(Array.from(world.facility.hostRunning)).toContain(0)
    expect(Math.max(...world.facility.rackInletCelsius)).toBeLessThan(inletShutdownCelsius + 4)
  })
})
