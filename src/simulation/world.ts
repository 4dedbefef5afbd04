import { activeTruths, type Truth } from './faults/truth.ts'
import { createQuests, type Quests } from './quests/quests.ts'
import { createScenarioRunner } from './scenarios/runner.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { advanceClock, createParts, createState, type Parts, type MutableWorld } from './step.ts'
import type { ScaleName } from './topology/sizing.ts'
import type { Micros } from './time.ts'

export interface WorldOptions {
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated time that passes before the first snapshot. The times of a scenario count from its end. */
  readonly warmUp: Micros
  readonly scenario: Scenario | null
}

/** A world, its parts, and what moves them. */
export interface RunningWorld {
  readonly state: MutableWorld
  readonly parts: Parts
  readonly quests: Quests
  /** Advances the world by one step. */
  step(): void
  /** The active faults, which no record shows before operators have found them. For tests only. */
  truth(): Truth[]
}

export function createWorld({ seed, scale, scenario, warmUp }: WorldOptions): RunningWorld {
  const state = createState(seed, scale)
  const parts = createParts(state)
  const { faults, operations, blastRadius } = parts
  faults.randomFaultRate = scenario?.spontaneity ?? 1
  const quests = createQuests(state, operations)
  const script =
    scenario && createScenarioRunner(state, scenario, scenario.timesCountFrom === 'warm-up' ? warmUp : 0)
  announceStart(state)
  return {
    state,
    parts,
    quests,
    step() {
      script?.step()
      parts.step()
      quests.step()
      advanceClock(state)
    },
    truth: () => activeTruths(state, faults, blastRadius),
  }
}

function announceStart({ events, topology, tenants }: MutableWorld): void {
  const counts = { hosts: topology.hosts.count, customers: tenants.active.length }
  events.emit(0, 'WorldStarted', 'Info', { kind: 'World', id: null }, 'event.world-started', counts)
}
