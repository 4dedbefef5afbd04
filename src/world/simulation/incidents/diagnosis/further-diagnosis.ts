import { bands } from '../../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../../state.ts'
import { sameTarget } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { IncidentContext } from '../context.ts'
import { isSameSubject } from '../correlation/subjects.ts'
import { canBeCause } from '../correlation/symptom-assignment.ts'
import type { Incident, IncidentSummary, RootCause, Symptom } from '../model.ts'
import { addTimelineEntry } from '../writers/timeline.ts'
import { causeWording, symptomWording } from '../wording.ts'
import { addFinding, isAbout, isSupporting, observe, readingText } from './confidence.ts'

/** Repeated diagnoses of an incident. */

type Suspect = IncidentSummary['suspect']

/**
 * The start of a repeated diagnosis: the suspect until a cause is confirmed, then the subject of a symptom that
 * appeared since, preferably of a possible cause.
 */
export function nextSuspect({ root, suspect, symptoms, timeline }: Incident): Suspect {
  const confirmed = timeline.findLast(({ kind }) => kind === 'CauseConfirmed')?.at
  if (root === null || confirmed === undefined) return suspect
  const recent = [...symptoms].filter(({ since }) => since >= confirmed)
  return latestOf(recent.filter(canBeCause)) ?? latestOf(recent) ?? suspect
}

function latestOf(symptoms: readonly Symptom[]): Suspect {
  let suspect: Suspect = null
  let latest = -Infinity
  for (const { since, subject } of symptoms) {
    if (subject.kind === 'Zone' || since <= latest) continue
    suspect = subject
    latest = since
  }
  return suspect
}

export function symptomText(
  world: ObservedWorld,
  { symptoms, headline }: Incident,
  suspect: Suspect,
): string {
  const own = symptoms.values().find(({ subject }) => suspect !== null && isSameSubject(subject, suspect))
  return own === undefined ? headline.text : symptomWording(world, own).text
}

/** An incident that is named after the target comes before others, a graver one before a lesser one. */
export function incidentAbout(incidents: Iterable<Incident>, target: FaultTarget): number | null {
  const ranked = Array.from(incidents, ({ id, symptoms, causes, band, headline }) => {
    const own = symptoms
      .values()
      .filter(({ subject }) => isSameSubject(subject, target))
      .toArray()
    const isRead = causes.some((one) => sameTarget(one.target, target) && one.observations.some(isSupporting))
    const isTitled = own.some(({ key }) => key === headline.symptomKey)
    return { id, rank: isRead || own.length > 0 ? 10 * Number(isTitled) + bands.indexOf(band) : -1 }
  })
  const [first] = ranked.filter(({ rank }) => rank >= 0).toSorted((a, b) => b.rank - a.rank)
  return first?.id ?? null
}

/** Adds another fault found besides the confirmed cause to the timeline. */
export function noteFinding(context: IncidentContext, incident: Incident, finding: RootCause): void {
  const { kind, target } = finding
  const isAgain = incident.root !== null && isAbout(incident.root, kind, target)
  const { text } = causeWording(context, kind, target)
  const reading = observe(context, kind, target, Infinity).find(isSupporting)
  addFinding(context, incident, finding)
  const found = isAgain ? 'Found again' : 'Also found'
  const detail =
    reading === undefined
      ? `${found}: ${text}`
      : `${found}: ${text} ${readingText(reading)} ${reading.detail}`
  addTimelineEntry(context.world, incident, 'EvidenceFound', detail)
}
