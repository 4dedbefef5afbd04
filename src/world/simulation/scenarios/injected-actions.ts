import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { clockTime } from '../time.ts'
import { entityOf, nameOf } from '../topology/entities.ts'
import type { Fault } from '../faults/model.ts'
import type { Aftermath } from './perform.ts'
import { enact, createAftermath, endDrains } from './perform.ts'
import type { ScenarioAction } from './scenario.ts'
import type { TeamOrder } from './team-orders.ts'
import { orderRemedy } from './team-orders.ts'

/** An action received from outside while the world runs. */
interface InjectedAction {
  readonly action: ScenarioAction | TeamOrder
  /** Performed in the first step at or after this time. */
  readonly at: Micros
  /** The origin of the action, for the log. */
  readonly label: string
}

/** The outcome of an injected action. */
export interface ActionOutcome extends InjectedAction {
  /** Time at which the action took effect. */
  readonly began: Micros
  /** The names of its targets; empty if no target matches. */
  readonly targets: readonly string[]
  /** Names that an order could be for, if nothing has the name in it. */
  readonly names: readonly string[]
  /** The open order that does the same, in words, so that none was added; null for all else. */
  readonly existing: string | null
  /** The entities of the targets, by which records and series know them; the device of a port. */
  readonly entities: readonly { readonly kind: string; readonly id: number | null }[]
}

/** Read position in a file of actions. */
interface ActionsCursor {
  /** Number of actions read. */
  taken: number
  /** The complete lines of the file; null before the first read. */
  seen: string[] | null
}

interface InjectedActionsState {
  /** The origin of the actions' times: the end of the warm-up. */
  readonly origin: Micros
  /** Ascending by time; of equal time in order of arrival. */
  readonly waiting: InjectedAction[]
  readonly aftermath: Aftermath
  readonly cursor: ActionsCursor
}

export interface InjectedActions {
  readonly state: InjectedActionsState
  inject(action: InjectedAction): void
  /** Performs due actions. */
  step(): void
  /** Called for each performed action. */
  onCarriedOut: (outcome: ActionOutcome) => void
}

/** Performs actions from outside. Without any, the world is identical to one that accepts none. */
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
        injected.onCarriedOut({ ...due, began: world.now, ...outcomeOf(world, aftermath, due.action) })
      }
    },
    onCarriedOut: () => {},
  }
  return injected
}

function outcomeOf(
  world: WorldView,
  aftermath: Aftermath,
  action: ScenarioAction | TeamOrder,
): Omit<ActionOutcome, keyof InjectedAction | 'began'> {
  if ('remedy' in action) {
    const { target, names, open } = orderRemedy(world, action)
    const existing = open === null ? null : `"${open.label}", ordered at ${clockTime(open.ordered)}`
    return { ...described(world, target === null ? [] : [target]), names, existing }
  }
  return { ...described(world, enact(world, aftermath, null, action)), names: [], existing: null }
}

const described = (world: WorldView, targets: readonly Fault['target'][]) => ({
  targets: targets.map((target) => nameOf(world, target)),
  entities: targets.map((target) => entityOf(world.topology, target)),
})
