import { describe, expect, test } from 'vitest'
import { listScenarios, shippedScenario } from '../../src/simulation/scenarios/shipped.ts'
import { day, hour } from '../../src/simulation/time.ts'
import { offencesIn } from './checked-world.ts'

const names = listScenarios()
  .map(({ name }) => name)
  .filter((name) => name !== 'quiet-week')

/** As late in the day as the scenario has it, and until two hours after all that it asks for. */
function timesOf(name: string): { readonly warmUp: number; readonly span: number } {
  const { warmup, steps } = shippedScenario(name)!
  const ends = steps.map(({ at, lasts }) => at + (lasts ?? 0))
  return { warmUp: (warmup ?? 0) % day, span: Math.max(...ends) + 2 * hour }
}

describe.each(names)('the scenario %s keeps to the invariants', (scenario) => {
  test.each([
    ['small', 1n],
    ['small', 2n],
    ['small', 3n],
    ['medium', 4n],
  ] as const)('in a %s world of seed %s', { timeout: 120_000 }, (scale, seed) => {
    const world = { seed, scale, scenario, ...timesOf(scenario), lookEvery: hour / 2 }
    expect(offencesIn(world)).toEqual([])
  })
})

describe('where nothing breaks, nothing is worth more than watching', () => {
  test.each([
    ['small', 1n, 7 * day],
    ['small', 2n, 4 * day],
    ['small', 3n, 4 * day],
    ['small', 4n, 4 * day],
    ['medium', 5n, 2 * day],
    ['medium', 6n, 2 * day],
    ['large', 7n, hour],
  ] as const)('in a %s world of seed %s', { timeout: 120_000 }, (scale, seed, span) => {
    const world = { seed, scale, scenario: 'quiet-week', warmUp: 0, span, lookEvery: 2 * hour }
    expect(offencesIn(world)).toEqual([])
  })
})
