import type { RootKind, WorkOrderKind } from '../../contract/vocabularies.ts'
import { failingTold } from '../faults/monitor-customers.ts'
import { nameOf, rackOf, sameTarget, zonesOf } from '../faults/targets.ts'
import type { RandomStream } from '../random.ts'
import type { Fault, FaultTarget, IncidentView, WorkDesk, WorldState } from '../state.ts'
import { day, hour, type Micros, minute } from '../time.ts'
import { announceBlocked, announceFinished, announceGoesOn, announceStarted } from './announcements.ts'
import { Floor, isQuiet, upkeepPriority } from './floor.ts'
import { makeOrder, type Order, type OrderFor, type Plan, type Step, stepOf } from './orders.ts'
import { followTrail, planDiagnosis, planOnboarding, planUpkeep } from './plans.ts'
import { remedyFor } from './remedies.ts'
import { Rounds } from './rounds.ts'
import { urgencyOf } from './urgency.ts'

/** Finished work orders are kept this long, a day longer than incidents that are over, and at most so many. */
export const finishedKeptFor: Micros = 2 * day
export const finishedKeptMost = 500
/** Upkeep waits its turn in a list no longer than this. All other orders are as many as what calls for them. */
export const openUpkeepMost = 100

const onboardingPriority = 4

/** Costs that come and go are told as a mean over about so many hours. */
const lately = 12

/** An incident that is still open so long after work for it ended is looked into again. */
const lookAgainAfter: Micros = 20 * minute
const lookAgainWhenNothingFound: Micros = 2 * hour

export class Work implements WorkDesk {
  readonly floor: Floor
  /** Oldest first. */
  readonly finished: Order[] = []
  /** How often each kind of fault was found to be the cause. */
  readonly confirmed = new Map<RootKind, number>()
  /** Orders carried out since the world began, by kind. */
  readonly carriedOut = new Map<WorkOrderKind, number>()
  carriedOutByAutomation = 0
  costPerHour = 0
  private readonly state: WorldState
  private readonly rounds: Rounds
  private readonly remedies: RandomStream
  private readonly lookAgainAt = new Map<number, Micros>()
  private lastId = 0
  private sparesPerHour = 0
  private activePerHour = 0

  constructor(state: WorldState) {
    this.state = state
    this.remedies = state.random.stream('work.remedies')
    this.rounds = new Rounds(state.plant, state.random.stream('work.rounds'))
    this.floor = new Floor(state, {
      started: (order) => announceStarted(state, this.floor.crew, order),
      blocked: (order) => announceBlocked(state, order),
      stepDone: (order, step) => this.stepDone(order, step),
      finished: (order) => this.orderFinished(order),
    })
    this.costPerHour = this.floor.crew.standbyPerHour(0)
  }

  get openOrders(): number {
    return this.floor.open.length
  }

  get staffCount(): number {
    return this.floor.crew.staff.length
  }

  staffOnShift(now: Micros): number {
    return this.floor.crew.onShift(now)
  }

  orderForIncident(incident: IncidentView): number {
    const { suspect } = incident
    const name = suspect === null ? 'what customers see' : nameOf(this.state, suspect)
    return this.order(planDiagnosis(suspect, name), {
      target: suspect,
      incidentId: incident.id,
      priority: urgencyOf(this.state.plant, incident.band, suspect),
    }).id
  }

  orderOnboarding(customerId: number, units: number): number {
    const target: FaultTarget = { kind: 'Customer', id: customerId }
    return this.order(planOnboarding(nameOf(this.state, target), units), {
      target,
      customerId,
      priority: onboardingPriority,
    }).id
  }

  orderUpkeep(target: FaultTarget, reason: string): number {
    const open = this.floor.open.find(
      (order) => order.kind === 'Upkeep' && order.target !== null && sameTarget(order.target, target),
    )
    if (open !== undefined) return open.id
    const plan = planUpkeep(target, nameOf(this.state, target))
    if (plan === null) throw new Error(`there is no upkeep for a ${target.kind}`)
    return this.order({ ...plan, label: `${plan.label} (${reason})` }, { target, priority: upkeepPriority })
      .id
  }

