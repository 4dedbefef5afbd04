import type { Blocking, CauseKind, WorkOrderKind, WorkStepKind } from '../../../contract/vocabularies.ts'
import type { Fault } from '../faults/model.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Micros } from '../time.ts'
import { minute, stepLength } from '../time.ts'
import type { Need, PlannedStep, Skill, WorkPlan } from '../work/plans.ts'

export interface WorkStep {
  readonly kind: WorkStepKind
  detail: string
  readonly needs: Need | null
  estimate: Micros
  began: Micros | null
  ended: Micros | null
}

export interface WorkOrder {
  readonly id: number
  readonly kind: WorkOrderKind
  label: string
  readonly skill: Skill | null
  readonly skillOptional: boolean
  readonly onSite: boolean
  readonly target: FaultTarget | null
  readonly zone: number
  readonly rack: number
  /** For a repair, the current incident of its fault. */
  incidentId: number | null
  /** Null for diagnosis, upkeep and onboarding. */
  readonly fault: Fault | null
  readonly customerId: number | null
  /** The kinds of faults that an order of a team repairs at its target, if there are any. Other orders have none. */
  readonly remedies?: readonly CauseKind[]
  /** Many other devices depend on the target. */
  readonly hasWideReach: boolean
  readonly ordered: Micros
  steps: WorkStep[]
  /** Lower is more urgent. */
  priority: number
  /** Index of the current or next step. */
  current: number
  /** Null between steps, and while the step is interrupted. */
  stepEnds: Micros | null
  /** Remaining time of an interrupted step; null for others. */
  stepLeft: Micros | null
  began: Micros | null
  progressed: Micros | null
  resolved: Micros | null
  /** The technician assigned last; 0 before the first assignment and for the automation. */
  technicianId: number
  /** Whether a technician or an automation slot is working on it. */
  isAssigned: boolean
  blocking: Blocking | null
  blockedSince: Micros
  /** Expected end of the wait; null if unknown. */
  waitsUntil: Micros | null
  /** The expected end of the wait as it was told last, and whether that is a call-out. */
  toldUntil: Micros | null
  isCallOutTold: boolean
  /** Whether the need of the current step is met. */
  needMet: boolean
  /** Whether a courier brings the awaited part. */
  isExpedited: boolean
  /** The host drained for this order; -1 for none. */
  drainedHost: number
  /** Increases with every change. */
  version: number
}

/** Durations are multiples of the world's step. */
export const roundUpToStep = (span: Micros): Micros => Math.max(1, Math.ceil(span / stepLength)) * stepLength

export const createWorkStep = ({ kind, detail, minutes, needs }: PlannedStep): WorkStep => ({
  kind,
  detail,
  needs: needs ?? null,
  estimate: roundUpToStep(minutes * minute),
  began: null,
  ended: null,
})

export interface WorkOrderContext {
  readonly target: FaultTarget | null
  readonly zone: number
  readonly rack: number
  readonly incidentId: number | null
  readonly fault: Fault | null
  readonly customerId: number | null
  readonly remedies?: readonly CauseKind[]
  readonly hasWideReach: boolean
  readonly priority: number
}

export function createWorkOrder(id: number, now: Micros, plan: WorkPlan, about: WorkOrderContext): WorkOrder {
  return {
    ...about,
    id,
    kind: plan.kind,
    label: plan.label,
    skill: plan.skill,
    skillOptional: plan.skillOptional ?? false,
    onSite: plan.onSite,
    ordered: now,
    steps: plan.steps.map(createWorkStep),
    current: 0,
    stepEnds: null,
    stepLeft: null,
    began: null,
    progressed: null,
    resolved: null,
    technicianId: 0,
    isAssigned: false,
    blocking: null,
    blockedSince: 0,
    waitsUntil: null,
    toldUntil: null,
    isCallOutTold: false,
    needMet: false,
    isExpedited: false,
    drainedHost: -1,
    version: 1,
  }
}

/** Whether the order belongs to an incident rather than to a team, to upkeep or to a customer. */
export const isOfOperators = ({ fault, kind }: WorkOrder): boolean => fault !== null || kind === 'Diagnose'

/** The interface of operations to other parts. */
export interface OperationsView {
  /** Orders the onboarding of a customer, which goes live on completion. Returns the order's id. */
  orderOnboarding(customerId: number, units: number): number
  /**
   * Orders a repair of faults of these kinds, which share a plan, on behalf of a team; or returns the open order that does
   * the same there already.
   */
  orderRemedy(kinds: readonly CauseKind[], target: FaultTarget): Pick<WorkOrder, 'label' | 'ordered'> | null
  readonly staffCount: number
  staffOnShift(now: Micros): number
  readonly openOrders: number
  /** Moving average of wages and spare parts, in dollars per simulated hour. */
  readonly costPerHour: number
}

/** The expected end of work that is under way. */
export const endOf = ({ stepEnds, steps, current }: WorkOrder, count = steps.length): Micros =>
  steps.slice(current + 1, count).reduce((end, { estimate }) => end + estimate, stepEnds ?? Infinity)

/** When its technician is expected to be free: who has to wait for a vendor is. */
export function freeAt(order: WorkOrder): Micros {
  const wait = order.steps.findIndex(({ needs }, at) => at > order.current && needs?.kind === 'Vendor')
  return endOf(order, wait < 0 ? undefined : wait)
}

export function addCallOutTime(step: WorkStep, travelTime: Micros): void {
  step.detail = `Come in from home, then ${step.detail[0].toLowerCase()}${step.detail.slice(1)}`
  step.estimate += roundUpToStep(travelTime)
}

/** By priority; within a priority, orders with wide reach first. */
export const sortByPriority = (orders: readonly WorkOrder[]): WorkOrder[] =>
  orders.toSorted(
    (a, b) => a.priority - b.priority || Number(b.hasWideReach) - Number(a.hasWideReach) || a.id - b.id,
  )
