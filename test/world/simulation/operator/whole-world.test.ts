import { describe, expect, test } from 'vitest'
import { violationsIn } from '../../properties/invariants.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { violationsWhileGrowing, worldOf } from './growing-world.ts'

describe('a large world that is built on', () => {
  test.each([
    ['medium', 2, 200],
    [600, 1, 650],
  ] as const)('keeps all invariants at scale %s', (scale, rounds, hostsMin) => {
    const sim = worldOf(scale)
    expect(violationsWhileGrowing(sim, rounds)).toEqual([])
    const { collections } = sim.snapshot()
    expect(collections.hosts.length).toBe(sim.state.topology.hosts.count)
    expect(collections.hosts.length).toBeGreaterThanOrEqual(hostsMin)
    expect(collections.cables.length).toBe(sim.state.topology.cables.count)
  })
})

test('a world that its operator has enlarged for weeks keeps all invariants', () => {
  const world = { seed: 21n, scale: 'small', warmUp: 35 * day, span: 2 * hour, lookEvery: hour } as const
  expect(violationsIn(world)).toEqual([])
})
