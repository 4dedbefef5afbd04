import type { CauseKind } from '../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../state.ts'
import type { Effects } from './effects.ts'
import { applyEffects } from './effects.ts'
import { phaseLength } from './hazards/rhythm.ts'
import type { Fault } from './model.ts'

/** Switches the intermittent faults at the end of a phase to the next one. */
export function stepIntermittentFaults(
  world: ObservedWorld,
  kinds: Readonly<Record<CauseKind, { readonly effects: Effects }>>,
  active: readonly Fault[],
): void {
  for (const fault of active) {
    if (fault.rhythm === null || fault.turnsAt === null || fault.turnsAt > world.now) continue
    fault.isDormant = !fault.isDormant
    fault.turnsAt =
      world.now + phaseLength(fault.rhythm, fault.isDormant, world.random.stream('faults.rhythm').fraction())
    applyEffects(kinds, world.condition, fault.target, active)
  }
}
