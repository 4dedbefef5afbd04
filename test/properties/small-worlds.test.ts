import { expect, test } from 'vitest'
import { day, hour } from '../../src/simulation/time.ts'
import { offencesIn } from './checked-world.ts'

const seeds = Array.from({ length: 50 }, (_, index) => BigInt(index + 1))

test.each(seeds)(
  'a small world of seed %s keeps to the invariants for a day',
  { timeout: 60_000 },
  (seed) => {
    expect(offencesIn({ seed, scale: 'small', warmUp: 0, span: day, lookEvery: hour })).toEqual([])
  },
)
