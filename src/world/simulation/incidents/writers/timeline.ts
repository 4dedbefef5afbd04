import { spanInWords } from '../../../../contract/messages/catalog.ts'
import type { Band, TimelineKind } from '../../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { hour, minute, second } from '../../time.ts'
import type { Incident } from '../model.ts'
import { touch, writable } from '../model.ts'

/** Bound of a timeline's entries, and the number reserved for the end of the incident. */
const entriesMax = 80
const reservedEntries = 12
const endingKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>([
  'CauseConfirmed',
  'WorkDone',
  'WorkCalledOff',
  'Resolved',
])

/** Entries that report the end of all symptoms. */
const reliefKinds: ReadonlySet<TimelineKind> = new Set<TimelineKind>(['Mitigated', 'SymptomsCleared'])

/** Whether the timeline already reports the end of all symptoms, with no change since, except by work. */
function isReliefKnown({ timeline }: Incident, kind: TimelineKind): boolean {
  const last = timeline.findLast((entry) => entry.kind === 'SymptomSeen' || reliefKinds.has(entry.kind))
  if (last === undefined || !reliefKinds.has(last.kind)) return false
  return last.kind === kind || last === timeline.at(-1)
}

const nothingFound = 'An inspection found no active fault'
const notFound = 'An inspection did not find the cause of the symptoms'

/** Time after an inspection without a finding before the next one. */
export const inspectionInterval = (band: Band): Micros =>
  band === 'Major' || band === 'Critical' ? 15 * minute : 2 * hour

export function noteNothingFound(world: ObservedWorld, incident: Incident): void {
  const next = spanInWords(inspectionInterval(incident.band) / second)
  // An earlier reading is no error.
  const now = incident.causes.some(({ isNoted, cleared }) => isNoted && !cleared)
    ? ' at that moment, so it comes and goes'
    : ''
  const result = incident.symptoms.size > 0 ? notFound : `${nothingFound}${now}`
  const detail = `${result}. The next one is due in ${next}.`
  addTimelineEntry(world, incident, 'EvidenceFound', detail)
}

export const isFruitless = ({ detail }: { readonly detail: string }): boolean =>
  detail.startsWith(nothingFound) || detail.startsWith(notFound)

/** Number of an incident's inspections without a finding. */
export const fruitlessInspections = ({ timeline }: Incident): number => timeline.filter(isFruitless).length

export function addTimelineEntry(
  { now }: ObservedWorld,
  incident: Incident,
  kind: TimelineKind,
  detail: string,
  repaired?: readonly number[],
): void {
  if (reliefKinds.has(kind) && isReliefKnown(incident, kind)) return
  const limit = endingKinds.has(kind) ? entriesMax : entriesMax - reservedEntries
  if (incident.timeline.length >= limit && kind !== 'Resolved') return
  const { timeline } = writable(incident, 'timeline')
  timeline.splice(incident.resolved === null || kind === 'Resolved' ? timeline.length : -1, 0, {
    at: now,
    kind,
    detail,
    ...(repaired !== undefined && { repaired }),
  })
  touch(incident, now)
}

/** Swaps two texts at the beginning of entries. */
export function swapDetails(incident: Incident, one: string, other: string): void {
  const { timeline } = writable(incident, 'timeline')
  timeline.forEach((entry, index) => {
    const [from, to] = entry.detail.startsWith(one) ? [one, other] : [other, one]
    if (entry.detail.startsWith(from))
      timeline[index] = { ...entry, detail: to + entry.detail.slice(from.length) }
  })
}
