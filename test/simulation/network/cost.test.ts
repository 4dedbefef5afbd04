import { describe, expect, test } from 'vitest'
import { loadEvenly, rig, step } from './rig.ts'

/** Microseconds of a step of power, heat, routes, attacks and flows: the best of a few rounds. */
function stepCost(scale: number | 'medium', rounds: number, steps: number): number {
  const world = rig(scale)
  loadEvenly(world, 0.2, 0.5, 0.4)
  step(world, steps)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    for (let n = 0; n < steps; n++) {
      // Demand changes once a minute.
      if (world.tick % 6 === 0) world.load.version++
      step(world)
    }
    best = Math.min(best, ((performance.now() - from) * 1000) / steps)
  }
  return best
}

// Aims are 15 µs and 3,000 µs; a machine that is busy elsewhere may take three times as long.
describe('cost of a step', () => {
  test.each([
    ['medium', 15, 6, 3_000],
    [10_000, 3_000, 3, 60],
  ] as const)('at scale %s is about %i µs', (scale, aim, rounds, steps) => {
    const cost = stepCost(scale, rounds, steps)
    console.log(`scale ${scale}: ${cost.toFixed(1)} µs a step`)
    expect(cost).toBeLessThan(3 * aim)
  })
})
