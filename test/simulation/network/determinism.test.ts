import { describe, expect, test } from 'vitest'
import { countBytes } from '../../../src/simulation/network/counters.ts'
import { RandomStream } from '../../../src/simulation/random.ts'
import { attack, loadEvenly, type Rig, rig, settle, step } from './rig.ts'

/** A day in six episodes of load and failure, read now and then or not at all. */
function live(seed: bigint, readEvery: number): Rig {
  const world = rig('small', seed)
  const random = new RandomStream(seed, 'test')
  settle(world, 1, [0, 3, 5])
  attack(world, 1, 'Application', 40)
  for (let episode = 0; episode < 6; episode++) {
    loadEvenly(world, random.uniform(0, 1), random.uniform(0, 2), random.uniform(0, 2))
    world.condition.cableCut[random.below(world.plant.cables.count)] = 1
    world.condition.portFlapping[random.below(world.plant.ports.count)] = 1
    world.condition.switchFabricLost[random.below(world.plant.switches.count)] = random.fraction()
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
    expect(columnsOf(one.physical)).toEqual(columnsOf(other.physical))
    expect(columnsOf(one.network)).toEqual(columnsOf(other.network))
    expect(columnsOf(one.threats)).toEqual(columnsOf(other.threats))
    expect(one.events.window).toEqual(other.events.window)
  })
})

test('bytes at both ends of a link are the same whole frames, and never fall', () => {
  const world = rig('small')
  const { ports } = world.plant
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
