import { describe, expect, test } from 'vitest'
import { deviceKind, portRole } from '../../../../src/world/simulation/topology/tables.ts'
import { RandomStream } from '../../../../src/world/simulation/random.ts'
import { breakAtRandom, loadAtRandom } from './damage.ts'
import { createNetworkFixture, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

const upwards = [
  'HostNic',
  'EdgeUp',
  'AggregationUp',
  'CoreUp',
  'ApplianceOutside',
] as const satisfies (keyof typeof portRole)[]
const upwardRoles = new Set<number>(upwards.map((name) => portRole[name]))

const deviceOf = ({ topology }: NetworkFixture, port: number) =>
  `${topology.ports.deviceKind[port]}/${topology.ports.device[port]}`

/** By device: the devices one tier up, over links that are up; and the peers of cores in other zones. */
function ways(world: NetworkFixture): { up: Map<string, string[]>; across: Map<string, string[]> } {
  const { ports } = world.topology
  const up = new Map<string, string[]>()
  const across = new Map<string, string[]>()
  for (let port = 0; port < ports.count; port++) {
    if (ports.peer[port] < 0 || !world.network.portUp[port]) continue
    const list = upwardRoles.has(ports.role[port])
      ? up
      : ports.role[port] === portRole.CorePeer
        ? across
        : null
    const from = deviceOf(world, port)
    list?.set(from, [...(list.get(from) ?? []), deviceOf(world, ports.peer[port])])
  }
  return { up, across }
}

/** Hosts with an upward path, link by link, to a gateway that announces routes. */
function reachedByWalking(world: NetworkFixture): number[] {
  const { up, across } = ways(world)
  const known = new Map<string, boolean>()
  const climbs = (device: string): boolean => {
    const [kind, row] = device.split('/').map(Number)
    if (kind === deviceKind.Gateway) return world.network.gatewayAdvertising[row] === 1
    const before = known.get(device)
    if (before !== undefined) return before
    const found = (up.get(device) ?? []).some((above) => climbs(above))
    known.set(device, found)
    return found
  }
  const isCore = (device: string) => across.has(device)
  const detours = (device: string): boolean =>
    isCore(device) && (across.get(device) ?? []).some((other) => climbs(other))
  const walks = (device: string): boolean =>
    climbs(device) || detours(device) || (up.get(device) ?? []).some((above) => walks(above))
  const hosts: number[] = []
  for (let host = 0; host < world.topology.hosts.count; host++) {
    if (world.facility.hostRunning[host] && walks(`${deviceKind.Host}/${host}`)) hosts.push(host)
  }
  return hosts
}

const flagged = (column: Uint8Array) => Array.from(column).flatMap((flag, row) => (flag ? [row] : []))

describe.each([
  ['small', 30],
  ['medium', 20],
] as const)('at scale %s', (scale, seeds) => {
  const each = Array.from({ length: seeds }, (_, index) => index + 1)

  test.each(each)('a host is reachable exactly when a way leads to it, seed %i', (seed) => {
    const world = createNetworkFixture(scale, BigInt(seed))
    const random = new RandomStream(BigInt(seed), 'routes')
    loadAtRandom(world, random)
    for (let episode = 0; episode < 6; episode++) {
      breakAtRandom(world, random)
      step(world, 3)
      expect(
        flagged(world.network.hostReachable),
        `scale ${scale}, seed ${seed}, episode ${episode}`,
      ).toEqual(reachedByWalking(world))
    }
  })

  test.each(each)('the shares of a node add up to one or to none, seed %i', (seed) => {
    const world = createNetworkFixture(scale, BigInt(seed))
    const random = new RandomStream(BigInt(seed), 'shares')
    for (let episode = 0; episode < 6; episode++) {
      breakAtRandom(world, random)
      step(world)
      const { graph, linkShare } = world.network.routes
      const sums = new Set<number>()
      for (let node = 0; node < graph.nodeCount; node++) {
        let sum = 0
        for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++)
          sum += linkShare[link]
        sums.add(Math.round(sum * 1e9) / 1e9)
      }
      expect(
        [...sums].filter((sum) => sum !== 0 && sum !== 1),
        `seed ${seed}, episode ${episode}`,
      ).toEqual([])
    }
  })
})

test('two edges, aggregations and cores share by speed, and a repaired link gets its share back', () => {
  const world = createNetworkFixture('medium')
  step(world)
  const before = Array.from(world.network.routes.linkShare)
  world.condition.cableCut[5] = 1
  world.condition.version++
  step(world)
  expect(Array.from(world.network.routes.linkShare)).not.toEqual(before)
  world.condition.cableCut[5] = 0
  world.condition.version++
  step(world)
  expect(Array.from(world.network.routes.linkShare)).toEqual(before)
  expect(world.network.routeVersion).toBe(3)
})
