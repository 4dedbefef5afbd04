import type { Snapshot } from '../../src/contract/collections.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import type { Simulation } from '../../src/world/records/simulation.ts'

/** A small world after some hours. */
export function worldAfter(hours: number, seed: bigint): Simulation {
  const world = createSimulation({ seed, scale: 'small', warmUp: 0, scenario: null, speed: 60 })
  for (let step = 0; step < hours * 360; step++) world.step()
  return world
}

/** The families of firewalls that the built-in world lacks: its own stops connection floods, counted in packets. */
export const ofAnotherFirewall =
  /^dcsim_gateway_firewall_(?:reaching|mitigated|residual|capacity)_(?!packets_per_second)/

/** The snapshot after further steps of the same world, whose records are the same objects. */
export function later(world: Simulation, steps: number): Snapshot {
  for (let step = 0; step < steps; step++) world.step()
  return world.snapshot()
}
