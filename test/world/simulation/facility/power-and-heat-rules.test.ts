import { describe, expect, test } from 'vitest'
import {
  coolingKw,
  moveHeat,
  updateCoolingCapacity,
} from '../../../../src/world/simulation/facility/cooling.ts'
import {
  conditionPct,
  mtbfAt,
  resaleDollars,
} from '../../../../src/world/simulation/facility/depreciation.ts'
import { couldRun } from '../../../../src/world/simulation/facility/facility.ts'
import {
  sumOverheadDraw,
  sumPowerDraw,
  updateBreakers,
  updateFeeds,
  updateSupplies,
} from '../../../../src/world/simulation/facility/power.ts'
import {
  coolingConditionPct,
  hostConditionPct,
  addHourlyWear,
} from '../../../../src/world/simulation/faults/hazards/wear.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'

/**
 * Zone 0 has feeds of 10 kW and two cooling units of 6 kW. Host 3 draws 140 to 420 W. It is cold outside, so the air
 * setpoint is 21 °C, and all temperatures are at the setpoint.
 */
function quietFacility(): MutableWorld {
  const { state } = createQuietWorld(1n, 'small')
  const { facility } = state
  facility.outdoorCelsius.fill(0)
  for (const column of [facility.zoneCelsius, facility.rackInletCelsius, facility.hostCelsius])
    column.fill(21)
  for (const column of [facility.rackWatts, facility.hostWatts, facility.zoneHeatKw, facility.feedLoadKw])
    column.fill(0)
  state.condition.hostWear.fill(0)
  state.topology.hosts.installed.fill(0)
  return state
}

describe('cooling capacity', () => {
  test.each<[string, number, (world: MutableWorld) => void, number]>([
    ['up to 24 °C outside', 24, () => {}, 12],
    ['at 34 °C outside', 34, () => {}, 10.2],
    ['at 60 °C outside', 60, () => {}, 7.2],
    ['with a broken unit', 0, ({ condition }) => void (condition.coolingBroken[0] = 1), 6],
    ['with a leak', 0, ({ condition }) => void (condition.coolingLost[1] = 0.5), 9],
    ['with one feed', 0, ({ facility }) => void (facility.feedLive[0] = 0), 12],
    ['without power', 0, ({ facility }) => facility.feedLive.set([0, 0]), 0],
  ])('%s', (_, outdoors, prepare, kw) => {
    const world = quietFacility()
    world.facility.outdoorCelsius[0] = outdoors
    prepare(world)
    updateCoolingCapacity(world)
    expect(world.facility.zoneCoolingCapacityKw[0]).toBeCloseTo(kw, 12)
  })

  test.each([
    // Circulation takes 3 % of the capacity; removing heat takes 5 % to 32 % of it.
    [10, 8, 0.76],
    [0, 8, 0.76],
    [21, 8, 1.84],
    [32, 8, 2.92],
    [40, 8, 2.92],
    [10, 20, 0.96],
  ])('of 12 kW draws power at %i °C outside and %i kW of heat', (outdoors, heat, kw) => {
    const world = quietFacility()
    world.facility.outdoorCelsius[0] = outdoors
    world.facility.zoneCoolingCapacityKw[0] = 12
    world.facility.zoneHeatKw[0] = heat
    expect(coolingKw(world, 0)).toBeCloseTo(kw, 12)
  })
})

