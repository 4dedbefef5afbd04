import type { ObservedWorld } from '../../state.ts'
import { zonesOfSubject } from '../correlation/subjects.ts'
import type { Incident, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { symptomWording } from '../wording.ts'
import { addTimelineEntry } from './timeline.ts'

/** The current and former symptoms of an incident. */

/** Bound of individual timeline entries for symptoms of one signal. */
const symptomEntriesMax = 3
/** Prefix of entries about recurring symptoms, and the bound of such entries. */
const seenAgain = 'Seen again: '
const returnEntriesMax = 6

const fieldsOf = (incident: Incident) => writable(incident, 'symptoms')

export function addSymptom(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  const fields = fieldsOf(incident)
  symptom.incidentId = incident.id
  fields.partOfId = null
  const isKnown = incident.symptomKeys.has(symptom.key)
  if (isKnown && incident.symptoms.size === 0) noteReturn(world, incident, symptom)
  else if (!isKnown && incident.symptomKeys.size > 0) noteSymptom(world, incident, symptom)
  fields.symptoms.add(symptom)
  fields.symptomKeys.add(symptom.key)
  fields.quietSince = null
  const added = zonesOfSubject(world, symptom.subject).filter((zone) => !incident.zones.includes(zone))
  if (added.length > 0) fields.zones = [...incident.zones, ...added].toSorted((a, b) => a - b)
  touch(incident, world.now)
}

/** Adds a symptom to the timeline: the first few of a signal individually, then a single entry for the rest. */
function noteSymptom(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  const count = (incident.symptomsNoted.get(symptom.signal) ?? 0) + 1
  fieldsOf(incident).symptomsNoted.set(symptom.signal, count)
  if (count > symptomEntriesMax + 1) return
  const { text } = symptomWording(world, symptom)
  const detail = count > symptomEntriesMax ? `${text} Later ones like it are not listed.` : text
  addTimelineEntry(world, incident, 'SymptomSeen', detail)
}

export const comesAndGoes = ({ timeline }: Incident): boolean =>
  timeline.some(({ detail }) => detail.startsWith(seenAgain))

/** Adds the recurrence of a symptom to the timeline, up to the bound. */
function noteReturn(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  const returns = incident.timeline.filter(({ detail }) => detail.startsWith(seenAgain)).length
  if (returns >= returnEntriesMax) return
  const { text } = symptomWording(world, symptom)
  const isLast = returns === returnEntriesMax - 1
  const detail = `${seenAgain}${text}${isLast ? ' It comes and goes.' : ''}`
  addTimelineEntry(world, incident, 'SymptomSeen', detail)
}

/** Removes a cleared symptom. On recurrence it is reassigned to the incident. */
export const removeSymptom = (incident: Incident, symptom: Symptom): boolean =>
  fieldsOf(incident).symptoms.delete(symptom)

/** Removes a symptom explained by another incident, to which it is reassigned on recurrence. */
export function moveSymptom(from: Incident, symptom: Symptom): void {
  const { symptoms, symptomKeys } = fieldsOf(from)
  symptoms.delete(symptom)
  symptomKeys.delete(symptom.key)
  symptom.leftIncidents.push(from.id)
}

/** Removes all present symptoms of an incident, which are not reassigned to it. */
export function takeSymptoms(incident: Incident): Symptom[] {
  const { symptoms, symptomKeys } = fieldsOf(incident)
  const remaining = [...symptoms]
  symptoms.clear()
  for (const { key } of remaining) symptomKeys.delete(key)
  return remaining
}

/** Duration of an incident's time without symptoms. */
export function quietTimeOf({ now }: ObservedWorld, incident: Incident): number {
  const fields = fieldsOf(incident)
  fields.quietSince ??= now
  return now - fields.quietSince
}

/** Records that an incident is part of another. */
export function markPartOf({ now }: ObservedWorld, incident: Incident, id: number | null): void {
  fieldsOf(incident).partOfId = id
  touch(incident, now)
}
