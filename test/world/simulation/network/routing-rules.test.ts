import { describe, expect, test } from 'vitest'
import { layerOf } from '../../../../src/world/simulation/network/routing/graph.ts'
import { applianceRow, gatewayRow, mark, switchRow } from './names.ts'
import { createNetworkFixture, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** Reachability, turning points and detours under damage. */

type Damage = (world: NetworkFixture) => void
const none: Damage = () => {}
const withoutSwitches =
  (...names: readonly string[]): Damage =>
  (world) =>
    names.forEach((name) => mark(world, 'switchBroken', switchRow(world, name)))
const withoutFirewalls =
  (...names: readonly string[]): Damage =>
  (world) =>
    names.forEach((name) => mark(world, 'applianceBroken', applianceRow(world, name)))

/** Routes after some damage, and a reader of their columns at the first node of a layer. */
function routesWith(world: NetworkFixture, damage: Damage) {
  step(world)
  damage(world)
  step(world)
  const { routes } = world.network
  const first = (column: ArrayLike<number>, layer: keyof typeof layerOf): number =>
    Number(column[routes.graph.layerStart[layerOf[layer]]].toFixed(6))
  return { ...routes, first }
}

/** Reach levels: 0 down, 1 rack, 2 row, 3 zone, 4 detour, 5 gateway. */
describe('a host of a zone alone', () => {
  test.each<[string, Damage, [reach: number, reachable: number, connected: number, sends: number]]>([
    ['with all in order', none, [5, 1, 1, 1]],
    ['with half of all', withoutSwitches('edge1', 'agg1', 'core1'), [5, 1, 1, 1]],
    ['without its gateway', (world) => mark(world, 'gatewayBroken', gatewayRow(world, 'gw1')), [3, 0, 1, 1]],
    ['without routes', (world) => mark(world, 'gatewayWithdrawn', gatewayRow(world, 'gw1')), [3, 0, 1, 1]],
    ['with one firewall', withoutFirewalls('fw1'), [5, 1, 1, 1]],
    ['without firewalls', withoutFirewalls('fw1', 'fw2'), [3, 0, 1, 1]],
    ['without cores', withoutSwitches('core1', 'core2'), [2, 0, 0, 0.5]],
    ['without aggregation', withoutSwitches('agg1', 'agg2'), [1, 0, 0, 0.2]],
    ['without switches in its rack', withoutSwitches('edge1', 'edge2'), [0, 0, 0, 0]],
    ['that is broken', (world) => mark(world, 'hostBroken', 0), [0, 0, 0, 0]],
  ])('%s', (_, damage, expected) => {
    const world = createNetworkFixture(4)
    const { reach, hostSendShare } = routesWith(world, damage)
    const { hostReachable, hostConnected } = world.network
    expect([reach[0], hostReachable[0], hostConnected[0], hostSendShare[0]]).toEqual(expected)
  })
})

describe('of the traffic between hosts that comes to a switch', () => {
  test.each<[string, Damage, number[]]>([
    // In the rack, in the row, at the core.
    ['with all in order', none, [0.2, 0.375, 1]],
    ['without cores', withoutSwitches('core1', 'core2'), [0.4, 1, 1]],
    ['without aggregation', withoutSwitches('agg1', 'agg2'), [1, 1, 1]],
    ['without firewalls', withoutFirewalls('fw1', 'fw2'), [0.2, 0.375, 1]],
  ])('%s, the share that turns around is', (_, damage, expected) => {
    const { first, turnShare } = routesWith(createNetworkFixture(4), damage)
    expect([first(turnShare, 'edge'), first(turnShare, 'aggregation'), first(turnShare, 'core')]).toEqual(
      expected,
    )
  })
})

test.each<[string, Damage, number]>([
  ['is up with a line', none, 1],
  ['is broken', (world) => mark(world, 'gatewayBroken', 0), 0],
  ['has withdrawn its routes', (world) => mark(world, 'gatewayWithdrawn', 0), 0],
  [
    'has lost one line',
    (world) => mark(world, 'cableCut', world.topology.ports.cable[wanPorts(world)[0]]),
    1,
  ],
  [
    'has lost all lines',
    (world) => wanPorts(world).forEach((port) => mark(world, 'cableCut', world.topology.ports.cable[port])),
    0,
  ],
])('a gateway that %s announces routes: %i', (_, damage, announces) => {
  const world = createNetworkFixture(4)
  routesWith(world, damage)
  expect(world.network.gatewayAdvertising[0]).toBe(announces)
})

function wanPorts({ network }: NetworkFixture): number[] {
  const { gatewayNode, firstLink, linkChildPort } = network.routes.graph
  return Array.from(linkChildPort.slice(firstLink[gatewayNode[0]], firstLink[gatewayNode[0] + 1]))
}

describe('a zone of two', () => {
  const withoutGatewaysOf =
    (zone: number): Damage =>
    (world) =>
      world.topology.zones[zone].gateways.forEach((gateway) => mark(world, 'gatewayBroken', gateway))
  const both =
    (...damages: readonly Damage[]): Damage =>
    (world) =>
      damages.forEach((damage) => damage(world))
  const withoutPeers: Damage = (world) => {
    const { peerTxPort } = world.network.routes.graph
    for (const port of peerTxPort) mark(world, 'cableCut', world.topology.ports.cable[port])
  }
  const region =
    (row: number): Damage =>
    ({ topology }) =>
      Object.assign(topology.zones[1], { region: row })

  test.each<[string, Damage, [reach: number, reachable: number, detourMs: number]]>([
    ['in order', region(0), [5, 1, 0]],
    ['without gateways, in one region', both(withoutGatewaysOf(0), region(0)), [4, 1, 1.6]],
    ['without gateways, in two regions', both(withoutGatewaysOf(0), region(1)), [4, 1, 14]],
    ['without gateways or lines to the other', both(withoutGatewaysOf(0), withoutPeers), [3, 0, 0]],
    ['without gateways in both', both(withoutGatewaysOf(0), withoutGatewaysOf(1)), [3, 0, 0]],
    ['without gateways in the other', withoutGatewaysOf(1), [5, 1, 0]],
  ])('%s', (_, damage, expected) => {
    const world = createNetworkFixture('small')
    const [host] = world.topology.zones[0].hosts
    const { reach, detourMs, graph } = routesWith(world, damage)
    const [core] = world.topology.zones[0].cores
    expect([reach[host], world.network.hostReachable[host], detourMs[graph.switchNode[core]]]).toEqual(
      expected,
    )
  })
})
