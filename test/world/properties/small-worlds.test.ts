import { expect, test } from 'vitest'
import { day, hour } from '../../../src/world/simulation/time.ts'
import { sweepSeeds } from '../../fixtures/seeds.ts'
import { violationsIn } from './invariants.ts'

const seeds = sweepSeeds(1, 2, 15)

test.each(seeds)('a small world of seed %s keeps to the invariants for a day', (seed) => {
  expect(violationsIn({ seed, scale: 'small', warmUp: 0, span: day, lookEvery: hour })).toEqual([])
})
