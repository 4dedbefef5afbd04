import type { TimelineKind } from '../../contract/vocabularies.ts'
import type { WorldState } from '../state.ts'
import { type Case, touch } from './case.ts'

/** Entries that a timeline holds at most; what tells how it ended always finds room. */
const timelineMost = 80
const endings: ReadonlySet<TimelineKind> = new Set<TimelineKind>(['CauseConfirmed', 'WorkDone', 'Resolved'])
const roomForEndings = 12

export function note({ now }: WorldState, at: Case, kind: TimelineKind, detail: string): void {
  const room = endings.has(kind) ? timelineMost : timelineMost - roomForEndings
  if (at.timeline.length >= room && kind !== 'Resolved') return
  at.timeline.push({ at: now, kind, detail })
  touch(at, now)
}
