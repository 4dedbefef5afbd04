import { deserialize, serialize } from 'node:v8'
import { createBuiltInWorld } from '../../world/built-in-world.ts'
import type {
  ActionOutcome,
  BuiltInWorld,
  BuiltInWorldOptions,
  SavedWorld,
} from '../../world/built-in-world.ts'
import type { ActionLine } from '../../world/scenario-language.ts'
import { entityKey } from './topology-graph.ts'

/** A saved world, from which any number of worlds continue, all alike until something is done to one of them. */
export interface BranchPoint {
  readonly options: BuiltInWorldOptions
  readonly state: Uint8Array
}

export const branchPointOf = (options: BuiltInWorldOptions, saved: SavedWorld): BranchPoint => ({
  options,
  state: serialize(saved),
})

export const continueFrom = ({ options, state }: BranchPoint): BuiltInWorld =>
  createBuiltInWorld(options, deserialize(state) as SavedWorld)

/** Adds actions to a world, with times that count from now. The list fills as they are carried out. */
export function injectInto(world: BuiltInWorld, lines: readonly ActionLine[]): readonly ActionOutcome[] {
  const outcomes: ActionOutcome[] = []
  world.actions.onCarriedOut = (outcome) => outcomes.push(outcome)
  for (const { action, at } of lines)
    world.actions.inject({ action, at: world.now + (at ?? 0), label: 'what if' })
  return outcomes
}

/** The keys of the entities that actions were carried out on. */
export const rootsOf = (outcomes: readonly ActionOutcome[]): string[] =>
  outcomes.flatMap(({ entities }) => entities.map(({ kind, id }) => entityKey(kind, id ?? 0)))
