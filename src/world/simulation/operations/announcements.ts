import { messageArguments, messageText } from '../../../contract/messages/catalog.ts'
import type { Blocking } from '../../../contract/vocabularies.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { clockTime, minute } from '../time.ts'
import { isCallOutDue, isGrave, waitsForTechnician } from './priority.ts'
import type { Roster } from './roster.ts'
import { repairs } from './scope.ts'
import type { WorkOrder } from './work-order.ts'
import { isOfOperators } from './work-order.ts'

const reasons: Readonly<Record<Blocking, string>> = {
  NoSpare: 'no spare part is in stock',
  NobodyOnShift: 'no one on shift has the skill',
  EveryoneBusy: 'everyone with the skill is busy',
  WaitingForAccess: 'another order has the rack',
  WaitingForVendor: 'the supplier is on its way',
}

const actorOf = (roster: Roster, order: WorkOrder): string =>
  order.skill === null
    ? 'Automation'
    : order.technicianId === 0
      ? 'No one'
      : roster.technician(order.technicianId).name

/** In a blind world, no event tells what operators found and repaired before they handed over. */
const isHidden = ({ handover }: WorldView, order: WorkOrder): boolean =>
  handover !== null && isOfOperators(order)

const entityOf = (order: WorkOrder) => ({ kind: 'WorkOrder', id: order.id }) as const

export type TakenKey = 'event.work-started' | 'event.work-taken-over' | 'event.work-resumed'

/** Announces who works on an order from now on. */
export function announceTaken(state: WorldView, roster: Roster, order: WorkOrder, key: TakenKey): void {
  if (isHidden(state, order)) return
  const args = { actor: actorOf(roster, order), work: order.label }
  state.events.emit(state.now, 'WorkStarted', 'Info', entityOf(order), key, args)
  const text = messageText(key, messageArguments(key, args))
  note(state, order, 'WorkStarted', `${text}${arrivalText(state, roster, order)}`)
}

/** Tells the incident when a technician who had something to do first arrives, and that a technician has arrived. */
export function noteTravel(state: WorldView, roster: Roster, order: WorkOrder): void {
  if (isHidden(state, order)) return
  const where = order.steps[order.current].kind === 'Travel' ? 'on the way' : 'on site'
  const text = `${actorOf(roster, order)} is ${where}: ${order.label}.${arrivalText(state, roster, order)}`
  note(state, order, 'WorkStarted', text)
}

/** Announces that a more urgent order interrupts one. */
export function announceInterrupted(state: WorldView, roster: Roster, order: WorkOrder, by: WorkOrder): void {
  if (isHidden(state, order)) return
  const where = by.incidentId === null ? 'more urgent work' : `incident ${by.incidentId}`
  const args = { actor: actorOf(roster, order), where, work: order.label }
  state.events.emit(state.now, 'WorkBlocked', 'Info', entityOf(order), 'event.work-interrupted', args)
  note(state, order, 'WorkBlocked', `${actorOf(roster, order)} is called away to ${where}: ${order.label}.`)
}

/** Moves an order to another incident. */
export function reassign(state: WorldView, roster: Roster, order: WorkOrder, incidentId: number): void {
  if (order.incidentId !== null) state.incidentControl.detachWorkOrder(order.incidentId, order.id)
  order.incidentId = incidentId
  order.version++
  announceReassigned(state, roster, order)
  state.incidentControl.attachWorkOrder(incidentId, order.id)
}

/** Adds an order already under way to the timeline of its new incident. */
function announceReassigned(state: WorldView, roster: Roster, order: WorkOrder): void {
  if (isHidden(state, order)) return
  if (order.blocking !== null)
    note(state, order, 'WorkBlocked', `On hold because ${reasonOf(state, roster, order)}: ${order.label}.`)
  else if (order.began !== null)
    note(
      state,
      order,
      'WorkStarted',
      `${actorOf(roster, order)} is already on it: ${order.label}.${arrivalText(state, roster, order)}`,
    )
}

const atAbout = (at: Micros): string => `at about ${clockTime(at)}`

/** When a technician who has yet to go there arrives. */
function arrivalText({ now }: WorldView, roster: Roster, order: WorkOrder): string {
  const { steps, current, stepEnds, technicianId, zone } = order
  const travel = steps.findIndex(({ kind, ended }) => kind === 'Travel' && ended === null)
  if (travel < current || technicianId === 0) return ''
  const before = steps.slice(current + 1, travel).reduce((sum, { estimate }) => sum + estimate, 0)
  const way = travel === current ? 0 : roster.travelTime(roster.technician(technicianId), zone)
  return ` On site ${atAbout((stepEnds ?? now) + before + way)}.`
}

