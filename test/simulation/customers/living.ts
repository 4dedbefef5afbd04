import { createSimulation, type Simulation } from '../../../src/simulation/world.ts'
import type { ScaleName } from '../../../src/simulation/plant/sizing.ts'
import type { Account } from '../../../src/simulation/customers/account.ts'
import type { Micros } from '../../../src/simulation/time.ts'

/** A whole world from its first moment on. Calm: nothing breaks, nobody attacks, no demand surges by itself. */
export function livingWorld(
  seed: number,
  scale: number | ScaleName,
  mood: 'calm' | 'usual' = 'calm',
): Simulation {
  const sim = createSimulation({ seed: BigInt(seed), scale, warmUp: 0, scenario: null, speed: 60 })
  if (mood === 'calm') sim.state.faults.spontaneity = 0
  return sim
}

/** Steps the world on, calling whatever is given after each step. */
export function run(sim: Simulation, span: Micros, each: () => void = () => {}): void {
  for (const end = sim.state.now + span; sim.state.now < end; ) {
    sim.step()
    each()
  }
}

export const accountsOf = (sim: Simulation): readonly Account[] => sim.customers.business.accounts

export const sum = (values: ArrayLike<number>): number => {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
