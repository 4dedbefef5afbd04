import { describe, expect, test } from 'vitest'
import { countBytes } from '../../../../src/world/simulation/network/counters.ts'
import { RandomStream } from '../../../../src/world/simulation/random.ts'
import { attack, loadEvenly, createNetworkFixture, addCustomer, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** A day in six episodes of load and failure, with occasional reads or none. */
function live(seed: bigint, readEvery: number): NetworkFixture {
  const world = createNetworkFixture('small', seed)
  const random = new RandomStream(seed, 'test')
  addCustomer(world, 1, [0, 3, 5])
  attack(world, 1, 'Application', 40)
  for (let episode = 0; episode < 6; episode++) {
    loadEvenly(world, random.uniform(0, 1), random.uniform(0, 2), random.uniform(0, 2))
    world.condition.cableCut[random.below(world.topology.cables.count)] = 1
    world.condition.portFlapping[random.below(world.topology.ports.count)] = 1
    world.condition.switchFabricLost[random.below(world.topology.switches.count)] = random.fraction()
    world.condition.version++
    for (let n = 0; n < 120; n++) {
      step(world)
      if (world.tick % readEvery === 0) countBytes(world)
    }
  }
  countBytes(world)
  return world
}

const columnsOf = (block: object) =>
  Object.fromEntries(
    Object.entries(block).filter(([, column]) => ArrayBuffer.isView(column) || typeof column === 'number'),
  )

describe.each([1n, 2n, 3n])('seed %i', (seed) => {
  test('the same seed gives the same world to the last bit, however often it is read', () => {
    const [one, other] = [live(seed, 1), live(seed, 50)]
    expect(columnsOf(one.facility)).toEqual(columnsOf(other.facility))
    expect(columnsOf(one.network)).toEqual(columnsOf(other.network))
    expect(columnsOf(one.threats)).toEqual(columnsOf(other.threats))
    expect(one.events.state.window).toEqual(other.events.state.window)
  })
})

test('bytes at both ends of a link are the same whole frames, and never fall', () => {
  const world = createNetworkFixture('small')
  const { ports } = world.topology
  let before = new Float64Array(ports.count)
  for (let n = 0; n < 30; n++) {
    loadEvenly(world, n / 30, n / 15, n / 10)
    step(world, 7)
    countBytes(world)
    const { portTxBytes, portRxBytes } = world.network
    for (let port = 0; port < ports.count; port++) {
      expect(portTxBytes[port]).toBeGreaterThanOrEqual(before[port])
      expect(portTxBytes[port] % 64).toBe(0)
      const peer = ports.peer[port]
      expect(peer < 0 ? portTxBytes[port] : portRxBytes[peer]).toBe(portTxBytes[port])
    }
    before = portTxBytes.slice()
  }
})
