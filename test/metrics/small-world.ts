import type { Snapshot } from '../../src/contract/collections.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import type { Simulation } from '../../src/world/records/simulation.ts'

/** A small world that has gone on for some hours. */
export function worldAfter(hours: number, seed: bigint): Simulation {
  const world = createSimulation({ seed, scale: 'small', warmUp: 0, scenario: null, speed: 60 })
  for (let step = 0; step < hours * 360; step++) world.step()
  return world
}

/** A snapshot and the one that the same world gives some steps later, of which the records are the same objects. */
export function later(world: Simulation, steps: number): Snapshot {
  for (let step = 0; step < steps; step++) world.step()
  return world.snapshot()
}
