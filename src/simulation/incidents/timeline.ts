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

export function addTimelineEntry(
  { now }: ObservedWorld,
  incident: Incident,
  kind: TimelineKind,
  detail: string,
): void {
  const limit = endingKinds.has(kind) ? entriesMax : entriesMax - reservedEntries
  if (incident.timeline.length >= limit && kind !== 'Resolved') return
  incident.timeline.push({ at: now, kind, detail })
  touch(incident, now)
}
