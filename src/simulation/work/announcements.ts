import type { Blocking } from '../../contract/vocabularies.ts'
import type { WorldState } from '../state.ts'
import { minute } from '../time.ts'
import type { Crew } from './crew.ts'
import type { Order } from './orders.ts'

const reasons: Readonly<Record<Blocking, string>> = {
  NoSpare: 'the spare part is not on the shelf',
  NobodyOnShift: 'nobody on shift knows how',
  WaitingForAccess: 'the way in is not free yet',
  WaitingForVendor: 'the supplier is on the way',
}

const actorOf = (crew: Crew, order: Order): string =>
  order.skill === null ? 'The automation' : order.memberId === 0 ? 'Nobody' : crew.member(order.memberId).name

const entityOf = (order: Order) => ({ kind: 'WorkOrder', id: order.id }) as const

export function announceStarted(state: WorldState, crew: Crew, order: Order): void {
  const actor = actorOf(crew, order)
  state.events.emit(state.now, 'WorkStarted', 'Info', entityOf(order), 'event.work-started', {
    actor,
    work: order.label,
  })
  note(state, order, 'WorkStarted', `${actor} began: ${order.label}.`)
}

/** Tells the incident that an order has come to belong to what is done already. */
export function announceGoesOn(state: WorldState, crew: Crew, order: Order): void {
  if (order.began !== null)
    note(state, order, 'WorkStarted', `${actorOf(crew, order)} is at it: ${order.label}.`)
}

export function announceBlocked(state: WorldState, order: Order): void {
  const reason = reasons[order.blocking as Blocking]
  state.events.emit(state.now, 'WorkBlocked', 'Warning', entityOf(order), 'event.work-blocked', {
    work: order.label,
    reason,
  })
  note(state, order, 'WorkBlocked', `${order.label} waits: ${reason}.`)
}

export function announceFinished(state: WorldState, crew: Crew, order: Order, calledOff: boolean): void {
  const minutes = Math.round((state.now - order.ordered) / minute)
  if (calledOff) {
    order.label = `${order.label}, called off`
    state.events.emit(state.now, 'WorkFinished', 'Info', entityOf(order), 'event.work-called-off', {
      work: order.label,
    })
    note(state, order, 'WorkDone', `${order.label}: it is no longer needed.`)
    return
  }
  const actor = actorOf(crew, order)
  state.events.emit(state.now, 'WorkFinished', 'Info', entityOf(order), 'event.work-finished', {
    actor,
    work: order.label,
    minutes,
  })
  note(state, order, 'WorkDone', `${actor} finished: ${order.label}, ${minutes} min after it was ordered.`)
}

function note(
  state: WorldState,
  order: Order,
  what: 'WorkStarted' | 'WorkBlocked' | 'WorkDone',
  detail: string,
): void {
  if (order.incidentId !== null) state.faults.noteWork(order.incidentId, order.id, what, detail)
}
