import type { CauseDiagnosis } from '../incidents/diagnosis/cause-diagnosis.ts'
import type { ObservedWorld } from '../state.ts'
import type { CustomerDefect } from '../tenants/tenant.ts'
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

/** A kind of fault, with all that follows from it. Each is one file in `kinds/` and one line in `kinds.ts`. */
export interface FaultKind {
  readonly origin: FaultOrigin
  /** Effects on the condition of the target. */
  readonly effects: Effects
  /** Faults that may follow while this one is active. */
  readonly aftereffects?: readonly Aftereffect[]
  /** Factor on the targeted customer's demand. */
  readonly demandFactor?: (fault: Fault, now: Micros) => number
  /** The defect of the targeted customer's service; the magnitude is the share of requests that it fails. */
  readonly customerDefect?: CustomerDefect
  /** Diagnostic knowledge about this kind. */
  readonly diagnosis: Omit<CauseDiagnosis, 'isShortage' | 'message'>
  readonly planRepair: RepairPlanner
  /** The words with which a team orders its repair; several kinds may share them. */
  readonly remedy: string
  /** Parts that the repair replaces, if any. */
  readonly repairRenews?: 'device' | 'disks'
  /** Whether upkeep of the target also ends the fault. */
  readonly upkeepEnds?: (fault: Fault) => boolean
  /** Many other devices depend on the target: its repair precedes others of the same priority. */
  readonly hasWideReach?: true
  /** Whether the fault explains shortages of links, fabrics and pools in its zones. */
  readonly explainsShortages?: true
  /** The scenario action that causes it; null if there is none. */
  readonly action: ActionRule | null
}

/** The cause of a fault, other than a scenario. */
type FaultOrigin =
  /** Random failure of a part, more frequent with age and wear. */
  | { readonly type: 'hazard'; hazardsIn(world: HazardWorld): readonly Hazard[] }
  /** Caused by users or attackers. */
  | { readonly type: 'external'; createSource(world: ObservedWorld): FaultSource }
  /** Demand above a capacity. */
  | { readonly type: 'shortage'; readonly search: ShortageSearch }

/** The origin of a kind that breaks parts by itself; without any, only scenarios cause it. */
export const hazard = (...hazards: readonly ((world: HazardWorld) => Hazard)[]): FaultOrigin => ({
  type: 'hazard',
  hazardsIn: (world) => hazards.map((one) => one(world)),
})

/** Draws whether a fault begins in this step, at a factor on the usual rate. */
export type FaultSource = (rate: number) => FaultSpec | null

/** A kind caused by demand alone. */
export interface ShortageKind extends FaultKind {
  readonly origin: Extract<FaultOrigin, { type: 'shortage' }>
  readonly action: null
}

/** Constraints of the scenario action that causes a fault. */
export interface ActionRule {
  readonly targets: readonly ActionTarget[]
  /** Null if the action has no magnitude. */
  readonly magnitude: { readonly min: number; readonly max: number; readonly defaultValue: number } | null
  readonly duration: 'none' | 'optional' | 'required'
  /** Whether a target of these kinds is applicable; omitted if every one is. */
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
