import { parseScenario } from '../../../../src/world/scenarios/parse-scenario.ts'
import type { Scenario } from '../../../../src/world/simulation/scenarios/scenario.ts'
import { stepLength } from '../../../../src/world/simulation/time.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'

/** A scenario of these steps without random faults; times count from the beginning of the world. */
export function scenarioOf(steps: readonly object[]): Scenario {
  const file = {
    name: 'scripted',
    title: 'Scripted',
    description: 'Made for a test.',
    spontaneity: 0,
    times_count_from: 'beginning',
    steps,
  }
  const reading = parseScenario(JSON.stringify(file))
  if ('problem' in reading) throw new Error(reading.problem.message)
  return reading.scenario
}

/** Runs to a time counted from the beginning of the world. */
export function runUntil(world: Simulation, moment: Micros, each = (): void => {}): void {
  while (world.state.now < moment) {
    world.step()
    each()
  }
  if (world.state.now !== moment) throw new Error(`${moment} is no multiple of ${stepLength}`)
}
