import { beforeEach, describe, expect, test } from 'vitest'
import {
  inletShutdownCelsius,
  restartCelsius,
  shutdownCelsius,
} from '../../../../src/world/simulation/facility/limits.ts'
import { applianceRow, hostRow, mark, switchRow } from './names.ts'
import { createBusyNetwork, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** One zone: four hosts in one rack, the network in another; feeds A and B; two cooling units of 3 kW. */
let world: NetworkFixture

beforeEach(() => {
  world = createBusyNetwork(4)
})

const minutes = (count: number) => step(world, 6 * count)

describe('power', () => {
  test('with both feeds every device has two, and each feed carries half of all', () => {
    expect(Array.from(world.facility.hostFeeds)).toEqual([2, 2, 2, 2])
    expect(Array.from(world.facility.switchFeeds)).toEqual([2, 2, 2, 2, 2, 2])
    expect(world.facility.feedLoadKw[0]).toBe(world.facility.feedLoadKw[1])
  })

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

  test('a supply broken on A takes a host down only when B is lost', () => {
    const host = hostRow(world, 'u03')
    mark(world, 'hostSupplyBroken', host, 1)
    step(world)
    expect(world.facility.hostFeeds[host]).toBe(1)
    expect(world.facility.hostRunning[host]).toBe(1)
    mark(world, 'feedBroken', 0)
    step(world)
    expect(world.facility.hostRunning[host]).toBe(1)
    mark(world, 'feedBroken', 0, 0)
    mark(world, 'feedBroken', 1)
    step(world)
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 0, 1, 1])
    expect(Array.from(world.network.hostReachable)).toEqual([1, 0, 1, 1])
  })

  test('both supplies of a switch broken stop it', () => {
    const edge = switchRow(world, 'edge1')
    mark(world, 'switchSupplyBroken', edge, 3)
    step(world)
    expect(world.facility.switchFeeds[edge]).toBe(0)
    expect(world.facility.switchUp[edge]).toBe(0)
  })

  test('a host out for work is powered but does not run', () => {
    mark(world, 'hostMaintenance', 2)
    step(world)
    expect(Array.from(world.facility.hostPowered)).toEqual([1, 1, 1, 1])
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 0, 1])
  })

  test('an overloaded surviving feed opens the breakers of racks with hosts, until the other is back', () => {
    const { capacityKw } = world.topology.feeds
    const draw = world.facility.feedLoadKw[0] * 2
    capacityKw.fill(draw * 0.9)
    mark(world, 'feedBroken', 0)
    step(world)
    const rack = world.topology.hosts.rack[0]
    expect(Array.from(world.facility.rackTripped).flatMap((open, row) => (open ? [row] : []))).toEqual([rack])
    expect(Array.from(world.facility.hostRunning)).toEqual([0, 0, 0, 0])
    expect(world.facility.applianceUp[applianceRow(world, 'fw1')]).toBe(1)
    mark(world, 'feedBroken', 0, 0)
    minutes(2)
    expect(Array.from(world.facility.rackTripped)).toEqual(Array.from(world.facility.rackTripped, () => 0))
    expect(Array.from(world.facility.hostRunning)).toEqual([1, 1, 1, 1])
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

  test('a broken fan makes its host alone run hotter', () => {
    minutes(60)
    const before = Array.from(world.facility.hostCelsius)
    mark(world, 'hostFanBroken', 1)
    minutes(40)
    expect(world.facility.hostCelsius[1]).toBeGreaterThan(before[1] + 15)
    expect(world.facility.hostCelsius[0]).toBeCloseTo(before[0], 0)
  })

  test('a host with a broken fan under full load throttles, shuts down, cools and starts again', () => {
    const sku = world.topology.hostSkus[world.topology.hosts.sku[1]]
    world.load.cpuUsedMilli[1] = sku.vcpu * 1000
    mark(world, 'hostFanBroken', 1)
    const seen: string[] = []
    let coldest = Number.POSITIVE_INFINITY
    const note = (what: string) => {
      if (seen.at(-1) !== what) seen.push(what)
    }
    for (let minute = 0; minute < 90; minute++) {
      minutes(1)
      const { hostHeatTripped, hostThrottled, hostCelsius } = world.facility
      note(hostHeatTripped[1] ? 'off' : hostThrottled[1] ? 'throttled' : 'running')
      if (hostHeatTripped[1]) coldest = Math.min(coldest, hostCelsius[1])
    }
    expect(coldest).toBeGreaterThanOrEqual(restartCelsius)
    expect(seen.slice(0, 4)).toEqual(['running', 'throttled', 'off', 'running'])
  })
})
