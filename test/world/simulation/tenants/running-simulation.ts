import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'

/** A world without random faults, attacks and surges. */
export function createRunningSimulation(seed: number, scale: number | ScaleName): Simulation {
  const sim = createSimulation({ seed: BigInt(seed), scale, warmUp: 0, scenario: null, speed: 60 })
  sim.state.faults.randomFaultRate = 0
  return sim
}

/** Steps the world, calling `afterStep` after each step. */
export function runFor(sim: Simulation, span: Micros, afterStep: () => void = () => {}): void {
  for (const end = sim.state.now + span; sim.state.now < end; ) {
    sim.step()
    afterStep()
  }
}

export const accountsOf = (sim: Simulation): readonly Account[] => sim.customers.state.accounts