  step(): void {
    const { now } = this.state
    if (now % hour === 0) this.everyHour(now)
    if (now % minute === 0) {
      this.reviewOpenOrders()
      this.lookAgain(now)
      this.activePerHour += (this.floor.crew.activePerHour() - this.activePerHour) / (60 * lately)
    }
    this.floor.step()
  }

  private order(plan: Plan, about: Partial<OrderFor> & { readonly priority: number }): Order {
    const target = about.target ?? null
    const zones = target === null ? [] : zonesOf(this.state, target)
    const order = makeOrder(++this.lastId, this.state.now, plan, {
      incidentId: null,
      fault: null,
      customerId: null,
      ...about,
      target,
      zone: zones[0] ?? -1,
      rack: (target === null ? null : rackOf(this.state.plant, target)) ?? -1,
    })
    this.floor.add(order)
    return order
  }

  private stepDone(order: Order, step: Step): void {
    if (step.kind === 'Drain' && order.target?.kind === 'Host') {
      order.drainedHost = order.target.row
      this.state.faults.maintain(order.drainedHost, true)
    }
    if (order.kind === 'Diagnose' && step.kind === 'Inspect' && order.incidentId !== null) {
      this.actOnDiagnosis(order, order.incidentId)
    }
  }

  /** What is found to be at fault is repaired, and what else is broken there, once for all incidents. */
  private actOnDiagnosis(order: Order, incidentId: number): void {
    const { now, incidents, faults } = this.state
    const incident = incidents.get(incidentId)
    const wasConfirmed = incident?.confirmed ?? false
    const isFirstLook = order.steps.filter(({ kind }) => kind === 'Inspect').length === 1
    const found = faults.diagnose(incidentId, isFirstLook ? order.target : null)
    if (found === 'elsewhere') {
      order.steps.push(stepOf(followTrail))
      return
    }
    this.lookAgainAt.set(incidentId, now + (found === null ? lookAgainWhenNothingFound : lookAgainAfter))
    if (found === null) return
    const isNews = !wasConfirmed && (incident?.confirmed ?? false)
    if (isNews) this.confirmed.set(found.kind, (this.confirmed.get(found.kind) ?? 0) + 1)
    if (found.ended === null) this.seeTo(found, incident)
    for (const fault of this.untended(incidentId)) this.seeTo(fault, incident)
  }

  /** What is wrong behind an incident and worked on by no open order, as far as anybody can see it. */
  private untended(incidentId: number): Fault[] {
    return this.state.faults.active.filter(
      (fault) =>
        fault.incidentId === incidentId &&
        this.isSeen(fault) &&
        !this.floor.open.some((order) => order.fault === fault),
    )
  }

  /** Nobody sees a rush or an attack on customers before they feel it. */
  private isSeen({ target }: Fault): boolean {
    if (target.kind !== 'Customer') return true
    const tenant = this.state.tenants.byId.get(target.id)
    return tenant !== undefined && (tenant.failing >= failingTold || tenant.p99Ms > tenant.p99BudgetMs)
  }

  private seeTo(fault: Fault, incident: IncidentView | undefined): void {
    const underway = this.floor.open.find((order) => order.fault === fault)
    const order = underway ?? this.orderRemedy(fault, incident)
    if (incident !== undefined && !incident.workOrderIds.includes(order.id))
      incident.workOrderIds.push(order.id)
  }

  private orderRemedy(fault: Fault, incident: IncidentView | undefined): Order {
    const name = nameOf(this.state, fault.target)
    const plan = remedyFor({ name, fault, plant: this.state.plant }, this.remedies)
    return this.order(plan, {
      target: fault.target,
      fault,
      incidentId: incident?.id ?? null,
      priority: urgencyOf(this.state.plant, incident?.band ?? 'Watch', fault.target),
    })
  }

  private orderFinished(order: Order): void {
    const { state } = this
    const { now, faults } = state
    const calledOff = isObsolete(state, order)
    if (order.drainedHost !== -1) faults.maintain(order.drainedHost, false)
    if (!calledOff) this.carryOut(order)
    if (order.incidentId !== null && order.kind !== 'Diagnose') {
      this.lookAgainAt.set(order.incidentId, now + lookAgainAfter)
    }
    announceFinished(state, this.floor.crew, order, calledOff)
    this.finished.push(order)
    this.dropOld(now)
  }

