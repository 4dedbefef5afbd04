import type { ObservedWorld } from '../../state.ts'
import { zonesOfSubject } from '../correlation/subjects.ts'
import type { Incident, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { symptomWording } from '../wording.ts'
import { addTimelineEntry } from './timeline.ts'

/** Which symptoms an incident has and had. */

/** Symptoms of a signal for which a timeline has an entry of their own. */
const symptomEntriesMax = 3
/** How entries about returning symptoms begin, and how many a timeline has. */
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

/** Adds a symptom to the timeline: the first few of a signal one by one, then once that there are more. */
function noteSymptom(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  const count = (incident.symptomsNoted.get(symptom.signal) ?? 0) + 1
  fieldsOf(incident).symptomsNoted.set(symptom.signal, count)
  if (count > symptomEntriesMax + 1) return
  const { text } = symptomWording(world, symptom)
  const detail = count > symptomEntriesMax ? `${text} More of the same follow.` : text
  addTimelineEntry(world, incident, 'SymptomSeen', detail)
}

/** Adds to the timeline that a symptom is back, as often as that is worth a line. */
function noteReturn(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  const returns = incident.timeline.filter(({ detail }) => detail.startsWith(seenAgain)).length
  if (returns >= returnEntriesMax) return
  const { text } = symptomWording(world, symptom)
  const isLast = returns === returnEntriesMax - 1
  const detail = `${seenAgain}${text}${isLast ? ' It comes and goes.' : ''}`
  addTimelineEntry(world, incident, 'SymptomSeen', detail)
}

/** Takes off a symptom that has cleared. When it recurs, it is assigned to the incident again. */
export const removeSymptom = (incident: Incident, symptom: Symptom): boolean =>
  fieldsOf(incident).symptoms.delete(symptom)

/** Takes off a symptom that another incident explains, to which it belongs when it recurs. */
export function moveSymptom(from: Incident, symptom: Symptom): void {
  const { symptoms, symptomKeys } = fieldsOf(from)
  symptoms.delete(symptom)
  symptomKeys.delete(symptom.key)
  symptom.leftIncidents.push(from.id)
}

/** Removes all symptoms from an incident, which does not get them back when they recur. */
export function takeSymptoms(incident: Incident): Symptom[] {
  const { symptoms, symptomKeys } = fieldsOf(incident)
  const remaining = [...symptoms]
  symptoms.clear()
  symptomKeys.clear()
  return remaining
}

/** For how long an incident has had no symptom. */
export function quietTimeOf({ now }: ObservedWorld, incident: Incident): number {
  const fields = fieldsOf(incident)
  fields.quietSince ??= now
  return now - fields.quietSince
}

/** Records that an incident turned out to be part of another. */
export function markPartOf({ now }: ObservedWorld, incident: Incident, id: number | null): void {
  fieldsOf(incident).partOfId = id
  touch(incident, now)
}
