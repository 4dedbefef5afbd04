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
import { confirmFound, findCause, isAbout, isSupporting, observe, readingText } from './confidence.ts'
import { takenBack } from './ruled-out.ts'

/** Repeated diagnoses of an incident. */

type Suspect = IncidentSummary['suspect']

/**
 * The start of a repeated diagnosis: the suspect until a cause is confirmed, then the subject of a symptom that
 * appeared since, preferably of a possible cause; the timeline says why.
 */
export function diagnoseAgain(world: ObservedWorld, incident: Incident): Suspect {
  const { root, suspect, symptoms, timeline } = incident
  const confirmed = timeline.findLast(({ kind }) => kind === 'CauseConfirmed')?.at
  if (root === null || confirmed === undefined) return suspect
  const recent = [...symptoms].filter(({ since }) => since >= confirmed)
  const latest = latestOf(recent.filter(canBeCause)) ?? latestOf(recent)
  const why =
    latest === null
      ? 'symptoms remain, and there may be another cause.'
      : `this came after the confirmation: ${symptomWording(world, latest).text}`
  addTimelineEntry(world, incident, 'EvidenceFound', `Diagnosed again, as ${why}`)
  return latest === null || latest.subject.kind === 'Zone' ? suspect : latest.subject
}

function latestOf(symptoms: readonly Symptom[]): Symptom | null {
  let latest: Symptom | null = null
  for (const symptom of symptoms)
    if (symptom.subject.kind !== 'Zone' && symptom.since > (latest?.since ?? -Infinity)) latest = symptom
  return latest
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

/** Adds another fault found besides the confirmed cause to the timeline; see `IncidentControl.noteFinding`. */
export function noteFinding(
  context: IncidentContext,
  incident: Incident,
  fault: RootCause,
  isOrdered: boolean,
): void {
  const { kind, target } = fault
  if (isOrdered && findCause(incident, kind, target)?.confirmed === true) return
  const { root } = incident
  const isAgain = root !== null && isAbout(root, kind, target)
  const isSecond = isAgain && root.id !== fault.id && root.ended === null
  const { text } = causeWording(context, kind, target)
  const reading = observe(context, kind, target, Infinity).find(isSupporting)
  confirmFound(context, incident, fault)
  const found = `${isSecond ? 'A second one found' : isAgain ? 'Found again' : 'Also found'}: ${text}`
  const detail = reading === undefined ? '' : ` ${readingText(reading)} ${reading.detail}`
  const why = isAgain ? '' : takenBack(context, incident, fault)
  addTimelineEntry(context.world, incident, 'EvidenceFound', `${found}${detail}${why}`)
}
