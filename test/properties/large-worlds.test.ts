import { expect, test } from 'vitest'
import { hour, minute } from '../../src/simulation/time.ts'
import { offencesIn } from './checked-world.ts'

const seeds = Array.from({ length: 24 }, (_, index) => BigInt(index + 201))

test.each(seeds)(
  'a large world of seed %s keeps to the invariants for an hour',
  { timeout: 120_000 },
  (seed) => {
    expect(offencesIn({ seed, scale: 'large', warmUp: 0, span: hour, lookEvery: 20 * minute })).toEqual([])
  },
)
