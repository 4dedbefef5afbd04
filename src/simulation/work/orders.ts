import type { Blocking, WorkOrderKind, WorkStepKind } from '../../contract/vocabularies.ts'
import type { Fault, FaultTarget } from '../state.ts'
import { type Micros, minute, stepLength } from '../time.ts'
import type { PartKind } from './spares.ts'
import type { Skill } from './staff.ts'

/** What must be there before a step can begin. */
export type Need =
  | { readonly kind: 'Spare'; readonly part: PartKind }
  | { readonly kind: 'Vendor'; readonly minutes: readonly [number, number] }
  | { readonly kind: 'Access' }

/** A step as a plan states it. */
export interface PlannedStep {
  readonly kind: WorkStepKind
  readonly detail: string
  /** How long it usually takes, in minutes. */
  readonly minutes: number
  readonly needs?: Need
}

export interface Plan {
  readonly kind: WorkOrderKind
  readonly label: string
  /** Who can do it; null for the automation. */
  readonly skill: Skill | null
  /** Whether anybody may do it, slower, while nobody with the skill is on shift. */
  readonly anybody?: boolean
  /** Whether somebody has to stand in front of it. */
  readonly onSite: boolean
  readonly steps: readonly PlannedStep[]
}

export interface Step {
  readonly kind: WorkStepKind
  detail: string
  readonly needs: Need | null
  estimate: Micros
  began: Micros | null
  ended: Micros | null
}

export interface Order {
  readonly id: number
  readonly kind: WorkOrderKind
  label: string
  readonly skill: Skill | null
  readonly anybody: boolean
  readonly onSite: boolean
  readonly target: FaultTarget | null
  readonly zone: number
  readonly rack: number
  /** Of a repair, the incident that its fault is behind now. */
  incidentId: number | null
  /** What it repairs; null for a diagnosis, upkeep and onboarding. */
  readonly fault: Fault | null
  readonly customerId: number | null
  readonly ordered: Micros
  readonly steps: Step[]
  /** Lower is sooner. */
  priority: number
  current: number
  /** When the step under way ends; null while none is. */
  stepEnds: Micros | null
  began: Micros | null
  progressed: Micros | null
  resolved: Micros | null
  /** Id of who does it, or did last; 0 for nobody yet and for the automation. */
  memberId: number
  /** Whether somebody, or a slot of the automation, is on it now. */
  inHand: boolean
  blocking: Blocking | null
  /** Since when it has been blocked. */
  blockedSince: Micros
  /** When what it waits for will be there; null where that cannot be told. */
  waitsUntil: Micros | null
  /** What the step under way, or the next one, needs is there. */
  provided: boolean
  /** The part that it waits for comes by courier. */
  rushed: boolean
  /** The host that it took out of service; -1 for none. */
  drainedHost: number
  /** Goes up with every change. */
  version: number
}

/** People and machines work to the step of the world. */
export const wholeSteps = (span: Micros): Micros => Math.max(1, Math.ceil(span / stepLength)) * stepLength

export const stepOf = ({ kind, detail, minutes, needs }: PlannedStep): Step => ({
  kind,
  detail,
  needs: needs ?? null,
  estimate: wholeSteps(minutes * minute),
  began: null,
  ended: null,
})

export interface OrderFor {
  readonly target: FaultTarget | null
  readonly zone: number
  readonly rack: number
  readonly incidentId: number | null
  readonly fault: Fault | null
  readonly customerId: number | null
  readonly priority: number
}

export function makeOrder(id: number, now: Micros, plan: Plan, about: OrderFor): Order {
  return {
    ...about,
    id,
    kind: plan.kind,
    label: plan.label,
    skill: plan.skill,
    anybody: plan.anybody ?? false,
    onSite: plan.onSite,
    ordered: now,
    steps: plan.steps.map(stepOf),
    current: 0,
    stepEnds: null,
    began: null,
    progressed: null,
    resolved: null,
    memberId: 0,
    inHand: false,
    blocking: null,
    blockedSince: 0,
    waitsUntil: null,
    provided: false,
    rushed: false,
    drainedHost: -1,
    version: 1,
  }
}
