import type { Band, EntityKind, Severity } from '../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../state.ts'
import { minute } from '../time.ts'
import { entityOf } from '../topology/entities.ts'
import type { IncidentContext } from './context.ts'
import { isUnpowered } from './correlation/path.ts'
import { isSameSubject, zonesOfSubject } from './correlation/subjects.ts'
import type { Incident, Symptom } from './model.ts'
import { writable } from './model.ts'
import { isPowered } from './monitors/devices.ts'
import type { Subject } from './monitors/signals.ts'
import { signals } from './monitors/signals.ts'
import { subjectName, subjectPlace, symptomWording } from './wording.ts'

/** Events about incidents and their symptoms. */

/** Bound of the part failures announced by one incident. */
const announcedPartsMax = 6

const severityOf: Readonly<Record<Band, Severity>> = {
  Watch: 'Info',
  Minor: 'Warning',
  Major: 'Error',
  Critical: 'Critical',
}

const incidentEntity = ({ id }: Incident) => ({ kind: 'Incident', id }) as const

/** Whether an event says what the title of an incident says. */
const isTitleAnnounced = ({ headline: { signal, symptomKey }, announcedParts }: Incident): boolean =>
  signal === 'feed-dead' || (symptomKey !== null && announcedParts.has(symptomKey))

export function announceOpened({ events, now }: ObservedWorld, incident: Incident): void {
  const { id, band, headline } = incident
  const entity = incidentEntity(incident)
  const severity = severityOf[band]
  if (isTitleAnnounced(incident))
    events.emit(now, 'IncidentOpened', severity, entity, 'event.incident-opened-as', { incident: id, band })
  else {
    const what = headline.text
    events.emit(now, 'IncidentOpened', severity, entity, 'event.incident-opened', { incident: id, what })
  }
}

export const announceConfirmed = ({ events, now }: ObservedWorld, incident: Incident, cause: string): void =>
  events.emit(now, 'CauseConfirmed', 'Info', incidentEntity(incident), 'event.cause-confirmed', {
    incident: incident.id,
    cause,
  })

export const announceResolved = ({ events, now }: ObservedWorld, incident: Incident): void =>
  events.emit(now, 'IncidentResolved', 'Info', incidentEntity(incident), 'event.incident-resolved', {
    incident: incident.id,
    minutes: Math.floor((now - incident.opened) / minute),
  })

export const announceRaised = (
  { events, now }: ObservedWorld,
  incident: Incident,
  from: Band,
  why: string,
): void =>
  events.emit(
    now,
    'IncidentBandChanged',
    severityOf[incident.band],
    incidentEntity(incident),
    'event.incident-raised',
    { incident: incident.id, from, to: incident.band, why },
  )

export const announceLowered = ({ events, now }: ObservedWorld, incident: Incident, from: Band): void =>
  events.emit(now, 'IncidentBandChanged', 'Info', incidentEntity(incident), 'event.incident-lowered', {
    incident: incident.id,
    from,
    to: incident.band,
  })

const subjectEntity = (world: ObservedWorld, subject: Subject): { kind: EntityKind; id: number | null } =>
  subject.kind === 'Zone' ? { kind: 'Zone', id: subject.row + 1 } : entityOf(world.topology, subject)

const announcedPartsOf = (incident: Incident): Map<number, Subject> =>
  writable(incident, 'announcements').announcedParts

/** Copies the announced parts to the incident that receives the symptoms, which does not announce them again. */
export function inheritAnnouncements(heir: Incident, { announcedParts }: Incident): void {
  for (const [key, subject] of announcedParts) announcedPartsOf(heir).set(key, subject)
}

/** Announces a newly reported symptom that is an event by itself: a failed part, an attack, a breach. */
export function announceSymptom(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  const { signal, subject } = symptom
  const entity = subjectEntity(world, subject)
  const name = subjectName(world, subject)
  const { events, now } = world
  if (signal === 'feed-dead') {
    events.emit(now, 'PowerLost', 'Error', entity, 'event.power-lost', { feed: name })
    for (const row of zonesOfSubject(world, subject).filter((zone) => !isPowered(world, zone))) {
      const { displayName: zone, hosts } = world.topology.zones[row]
      const dark = { kind: 'Zone', id: row + 1 } as const
      events.emit(now, 'PowerLost', 'Critical', dark, 'event.zone-dark', { zone, hosts: hosts.length })
    }
  } else if (signal === 'customer-breached')
    events.emit(now, 'Breach', 'Critical', entity, 'event.breach', { customer: name })
  else if (isAttack(symptom))
    events.emit(now, 'AttackStarted', 'Warning', entity, 'event.attack-started', { customer: name })
  else if (
    signals[signal].isPartFailure &&
    !incident.announcedParts.has(symptom.key) &&
    incident.announcedParts.size < announcedPartsMax
  ) {
    announcedPartsOf(incident).set(symptom.key, subject)
    const severity: Severity = signal.endsWith('-silent') ? 'Error' : 'Warning'
    const what = symptomWording(world, symptom).text
    events.emit(now, 'PartFailed', severity, entity, 'event.part-failed', { what })
  }
}

type Symptoms = ReadonlyMap<number, Symptom>

/**
 * Announces the end of a condition that `announceSymptom` has announced; of a failed part, not before the end of its
 * causes. `symptoms` are those of all incidents.
 */
export function announceCleared(
  { world, inspector }: IncidentContext,
  incident: Incident,
  symptom: Symptom,
  symptoms: Symptoms,
): void {
  const { signal, subject } = symptom
  const entity = subjectEntity(world, subject)
  const name = subjectName(world, subject)
  const { events, now } = world
  if (signal === 'feed-dead')
    events.emit(now, 'PowerRestored', 'Info', entity, 'event.power-restored', { feed: name })
  else if (isAttack(symptom))
    events.emit(now, 'AttackEnded', 'Info', entity, 'event.attack-ended', { customer: name })
  else if (inspector.endOf(incident) !== null && announcedPartsOf(incident).delete(symptom.key))
    announceRestored(world, incident, subject, symptoms)
}

export function announceRestored(
  world: ObservedWorld,
  incident: Incident,
  subject: Subject,
  symptoms: Symptoms,
): void {
  if (hasFailedPart(symptoms, subject) || isUnpowered(world, subject)) return
  const parts = announcedPartsOf(incident)
  for (const [key, other] of parts) if (isSameSubject(other, subject)) parts.delete(key)
  const name = subjectName(world, subject)
  const part = subject.kind === 'Cable' ? `Link ${name}` : name
  const place = subjectPlace(world, subject)
  const entity = subjectEntity(world, subject)
  world.events.emit(world.now, 'PartRestored', 'Info', entity, 'event.part-restored', { part, place })
}

/** Whether another symptom of a failed part is at a subject, in any incident. */
const hasFailedPart = (symptoms: Symptoms, subject: Subject): boolean =>
  symptoms
    .values()
    .some((other) => signals[other.signal].isPartFailure && isSameSubject(other.subject, subject))

const isAttack = ({ signal }: Symptom): boolean => signal === 'customer-flood' || signal === 'customer-probed'
