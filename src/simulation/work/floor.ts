import type { Blocking, RootKind } from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import type { WorldState } from '../state.ts'
import { day, hour, type Micros, minute, secondOfDay } from '../time.ts'
import { AccessDesk } from './access.ts'
import { Crew } from './crew.ts'
import { type Order, type Step, wholeSteps } from './orders.ts'
import { SpareShelf } from './spares.ts'
import { knows, type Member, nextShiftChange } from './staff.ts'

/** A courier is sent for a part when an order has waited for it so long, by its priority. */
const courierAfter: readonly Micros[] = [0, 0, hour, 5 * hour]
/** Somebody is called in from home when an order has waited so long, by its priority; never for upkeep. */
const callInAfter: readonly Micros[] = [10 * minute, 10 * minute, 90 * minute, 4 * hour]

export const upkeepPriority = 5
/** Upkeep begins at night alone, from this hour on and up to that one. */
const quietFrom = 22
const quietUntil = 6
/** Upkeep that has waited so long for somebody on a night shift is done by day. */
const overdue: Micros = day

/** How far actual times lie from estimates: some things go faster, some much slower. */
const fastest = 0.7
const slowest = 1.5
/** How much longer it takes somebody without the skill. */
const outOfDepth = 1.6

export interface Outcomes {
  started(order: Order): void
  blocked(order: Order): void
  stepDone(order: Order, step: Step): void
  finished(order: Order): void
}

export function isQuiet(now: Micros): boolean {
  const at = secondOfDay(now) / 3600
  return at >= quietFrom || at < quietUntil
}

/** Where work is done: gives orders to hands, runs their steps, and lets them wait for what is not there. */
export class Floor {
  readonly crew: Crew
  readonly shelf: SpareShelf
  /** Orders that are not finished, ascending by id. */
  open: Order[] = []
  private readonly access: AccessDesk
  private readonly durations: RandomStream
  private readonly vendors: RandomStream
  private readonly outcomes: Outcomes
  private readonly state: WorldState
  private nextEnd: Micros = Infinity
  private unsettled = false

  constructor(state: WorldState, outcomes: Outcomes) {
    const { plant, random } = state
    this.state = state
    this.outcomes = outcomes
    this.crew = new Crew(plant, random.stream('work.staff'))
    this.shelf = new SpareShelf(plant, random.stream('work.deliveries'))
    this.access = new AccessDesk(random.stream('work.escorts'))
    this.durations = random.stream('work.durations')
    this.vendors = random.stream('work.vendors')
  }

  add(order: Order): void {
    this.open.push(order)
    this.unsettled = true
  }

  step(): void {
    const { now } = this.state
    if (now >= this.nextEnd) this.endSteps(now)
    const wholeMinute = now % minute === 0
    if (wholeMinute) {
      this.shelf.receive(now)
      this.retryBlocked(now)
    }
    if (this.unsettled || wholeMinute) this.handOut(now)
  }

  /** Ends an order that is no longer needed, at the step that it is at or waits for; the steps after it are dropped. */
  callOff(order: Order): void {
    const { now } = this.state
    const step = order.steps[order.current]
    step.began ??= now
    step.ended = now
    order.began ??= now
    order.current++
    order.steps.length = order.current
    this.close(order, now)
  }

  private endSteps(now: Micros): void {
    this.nextEnd = Infinity
    // Orders that come in meanwhile have no step under way yet; finished ones leave a copy of the list behind.
    for (const order of this.open) {
      if (order.stepEnds === null) continue
      if (order.stepEnds <= now) this.endStep(order, now)
      else this.nextEnd = Math.min(this.nextEnd, order.stepEnds)
    }
  }

  private endStep(order: Order, now: Micros): void {
    const step = order.steps[order.current]
    step.ended = now
    order.current++
    order.progressed = now
    order.stepEnds = null
    order.provided = false
    order.version++
    this.outcomes.stepDone(order, step)
    if (order.current === order.steps.length) this.close(order, now)
    else this.beginStep(order, now, 0)
  }

  private close(order: Order, now: Micros): void {
    order.resolved = now
    order.progressed = now
    order.stepEnds = null
    order.blocking = null
    order.version++
    this.release(order)
    this.access.done(order.id, order.rack)
    this.open = this.open.filter((other) => other !== order)
    this.unsettled = true
    this.outcomes.finished(order)
  }

  private beginStep(order: Order, now: Micros, extra: Micros): void {
    if (!order.provided) {
      const blocking = this.provide(order, now)
      if (blocking !== null) {
        this.block(order, blocking, now)
        return
      }
    }
    const step = order.steps[order.current]
    if (step.kind === 'Travel' && order.memberId !== 0) this.travel(order, step)
    const slower = this.isOutOfDepth(order) ? outOfDepth : 1
    const actual = wholeSteps(step.estimate * slower * this.durations.uniform(fastest, slowest) + extra)
    if (extra > 0) comeIn(step, extra)
    step.began = now
    order.began ??= now
    order.progressed = now
    order.stepEnds = now + actual
    order.version++
    this.nextEnd = Math.min(this.nextEnd, order.stepEnds)
  }

  private isOutOfDepth({ skill, memberId }: Order): boolean {
    return skill !== null && memberId !== 0 && !knows(this.crew.member(memberId), skill)
  }

  private travel(order: Order, step: Step): void {
    const member = this.crew.member(order.memberId)
    step.estimate = wholeSteps(this.crew.travelTime(member, order.zone))
    if (order.zone !== -1) member.zone = order.zone
  }

