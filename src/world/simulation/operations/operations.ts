import type { CauseKind, WorkOrderKind } from '../../../contract/vocabularies.ts'
import { failedRequestThreshold } from '../incidents/monitors/customers.ts'
import { nameOf, rackOf, rowOf, zonesOf } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { RandomStream } from '../random.ts'
import { isDue, schedule } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { day, minute } from '../time.ts'
import {
  announceBlocked,
  announceFinished,
  announceInterrupted,
  reassign,
  announceTaken,
  noteTravel,
} from './announcements.ts'
import { Dispatcher } from './dispatcher.ts'
import type { OperationsView, WorkOrder, WorkOrderContext, WorkStep } from './work-order.ts'
import { createWorkOrder, createWorkStep } from './work-order.ts'
import type { WorkPlan } from '../work/plans.ts'
import { traceFailingRequestsStep, planDiagnosis, planOnboarding, planUpkeep } from './work-plans.ts'
import { isAt, isObsolete, isRemediedBy, repairs } from './scope.ts'
import { MaintenancePlanner } from './preventive-maintenance.ts'
import {
  isGraveBand,
  isMaintenanceWindow,
  onboardingPriority,
  priorityOf,
  teamPriority,
  upkeepPriority,
} from './priority.ts'
import type { FaultKind } from '../faults/fault-kind.ts'
import { planRemedy } from '../faults/remedies.ts'
import { labelBeside } from '../faults/repair.ts'
import type { Fault } from '../faults/model.ts'
import { inspectionInterval } from '../incidents/writers/timeline.ts'
import type { IncidentSummary } from '../incidents/model.ts'

/** Retention of finished work orders, a day longer than that of resolved incidents. */
export const finishedRetention: Micros = 2 * day
export const finishedMax = 500
/** Bound of open upkeep orders; other orders are bounded by their incidents and customers. */
const openUpkeepMax = 100

/** Time constant of the moving averages of wages and spare parts. */
const costAverageHours = 12

/**
 * Time after a finding or a repair before an incident is diagnosed again: of Watch and Minor, and of graver ones, whose
 * remedied symptoms have cleared by then.
 */
const rediagnoseAfterRepair: Micros = 20 * minute
const rediagnoseGraveAfterRepair: Micros = 3 * minute

/** Time for a fault's symptoms to determine its incident. */
const faultSettlingTime: Micros = 3 * minute

/** The fault kinds as operations knows them: planning and scope of repairs. */
type RepairKinds = Readonly<Record<CauseKind, Pick<FaultKind, 'planRepair' | 'hasWideReach'>>>

interface OperationsState {
  readonly dispatcher: Dispatcher['state']
  readonly maintenance: MaintenancePlanner['state']
  /** Oldest first. */
  readonly finished: WorkOrder[]
  /** Number of confirmations by diagnosis, by cause. */
  readonly confirmedCauses: Map<CauseKind, number>
  readonly completedByKind: Map<WorkOrderKind, number>
  completedByAutomation: number
  /** The last diagnosis or repair, by id of an incident that may need another diagnosis. */
  readonly lastWorked: Map<number, { readonly at: Micros; readonly isFound: boolean }>
  lastId: number
  costPerHour: number
  sparesPerHour: number
  activePerHour: number
}

/** Work orders: diagnosis and repair of incidents, upkeep and onboarding. */
export class Operations implements OperationsView {
  readonly state: OperationsState
  readonly dispatcher: Dispatcher
  readonly #world: WorldView
  readonly #kinds: RepairKinds
  readonly #maintenance: MaintenancePlanner
  readonly #random: RandomStream

  constructor(world: WorldView, kinds: RepairKinds) {
    this.#world = world
    this.#kinds = kinds
    this.#random = world.random.stream('work.remedies')
    this.#maintenance = new MaintenancePlanner(world.topology, world.random.stream('work.rounds'))
    this.dispatcher = new Dispatcher(world, {
      taken: (order, how) => announceTaken(world, this.dispatcher.roster, order, how),
      travels: (order) => noteTravel(world, this.dispatcher.roster, order),
      interrupted: (order, by) => announceInterrupted(world, this.dispatcher.roster, order, by),
      blocked: (order) => announceBlocked(world, this.dispatcher.roster, order),
      stepDone: (order, step) => this.#stepDone(order, step),
      finished: (order) => this.#orderFinished(order),
    })
    this.state = {
      dispatcher: this.dispatcher.state,
      maintenance: this.#maintenance.state,
      finished: [],
      confirmedCauses: new Map(),
      completedByKind: new Map(),
      completedByAutomation: 0,
      lastWorked: new Map(),
      lastId: 0,
      costPerHour: this.dispatcher.roster.standbyPerHour(0),
      sparesPerHour: 0,
      activePerHour: 0,
    }
  }