describe('in a minute', () => {
  test.each([
    [21, 12, 0, 0, 22.875],
    [21, 12, 6, 0, 21.937_5],
    [21, 12, 12, 0, 21],
    [24, 12, 12, 32, 24],
    [31, 0, 0, 0, 30.887_5],
    [31, 0, 100, 0, 29.571_429],
    [43, 0, 0, 0, 42.302_5],
  ])(
    'the air of a zone at %i °C goes with %i kW of heat, %i kW of cooling and %i °C outside to',
    (celsius, heat, cooling, outdoors, expected) => {
      const world = quietFacility()
      const { facility } = world
      facility.zoneCelsius[0] = celsius
      facility.zoneHeatKw[0] = heat
      facility.zoneCoolingCapacityKw[0] = cooling
      facility.outdoorCelsius[0] = outdoors
      moveHeat(world)
      expect(facility.zoneCelsius[0]).toBeCloseTo(expected, 6)
    },
  )

  test.each([
    ['at rest', 0, 0, 21],
    ['at full power', 1, 0, 21.625],
    ['at full power beside a broken unit', 1, 1, 23.375],
    ['at half power beside a broken unit', 0.5, 1, 22.187_5],
  ])('the inlet of a rack %s goes from 21 °C', (_, fullness, broken, expected) => {
    const world = quietFacility()
    const { facility, topology, condition } = world
    const [rack, other] = topology.zones[0].racks
    condition.coolingBroken[0] = broken
    for (const row of [rack, other])
      facility.rackWatts[row] = fullness * topology.racks.capacityKw[row] * 1_000
    moveHeat(world)
    expect(facility.rackInletCelsius[rack]).toBeCloseTo(expected, 9)
    expect(facility.rackInletCelsius[other]).toBeCloseTo(21 + 0.625 * fullness, 9)
  })

  test.each<[string, number, (world: MutableWorld) => void, number]>([
    ['off', 0, () => {}, 20.3],
    ['at rest', 140, () => {}, 23.6],
    ['at full load', 420, () => {}, 31.7],
    ['with a broken fan', 420, ({ condition }) => void (condition.hostFanBroken[3] = 1), 44.24],
    ['full of dust', 420, ({ condition }) => void (condition.hostAirBlocked[3] = 1), 44.24],
  ])('a host %s goes from 20 °C', (_, watts, prepare, expected) => {
    const world = quietFacility()
    world.facility.hostWatts[3] = watts
    world.facility.hostCelsius[3] = 20
    prepare(world)
    moveHeat(world)
    expect(world.facility.hostCelsius[3]).toBeCloseTo(expected, 9)
  })
})

describe('a host', () => {
  /**
   * Temperatures before a minute: a host at full load keeps 70 % of its temperature plus 17.7 degrees, one that is
   * off 6.3.
   */
  test.each([
    ['is not throttled below 70 °C', 420, 74.71, 0, [0, 0]],
    ['is throttled from 70 °C', 420, 74.72, 0, [1, 0]],
    ['is not throttled while it is off', 0, 92, 0, [0, 0]],
    ['does not shut down below 78 °C', 420, 86.14, 0, [1, 0]],
    ['shuts down from 78 °C', 420, 86.15, 0, [1, 1]],
    ['stays down from 40 °C', 0, 48.15, 1, [0, 1]],
    ['starts again below 40 °C', 0, 48.14, 1, [0, 0]],
  ])('%s', (_, watts, celsius, wasDown, expected) => {
    const world = quietFacility()
    const { facility } = world
    facility.hostWatts[3] = watts
    facility.hostCelsius[3] = celsius
    facility.hostHeatTripped[3] = wasDown
    moveHeat(world)
    expect([facility.hostThrottled[3], facility.hostHeatTripped[3]]).toEqual(expected)
  })

  /** Inlet temperatures before a minute: they keep three quarters plus 5.25 degrees. */
  test.each([
    ['runs below an inlet of 45 °C', 52.99, 0, 0],
    ['shuts down from an inlet of 45 °C, however cool it is', 53.01, 0, 1],
    ['stays down from an inlet of 35 °C, however cool it is', 39.67, 1, 1],
    ['starts again below an inlet of 35 °C', 39.66, 1, 0],
  ])('%s', (_, inlet, wasDown, expected) => {
    const world = quietFacility()
    const { facility, topology } = world
    facility.rackInletCelsius[topology.hosts.rack[3]] = inlet
    facility.hostHeatTripped[3] = wasDown
    moveHeat(world)
    expect(facility.hostHeatTripped[3]).toBe(expected)
  })

  test.each<[string, (world: MutableWorld) => void, boolean]>([
    ['with power', () => {}, true],
    ['without power', ({ facility }) => void (facility.hostPowered[3] = 0), false],
    ['that shut down', ({ facility }) => void (facility.hostHeatTripped[3] = 1), false],
    ['that is broken', ({ condition }) => void (condition.hostBroken[3] = 1), false],
    ['with a broken disk', ({ condition }) => void (condition.hostDiskBroken[3] = 1), true],
    ['with two broken disks', ({ condition }) => void (condition.hostDiskBroken[3] = 2), false],
  ])('%s could run', (_, prepare, expected) => {
    const world = quietFacility()
    updateSupplies(world)
    prepare(world)
    expect(couldRun(world, 3)).toBe(expected)
  })

  test.each<[string, (world: MutableWorld) => void, number]>([
    ['at rest', () => {}, 140],
    ['at half load', ({ load }) => void (load.cpuUsedMilli[3] = 32_000), 280],
    ['at more than full load', ({ load }) => void (load.cpuUsedMilli[3] = 70_000), 420],
    [
      'throttled at half load',
      ({ load, facility }) => {
        load.cpuUsedMilli[3] = 32_000
        facility.hostThrottled[3] = 1
      },
      238,
    ],
    ['with a broken fan', ({ condition }) => void (condition.hostFanBroken[3] = 1), 165],
    ['that is broken', ({ condition }) => void (condition.hostBroken[3] = 1), 0],
    ['that shut down', ({ facility }) => void (facility.hostHeatTripped[3] = 1), 0],
    ['without power', ({ facility }) => void (facility.hostPowered[3] = 0), 0],
  ])('%s draws', (_, prepare, watts) => {
    const world = quietFacility()
    updateSupplies(world)
    prepare(world)
    sumPowerDraw(world)
    expect(world.facility.hostWatts[3]).toBeCloseTo(watts, 9)
  })
})

