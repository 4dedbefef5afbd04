import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { nameOf } from '../topology/entities.ts'
import { announce } from './announcements.ts'
import type { Aftermath } from './perform.ts'
import { perform, createAftermath, endDrains, targetsOf } from './perform.ts'
import type { ScenarioAction } from './scenario.ts'

/** An action that came from outside while the world ran. */
interface InjectedAction {
  readonly action: ScenarioAction
  /** Carried out in the first step that begins then or later. */
  readonly at: Micros
  /** Where it came from, for the log. */
  readonly label: string
}

/** What became of an injected action. */
export interface CarriedOut extends InjectedAction {
  /** When it took effect. */
  readonly began: Micros
  /** The names of its targets; empty if none fits. */
  readonly targets: readonly string[]
}

/** What has been read of a file of actions. */
interface ActionsCursor {
  /** How many actions were taken over. */
  taken: number
  /** The complete lines of the file; null before it was read for the first time. */
  seen: string[] | null
}

interface InjectedActionsState {
  /** What the times of actions count from: the end of the warm-up. */
  readonly origin: Micros
  /** Ascending by time; those of the same time in the order in which they came. */
  readonly waiting: InjectedAction[]
  readonly aftermath: Aftermath
  readonly cursor: ActionsCursor
}

export interface InjectedActions {
  readonly state: InjectedActionsState
  inject(action: InjectedAction): void
  /** Carries out what is due. */
  step(): void
  /** Called for each action that was carried out. */
  onCarriedOut: (outcome: CarriedOut) => void
}

/** Carries out actions that come from outside. A world without them is the same as one that cannot take any. */
export function createInjectedActions(world: WorldView, origin: Micros): InjectedActions {
  const cursor: ActionsCursor = { taken: 0, seen: null }
  const state: InjectedActionsState = { origin, waiting: [], aftermath: createAftermath(), cursor }
  const { waiting, aftermath } = state
  const injected: InjectedActions = {
    state,
    inject(action) {
      const after = waiting.findIndex(({ at }) => at > action.at)
      waiting.splice(after < 0 ? waiting.length : after, 0, action)
    },
    step() {
      endDrains(world, aftermath)
      while (waiting.length > 0 && waiting[0].at <= world.now) {
        const due = waiting.shift()!
        const targets = targetsOf(world, due.action)
        announce(world, null, due.action, targets)
        for (const target of targets) perform(world, aftermath, due.action, target)
        const names = targets.map((target) => nameOf(world, target))
        injected.onCarriedOut({ ...due, began: world.now, targets: names })
      }
    },
    onCarriedOut: () => {},
  }
  return injected
}
