import type { Severity } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { minute } from '../time.ts'
import { nameOfSubject, placeOfSubject, severityOf, symptomWording } from './announcements.ts'
import type { Symptom } from './board.ts'
import type { Case } from './case.ts'
import { signals, type Subject } from './signals.ts'
import { entityOf, sameTarget } from './targets.ts'

/** What incidents and their symptoms write into the event log. */

/** Failed parts that one incident announces; more of the same say no more. */
const partsAnnounced = 6

export function announceOpened(state: WorldState, at: Case): void {
  const entity = { kind: 'Incident', id: at.id } as const
  state.events.emit(state.now, 'IncidentOpened', severityOf[at.view.band], entity, 'event.incident-opened', {
    incident: at.id,
    what: at.headline.text,
  })
}

export function announceConfirmed(state: WorldState, at: Case, cause: string): void {
  const entity = { kind: 'Incident', id: at.id } as const
  state.events.emit(state.now, 'CauseConfirmed', 'Info', entity, 'event.cause-confirmed', {
    incident: at.id,
    cause,
  })
}

export function announceResolved(state: WorldState, at: Case): void {
  const entity = { kind: 'Incident', id: at.id } as const
  const minutes = Math.round((state.now - at.opened) / minute)
  state.events.emit(state.now, 'IncidentResolved', 'Info', entity, 'event.incident-resolved', {
    incident: at.id,
    minutes,
  })
}

const entityOfSubject = (state: WorldState, subject: Subject) =>
  subject.kind === 'Zone' ? ({ kind: 'Zone', id: subject.row + 1 } as const) : entityOf(state.plant, subject)

/** What a symptom by itself says has happened, when it is first told. */
export function announceSymptom(state: WorldState, at: Case, symptom: Symptom): void {
  const { signal, subject } = symptom
  const entity = entityOfSubject(state, subject)
  const name = nameOfSubject(state, subject)
  const { events, now } = state
  if (signal === 'feed-dead')
    events.emit(now, 'PowerLost', 'Error', entity, 'event.power-lost', { feed: name })
  else if (signal === 'customer-breached')
    events.emit(now, 'Breach', 'Critical', entity, 'event.breach', { customer: name })
  else if (isAttack(symptom))
    events.emit(now, 'AttackStarted', 'Warning', entity, 'event.attack-started', { customer: name })
  else if (signals[signal].part && at.announced.size < partsAnnounced) {
    at.announced.add(symptom.key)
    const severity: Severity = signal.endsWith('-silent') ? 'Error' : 'Warning'
    const what = symptomWording(state, symptom).text
    events.emit(now, 'PartFailed', severity, entity, 'event.part-failed', { what })
  }
}

/** The same when it has cleared. */
export function announceCleared(state: WorldState, at: Case, symptom: Symptom): void {
  const { signal, subject } = symptom
  const entity = entityOfSubject(state, subject)
  const name = nameOfSubject(state, subject)
  const { events, now } = state
  if (signal === 'feed-dead')
    events.emit(now, 'PowerRestored', 'Info', entity, 'event.power-restored', { feed: name })
  else if (isAttack(symptom))
    events.emit(now, 'AttackEnded', 'Info', entity, 'event.attack-ended', { customer: name })
  else if (at.announced.delete(symptom.key) && !isStillOff(at, subject)) {
    const place = placeOfSubject(state, subject)
    events.emit(now, 'PartRestored', 'Info', entity, 'event.part-restored', { part: name, place })
  }
}

/** Whether anything else about the same part is wrong still. */
const isStillOff = (at: Case, subject: Subject): boolean =>
  at.symptoms
    .values()
    .some((other) => signals[other.signal].part && subject.kind !== 'Zone' && isAbout(other.subject, subject))

const isAbout = (subject: Subject, target: FaultTarget): boolean =>
  subject.kind !== 'Zone' && sameTarget(subject, target)

const isAttack = ({ signal }: Symptom): boolean => signal === 'customer-flood' || signal === 'customer-probed'
