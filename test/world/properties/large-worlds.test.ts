import { expect, test } from 'vitest'
import { minute } from '../../../src/world/simulation/time.ts'
import { sweepSeeds } from '../../fixtures/seeds.ts'
import { violationsIn } from './invariants.ts'

const seeds = sweepSeeds(201, 1, 10)

/** High fault rates make up for the short runs: about six faults each. */
const eventful = { scale: 'large', spontaneity: 12, warmUp: 0 } as const

test.each(seeds)(
  'a large world of seed %s keeps to the invariants for 25 minutes in which much goes wrong',
  (seed) => {
    expect(violationsIn({ seed, ...eventful, span: 25 * minute, lookEvery: 12 * minute })).toEqual([])
  },
)