function reasonOf({ now }: WorldView, roster: Roster, order: WorkOrder): string {
  const { blocking, skill, onSite, waitsUntil } = order
  const reason = reasons[blocking as Blocking]
  const zone = onSite ? order.zone : -1
  if (isCallOutDue(order)) {
    const isPutOff = order.isCallOutTold && waitsUntil! > order.toldUntil!
    const when = isPutOff
      ? `only ${atAbout(waitsUntil!)}, as the work is less urgent now`
      : atAbout(waitsUntil!)
    return `${reason}; someone is called in from home ${when}`
  }
  const isTimed = waitsUntil !== null && waitsUntil < Infinity
  const isShift = isTimed && skill !== null && waitsUntil === roster.staffedAt(skill, zone, now)
  if (blocking === 'EveryoneBusy' && isTimed && !isShift)
    return `${reason}; the first of them is free ${atAbout(waitsUntil)}`
  if (blocking === 'WaitingForAccess' && waitsUntil !== null)
    return `the customer's escort has yet to arrive, expected ${atAbout(waitsUntil)}`
  const needs = order.steps[order.current]?.needs
  if (blocking === 'WaitingForVendor' && needs?.kind === 'Vendor')
    return waitsUntil === null ? needs.wait : `${needs.wait}, expected ${atAbout(waitsUntil)}`
  if (skill === null || !waitsForTechnician(order)) return reason
  const who = roster.isStaffed('any', zone, now) ? reason : 'no one is on shift'
  return isShift ? `${who}; a technician for ${skill} comes on shift ${atAbout(waitsUntil)}` : who
}

/** A call-out that was told, and is not due any more, is called off. */
export function announceBlocked(state: WorldView, roster: Roster, order: WorkOrder): void {
  if (isHidden(state, order)) return
  const isOff = order.isCallOutTold && !isCallOutDue(order)
  const reason = `${reasonOf(state, roster, order)}${isOff ? ', and no one is called in before' : ''}`
  // That lesser work waits its turn is no event, unless a call-out was announced for it.
  if (order.blocking !== 'EveryoneBusy' || isGrave(order) || order.isCallOutTold) {
    state.events.emit(state.now, 'WorkBlocked', 'Warning', entityOf(order), 'event.work-blocked', {
      work: order.label,
      reason,
    })
  }
  note(state, order, 'WorkBlocked', `On hold because ${reason}: ${order.label}.`)
}

export function announceFinished(
  state: WorldView,
  roster: Roster,
  order: WorkOrder,
  isCanceled: boolean,
): void {
  if (isHidden(state, order)) return
  const minutes = Math.floor((state.now - (order.began ?? order.ordered)) / minute)
  if (isCanceled) {
    const text = calledOffText(state, roster, order)
    order.label = `${order.label}, called off`
    const work = { work: order.label }
    state.events.emit(state.now, 'WorkFinished', 'Info', entityOf(order), 'event.work-called-off', work)
    note(state, order, 'WorkCalledOff', text)
    return
  }
  const args = { actor: actorOf(roster, order), work: order.label, minutes }
  state.events.emit(state.now, 'WorkFinished', 'Info', entityOf(order), 'event.work-finished', args)
  const text = messageText('event.work-finished', messageArguments('event.work-finished', args))
  note(state, order, 'WorkDone', text)
}

/** Names the technician, as several may work at one unit. An order on hold has none. */
function calledOffText({ now }: WorldView, roster: Roster, order: WorkOrder): string {
  const isUnderWay = order.steps.at(-1)?.ended === now
  const what = isUnderWay ? `${actorOf(roster, order)} was called off` : 'Called off'
  return `${what}: ${order.label} (no longer needed).`
}

function note(
  state: WorldView,
  order: WorkOrder,
  what: Parameters<WorldView['incidentControl']['noteWork']>[2],
  detail: string,
): void {
  if (order.incidentId === null) return
  const repaired = state.faults.active.filter((fault) => repairs(state, order, fault)).map(({ id }) => id)
  state.incidentControl.noteWork(order.incidentId, { id: order.id, repaired }, what, detail)
}
