import type { IncidentContext } from '../context.ts'
import { canBeCause } from '../correlation/symptom-assignment.ts'
import type { Incident, IncidentSummary, RootCause, Symptom } from '../model.ts'
import { addTimelineEntry } from '../writers/timeline.ts'
import { causeWording } from '../wording.ts'
import { isAbout } from './confidence.ts'

/** Diagnoses of an incident that has been diagnosed before. */

type Suspect = IncidentSummary['suspect']

/**
 * Where another diagnosis begins: while no cause is confirmed at what is suspected, and then at what has come up since,
 * a possible cause rather than who suffers from it.
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

/** Adds to the timeline a fault that was found besides the confirmed cause. */
export function noteFinding(context: IncidentContext, incident: Incident, { kind, target }: RootCause): void {
  const isAgain = incident.root !== null && isAbout(incident.root, kind, target)
  const { text } = causeWording(context, kind, target)
  const detail = `${isAgain ? 'Found again' : 'Also found'}: ${text}`
  addTimelineEntry(context.world, incident, 'EvidenceFound', detail)
}
