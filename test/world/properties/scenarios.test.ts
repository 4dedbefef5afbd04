import { describe, expect, test } from 'vitest'
import { listScenarios, shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import { isNight, sweepSeeds } from '../../fixtures/seeds.ts'
import { violationsIn } from './invariants.ts'

const names = listScenarios()
  .map(({ name }) => name)
  .filter((name) => name !== 'quiet-week')

/** Starts at the scenario's time of day, and ends two hours after its last action. */
function timesOf(name: string): { readonly warmUp: number; readonly span: number } {
  const { warmup, steps } = shippedScenario(name)!
  const ends = steps.map(({ at, duration }) => at + (duration ?? 0))
  return { warmUp: (warmup ?? 0) % day, span: Math.max(...ends) + 2 * hour }
}

describe.each(names)('the scenario %s keeps to the invariants', (scenario) => {
  test.each(sweepSeeds(1, 1, 3))('in a small world of seed %s', (seed) => {
    const world = { seed, scale: 'small' as const, scenario, ...timesOf(scenario), lookEvery: hour / 2 }
    expect(violationsIn(world)).toEqual([])
  })

  test.each(sweepSeeds(4, 0, 1))('in a medium world of seed %s', (seed) => {
    const world = { seed, scale: 'medium' as const, scenario, ...timesOf(scenario), lookEvery: hour / 2 }
    expect(violationsIn(world)).toEqual([])
  })
})

describe('where nothing breaks, nothing is worth more than watching', () => {
  test.each([
    ...sweepSeeds(1, 1, 4).map((seed) => ['small', seed, isNight ? 4 * day : day] as const),
    ...sweepSeeds(5, 0, 2).map((seed) => ['medium', seed, 2 * day] as const),
    ...sweepSeeds(7, 0, 1).map((seed) => ['large', seed, hour] as const),
  ])('in a %s world of seed %s', (scale, seed, span) => {
    const world = { seed, scale, scenario: 'quiet-week', warmUp: 0, span, lookEvery: 2 * hour }
    expect(violationsIn(world)).toEqual([])
  })
})
