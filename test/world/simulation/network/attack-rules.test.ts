import { describe, expect, test } from 'vitest'
import { threatClassCount } from '../../../../src/contract/vocabularies.ts'
import { stepAttacks } from '../../../../src/world/simulation/faults/attack-flows.ts'
import {
  addonThrottle,
  applianceCapacity,
  gatewayCapacity,
  inspectionCapacityGbps,
} from '../../../../src/world/simulation/network/capabilities.ts'
import {
  recordRemainders,
  spreadAttacks,
} from '../../../../src/world/simulation/network/threats/attack-distribution.ts'
import { attackClassOn } from '../../../../src/world/simulation/network/threats/hostile-traffic.ts'
import { layerOf } from '../../../../src/world/simulation/network/routing/graph.ts'
import {
  mitigateAtFirewall,
  mitigateAtGateway,
} from '../../../../src/world/simulation/network/threats/threat-mitigation.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { FixedStream } from '../fixed-stream.ts'
import { addCustomer, attack, createNetworkFixture, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** Strength of attacks, capacity of defenses, and remainders. Classes are given by index. */

const [volumetric, protocol, application, intrusion, scan] = [0, 1, 2, 3, 4]

/** One zone with four hosts and one gateway. */
const fourHosts = (): NetworkFixture => createNetworkFixture(4)

describe('per Gbit/s of fabric', () => {
  const perGbps = (capacityOf: (threat: number) => number, fabric: number) =>
    Array.from({ length: threatClassCount }, (_, threat) => Number((capacityOf(threat) / fabric).toFixed(9)))

  test.each([
    ['no add-on', 0, [0, 0.08, 0, 0, 40]],
    ['a DDoS shield', 0b0001, [0.35, 0.08, 0, 0, 40]],
    ['a web firewall', 0b0010, [0, 0.08, 3, 0, 40]],
    ['intrusion prevention', 0b0100, [0, 0.08, 0, 12, 40]],
    ['a bot filter', 0b1000, [0, 0.08, 0, 0, 440]],
    ['all add-ons', 0b1111, [0.35, 0.08, 3, 12, 440]],
  ])('a gateway with %s stops', (_, addons, expected) => {
    const { topology } = fourHosts()
    topology.gateways.addons[0] = addons
    const { fabricGbps } = topology.gatewaySkus[topology.gateways.sku[0]]
    expect(perGbps((threat) => gatewayCapacity(topology, 0, threat), fabricGbps)).toEqual(expected)
  })

  test.each([
    ['no function', 0, [0, 0, 0, 0, 0], 1],
    ['a firewall', 0b1, [0, 0.12, 0, 0, 200], 1],
    ['scrubbing', 0b10, [0.9, 0.4, 0, 0, 0], 1],
    ['detection', 0b100, [0, 0, 0, 0, 0], 1],
    ['prevention', 0b1000, [0, 0, 1.5, 20, 500], 1],
    ['a web firewall', 0b1_0000, [0, 0, 2, 0, 0], 1],
    ['load balancing', 0b10_0000, [0, 0, 0, 0, 0], 1],
    ['a firewall with an audit log', 0b100_0001, [0, 0.12, 0, 0, 200], 0.94],
    ['a firewall with prevention and a web firewall', 0b1_1001, [0, 0.12, 3.5, 20, 700], 0.88],
  ])('an appliance with %s stops, and keeps a share of its fabric', (_, functions, expected, kept) => {
    const { topology } = fourHosts()
    topology.appliances.functionsEnabled[0] = functions
    const { fabricGbps } = topology.applianceSkus[topology.appliances.sku[0]]
    expect(perGbps((threat) => applianceCapacity(topology, 0, threat), fabricGbps)).toEqual(expected)
    expect(inspectionCapacityGbps(topology, 0) / fabricGbps).toBeCloseTo(kept, 9)
  })
})

test.each([
  [0, 0, 0],
  [0b1, 0, 0.015],
  [0b1, 0.5, 0.015],
  [0b1, 0.75, 0.115],
  [0b1, 1, 0.215],
  [0b1111, 0.75, 0.46],
])('add-ons %i that work at %d of their capacity take %d of the forwarding', (addons, load, expected) => {
  const { topology } = fourHosts()
  topology.gateways.addons[0] = addons
  const capacity = new Float64Array(threatClassCount).fill(40)
  const mitigated = capacity.map((each) => each * load)
  expect(addonThrottle(topology, 0, mitigated, capacity)).toBeCloseTo(expected, 12)
})

describe('of an attack', () => {
  /** 1,000 requests are 0.016 Gbit/s. Defenses in front have stopped half of 10. */
  test.each([
    ['gateway', 0, 10, 0, [5, 5, 0]],
    ['gateway', 0, 5, 0, [5, 5, 0]],
    ['gateway', 0, 4, 0, [5, 4, 0.1]],
    ['gateway', 0, 0, 0, [5, 0, 0.5]],
    // Noise of 2 is stopped first.
    ['gateway', 2, 10, 0, [7, 7, 0]],
    ['gateway', 2, 4, 0, [7, 4, 0.3]],
    ['firewall', 0, 10, 0, [5, 5, 0]],
    ['firewall', 0, 4, 0, [5, 4, 0.1]],
    ['firewall', 0, 0, 0, [5, 0, 0.5]],
  ])(
    'that arrives with 5, a %s with %d of noise and a capacity of %d',
    (at, noise, capacity, row, expected) => {
      const world = fourHosts()
      const { threats } = world
      const { hostile } = threats
      hostile.classes[0] = application
      hostile.classCount = 1
      const node = 3
      const here = application * hostile.nodeCount + node
      hostile.wanted[here] = 10 * 0.016
      hostile.share[here] = 0.5
      const column = row * threatClassCount + application
      const isGateway = at === 'gateway'
      if (isGateway) {
        hostile.noise[column] = noise
        world.network.flows.noiseShare[node] = 1
        threats.gatewayCapacity[column] = capacity
        mitigateAtGateway(world, row, node)
      } else {
        threats.applianceCapacity[column] = capacity
        mitigateAtFirewall(world, row, node)
      }
      const { gatewayReaching, gatewayMitigated, applianceReaching, applianceMitigated } = threats
      const reaching = isGateway ? gatewayReaching : applianceReaching
      const mitigated = isGateway ? gatewayMitigated : applianceMitigated
      const seen = [reaching[column], mitigated[column], hostile.share[here]]
      expect(seen.map((value) => Number(value.toFixed(9)))).toEqual(expected)
      const passedIn = isGateway ? (5 + noise) * 0.016 : 0
      expect(threats.gatewayHostileInGbps[0]).toBeCloseTo(passedIn, 12)
    },
  )

  interface Flow {
    readonly threat: number
    readonly gbps: number
    /** Shares that get through, by target host. */
    readonly shares?: readonly [number, number]
    readonly fault?: number
  }
  function remainderOf(flows: readonly Flow[], steps = 1) {
    const world = fourHosts()
    const { hostile } = world.threats
    hostile.attackCount = flows.length
    flows.forEach(({ threat, gbps, shares = [1, 1], fault = threat }, at) => {
      const hosts = Int32Array.of(0, 1)
      const flow = { faultId: fault, customerId: 7, class: threat, gbps, hosts }
      hostile.attacks[at] = { ...flow, hostShare: Float64Array.of(0.5, 0.5) }
      shares.forEach((share, host) => (hostile.share[threat * hostile.nodeCount + host] = share))
    })
    for (let n = 0; n < steps; n++) recordRemainders(world)
    const remainder = world.threats.remainders.get(7)
    if (remainder === undefined) return null
    const { magnitude, gbps, requestsPerSecond, breach } = remainder
    const rounded = [magnitude, gbps, requestsPerSecond].map((value) => Number(value.toFixed(6)))
    return [remainder.class, ...rounded, breach]
  }
  const all = [0, 0] as const
  test.each<[string, readonly Flow[], number, unknown]>([
    ['nothing', [{ threat: volumetric, gbps: 3, shares: all }], 1, null],
    ['volume', [{ threat: volumetric, gbps: 3 }], 1, ['Volumetric', 3, 3, 0, false]],
    ['half of it', [{ threat: volumetric, gbps: 3, shares: [0, 1] }], 1, ['Volumetric', 1.5, 1.5, 0, false]],
    ['packets', [{ threat: protocol, gbps: 1.024 }], 1, ['Protocol', 2, 1.024, 800, false]],
    ['requests', [{ threat: application, gbps: 0.032 }], 1, ['Application', 2, 0.032, 2_000, false]],
    ['probes', [{ threat: scan, gbps: 0.000_512 }], 1, ['Scan', 1_000, 0.000_512, 1_000, false]],
    // 4,000 attempts are a breach: 399 or 400 a second for ten seconds.
    ['attempts', [{ threat: intrusion, gbps: 0.007_98 }], 1, ['Intrusion', 399, 0.007_98, 399, false]],
    ['a breach', [{ threat: intrusion, gbps: 0.008 }], 1, ['Intrusion', 400, 0.008, 400, true]],
    ['a breach in time', [{ threat: intrusion, gbps: 0.004 }], 2, ['Intrusion', 200, 0.004, 200, true]],
    [
      'attempts of two attacks',
      [1, 2].map((fault) => ({ threat: intrusion, gbps: 0.004, fault })),
      1,
      ['Intrusion', 200, 0.008, 400, false],
    ],
    [
      'the sum of two, by what hurts more',
      [
        { threat: volumetric, gbps: 3 },
        { threat: application, gbps: 0.032 },
      ],
      1,
      ['Application', 2, 3.032, 2_000, false],
    ],
    [
      'a breach before all else',
      [
        { threat: intrusion, gbps: 0.008 },
        { threat: application, gbps: 0.032 },
      ],
      1,
      ['Intrusion', 400, 0.04, 2_400, true],
    ],
  ])('there gets through: %s', (_, flows, steps, expected) => {
    expect(remainderOf(flows, steps)).toEqual(expected)
  })

  test('the class is that of what gets through, else of the oldest', () => {
    const { threats } = fourHosts()
    const classes = [application, scan]
    classes.forEach((threat, at) =>
      Object.assign(threats.hostile.attacks[at], { customerId: 7, class: threat }),
    )
    expect(attackClassOn(threats, 7)).toBeNull()
    threats.hostile.attackCount = 2
    expect(attackClassOn(threats, 7)).toBe('Application')
    threats.remainders.set(7, { class: 'Scan' } as never)
    expect([attackClassOn(threats, 7), attackClassOn(threats, 8)]).toEqual(['Scan', null])
  })
})

test.each<[string, threats: readonly number[], gbps: readonly number[], number, number]>([
  ['one', [volumetric], [8], 8, 0],
  ['two of a class', [volumetric, volumetric], [8, 4], 12, 0],
  ['two of different classes', [volumetric, scan], [8, 4], 8, 4],
])('attacks on two hosts are wanted at them and all above: %s', (_, kinds, rates, volume, probes) => {
  const world = fourHosts()
  step(world)
  const { threats, network } = world
  const { hostile } = threats
  const { graph } = network.routes
  kinds.forEach((threat, at) => {
    const flow = { faultId: at, customerId: 7, class: threat, gbps: rates[at], hosts: Int32Array.of(0, 1) }
    hostile.attacks[at] = { ...flow, hostShare: Float64Array.of(0.75, 0.25) }
  })
  const classes = new Set(kinds)
  hostile.classes.set([...classes])
  hostile.classCount = classes.size
  hostile.attackCount = kinds.length
  hostile.noiseGbps[0] = 0.5
  // Left by the last step, to be cleared.
  hostile.wanted.fill(3, 0, hostile.nodeCount)
  spreadAttacks(world)
  const sums = (threat: number) =>
    Array.from({ length: layerOf['carrier'] }, (_layer, layer) =>
      hostile.wanted
        .subarray(threat * hostile.nodeCount, (threat + 1) * hostile.nodeCount)
        .subarray(graph.layerStart[layer], graph.layerStart[layer + 1])
        .reduce((sum, gbps) => sum + gbps, 0),
    )
  expect(hostile.wanted.slice(0, 4)).toEqual(Float64Array.of(volume * 0.75, volume * 0.25, 0, 0))
  // Every layer below the carriers passes on all of it.
  const all = (gbps: number) => new Array(layerOf['carrier']).fill(gbps)
  expect([sums(volumetric), sums(scan)]).toEqual([all(volume), all(probes)])
  expect(network.flows.noise[graph.gatewayNode[0]]).toBe(0.5)
})

describe('the strength of an attack', () => {
  /** The fluctuation has a period of 17 minutes; fault 0 has no phase shift. */
  const now = 17 * 100 * minute
  const flowWith = (began: number, endsBy: number | null, at = now, id = 0) => {
    const world = fourHosts()
    addCustomer(world, 7, [0])
    world.network.hostReachable.fill(1)
    world.attacks.push({ ...attack(world, 7, 'Volumetric', 10), id, began, endsBy })
    world.attacks.shift()
    world.now = at
    stepAttacks(world)
    return world.threats.hostile.attacks[0].gbps
  }
  test.each([
    ['at its beginning', now, null, 0.5],
    ['after 9 seconds', now - 0.15 * minute, null, 0.5],
    ['after 90 seconds', now - 1.5 * minute, null, 5],
    ['after 3 minutes', now - 3 * minute, null, 10],
    ['after an hour', now - hour, null, 10],
    ['3 minutes before its end', now - hour, now + 3 * minute, 10],
    ['90 seconds before its end', now - hour, now + 1.5 * minute, 5],
    ['at its end', now - hour, now, 0.5],
    ['at its end, soon after it began', now - minute, now + 0.6 * minute, 2],
  ])('of 10 is, %s', (_, began, endsBy, gbps) => {
    expect(flowWith(began, endsBy)).toBeCloseTo(gbps, 9)
  })

  test.each([
    [1.7, 0, 10.9],
    [2.55, 0, 10.25],
    [5.1, 0, 8.8],
    [8.5, 0, 11.2],
    [0, 1, 9.458_8],
  ])('of 10 fluctuates: after %d min, that of fault %i is %d', (minutes, id, gbps) => {
    expect(flowWith(now - hour, null, now + minutes * minute, id)).toBeCloseTo(gbps, 3)
  })

  test.each<[string, readonly number[], number[] | null]>([
    ['all hosts', [1, 1], [0.25, 0.75]],
    ['the reachable host', [0, 1], [0, 1]],
    ['no host', [0, 0], null],
  ])('meets %s by units', (_, reachable, shares) => {
    const world = fourHosts()
    addCustomer(world, 7, [0, 1])
    Object.assign(world.customers.get(7)!, { hostUnits: Int32Array.of(1, 3) })
    world.network.hostReachable.set(reachable)
    attack(world, 7, 'Volumetric', 10)
    stepAttacks(world)
    const { attacks, attackCount } = world.threats.hostile
    expect(attackCount === 0 ? null : Array.from(attacks[0].hostShare)).toEqual(shares)
  })
})

describe('noise', () => {
  test.each([
    // Probes, and million packets, per second.
    [0, 0.5, 1, [42, 0.002_8]],
    [2, 0.5, 1, [36, 0.002_4]],
    [4, 0.5, 1, [33, 0.002_2]],
    [16, 0.5, 1, [69, 0.004_6]],
    // The level reverts to 1 with shocks of up to 0.382, between 0.3 and 2.
    [0, 0.5, 2, [79.905, 0.005_327]],
    [0, 1, 1, [58.041_483, 0.003_869]],
    [0, 1, 2, [84, 0.005_6]],
    [0, 0, 0.3, [12.6, 0.000_84]],
  ])('at %i:00 with a draw of %d from a level of %d', (time, draw, level, expected) => {
    const world = fourHosts()
    const { threats } = world
    world.now = time * hour
    world.random.stream = () => new FixedStream(draw)
    world.network.gatewayAdvertising[0] = 1
    threats.hostile.noiseLevel[0] = level
    threats.gatewayCapacity.fill(1_000)
    stepAttacks(world)
    const { noise, noiseGbps } = threats.hostile
    expect([noise[scan], noise[protocol]].map((value) => Number(value.toFixed(6)))).toEqual(expected)
    expect(noiseGbps[0]).toBeCloseTo(noise[scan] * 0.000_000_512 + noise[protocol] * 0.512, 12)
  })

  test.each([
    [0, 1_000, 0],
    [1, 60, 30],
    [1, 84, 42],
    [1, 90, 42],
  ])(
    'at a gateway that announces routes: %i, and stops %d probes, is %d',
    (advertising, capacity, probes) => {
      const world = fourHosts()
      world.random.stream = () => new FixedStream(0.5)
      world.network.gatewayAdvertising[0] = advertising
      world.threats.gatewayCapacity.fill(capacity)
      stepAttacks(world)
      expect(world.threats.hostile.noise[scan]).toBeCloseTo(probes, 9)
    },
  )
})
