import type { TimelineKind } from '../../contract/vocabularies.ts'
import type { ObservedWorld } from '../observed-world.ts'
import { type Incident, touch } from './model.ts'

/** Entries of a timeline, some of which are reserved for how the incident ended. */
const entriesMax = 80
const reservedEntries = 12
const endingKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>([
  'CauseConfirmed',
  'WorkDone',
  'WorkCalledOff',
  'Resolved',
])

/** What says that no symptom is left. */
const reliefKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>(['Mitigated', 'SymptomsCleared'])

export function addTimelineEntry(
  { now }: ObservedWorld,
  incident: Incident,
  kind: TimelineKind,
  detail: string,
): void {
  const last = incident.timeline.at(-1)
  // A symptom that comes and goes unmentioned leaves nothing new to say.
  if (last !== undefined && reliefKinds.has(kind) && reliefKinds.has(last.kind)) return
  const limit = endingKinds.has(kind) ? entriesMax : entriesMax - reservedEntries
  if (incident.timeline.length >= limit && kind !== 'Resolved') return
  incident.timeline.push({ at: now, kind, detail })
  touch(incident, now)
}
