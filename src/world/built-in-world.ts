/** The built-in world as the rest of the program creates, advances, observes and saves it. */
import type { TruthLine } from '../contract/game-days/truth-line.ts'
import { truthLineOf } from './records/operations/truth.ts'
import type { Simulation } from './records/simulation.ts'
import { createSimulation } from './records/simulation.ts'
import type { InjectedActions } from './simulation/scenarios/injected-actions.ts'
import { targetsOf } from './simulation/scenarios/perform.ts'
import type { Scenario, ScenarioAction } from './simulation/scenarios/scenario.ts'
import type { Micros } from './simulation/time.ts'
import type { Account } from './simulation/tenants/view.ts'
import { countRequests } from './simulation/tenants/view.ts'
import { harmOf } from './simulation/truth/view.ts'
import type { Harm } from './simulation/truth/view.ts'
import type { FaultRecord, WallClock } from './simulation/truth/fault-log.ts'
import type { SavedWorld } from './simulation/world.ts'
import type { ScaleName } from './world-size.ts'

export { RandomStream } from './simulation/random.ts'
export { StateMismatch } from './simulation/adopt-state.ts'
export type { ActionOutcome, InjectedActions } from './simulation/scenarios/injected-actions.ts'
export { creditDue } from './simulation/tenants/view.ts'
export { type Micros, second, stepNs, stepSeconds } from './simulation/time.ts'
export type { Harm } from './simulation/truth/view.ts'
export type { SavedWorld } from './simulation/world.ts'

/** The truth about a fault, without the name of the world. */
export type FaultTruth = Omit<TruthLine, 'world' | 'session'>

export interface BuiltInWorldOptions {
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated seconds per wall second, for the diagnostics: the world does not read the wall clock. */
  readonly speed: number
  readonly scenario: Scenario | null
  /** Simulated time before the first snapshot. The times of a scenario count from the end of the warm-up. */
  readonly warmUpNs: bigint
  /** Whether a team takes over from the operators after the warm-up, and no record names a cause. */
  readonly blind?: boolean
  /** Enables the log of the truth about every fault; the log does not change the world. */
  readonly truth?: TruthOptions
}

export interface TruthOptions {
  readonly wallOf: WallClock
  /** Receives each fault once it has ended and its incidents are resolved. */
  readonly onComplete: (fault: FaultTruth) => void
}

export interface BuiltInWorld
  extends Pick<Simulation, 'nowNs' | 'history' | 'step' | 'snapshot' | 'feedSnapshot' | 'savedWorld'> {
  readonly now: Micros
  /** Actions that are injected while the world runs. */
  readonly actions: Omit<InjectedActions, 'step'>
  /** The number of targets that match an action now, without regard to its count. */
  targetCount(action: ScenarioAction): number
  /** Events since the world began. */
  readonly eventsEmitted: number
  /** The incomplete faults, if the truth is logged. */
  openFaults(): FaultTruth[]
  /** The trouble of customers now. */
  harm(): Harm
  /** Customers with their counts up to now, which takes far less time than a snapshot. */
  accounts(): readonly Readonly<Account>[]
}

const nsPerMicrosecond = 1000n

/** Simulated time in the world's unit. */
export const microsOf = (ns: bigint): Micros => Number(ns / nsPerMicrosecond)

/** Creates a world, or continues a saved one, whose seed, scale and scenario are the same. */
export function createBuiltInWorld(
  { truth, warmUpNs, ...options }: BuiltInWorldOptions,
  saved: SavedWorld | null = null,
): BuiltInWorld {
  const simulation = createSimulation(
    {
      ...options,
      warmUp: microsOf(warmUpNs),
      ...(truth !== undefined && {
        faultLog: {
          wallOf: truth.wallOf,
          onComplete: (record: FaultRecord) => truth.onComplete(truthLineOf(simulation.world, record)),
        },
      }),
    },
    saved,
  )
  const { world, state, history, customers } = simulation
  return {
    get now() {
      return state.now
    },
    get nowNs() {
      return simulation.nowNs
    },
    history,
    actions: world.injected,
    targetCount: (action) => targetsOf(state, { ...action, target: { ...action.target, share: 1 } }).length,
    step: () => simulation.step(),
    snapshot: (isRead) => simulation.snapshot(isRead),
    get eventsEmitted() {
      return state.events.state.emitted
    },
    feedSnapshot: () => simulation.feedSnapshot(),
    savedWorld: () => simulation.savedWorld(),
    harm: () => harmOf(state),
    accounts() {
      for (const account of customers.state.accounts) countRequests(account, state.tick)
      return customers.state.accounts
    },
    openFaults: () =>
      Array.from(world.faultLog?.state.open.values() ?? [], (record) => truthLineOf(world, record)),
  }
}
