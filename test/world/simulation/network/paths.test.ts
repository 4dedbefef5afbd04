import { beforeEach, describe, expect, test } from 'vitest'
import { imbalances } from './conservation.ts'
import {
  applianceRow,
  cableBetween,
  gatewayRow,
  hostRow,
  mark,
  portsBetween,
  sent,
  switchRow,
} from './names.ts'
import { loadEvenly, createNetworkFixture, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/**
 * Four hosts in one rack with two edge switches, two aggregation switches, two cores, two firewalls, and a gateway
 * with two lines. Each host receives 0.4 Gbit/s from users, sends them 1, and exchanges 0.5 with other hosts.
 */
let world: NetworkFixture

beforeEach(() => {
  world = createNetworkFixture(4)
  loadEvenly(world, 0.4, 1, 0.5)
  step(world)
})

const shares = (column: ArrayLike<number>) => Array.from(column, (value) => Math.round(value * 1e6) / 1e6)
const reachable = () => Array.from(world.network.hostReachable)

describe('a whole topology', () => {
  test('spreads traffic over all paths by their speed', () => {
    expect(sent(world, 'u01', 'edge1')).toBe(0.75)
    expect(sent(world, 'edge1', 'u01')).toBe(0.45)
    // 2 Gbit/s to users and 0.8 of 1 Gbit/s to hosts of other racks, over two uplinks.
    expect(sent(world, 'edge1', 'agg1')).toBe(1.4)
    expect(sent(world, 'agg1', 'edge1')).toBe(0.8)
    expect(sent(world, 'agg1', 'core1')).toBe(1.25)
    expect(sent(world, 'core1', 'fw1')).toBe(1)
    expect(sent(world, 'fw1', 'gw1')).toBe(2)
    expect(sent(world, 'gw1', 'fw1')).toBe(0.8)
    expect(sent(world, 'gw1', 'carrier0')).toBe(2)
  })

  test('sends part of it past the appliances beside the path and gets it back', () => {
    // 0.4 of 0.8 Gbit/s in and of 2 out; 0.25 of ingress and 0.1 of egress.
    expect(sent(world, 'core1', 'lb1')).toBe(1.12)
    expect(sent(world, 'lb1', 'core1')).toBe(1.12)
    expect(sent(world, 'core1', 'ips1')).toBe(0.4)
    expect(sent(world, 'ips1', 'core1')).toBe(0.4)
  })

  test('delivers everything and sums up the traffic of zones', () => {
    expect(shares(world.network.hostDeliveredIn)).toEqual([1, 1, 1, 1])
    expect(shares(world.network.hostDeliveredOut)).toEqual([1, 1, 1, 1])
    expect(shares(world.network.zoneEastWestGbps)).toEqual([2])
    expect(shares(world.network.zoneWanOutGbps)).toEqual([4])
    expect(shares(world.network.zoneDroppedGbps)).toEqual([0])
  })

  test('lays routes once', () => {
    step(world, 30)
    expect(world.network.routeVersion).toBe(1)
    expect(world.network.connectivityVersion).toBe(1)
  })

  test('counts bytes at both ends, in whole frames, whenever they are read', () => {
    step(world, 5)
    const [port] = portsBetween(world, 'gw1', 'carrier0')
    // 2 Gbit/s are 250 MB a second; the sixth step is counted when rates change or counters are read.
    expect(world.network.portTxBytes[port] + world.network.uncountedSteps * 2.5e9).toBe(15e9)
  })
})

describe('what is lost is taken over', () => {
  type Damage = (world: NetworkFixture) => void
  const cut =
    (from: string, to: string): Damage =>
    (one) =>
      mark(one, 'cableCut', cableBetween(one, from, to))
  const withoutSwitches =
    (...names: readonly string[]): Damage =>
    (one) =>
      names.forEach((name) => mark(one, 'switchBroken', switchRow(one, name)))
  const withoutAppliance =
    (name: string): Damage =>
    (one) =>
      mark(one, 'applianceBroken', applianceRow(one, name))

  test.each<[string, Damage, links: string, number]>([
    [
      'a cable from edge to aggregation, by the other uplink of the same switch',
      cut('edge1', 'agg1'),
      'edge1 agg1 0, edge1 agg2 2.8, edge2 agg1 1.4, edge2 agg2 1.4',
      1,
    ],
    ['a cable of a host, by its other one', cut('u01', 'edge1'), 'u01 edge1 0, u01 edge2 1.5', 1],
    ['a WAN line, by the other', cut('gw1', 'carrier0'), 'gw1 carrier1 4', 1],
    ['a switch of the rack, by the other', withoutSwitches('edge1'), 'u01 edge2 1.5, edge2 agg1 2.8', 1],
    // A fifth of east-west traffic stays in the rack.
    ['aggregation, within the rack alone', withoutSwitches('agg1', 'agg2'), 'u01 edge1 0.05', 0],
    [
      'a core, by the other and its appliances',
      withoutSwitches('core1'),
      'agg1 core2 2.5, core2 fw1 2, core2 lb1 2.24, core1 lb1 0',
      1,
    ],
    ['a firewall, by the other', withoutAppliance('fw1'), 'core1 fw2 2, fw2 gw1 4', 1],
    ['a load balancer, past it', withoutAppliance('lb1'), 'core1 lb1 0', 1],
    ['the only gateway', (one) => mark(one, 'gatewayBroken', gatewayRow(one, 'gw1')), 'gw1 carrier0 0', 0],
  ])('%s', (_, damage, links, isReachable) => {
    damage(world)
    step(world)
    const found = links.split(', ').map((link) => {
      const [from, to] = link.split(' ')
      return `${from} ${to} ${sent(world, from, to)}`
    })
    expect(found.join(', ')).toBe(links)
    expect(reachable()).toEqual(new Array(4).fill(isReachable))
    expect(shares(world.network.hostDeliveredIn)).toEqual(reachable())
  })

  test('but not both cables of a host: nothing is sent to it', () => {
    cut('u01', 'edge1')(world)
    cut('u01', 'edge2')(world)
    step(world)
    expect(reachable()).toEqual([0, 1, 1, 1])
    expect(world.network.hostConnected[hostRow(world, 'u01')]).toBe(0)
    expect(shares(world.network.hostDeliveredIn)).toEqual([0, 1, 1, 1])
    expect(shares(world.network.zoneWanOutGbps)).toEqual([3])
    expect(shares(world.network.zoneEastWestGbps)).toEqual([1.5])
  })
})

describe('too much traffic', () => {
  test('on a link is dropped there, in proportion', () => {
    loadEvenly(world, 0.4, 6, 0)
    step(world)
    // 24 Gbit/s for two lines of 10: firewalls forward 10 each, the gateway's ceiling is lower.
    const [wan] = shares(world.network.zoneWanOutGbps)
    expect(wan).toBeLessThanOrEqual(20)
    const delivered = shares(world.network.hostDeliveredOut)
    expect(new Set(delivered).size).toBe(1)
    expect(delivered[0] * 24).toBeCloseTo(wan, 4)
    expect(imbalances(world)).toEqual([])
  })

  test('in a fabric that firmware narrows is dropped in that switch', () => {
    const edge = switchRow(world, 'edge1')
    const fabric = world.topology.switchSkus[world.topology.switches.sku[edge]].fabricGbps
    loadEvenly(world, 0.4, 1, 0)
    // Half of the traffic of four hosts is delivered: 2.8 Gbit/s, of which the fabric now carries 1.4.
    mark(world, 'switchFabricLost', edge, 1 - 1.4 / fabric)
    step(world, 6)
    expect(world.network.switchFabricGbps[edge]).toBeCloseTo(1.4, 9)
    expect(world.network.switchDroppedGbps[edge]).toBeCloseTo(1.4, 3)
    expect(world.network.hostDeliveredOut[0]).toBeCloseTo(0.75, 3)
    expect(world.network.hostDeliveredIn[0]).toBeCloseTo(0.75, 3)
    expect(world.network.switchDroppedGbps[switchRow(world, 'edge2')]).toBe(0)
    expect(imbalances(world)).toEqual([])
  })

  test('keeps packets waiting, the longer the fuller the link, up to what buffers hold', () => {
    const waits: number[] = []
    for (const out of [1, 3, 4, 4.5, 8]) {
      loadEvenly(world, 0.4, out, 0)
      step(world, 4)
      waits.push(world.network.hostQueueMs[0])
    }
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(waits[4]).toBeGreaterThan(5)
    expect(waits[4]).toBeLessThan(40)
  })
})

describe('a bad wire', () => {
  test.each(['portLoss', 'cableLoss'] as const)(
    'that loses a tenth of frames, by %s, delivers a tenth less',
    (loss) => {
      const [port] = portsBetween(world, 'edge1', 'agg1')
      const peer = world.topology.ports.peer[port]
      mark(world, loss, loss === 'portLoss' ? port : world.topology.ports.cable[port], 0.1)
      step(world, 6)
      expect(sent(world, 'edge1', 'agg1')).toBe(1.26)
      expect(world.network.portDroppedGbps[port]).toBeCloseTo(0.14, 9)
      // A quarter of every host's traffic takes this path.
      expect(shares(world.network.hostDeliveredOut)).toEqual([0.975, 0.975, 0.975, 0.975])
      // Each direction's lost frames of 1,000 bytes are counted once, by the port that receives them.
      const { portErrors, portDroppedGbps } = world.network
      expect([portErrors[peer], portErrors[port]]).toEqual([1_050_000, 589_688])
      expect(portDroppedGbps[peer] * 7.5e6).toBeCloseTo(589_687.5, 3)
      expect(imbalances(world)).toEqual([])
    },
  )

  test('that loses nearly all carries nothing', () => {
    const [port] = portsBetween(world, 'edge1', 'agg1')
    mark(world, 'portLoss', port, 1)
    step(world)
    expect(world.network.portUp[port]).toBe(0)
    expect(sent(world, 'edge1', 'agg2')).toBe(2.8)
  })

  test('that flaps goes down once a minute, and traffic goes round it meanwhile', () => {
    const [port] = portsBetween(world, 'edge1', 'agg1')
    mark(world, 'portFlapping', port)
    let down = 0
    for (let n = 0; n < 12; n++) {
      step(world)
      if (world.network.portUp[port]) continue
      down++
      expect(sent(world, 'edge1', 'agg2')).toBe(2.8)
    }
    expect(down).toBe(2)
    expect(world.network.portFlaps[port]).toBe(6)
    expect(world.network.portFlaps[world.topology.ports.peer[port]]).toBe(6)
    mark(world, 'portFlapping', port, 0)
    step(world, 12)
    expect(world.network.portFlaps[port]).toBe(6)
    expect(world.network.portUp[port]).toBe(1)
  })
})

test('a broadcast storm takes four fifths of the switch and its links and drops what no longer fits', () => {
  const edge = switchRow(world, 'edge1')
  loadEvenly(world, 0.2, 2.2, 0)
  mark(world, 'switchStorm', edge)
  step(world, 6)
  const fabric = world.topology.switchSkus[world.topology.switches.sku[edge]].fabricGbps
  expect(world.network.switchFabricGbps[edge]).toBeGreaterThan(0.79 * fabric)
  expect(sent(world, 'edge1', 'agg1')).toBeGreaterThan(7.9)
  expect(sent(world, 'agg1', 'edge1')).toBeGreaterThan(7.9)
  expect(world.network.hostDeliveredOut[0]).toBeLessThan(0.97)
  expect(imbalances(world)).toEqual([])
  mark(world, 'switchStorm', edge, 0)
  step(world, 2)
  expect(shares(world.network.hostDeliveredOut)).toEqual([1, 1, 1, 1])
})

test('a wrong rule of a firewall drops its share of legitimate traffic there', () => {
  const firewall = applianceRow(world, 'fw1')
  mark(world, 'applianceMisrule', firewall, 0.2)
  step(world)
  expect(shares(world.network.hostDeliveredIn)).toEqual([0.9, 0.9, 0.9, 0.9])
  expect(world.network.applianceRefusedGbps[firewall]).toBeCloseTo(0.2 * (0.8 + 2), 9)
  expect(imbalances(world)).toEqual([])
})