  get costPerHour(): number {
    return this.state.costPerHour
  }

  isOpen(orderId: number): boolean {
    return this.dispatcher.open.some(({ id }) => id === orderId)
  }

  get openOrders(): number {
    return this.dispatcher.open.length
  }

  get staffCount(): number {
    return this.dispatcher.roster.staff.filter(({ isGone }) => !isGone).length
  }

  staffOnShift(now: Micros): number {
    return this.dispatcher.roster.onShift(now)
  }

  #orderDiagnosis({ id, band, suspect }: Pick<IncidentSummary, 'id' | 'band' | 'suspect'>): void {
    const world = this.#world
    const name = suspect === null ? 'the affected customers' : nameOf(world, suspect)
    const plan = planDiagnosis(suspect, name, world.incidentControl.symptomOf(id, suspect))
    const about = { target: suspect, incidentId: id, priority: priorityOf(world.topology, band, suspect) }
    const left = this.dispatcher.open.find((one) => one.label === plan.label && isObsolete(world, one))
    if (left !== undefined) reassign(world, this.dispatcher.roster, left, id)
    else world.incidentControl.attachWorkOrder(id, this.order(plan, about).id)
  }

  orderOnboarding(customerId: number, units: number): number {
    const target: FaultTarget = { kind: 'Customer', id: customerId }
    return this.order(planOnboarding(nameOf(this.#world, target), units), {
      target,
      customerId,
      priority: onboardingPriority,
    }).id
  }

  orderRemedy(kinds: readonly CauseKind[], target: FaultTarget): WorkOrder | null {
    const own = this.dispatcher.open.find((order) => order.remedies?.[0] === kinds[0] && isAt(order, target))
    if (own !== undefined) return own
    const plan = planRemedy(this.#world, kinds[0], target, this.#random)
    this.#followFault(this.order(plan, { target, remedies: kinds, priority: teamPriority }))
    return null
  }

  get #isOnDuty(): boolean {
    return this.#world.now < (this.#world.handover ?? Infinity)
  }

  step(): void {
    const { now, tick } = this.#world
    const { state, dispatcher } = this
    const requests = this.#world.incidentControl.takeDiagnosisRequests()
    if (this.#isOnDuty) requests.forEach((request) => this.#orderDiagnosis(request))
    if (isDue(schedule.staffing, tick)) this.#updateHourly(now)
    this.callOff()
    if (isDue(schedule.workOrderReview, tick)) {
      this.#reviewOpenOrders()
      if (this.#isOnDuty) this.#rediagnose(now)
      state.activePerHour +=
        (dispatcher.roster.activePerHour() - state.activePerHour) / (60 * costAverageHours)
    }
    dispatcher.step()
  }

  order(plan: WorkPlan, about: Partial<WorkOrderContext> & { readonly priority: number }): WorkOrder {
    const target = about.target ?? null
    const zones = target === null ? [] : zonesOf(this.#world, target)
    const order = createWorkOrder(++this.state.lastId, this.#world.now, plan, {
      incidentId: null,
      fault: null,
      customerId: null,
      hasWideReach: false,
      ...about,
      target,
      zone: about.zone ?? zones[0] ?? -1,
      rack: (target === null ? null : rackOf(this.#world.topology, target)) ?? -1,
    })
    this.dispatcher.add(order)
    return order
  }

  #stepDone(order: WorkOrder, step: WorkStep): void {
    if (step.kind === 'Drain' && order.target?.kind === 'Host') {
      order.drainedHost = order.target.row
      this.#world.faults.setMaintenance(order.drainedHost, true)
    }
    if (order.kind === 'Diagnose' && step.kind === 'Inspect' && order.incidentId !== null && this.#isOnDuty) {
      this.#applyDiagnosis(order, order.incidentId)
    }
  }

  /** Orders repairs of the confirmed cause and of other visible faults behind the incident. */
  #applyDiagnosis(order: WorkOrder, incidentId: number): void {
    const { now, incidents, incidentControl, faults } = this.#world
    const incident = incidents.get(incidentId)
    const wasConfirmed = incident?.confirmed ?? false
    const isFirstInspection = order.steps.filter(({ kind }) => kind === 'Inspect').length === 1
    const cause = incidentControl.diagnose(incidentId, isFirstInspection ? order.target : null)
    if (cause === 'elsewhere') {
      order.steps.push(createWorkStep(traceFailingRequestsStep))
      return
    }
    this.state.lastWorked.set(incidentId, { at: now, isFound: cause !== null })
    if (cause === null) return
    if (!wasConfirmed && incident?.confirmed === true)
      this.state.confirmedCauses.set(cause.kind, (this.state.confirmedCauses.get(cause.kind) ?? 0) + 1)
    const activeFault = faults.active.find(({ id }) => id === cause.id)
    if (activeFault !== undefined) this.#ensureRepair(activeFault, incident)
    for (const fault of this.#visibleFaults(incidentId)) {
      // One order may repair several.
      const isOrdered = this.#repairOf(fault) !== undefined
      incidentControl.noteFinding(incidentId, fault, isOrdered)
      if (!isOrdered) this.#ensureRepair(fault, incident)
    }
  }

  #visibleFaults(incidentId: number): Fault[] {
    return this.#world.faults.active.filter(
      (fault) => fault.incidentId === incidentId && !fault.isDormant && this.#isVisible(fault),
    )
  }

  /** The open order whose completion ends a fault. */
  #repairOf(fault: Fault): WorkOrder | undefined {
    return this.dispatcher.open.find((order) => order.fault !== null && repairs(this.#world, order, fault))
  }

  /** Demand surges and attacks are visible only through their effect on the customer. */
  #isVisible({ target }: Fault): boolean {
    if (target.kind !== 'Customer') return true
    const tenant = this.#world.tenants.byId.get(target.id)
    return (
      tenant !== undefined && (tenant.failing >= failedRequestThreshold || tenant.p99Ms > tenant.p99BudgetMs)
    )
  }

  #ensureRepair(fault: Fault, incident: IncidentSummary | undefined): void {
    const existing = this.#repairOf(fault)
    if (existing !== undefined) return this.#followFault(existing)
    const order = this.#orderRepair(fault, incident)
    if (incident !== undefined) this.#world.incidentControl.attachWorkOrder(incident.id, order.id)
  }

  #orderRepair(fault: Fault, incident: IncidentSummary | undefined): WorkOrder {
    const name = nameOf(this.#world, fault.target)
    const { planRepair, hasWideReach = false } = this.#kinds[fault.kind]
    const plan = planRepair({ name, fault, topology: this.#world.topology }, this.#random)
    const label = labelBeside(plan.label, this.dispatcher.open)
    return this.order(
      { ...plan, label },
      {
        target: fault.target,
        fault,
        incidentId: incident?.id ?? null,
        hasWideReach,
        priority: priorityOf(this.#world.topology, incident?.band ?? 'Watch', fault.target),
      },
    )
  }

  #orderFinished(order: WorkOrder): void {
    const world = this.#world
    const { now, faults } = world
    const isCanceled = isObsolete(world, order)
    if (order.drainedHost !== -1) faults.setMaintenance(order.drainedHost, false)
    if (!isCanceled) this.#complete(order)
    if (order.incidentId !== null && order.kind !== 'Diagnose') {
      if (!isCanceled) world.incidentControl.noteRemedy(order.incidentId)
      this.state.lastWorked.set(order.incidentId, { at: now, isFound: true })
    }
    announceFinished(world, this.dispatcher.roster, order, isCanceled)
    this.state.finished.push(order)
    this.#dropOldOrders(now)
  }

  /** Applies the outcome of an order. */
  #complete(order: WorkOrder): void {
    const { faults, tenants, now } = this.#world
    this.state.completedByKind.set(order.kind, (this.state.completedByKind.get(order.kind) ?? 0) + 1)
    if (order.skill === null) this.state.completedByAutomation++
    if (order.fault !== null) faults.repair(order.fault)
    for (const fault of faults.active.filter((active) => isRemediedBy(order, active))) faults.repair(fault)
    if (order.remedies?.includes('HostDrained') === true) faults.endCampaigns(rowOf(order.target!))
    if (order.kind === 'Upkeep' && order.target !== null) {
      faults.renew(order.target)
      this.#maintenance.markRenewed(order.target, now)
    }
    if (order.customerId !== null) tenants.goLive(order.customerId)
  }

  #dropOldOrders(now: Micros): void {
    const { finished } = this.state
    let dropped = Math.max(0, finished.length - finishedMax)
    while (dropped < finished.length && now - (finished[dropped].resolved ?? now) > finishedRetention)
      dropped++
    finished.splice(0, dropped)
  }

  /** Calls obsolete orders off, before their incident is closed and after it. */
  callOff(): void {
    for (const order of this.dispatcher.open)
      if (isObsolete(this.#world, order)) this.dispatcher.cancel(order)
  }

  /** Updates the incident and the priority of orders. */
  #reviewOpenOrders(): void {
    for (const order of this.dispatcher.open) {
      this.#followFault(order)
      const incident = this.#world.incidents.get(order.incidentId ?? 0)
      if (incident !== undefined && order.remedies === undefined)
        order.priority = priorityOf(this.#world.topology, incident.band, order.target)
    }
  }

  /** A fault may be reattributed to another incident: its repair moves there. A team's order stays with an open one. */
  #followFault(order: WorkOrder): void {
    const { fault, remedies, target } = order
    const isSettled = remedies === undefined || this.#world.incidents.has(order.incidentId ?? 0)
    const seen = isSettled ? null : this.#world.incidentControl.about(target!)
    const incidentId = seen ?? fault?.incidentId ?? order.incidentId
    if (incidentId === null || incidentId === order.incidentId || !this.#world.incidents.has(incidentId))
      return
    reassign(this.#world, this.dispatcher.roster, order, incidentId)
  }

  /** Repeats the diagnosis of open incidents that have no open order, or an unrepaired fault. */
  #rediagnose(now: Micros): void {
    for (const [incidentId, { at, isFound }] of this.state.lastWorked) {
      const incident = this.#world.incidents.get(incidentId)
      if (incident === undefined) {
        this.state.lastWorked.delete(incidentId)
        continue
      }
      const repaired = isGraveBand(incident.band) ? rediagnoseGraveAfterRepair : rediagnoseAfterRepair
      // A remedied incident without symptoms only waits to be resolved.
      if (incident.confirmed && incident.quietSince !== null) continue
      if (now - at < (isFound ? repaired : inspectionInterval(incident.band))) continue
      const open = this.dispatcher.open.filter(({ id }) => incident.workOrderIds.includes(id))
      if (open.some(({ kind }) => kind === 'Diagnose')) continue
      const isPassing = (incident.root?.ended ?? null) !== null
      if ((open.length === 0 && !isPassing) || this.#hasNewFault(incidentId, now)) {
        const suspect = this.#world.incidentControl.diagnoseAgain(incidentId)
        this.#orderDiagnosis({ id: incidentId, band: incident.band, suspect })
        this.state.lastWorked.delete(incidentId)
      }
    }
  }

  /** Whether an unrepaired fault has been attributed to an incident for the settling time. */
  #hasNewFault(incidentId: number, now: Micros): boolean {
    return this.#visibleFaults(incidentId).some(
      (fault) => now - fault.began >= faultSettlingTime && this.#repairOf(fault) === undefined,
    )
  }

  #updateHourly(now: Micros): void {
    if (isMaintenanceWindow(now)) this.#orderDueUpkeep()
    const { roster, inventory } = this.dispatcher
    const { state } = this
    state.sparesPerHour += (inventory.takeSpending() - state.sparesPerHour) / costAverageHours
    state.costPerHour = roster.standbyPerHour(now) + state.activePerHour + state.sparesPerHour
    this.#dropOldOrders(now)
  }

  #orderDueUpkeep(): void {
    const open = this.dispatcher.open.filter(({ kind }) => kind === 'Upkeep')
    let count = open.length
    for (const { target, reason } of this.#maintenance.findDue(this.#world)) {
      if (count >= openUpkeepMax) return
      if (open.some((order) => isAt(order, target))) continue
      const plan = planUpkeep(target, nameOf(this.#world, target))
      const label = `${plan.label} (${reason})`
      this.order({ ...plan, label }, { target, priority: upkeepPriority })
      count++
    }
  }
}

export const createOperations = (world: WorldView, kinds: RepairKinds): Operations =>
  new Operations(world, kinds)
