import { beforeEach, describe, expect, test } from 'vitest'
import { mark } from './names.ts'
import { createBusyNetwork, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** One zone: four hosts in one rack, the network in another; feeds A and B; two cooling units of 3 kW. */
let world: NetworkFixture

beforeEach(() => {
  world = createBusyNetwork(4)
})

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

test('the breakers of a rack that open in an overload stop its hosts', () => {
  world.topology.feeds.capacityKw.fill(0.1)
  step(world, 6)
  expect(world.facility.rackTripped[world.topology.hosts.rack[0]]).toBe(1)
  expect(Array.from(world.facility.hostRunning)).toEqual([0, 0, 0, 0])
})

test('a host that is too hot stops, and runs again when it is cool', () => {
  for (const [celsius, running] of [
    [120, 0],
    [20, 1],
  ]) {
    world.facility.hostCelsius[0] = celsius
    step(world, 6)
    expect([world.facility.hostRunning[0], world.network.hostReachable[0]]).toEqual([running, running])
  }
})
