import { describe, expect, test } from 'vitest'
import { bands } from '../../../../src/contract/vocabularies.ts'
import { shippedScenario } from '../../../../src/world/scenarios/shipped.ts'
import { day, hour, stepLength } from '../../../../src/world/simulation/time.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { sweepSeeds } from '../../../fixtures/seeds.ts'

function worldOf(name: string, seed: bigint, warmUp: Micros): Simulation {
  const scenario = shippedScenario(name)!
  const world = createSimulation({ seed, scale: 'small', warmUp, scenario, speed: 60 })
  pass(world, warmUp)
  return world
}

function pass(world: Simulation, span: Micros, each = (): void => {}): void {
  for (let at = 0; at < span; at += stepLength) {
    world.step()
    each()
  }
}

/** The gravest band of each incident in a span of time, by id. */
function bandsWithin(world: Simulation, span: Micros): Map<number, number> {
  const worst = new Map<number, number>()
  pass(world, span, () => {
    for (const [id, { band }] of world.state.incidents)
      worst.set(id, Math.max(worst.get(id) ?? 0, bands.indexOf(band)))
  })
  return worst
}

describe('in a whole world', () => {
  test.each(sweepSeeds(1, 1, 3))('a quiet week has no incident above Watch (seed %s)', (seed) => {
    const worst = bandsWithin(worldOf('quiet-week', seed, day), 2 * day)
    expect([...worst.values()].filter((band) => band > 0)).toEqual([])
  })

  test('the same scenario and seed give the same events', () => {
    const eventTexts = (): string => {
      const world = worldOf('power-feed-lost', 4n, 6 * hour)
      pass(world, 6 * hour)
      return JSON.stringify(world.state.events.state.window, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
    }
    expect(eventTexts()).toBe(eventTexts())
  })
})
