import { createQuietWorld } from '../quiet-world.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import { day, stepLength } from '../../../../src/world/simulation/time.ts'

/** Random faults of a world without repairs. */
export function randomFaultsOf(seed: bigint, scale: number, days: number, spontaneity = 1): readonly Fault[] {
  const world = createQuietWorld(seed, scale)
  const { state, faults } = world
  world.addTenant()
  faults.randomFaultRate = spontaneity
  // The world retains only the latest of them.
  const seen: Fault[] = []
  for (; state.now < days * day; state.now += stepLength, state.tick++) {
    faults.step()
    for (const fault of Array.from(faults.active)) {
      seen.push(fault)
      faults.repair(fault)
    }
  }
  return seen
}
