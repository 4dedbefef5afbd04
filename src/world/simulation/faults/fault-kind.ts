import type { CauseDiagnosis } from '../incidents/diagnosis/cause-diagnosis.ts'
import type { ObservedWorld } from '../state.ts'
import type { Micros } from '../time.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import { targetKinds } from '../topology/fault-target.ts'
import type { Effects } from './effects.ts'
import type { Aftereffect } from './hazards/aftereffects.ts'
import type { Hazard } from './hazards/hazards.ts'
import type { HazardWorld } from '../state.ts'
import type { Fault, FaultSpec } from './model.ts'
import type { RepairPlanner } from './repair.ts'
import type { ShortageSearch } from './shortages.ts'

/** What can break, and everything that follows from it. Each kind is one file in `kinds/` and one line in `kinds.ts`. */
export interface FaultKind {
  readonly origin: FaultOrigin
  /** What it changes in the condition of its target. */
  readonly effects: Effects
  /** The faults that it may bring about while it lasts. */
  readonly aftereffects?: readonly Aftereffect[]
  /** Factor on the demand of the customer that it targets. */
  readonly demandFactor?: (fault: Fault, now: Micros) => number
  /** What incident response knows of it. */
  readonly diagnosis: Omit<CauseDiagnosis, 'isShortage'>
  readonly planRepair: RepairPlanner
  /** Given if its repair puts in something new. */
  readonly repairRenews?: 'device' | 'disks'
  /** Whether upkeep of its target ends it as well. */
  readonly upkeepEnds?: (fault: Fault) => boolean
  /** Much else depends on what breaks: its repair precedes others of the same priority. */
  readonly hasWideReach?: true
  /** Whether it accounts for links, fabrics and pools that run short in its zones. */
  readonly explainsShortages: boolean
  /** How a scenario may bring it about; null if it cannot. */
  readonly action: ActionRule | null
}

/** What brings a fault about, other than a scenario. */
type FaultOrigin =
  /** Parts fail at random, more often as they age and wear. */
  | { readonly type: 'hazard'; hazardsIn(world: HazardWorld): readonly Hazard[] }
  /** Users or attackers. */
  | { readonly type: 'external'; createSource(world: ObservedWorld): FaultSource }
  /** Demand that exceeds a capacity. */
  | { readonly type: 'shortage'; readonly search: ShortageSearch }

/** Draws whether a fault begins in this step, at a factor on the usual rate. */
export type FaultSource = (rate: number) => FaultSpec | null

/** A kind that only demand brings about. */
export interface ShortageKind extends FaultKind {
  readonly origin: Extract<FaultOrigin, { type: 'shortage' }>
  readonly action: null
}

/** What a scenario may do to bring a fault about. */
export interface ActionRule {
  readonly targets: readonly ActionTarget[]
  /** Null if the action has no magnitude. */
  readonly magnitude: { readonly min: number; readonly max: number; readonly defaultValue: number } | null
  readonly duration: 'none' | 'optional' | 'required'
  /** Whether it can happen to a target of these kinds; to every one if left out. */
  readonly applies?: (world: ObservedWorld, target: Exclude<FaultTarget, { kind: 'Customer' }>) => boolean
}

export type ActionTarget = Exclude<FaultTarget['kind'], 'Pool'>
export const actionTargets: readonly ActionTarget[] = targetKinds.filter((kind) => kind !== 'Pool')

export const failure = (...targets: ActionTarget[]): ActionRule => ({
  targets,
  magnitude: null,
  duration: 'optional',
})

export const degradation = (
  min: number,
  max: number,
  defaultValue: number,
  ...targets: ActionTarget[]
): ActionRule => ({ targets, magnitude: { min, max, defaultValue }, duration: 'optional' })

export const pressure = (min: number, max: number, defaultValue: number): ActionRule => ({
  targets: ['Customer'],
  magnitude: { min, max, defaultValue },
  duration: 'required',
})
