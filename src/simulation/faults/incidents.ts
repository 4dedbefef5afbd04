import type { Fault, FaultTarget, IncidentView, WorldState } from '../state.ts'
import { hour, type Micros, minute, stepLength } from '../time.ts'
import { causeWording } from './announcements.ts'
import { attribute, inspect, isInSight } from './attribution.ts'
import { type Symptom, SymptomBoard } from './board.ts'
import type { Case } from './case.ts'
import { Casebook } from './casebook.ts'
import type { Instruments } from './check.ts'
import type { FaultsPart, IncidentDesk } from './faults.ts'
import { applyStake } from './gravity.ts'
import { announceCleared, announceConfirmed } from './incident-events.ts'
import { createCustomerMonitor, type CustomerMonitor } from './monitor-customers.ts'
import { createLinkMonitor, type LinkMonitor } from './monitor-links.ts'
import { watchFacility, watchHosts, watchNetworkDevices } from './monitor-plant.ts'
import { clear, confirm, reason, spokenCause } from './reasoning.ts'
import { sameTarget } from './targets.ts'
import { note } from './timeline.ts'

/** Monitoring polls every third step. */
const stepsAPoll = 3
const poll: Micros = stepsAPoll * stepLength
/** The one of them in which it polls: demand moves in the first of a minute, and that is enough for one step. */
const pollTick = 1
/** In the world's first minutes everything comes up, and nobody is told. */
const comingUp: Micros = 2 * minute
/** An incident is over when nothing has been seen of it for so long and its cause is gone. */
const quietFor: Micros = 3 * minute
/** A cause that shows no more, and was never found, keeps its incident open no longer than this. */
const latentFor: Micros = 2 * hour
/** What is still wrong so long after the cause has ended has another one. */
const partsAfter: Micros = 8 * minute
/** Evidence is looked at anew every so many polls. */
const pollsAReview = 4

/** Watches the world as operators do, and keeps the book of incidents. */
export class Incidents implements IncidentDesk {
  readonly book: Casebook
  private readonly state: WorldState
  private readonly faults: FaultsPart
  private readonly board = new SymptomBoard()
  private readonly links: LinkMonitor
  private readonly customers: CustomerMonitor
  private readonly instruments: Instruments
  private readonly began: Micros

  constructor(state: WorldState, faults: FaultsPart) {
    this.state = state
    this.faults = faults
    this.began = state.now
    this.links = createLinkMonitor(state)
    this.customers = createCustomerMonitor(state)
    this.instruments = {
      rush: (customerId) => this.customers.rush(customerId),
      flapsLately: (port) => this.links.flapsLately(port),
    }
    this.book = new Casebook(state, faults.domains, this.instruments)
    faults.connect(this)
  }

  get views(): ReadonlyMap<number, IncidentView> {
    return this.book.views
  }

  step(): void {
    const { state, board, book } = this
    if (state.tick % stepsAPoll !== pollTick || state.now < this.began + comingUp) return
    watchFacility(state, board)
    watchHosts(state, board, this.faults.domains)
    watchNetworkDevices(state, board)
    this.links.watch(board)
    this.customers.watch(board)
    book.take(board.settle(state.now, (symptom) => this.cleared(symptom)))
    // Reviewing may close incidents and open others.
    for (const at of Array.from(book.open.values())) this.review(at)
    attribute(state, this.faults, book.open)
  }

  diagnose(incidentId: number, from: FaultTarget | null): Fault | 'elsewhere' | null {
    const { state } = this
    const at = this.book.open.get(incidentId)
    if (at === undefined) return null
    if (at.root !== null) return at.root
    const fault = inspect(state, this.faults, at) ?? at.behind?.root ?? null
    if (fault === null) {
      note(state, at, 'EvidenceFound', 'An inspection found nothing that is broken now')
      return null
    }
    if (from !== null && !isInSight(state, this.faults.domains, from, fault.target)) {
      for (const cause of at.causes)
        if (!cause.cleared && sameTarget(cause.target, from)) clear(state, at, cause)
      return 'elsewhere'
    }
    const known = this.knownFor(at, fault)
    if (known === null) {
      fault.incidentId = at.id
      this.confirm(at, fault)
    } else this.book.merge(at, known)
    return fault
  }

  /** Another incident that was found to come from the same fault; null for none. */
  private knownFor(at: Case, fault: Fault): Case | null {
    return this.book.open.values().find((other) => other !== at && other.root === fault) ?? null
  }

  noteWork(
    incidentId: number,
    workOrderId: number,
    what: 'WorkStarted' | 'WorkBlocked' | 'WorkDone',
    detail: string,
  ): void {
    const at = this.book.open.get(incidentId)
    if (at === undefined) return
    if (!at.view.workOrderIds.includes(workOrderId)) at.view.workOrderIds.push(workOrderId)
    note(this.state, at, what, detail)
  }

  private confirm(at: Case, fault: Fault): void {
    const { state } = this
    confirm(state, at, fault, this.instruments)
    this.book.refresh(at)
    announceConfirmed(state, at, causeWording(state, fault.kind, fault.target).text)
  }

  private cleared(symptom: Symptom): void {
    const at = symptom.case!
    at.symptoms.delete(symptom)
    announceCleared(this.state, at, symptom)
    if (at.symptoms.size === 0) note(this.state, at, 'Mitigated', 'Nothing of it shows any more')
  }

  private review(at: Case): void {
    const { state, book } = this
    applyStake(state, at, book.stakeOf(at))
    const polls = Math.floor(state.now / poll)
    if (at.root === null && (polls + at.id) % pollsAReview === 0) {
      reason(state, at, this.instruments)
      book.lookBehind(at)
    }
    book.refresh(at)
    if (at.symptoms.size === 0) {
      at.quietSince ??= state.now
      if (state.now - at.quietSince >= quietFor && this.isOver(at)) this.resolve(at)
    } else if (at.root !== null && at.root.ended !== null && state.now - at.root.ended >= partsAfter) {
      const heirs = book.part(at).map(({ id }) => `incident ${id}`)
      note(state, at, 'EvidenceFound', `What is still wrong has another cause: ${heirs.join(', ')}`)
      this.resolve(at)
    }
  }

  /** Whether the cause is gone: the one confirmed, or else all that are behind it. */
  private isOver(at: Case): boolean {
    if (at.root !== null) return at.root.ended !== null
    const quiet = this.state.now - (at.quietSince ?? this.state.now)
    return quiet >= latentFor || !this.faults.active.some((fault) => fault.incidentId === at.id)
  }

  private resolve(at: Case): void {
    const spoken = at.root === null ? spokenCause(at, this.faults.ended) : null
    if (spoken !== null) this.confirm(at, spoken)
    else if (at.root === null) at.partOf ??= at.behind?.id ?? null
    for (const fault of this.faults.active) if (fault.incidentId === at.id) fault.incidentId = null
    this.book.close(at)
  }
}

export const createIncidents = (state: WorldState, faults: FaultsPart): Incidents =>
  new Incidents(state, faults)
