import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import type { Aftermath } from './perform.ts'
import { enact, createAftermath, endDrains } from './perform.ts'
import type { Scenario } from './scenario.ts'
import type { ScheduleState } from './schedule-runner.ts'
import { createScheduleRunner } from './schedule-runner.ts'

interface RunnerState {
  /** The origin of the scenario's times. */
  readonly origin: Micros
  nextStep: number
  readonly aftermath: Aftermath
  /** Null without a schedule. */
  readonly schedule: ScheduleState | null
}

export interface ScenarioRunner {
  readonly state: RunnerState
  /** Performs due steps. Runs before all other parts in a step of the world. */
  step(): void
}

/** Runs a scenario with times relative to `origin`: the end of the warm-up, or the beginning of the world. */
export function createScenarioRunner(world: WorldView, scenario: Scenario, origin: Micros): ScenarioRunner {
  const schedule =
    scenario.schedule === null ? null : createScheduleRunner(world, scenario.title, scenario.schedule, origin)
  const state: RunnerState = {
    origin,
    nextStep: 0,
    aftermath: createAftermath(),
    schedule: schedule?.state ?? null,
  }
  return {
    state,
    step() {
      endDrains(world, state.aftermath)
      while (
        state.nextStep < scenario.steps.length &&
        state.origin + scenario.steps[state.nextStep].at <= world.now
      ) {
        enact(world, state.aftermath, scenario.title, scenario.steps[state.nextStep++])
      }
      schedule?.step()
    },
  }
}