  /** Gets what the step needs, or says what is lacking. */
  private provide(order: Order, now: Micros): Blocking | null {
    const { needs } = order.steps[order.current]
    if (needs === null) return null
    const lacking = this.lacking(order, needs, now)
    order.provided = lacking === null
    return lacking
  }

  private lacking(order: Order, needs: NonNullable<Step['needs']>, now: Micros): Blocking | null {
    if (needs.kind === 'Spare') {
      if (this.shelf.take(needs.part, now)) return null
      const waited = order.blocking === 'NoSpare' ? now - order.blockedSince : 0
      if (waited >= (courierAfter[order.priority] ?? Infinity) && !order.rushed) {
        order.rushed = true
        this.shelf.rush(needs.part, now)
      }
      return 'NoSpare'
    }
    if (needs.kind === 'Vendor') {
      order.waitsUntil ??= now + wholeSteps(this.vendors.uniform(...needs.minutes) * minute)
      return order.waitsUntil <= now ? null : 'WaitingForVendor'
    }
    const entry = this.access.enter(order.id, order.rack, order.target, this.state.tenants, now)
    if (entry === 'in') return null
    order.waitsUntil = entry
    return 'WaitingForAccess'
  }

  /** Whoever was on it is free for other work until it can go on. */
  private block(order: Order, blocking: Blocking, now: Micros): void {
    this.release(order)
    this.access.leave(order.id, order.rack)
    if (order.steps[order.current].needs?.kind === 'Access') order.provided = false
    if (order.blocking === blocking) return
    order.blocking = blocking
    order.blockedSince = now
    order.version++
    this.unsettled = true
    this.outcomes.blocked(order)
  }

  private unblock(order: Order): void {
    order.blocking = null
    order.waitsUntil = null
    order.version++
    this.unsettled = true
  }

  private retryBlocked(now: Micros): void {
    for (const order of bySoonest(this.open.filter(({ blocking }) => blocking !== null))) {
      if (order.blocking === 'NobodyOnShift') continue
      if (order.waitsUntil !== null && order.waitsUntil > now) continue
      if (this.provide(order, now) === null) this.unblock(order)
    }
  }

  private release(order: Order): void {
    if (!order.inHand) return
    order.inHand = false
    if (order.skill === null) this.crew.freeSlots++
    else this.crew.member(order.memberId).order = 0
  }

  private handOut(now: Micros): void {
    this.unsettled = false
    const quiet = isQuiet(now)
    const waiting = this.open.filter(
      (order) =>
        !order.inHand &&
        (order.blocking === null || order.blocking === 'NobodyOnShift') &&
        (quiet || order.priority < upkeepPriority || order.began !== null || now - order.ordered > overdue),
    )
    for (const order of bySoonest(waiting)) {
      if (order.skill === null) this.giveToAutomation(order, now)
      else this.giveToSomebody(order, order.skill, now)
    }
  }

  private giveToAutomation(order: Order, now: Micros): void {
    if (this.crew.freeSlots === 0) return
    this.crew.freeSlots--
    this.take(order, now, 0)
  }

  private giveToSomebody(order: Order, skill: NonNullable<Order['skill']>, now: Micros): void {
    const zone = order.onSite ? order.zone : -1
    const wanted = order.anybody && !this.crew.isAnybodyOnShift(skill, zone, now) ? 'any' : skill
    const free = this.crew.findFree(wanted, zone, now)
    if (free !== null) {
      this.assign(order, free, now, 0)
      return
    }
    if (this.crew.isAnybodyOnShift(wanted, zone, now)) {
      if (order.blocking !== null) this.unblock(order)
      return
    }
    const patience = callInAfter[order.priority] ?? Infinity
    const waited = order.blocking === 'NobodyOnShift' && now - order.blockedSince >= patience
    const atHome = waited ? this.crew.findAtHome(skill, zone, now) : null
    if (atHome !== null) this.assign(order, atHome, now, this.crew.callIn(atHome, now))
    else {
      this.block(order, 'NobodyOnShift', now)
      order.waitsUntil = nextShiftChange(now)
    }
  }

  private assign(order: Order, member: Member, now: Micros, extra: Micros): void {
    member.order = order.id
    order.memberId = member.id
    this.take(order, now, extra)
  }

  private take(order: Order, now: Micros, extra: Micros): void {
    const first = order.began === null
    order.inHand = true
    if (order.blocking !== null) this.unblock(order)
    this.beginStep(order, now, extra)
    if (first && order.began !== null) this.outcomes.started(order)
  }
}

/** Whoever is called in has a way to come first. */
function comeIn(step: Step, way: Micros): void {
  step.detail = `Come in from home, then: ${step.detail}`
  step.estimate += wholeSteps(way)
}

/** What much else hangs on goes before what is as urgent and stands alone. */
const farReaching: ReadonlySet<RootKind> = new Set<RootKind>([
  'PowerFeedLoss',
  'CoolingFailure',
  'SwitchFailure',
  'GatewayFailure',
  'ApplianceFailure',
])

const reaches = ({ fault }: Order): number => (fault !== null && farReaching.has(fault.kind) ? 1 : 0)

const bySoonest = (orders: readonly Order[]): Order[] =>
  orders.toSorted((a, b) => a.priority - b.priority || reaches(b) - reaches(a) || a.id - b.id)
