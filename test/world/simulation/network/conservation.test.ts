import { describe, expect, test } from 'vitest'
import { RandomStream } from '../../../../src/world/simulation/random.ts'
import { imbalances } from './conservation.ts'
import { attackAtRandom, breakAtRandom, loadAtRandom } from './damage.ts'
import { createNetworkFixture, step } from './network-fixture.ts'

describe.each([
  ['small', 30],
  ['medium', 20],
  ['large', 6],
] as const)('at scale %s', (scale, seeds) => {
  const each = Array.from({ length: seeds }, (_, index) => index + 1)

  test.each(each)('traffic is conserved under any load, faults and attacks, seed %i', (seed) => {
    const world = createNetworkFixture(scale, BigInt(seed))
    const random = new RandomStream(BigInt(seed), 'test')
    for (let episode = 0; episode < 5; episode++) {
      loadAtRandom(world, random)
      if (episode > 0) breakAtRandom(world, random)
      attackAtRandom(world, random)
      for (let n = 0; n < 8; n++) {
        step(world)
        expect(imbalances(world), `scale ${scale}, seed ${seed}, step ${world.tick}`).toEqual([])
      }
    }
  })
})