  /** What finishing the order brings about. */
  private carryOut(order: Order): void {
    const { faults, tenants, now } = this.state
    this.carriedOut.set(order.kind, (this.carriedOut.get(order.kind) ?? 0) + 1)
    if (order.skill === null) this.carriedOutByAutomation++
    if (order.fault !== null) faults.repair(order.fault)
    if (order.kind === 'Upkeep' && order.target !== null) {
      faults.renew(order.target)
      this.rounds.done(order.target, now)
    }
    if (order.customerId !== null) tenants.goLive(order.customerId)
  }

  private dropOld(now: Micros): void {
    let tooOld = Math.max(0, this.finished.length - finishedKeptMost)
    while (tooOld < this.finished.length && now - (this.finished[tooOld].resolved ?? now) > finishedKeptFor)
      tooOld++
    this.finished.splice(0, tooOld)
  }

  /** Calls off what is no longer needed, and gives the rest the urgency that it now has. */
  private reviewOpenOrders(): void {
    for (const order of this.floor.open) {
      if (isObsolete(this.state, order)) this.floor.callOff(order)
      else if (order.incidentId !== null) {
        this.follow(order)
        const incident = this.state.incidents.get(order.incidentId)
        if (incident !== undefined) order.priority = urgencyOf(this.state.plant, incident.band, order.target)
      }
    }
  }

  /** What is left of one incident may show up as another: the repair that is under way is for that one. */
  private follow(order: Order): void {
    const now = order.fault?.incidentId ?? order.incidentId
    const incident = now === null ? undefined : this.state.incidents.get(now)
    if (now === order.incidentId || incident === undefined) return
    order.incidentId = now
    order.version++
    announceGoesOn(this.state, this.floor.crew, order)
    if (!incident.workOrderIds.includes(order.id)) incident.workOrderIds.push(order.id)
  }

  /** An incident that nobody works on any more, or to which something has come that nobody works on. */
  private lookAgain(now: Micros): void {
    for (const [incidentId, at] of this.lookAgainAt) {
      if (at > now) continue
      const incident = this.state.incidents.get(incidentId)
      if (incident === undefined) this.lookAgainAt.delete(incidentId)
      else if (!this.isBeingWorkedOn(incident) || this.untended(incidentId).length > 0) {
        incident.workOrderIds.push(this.orderForIncident(incident))
        this.lookAgainAt.delete(incidentId)
      }
    }
  }

  private isBeingWorkedOn(incident: IncidentView): boolean {
    return this.floor.open.some((order) => incident.workOrderIds.includes(order.id))
  }

  private everyHour(now: Micros): void {
    if (isQuiet(now)) this.orderDueUpkeep()
    const { crew, shelf } = this.floor
    this.sparesPerHour += (shelf.spent - this.sparesPerHour) / lately
    shelf.spent = 0
    this.costPerHour = crew.standbyPerHour(now) + this.activePerHour + this.sparesPerHour
    this.dropOld(now)
  }

  private orderDueUpkeep(): void {
    let open = this.floor.open.filter(({ kind }) => kind === 'Upkeep').length
    for (const { target, reason } of this.rounds.due(this.state)) {
      if (open >= openUpkeepMost) return
      const newest = this.lastId
      this.orderUpkeep(target, reason)
      if (this.lastId > newest) open++
    }
  }
}

/** Whether what the order was for has gone away by itself. */
function isObsolete(state: WorldState, order: Order): boolean {
  if (order.fault !== null) return order.fault.ended !== null
  if (order.customerId !== null) return !state.tenants.byId.has(order.customerId)
  if (order.kind !== 'Diagnose' || order.incidentId === null || state.incidents.has(order.incidentId))
    return false
  return !state.faults.active.some((fault) => fault.incidentId === order.incidentId)
}

/** Sets up staff, spares and automation; the state needs its plant and random streams alone. */
export const createWork = (state: WorldState): Work => new Work(state)