describe('power', () => {
  test.each<[string, (world: MutableWorld) => void, number]>([
    ['both feeds', () => {}, 2],
    ['one feed', ({ condition }) => void (condition.feedBroken[0] = 1), 1],
    ['no feed', ({ condition }) => condition.feedBroken.set([1, 1]), 0],
    ['one supply', ({ condition }) => void (condition.hostSupplyBroken[3] = 1), 1],
    [
      'the feed of its broken supply',
      ({ condition }) => {
        condition.feedBroken[1] = 1
        condition.hostSupplyBroken[3] = 1
      },
      0,
    ],
    ['open breakers', ({ facility, topology }) => void (facility.rackTripped[topology.hosts.rack[3]] = 1), 0],
  ])('of a host with %s', (_, prepare, feeds) => {
    const world = quietFacility()
    prepare(world)
    updateFeeds(world)
    updateSupplies(world)
    expect([world.facility.hostFeeds[3], world.facility.hostPowered[3]]).toEqual([feeds, feeds > 0 ? 1 : 0])
  })

  test.each([
    [0, 0, [0.14, 0.14]],
    [1, 0, [0, 0.28]],
    [2, 0, [0.28, 0]],
    [0, 1, [0, 0.28]],
  ])(
    'of 280 W with broken supplies %i and broken feed A %i comes from feeds',
    (supplies, feedA, expected) => {
      const loads = [1, 0].map((broken) => {
        const world = quietFacility()
        const { condition, load } = world
        condition.hostSupplyBroken[3] = supplies
        condition.feedBroken[0] = feedA
        condition.hostBroken[3] = broken
        load.cpuUsedMilli[3] = 32_000
        updateFeeds(world)
        updateSupplies(world)
        sumPowerDraw(world)
        return world.facility.feedLoadKw.slice(0, 2)
      })
      expect(loads[1][0] - loads[0][0]).toBeCloseTo(expected[0], 9)
      expect(loads[1][1] - loads[0][1]).toBeCloseTo(expected[1], 9)
    },
  )

  test.each([
    [[1, 1], 1.16, [0.58, 0.58]],
    [[0, 1], 1.16, [0, 1.16]],
    [[1, 0], 1.16, [1.16, 0]],
    [[0, 0], 0, [0, 0]],
  ])('for cooling and conversion with live feeds %j', (live, overhead, expected) => {
    const world = quietFacility()
    const { facility } = world
    facility.feedLive.set(live)
    facility.zoneCoolingCapacityKw[0] = 12
    facility.zoneHeatKw[0] = 8
    sumOverheadDraw(world)
    expect(facility.zoneOverheadKw[0]).toBeCloseTo(overhead, 12)
    expect(facility.feedLoadKw[0]).toBeCloseTo(expected[0], 12)
    expect(facility.feedLoadKw[1]).toBeCloseTo(expected[1], 12)
  })
})

