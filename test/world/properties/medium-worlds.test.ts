import { expect, test } from 'vitest'
import { hour } from '../../../src/world/simulation/time.ts'
import { sweepSeeds } from '../../fixtures/seeds.ts'
import { violationsIn } from './invariants.ts'

const seeds = sweepSeeds(101, 1, 12)

/** Hours of the day at which the checks begin, by seed in turn. */
const beginnings = [0, 4, 7, 10, 14, 17, 19, 22]

test.each(seeds)('a medium world of seed %s keeps to the invariants for three hours', (seed) => {
  const warmUp = beginnings[Number(seed) % beginnings.length] * hour
  expect(violationsIn({ seed, scale: 'medium', warmUp, span: 3 * hour, lookEvery: hour / 2 })).toEqual([])
})
