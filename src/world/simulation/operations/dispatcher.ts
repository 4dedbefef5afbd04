import type { Blocking } from '../../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { day, hour, minute } from '../time.ts'
import type { Skill } from '../work/plans.ts'
import type { TakenKey } from './announcements.ts'
import {
  callOutAt,
  isCallOutDue,
  isGrave,
  isMaintenanceWindow,
  isToldWaitOver,
  technicianWaits,
  upkeepPriority,
  waitsForFeeds,
  waitsForTechnician,
} from './priority.ts'
import { RackAccess } from './rack-access.ts'
import { Roster } from './roster.ts'
import type { WorkOrder, WorkStep } from './work-order.ts'
import { addCallOutTime, endOf, freeAt, roundUpToStep, sortByPriority } from './work-order.ts'
import { SpareInventory } from './inventory.ts'
import type { Technician } from './technicians.ts'
import { hasSkill } from './technicians.ts'

/** Maximum wait for a spare part before a courier is ordered, by priority. */
const courierAfter: readonly Micros[] = [0, 0, hour, 5 * hour]
/** Maximum wait for a busy technician before the order states it. */
const busyUnstatedMax: Micros = minute
/** Minimum distance of priorities at which work is interrupted for an order of Major or Critical. */
const interruptingDistance = 2
/** Work that ends within this time is not interrupted. */
const uninterruptedRest: Micros = 5 * minute

/** Maximum wait of upkeep for its window. */
const upkeepWaitMax: Micros = day

/** Range of the actual duration, as a factor on the estimate. */
const durationFactorMin = 0.7
const durationFactorMax = 1.5
/** Duration factor of a technician without the skill. */
const unskilledFactor = 1.6

interface Outcomes {
  /** Called when an order is begun, handed over to another technician, or taken up again after a wait. */
  taken(order: WorkOrder, how: TakenKey): void
  /** Called when the technician of an order sets out after other steps, and on arrival. */
  travels(order: WorkOrder): void
  /** Called before the technician leaves an order for a more urgent one. */
  interrupted(order: WorkOrder, by: WorkOrder): void
  blocked(order: WorkOrder): void
  stepDone(order: WorkOrder, step: WorkStep): void
  finished(order: WorkOrder): void
}

interface DispatcherState {
  readonly roster: Roster['state']
  readonly inventory: SpareInventory['state']
  readonly access: RackAccess['state']
  /** Unfinished orders, ascending by id; replaced when an order is closed. */
  open: WorkOrder[]
  /** The earliest end of a current step. */
  nextEnd: Micros
  /** Whether an order was added or unblocked, or a technician was released, in this step. */
  assignmentDue: boolean
}

/** Assigns technicians, automation slots and spare parts to work orders, and executes their steps. */
export class Dispatcher {
  readonly state: DispatcherState
  readonly roster: Roster
  readonly inventory: SpareInventory
  readonly #access: RackAccess
  readonly #durations: RandomStream
  readonly #vendors: RandomStream
  readonly #outcomes: Outcomes
  readonly #world: WorldView

  constructor(world: WorldView, outcomes: Outcomes) {
    const { topology, random } = world
    this.#world = world
    this.#outcomes = outcomes
    this.roster = new Roster(topology, random.stream('work.staff'))
    this.inventory = new SpareInventory(topology, random.stream('work.deliveries'))
    this.#access = new RackAccess(random.stream('work.escorts'))
    this.#durations = random.stream('work.durations')
    this.#vendors = random.stream('work.vendors')
    this.state = {
      roster: this.roster.state,
      inventory: this.inventory.state,
      access: this.#access.state,
      open: [],
      nextEnd: Infinity,
      assignmentDue: false,
    }
  }

  get open(): readonly WorkOrder[] {
    return this.state.open
  }

  add(order: WorkOrder): void {
    this.state.open.push(order)
    this.state.assignmentDue = true
  }

  step(): void {
    const { now } = this.#world
    if (now >= this.state.nextEnd) this.#endSteps(now)
    const wholeMinute = now % minute === 0
    if (wholeMinute) {
      this.inventory.receive(now)
      this.#retryBlocked(now)
    }
    if (this.state.assignmentDue || wholeMinute) this.#assignWaiting(now)
  }

  /** Closes an order in its current step. Drops steps that were not started. */
  cancel(order: WorkOrder): void {
    const { now } = this.#world
    const step = order.steps[order.current]
    if (step.began !== null) {
      step.ended = now
      order.current++
    }
    order.steps.length = order.current
    this.#close(order, now)
  }