describe('breakers', () => {
  /** Loads of feeds of 10 kW, and the draw of the racks of zone 0, of which the first two have hosts. */
  function breakersAt(
    loads: readonly number[],
    racks: readonly number[],
    tripped: readonly number[] = [0, 0, 0],
    live: readonly number[] = [1, 1],
  ) {
    const world = quietFacility()
    const { facility, topology } = world
    facility.feedLoadKw.set(loads)
    facility.feedLive.set(live)
    topology.zones[0].racks.forEach((rack, at) => {
      facility.rackWatts[rack] = racks[at]
      facility.rackTripped[rack] = tripped[at]
    })
    const isChanged = updateBreakers(world)
    return [isChanged, topology.zones[0].racks.map((rack) => facility.rackTripped[rack])]
  }

  test.each<[string, number[], number[], [boolean, number[]]]>([
    ['up to what the feeds supply', [10, 10], [5_000, 4_000, 6_000], [false, [0, 0, 0]]],
    ['beyond that', [10.01, 10], [5_000, 4_000, 6_000], [true, [1, 0, 0]]],
    ['beyond feed A', [10.5, 9], [5_000, 4_000, 6_000], [true, [1, 0, 0]]],
    ['beyond feed B', [9, 10.5], [4_000, 5_000, 6_000], [true, [0, 1, 0]]],
    ['by as much as one rack', [15, 9], [5_000, 4_000, 6_000], [true, [1, 0, 0]]],
    ['by more than one rack', [15.1, 9], [5_000, 4_000, 6_000], [true, [1, 1, 0]]],
    ['by more than both with hosts', [19.1, 9], [5_000, 4_000, 6_000], [true, [1, 1, 1]]],
    ['with equal racks', [10.5, 9], [5_000, 5_000, 0], [true, [1, 0, 0]]],
    ['with nothing that draws', [10.5, 9], [0, 0, 0], [false, [0, 0, 0]]],
  ])('open %s', (_, loads, racks, expected) => {
    expect(breakersAt(loads, racks)).toEqual(expected)
  })

  test('close again one at a time, while the feed stays below 90 % with what the hosts draw at half load', () => {
    const { topology } = quietFacility()
    const [first] = topology.zones[0].racks
    const half = topology.racks.hosts[first].reduce((sum, host) => {
      const { idleWatts, busyWatts } = topology.hostSkus[topology.hosts.sku[host]]
      return sum + (idleWatts + busyWatts) / 2_000
    }, 0)
    const none = [0, 0, 0]
    expect(breakersAt([9 - half + 0.01, 0], none, [1, 0, 0])).toEqual([false, [1, 0, 0]])
    expect(breakersAt([9 - half - 0.01, 0], none, [1, 0, 0])).toEqual([true, [0, 0, 0]])
    expect(breakersAt([0, 9 - half + 0.01], none, [1, 0, 0])).toEqual([false, [1, 0, 0]])
    // The last rack has no hosts.
    expect(breakersAt([0, 9.01], none, [0, 0, 1])).toEqual([false, [0, 0, 1]])
    expect(breakersAt([0, 9], none, [0, 0, 1])).toEqual([true, [0, 0, 0]])
    expect(breakersAt([0, 0], none, [1, 1, 1])).toEqual([true, [0, 1, 1]])
    expect(breakersAt([0, 0], none, [1, 0, 0], [0, 0])).toEqual([false, [1, 0, 0]])
  })
})

describe('age', () => {
  test.each([
    [0, 100],
    [0.5, 66.25],
    [1, 0],
    [2, 0],
  ])('of %d times the mean time between failures leaves a condition of %d %', (lives, condition) => {
    const world = quietFacility()
    const { hosts } = world.topology
    expect(conditionPct(hosts, 3, lives * 60_000 * hour, 60_000)).toBeCloseTo(condition, 9)
    world.now = lives * 62_000 * hour
    expect(hostConditionPct(world, 3)).toBeCloseTo(condition, 9)
    world.condition.coolingInstalled[0] = 0
    world.now = lives * 60_000 * hour
    expect(coolingConditionPct(world, 0)).toBeCloseTo(condition, 9)
  })

  test.each([
    [0, 100],
    [0.6, 40],
    [1.2, 0],
  ])('and disks that are worn to %d leave %d %', (wear, condition) => {
    const world = quietFacility()
    world.condition.hostWear[3] = wear
    expect(hostConditionPct(world, 3)).toBeCloseTo(condition, 9)
  })

  test.each([
    [100, 60_000],
    [50, 26_666.667],
    [0, 10_000],
  ])('at a condition of %d % leaves a mean time between failures of %d h', (condition, hours) => {
    expect(mtbfAt(condition, 60_000)).toBeCloseTo(hours, 3)
  })

  test.each([
    [0, 100, 8_500],
    [-5, 100, 8_500],
    [13_149, 100, 4_250],
    [26_298, 100, 2_125],
    [0, 50, 5_950],
    [0, 0, 3_400],
  ])('of %i h at a condition of %d % makes of 10,000 dollars %d', (age, condition, dollars) => {
    expect(resaleDollars(10_000, age, condition)).toBeCloseTo(dollars, 3)
  })

  test('wears disks out in 400 days at a third of their rated operations', () => {
    const world = quietFacility()
    const { topology, load, condition } = world
    load.iopsUsed[3] = 0.33 * topology.hostSkus[topology.hosts.sku[3]].iops
    addHourlyWear(world, 3)
    expect(condition.hostWear[3]).toBeCloseTo(1 / 9_600, 12)
    condition.hostWear[3] = 0.999_99
    addHourlyWear(world, 3)
    expect(condition.hostWear[3]).toBe(1)
  })
})
