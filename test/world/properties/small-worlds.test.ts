import { expect, test } from 'vitest'
import { day, hour } from '../../../src/world/simulation/time.ts'
import { sweepSeeds } from '../../fixtures/seeds.ts'
import { violationsIn } from './invariants.ts'

const seeds = sweepSeeds(1, 2, 15)

test.each(seeds)('a small world of seed %s keeps to the invariants for a day', (seed) => {
  expect(violationsIn({ seed, scale: 'small', warmUp: 0, span: day, lookEvery: hour })).toEqual([])
})

test.each(sweepSeeds(101, 1, 10))('and for eight hours in which much goes wrong, seed %s', (seed) => {
  const eventful = { scale: 'small', spontaneity: 8, warmUp: 8 * hour, span: 8 * hour } as const
  expect(violationsIn({ seed, ...eventful, lookEvery: hour / 12 })).toEqual([])
})
