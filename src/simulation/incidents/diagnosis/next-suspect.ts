import type { FaultTarget } from '../../topology/fault-target.ts'
import { canBeCause } from '../correlation/symptom-assignment.ts'
import type { Incident, Symptom } from '../model.ts'

/**
 * Where another diagnosis of an incident begins: while its cause is not confirmed at what is suspected, and then at
 * what has come up since, a possible cause rather than who suffers from it.
 */
export function nextSuspect({ root, suspect, symptoms, timeline }: Incident): FaultTarget | null {
  const confirmed = timeline.findLast(({ kind }) => kind === 'CauseConfirmed')?.at
  if (root === null || confirmed === undefined) return suspect
  const recent = [...symptoms].filter(({ since }) => since >= confirmed)
  const latest = latestOf(recent.filter(canBeCause)) ?? latestOf(recent)
  return latest ?? suspect
}

function latestOf(symptoms: readonly Symptom[]): FaultTarget | null {
  let latest: { readonly at: number; readonly subject: FaultTarget } | null = null
  for (const { since, subject } of symptoms)
    if (subject.kind !== 'Zone' && (latest === null || since > latest.at)) latest = { at: since, subject }
  return latest === null ? null : latest.subject
}
