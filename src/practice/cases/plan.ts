/** The actions of each case follow from the seed of its world and its number there. */
import { threatClasses } from '../../contract/vocabularies.ts'
import { RandomStream, stepSeconds } from '../../world/built-in-world.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import { actionRules, breakingActions, parseActionLine } from '../../world/scenario-language.ts'
import type { ActionLine } from '../../world/scenario-language.ts'

/** The subject of a case: a fault, two of them, work or demand that hurts no customer, or nothing. */
export type CaseSort = 'fault' | 'overlapping' | 'busy' | 'healthy'

type Targets = Pick<BuiltInWorld, 'targetCount'>

export interface CasePlan {
  readonly sort: CaseSort
  /** Their times count from the beginning of the window. */
  readonly actions: readonly ActionLine[]
  /** Whether telemetry is missing. */
  readonly isIncomplete: boolean
  /** Draws which telemetry is missing. */
  readonly random: RandomStream
}

/** The kinds of faults that cases are about. */
export const caseKinds: readonly string[] = breakingActions

export const windowSeconds = 7_200
/** Nothing is done before this time. */
export const calmSeconds = 1_800
const lastSeconds = 4_200
/** The second of two faults begins within this time after the first. */
const apartSeconds = 900

/**
 * Sorts by their share of the candidates, in percent. Most overlapping faults are discarded, as one of them hurts no
 * customer.
 */
const sortShares: readonly (readonly [CaseSort, number])[] = [
  ['fault', 50],
  ['overlapping', 42],
  ['busy', 4],
  ['healthy', 4],
]

function sortOf(draw: number): CaseSort {
  let below = 0
  for (const [sort, share] of sortShares) {
    below += share
    if (draw < below) return sort
  }
  return 'healthy'
}

export function planCase(seed: bigint, number: number, world: Targets): CasePlan {
  const random = new RandomStream(seed, `case ${number}`)
  const stepBelow = (seconds: number): number => stepSeconds * random.below(seconds / stepSeconds)
  const sort = sortOf(random.below(100))
  const first = calmSeconds + stepBelow(lastSeconds - calmSeconds)
  const second = first + stepSeconds + stepBelow(apartSeconds)
  const times = { fault: [first], overlapping: [first, second], busy: [first], healthy: [] }[sort]
  const actions = times.map((seconds) => drawAction(random, world, sort === 'busy', seconds))
  return { sort, actions, isIncomplete: random.below(4) === 0, random }
}

/** Everything that matches an action is equally likely, so that no name makes an entity suspect. */
function drawAction(random: RandomStream, world: Targets, isHarmless: boolean, seconds: number): ActionLine {
  for (;;) {
    const name = random.pick(isHarmless ? (['Drain', 'DemandSurge'] as const) : breakingActions)
    const { targets, magnitude, duration } = actionRules[name]
    const target = { kind: random.pick(targets) }
    const most = magnitude?.max ?? 0
    const json = {
      do: name,
      ...(magnitude !== null && {
        // Both supplies fail: one of two hurts no customer.
        magnitude:
          name === 'PowerSupplyFailure'
            ? most
            : Math.min(most, magnitude.defaultValue * random.uniform(1, 2)),
      }),
      ...(duration === 'required' && { for: `${random.between(20, 60)}m` }),
      ...(name === 'Attack' && { class: random.pick(threatClasses) }),
      at: `${seconds}s`,
    }
    const lineAt = (pick: number): ActionLine => lineOf({ ...json, target: { ...target, pick } })
    const { action } = lineAt(1)
    const count = 'action' in action ? world.targetCount(action) : 0
    if (count > 0) return lineAt(1 + random.below(count))
  }
}

function lineOf(json: object): ActionLine {
  const parsed = parseActionLine(JSON.stringify(json))
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return parsed.line
}