  #endSteps(now: Micros): void {
    this.state.nextEnd = Infinity
    // Orders added during the loop have no current step; closing an order replaces the list, not this reference.
    for (const order of this.state.open) {
      if (order.stepEnds === null) continue
      if (order.stepEnds <= now) this.#endStep(order, now)
      else this.state.nextEnd = Math.min(this.state.nextEnd, order.stepEnds)
    }
  }

  #endStep(order: WorkOrder, now: Micros): void {
    const step = order.steps[order.current]
    step.ended = now
    order.current++
    order.progressed = now
    order.stepEnds = null
    order.needMet = false
    order.version++
    this.#outcomes.stepDone(order, step)
    if (order.current === order.steps.length) this.#close(order, now)
    else {
      this.#beginStep(order, now, 0)
      const isTravel = [step, order.steps[order.current]].some(({ kind }) => kind === 'Travel')
      if (order.stepEnds !== null && isTravel) this.#outcomes.travels(order)
    }
  }

  #close(order: WorkOrder, now: Micros): void {
    order.resolved = now
    order.progressed = now
    order.stepEnds = null
    order.blocking = null
    order.version++
    this.#release(order)
    this.#access.close(order.id, order.rack)
    this.state.open = this.state.open.filter((other) => other !== order)
    this.state.assignmentDue = true
    this.#outcomes.finished(order)
  }

  #beginStep(order: WorkOrder, now: Micros, extra: Micros): void {
    if (!order.needMet) {
      const blocking = this.#meetNeed(order, now)
      if (blocking !== null) {
        this.#block(order, blocking, now)
        return
      }
    }
    const step = order.steps[order.current]
    if (order.stepLeft === null) {
      if (step.kind === 'Travel' && order.technicianId !== 0) this.#travel(order, step)
      const slower = this.#lacksSkill(order) ? unskilledFactor : 1
      const factor = slower * this.#durations.uniform(durationFactorMin, durationFactorMax)
      order.stepLeft = roundUpToStep(step.estimate * factor)
    }
    if (extra > 0) addCallOutTime(step, extra)
    step.began ??= now
    order.began ??= now
    order.progressed = now
    order.stepEnds = now + roundUpToStep(order.stepLeft + extra)
    order.stepLeft = null
    order.version++
    this.state.nextEnd = Math.min(this.state.nextEnd, order.stepEnds)
  }

  #lacksSkill({ skill, technicianId: memberId }: WorkOrder): boolean {
    return skill !== null && memberId !== 0 && !hasSkill(this.roster.technician(memberId), skill)
  }

  #travel(order: WorkOrder, step: WorkStep): void {
    const member = this.roster.technician(order.technicianId)
    step.estimate = roundUpToStep(this.roster.travelTime(member, order.zone))
    if (order.zone !== -1) member.zone = order.zone
  }

  /** Meets the need of the current step, or returns the blocking reason. */
  #meetNeed(order: WorkOrder, now: Micros): Blocking | null {
    const { needs } = order.steps[order.current]
    if (needs === null) return null
    const blocking = this.#blockingOf(order, needs, now)
    order.needMet = blocking === null
    return blocking
  }

  #blockingOf(order: WorkOrder, needs: NonNullable<WorkStep['needs']>, now: Micros): Blocking | null {
    if (needs.kind === 'Spare') {
      if (this.inventory.take(needs.part, now)) return null
      const waited = order.blocking === 'NoSpare' ? now - order.blockedSince : 0
      if (waited >= (courierAfter[order.priority] ?? Infinity) && !order.isExpedited) {
        order.isExpedited = true
        this.inventory.expedite(needs.part, now)
      }
      return 'NoSpare'
    }
    if (needs.kind === 'Vendor') {
      order.waitsUntil ??= now + roundUpToStep(this.#vendors.uniform(...needs.minutes) * minute)
      return order.waitsUntil <= now ? null : 'WaitingForVendor'
    }
    const entry = this.#access.enter(order.id, order.rack, order.target, this.#world.tenants, now)
    if (entry === 'entered') return null
    order.waitsUntil = entry
    return 'WaitingForAccess'
  }

  /** Releases the technician until the order can continue. */
  #block(order: WorkOrder, blocking: Blocking, now: Micros, waitsUntil = order.waitsUntil): void {
    this.#leave(order)
    order.waitsUntil = waitsUntil
    if (order.blocking === blocking && !isToldWaitOver(order, now)) return
    if (!waitsForTechnician(order) || !technicianWaits.has(blocking)) order.blockedSince = now
    order.blocking = blocking
    order.version++
    this.state.assignmentDue = true
    this.#outcomes.blocked(order)
    order.toldUntil = waitsUntil
    order.isCallOutTold = isCallOutDue(order)
  }

  #unblock(order: WorkOrder): void {
    order.blocking = null
    order.isCallOutTold = false
    order.waitsUntil = null
    order.version++
    this.state.assignmentDue = true
  }

  #retryBlocked(now: Micros): void {
    for (const order of sortByPriority(this.state.open.filter(({ blocking }) => blocking !== null))) {
      if (waitsForTechnician(order) || (order.waitsUntil ?? now) > now) continue
      if (this.#meetNeed(order, now) === null) this.#unblock(order)
    }
  }

  /** Stops work on an order until it is taken up again. */
  #leave(order: WorkOrder): void {
    this.#release(order)
    this.#access.leave(order.id, order.rack)
    if (order.steps[order.current].needs?.kind === 'Access') order.needMet = false
  }

  #release(order: WorkOrder): void {
    if (!order.isAssigned) return
    order.isAssigned = false
    if (order.skill === null) this.roster.state.automationSlotsFree++
    else this.roster.technician(order.technicianId).order = 0
  }

  #assignWaiting(now: Micros): void {
    this.state.assignmentDue = false
    const isWindow = isMaintenanceWindow(now)
    const waiting = this.state.open.filter(
      (order) =>
        !order.isAssigned &&
        (order.blocking === null || waitsForTechnician(order)) &&
        !waitsForFeeds(this.#world, order) &&
        (isWindow ||
          order.priority < upkeepPriority ||
          order.began !== null ||
          now - order.ordered > upkeepWaitMax),
    )
    for (const order of sortByPriority(waiting)) {
      if (order.skill === null) this.#assignAutomation(order, now)
      else this.#assignTechnician(order, order.skill, now)
    }
  }

  /** Grave work does not wait for a slot. */
  #assignAutomation(order: WorkOrder, now: Micros): void {
    if (this.roster.state.automationSlotsFree <= 0 && !isGrave(order)) return
    this.roster.state.automationSlotsFree--
    this.#take(order, now, 0)
  }

  #assignTechnician(order: WorkOrder, skill: Skill, now: Micros): void {
    const zone = order.onSite ? order.zone : -1
    const wanted = order.skillOptional && !this.roster.isStaffed(skill, zone, now) ? 'any' : skill
    const technician = this.#findTechnician(order, wanted, zone, now)
    if (technician !== null) {
      this.#assign(order, technician, now, 0)
      return
    }
    const isStaffed = this.roster.isStaffed(wanted, zone, now)
    if (isStaffed && order.blocking === null && now - (order.progressed ?? order.ordered) < busyUnstatedMax)
      return
    const callOut = callOutAt(order, waitsForTechnician(order) ? order.blockedSince : now)
    const atHome = this.roster.findAtHome(skill, zone, now)
    if (now >= callOut) {
      const standIn = atHome ?? (isGrave(order) ? this.#findTechnician(order, 'any', zone, now) : null)
      if (standIn !== null) {
        this.#assign(order, standIn, now, standIn === atHome ? this.roster.callOut(standIn, zone, now) : 0)
        return
      }
    }
    // Upkeep waits for its window besides.
    const staffed = order.priority < upkeepPriority ? this.roster.staffedAt(skill, zone, now) : Infinity
    const until = Math.min(staffed, isStaffed ? this.#firstFreeAt(wanted, zone, now) : Infinity)
    const calledIn = atHome === null ? Infinity : callOut
    this.#block(order, isStaffed ? 'EveryoneBusy' : 'NobodyOnShift', now, Math.min(until, calledIn))
  }

  /** A free technician, or one whose work is interrupted for a grave order. */
  #findTechnician(order: WorkOrder, skill: Skill | 'any', zone: number, now: Micros): Technician | null {
    const free = this.roster.findFree(skill, zone, now)
    if (free !== null || !isGrave(order)) return free
    const interruptible = this.#ordersOf(this.roster.atWork(skill, zone, now)).filter(
      (other) =>
        other.priority >= order.priority + interruptingDistance && endOf(other) - now > uninterruptedRest,
    )
    if (interruptible.length === 0) return null
    const interrupted = interruptible.reduce((least, other) =>
      other.priority > least.priority ? other : least,
    )
    const technician = this.roster.technician(interrupted.technicianId)
    this.#interrupt(interrupted, order, now)
    return technician
  }

  #interrupt(order: WorkOrder, by: WorkOrder, now: Micros): void {
    this.#outcomes.interrupted(order, by)
    if (order.stepEnds !== null) order.stepLeft = order.stepEnds - now
    order.stepEnds = null
    order.progressed = now
    // The technician's order is the other one from this moment on.
    order.blocking = 'EveryoneBusy'
    order.blockedSince = now
    order.version++
    this.#leave(order)
    this.state.assignmentDue = true
  }

  #ordersOf(technicians: readonly Technician[]): WorkOrder[] {
    return this.state.open.filter(({ id }) => technicians.some(({ order }) => order === id))
  }

  /** The expected time at which the first of those with a skill is free. */
  #firstFreeAt(skill: Skill | 'any', zone: number, now: Micros): Micros {
    return Math.min(...this.#ordersOf(this.roster.atWork(skill, zone, now)).map(freeAt))
  }

  #assign(order: WorkOrder, member: Technician, now: Micros, extra: Micros): void {
    const isTakenOver = order.technicianId !== member.id
    member.order = order.id
    order.technicianId = member.id
    this.#take(order, now, extra, isTakenOver)
  }

  #take(order: WorkOrder, now: Micros, extra: Micros, isTakenOver = false): void {
    const resumed = isTakenOver ? 'event.work-taken-over' : 'event.work-resumed'
    const how = order.began === null ? 'event.work-started' : resumed
    order.isAssigned = true
    if (order.blocking !== null) this.#unblock(order)
    this.#beginStep(order, now, extra)
    if (order.isAssigned) this.#outcomes.taken(order, how)
  }
}
