/**
 * The records of a blind world leave out causes, suspects, the work of operators about them, and states that only the
 * truth knows; so does everything that is made of records. Readings of instruments stay.
 */
import type { Collections, DiagnosticsRecord, IncidentRecord } from '../../contract/collections.ts'
import type { TimelineKind } from '../../contract/vocabularies.ts'
import { isSameSubject } from '../simulation/incidents/correlation/subjects.ts'
import { withoutMarkup } from '../simulation/incidents/diagnosis/confidence.ts'
import { firstStepsArticle, symptomArticles } from '../simulation/incidents/hints.ts'
import type { Incident } from '../simulation/incidents/model.ts'
import { unknownCauseWording } from '../simulation/incidents/wording.ts'
import type { WorkOrder } from '../simulation/operations/view.ts'
import { isOfOperators } from '../simulation/operations/view.ts'
import { articleRecord, evidenceMax, evidenceRecord } from './operations/incident-parts.ts'

/** Entries of a timeline about symptoms and impact; null keeps the text, which says no more. */
const shownEntries: Readonly<Partial<Record<TimelineKind, string | null>>> = {
  Opened: null,
  SymptomSeen: null,
  BandRaised: null,
  BandLowered: null,
  CustomersAffected: null,
  WorkStarted: null,
  WorkBlocked: null,
  WorkDone: null,
  WorkCalledOff: null,
  SymptomsCleared: 'No symptoms remain.',
  Resolved: 'Resolved: no symptoms remain.',
}

/** The fields of an incident's record that differ in a blind world. */
export const blindFields = (
  incident: Incident,
  timeline: IncidentRecord['timeline'],
): Partial<IncidentRecord> => ({
  root_kind: 'Unknown',
  root_entity_id: null,
  rack_id: null,
  root_msg_key: unknownCauseWording.key,
  root_msg_args: [],
  confirmed: false,
  causes: [],
  timeline: timeline.flatMap((entry) => {
    const text = shownEntries[entry.kind]
    return text === undefined ? [] : [{ ...entry, detail: text ?? entry.detail }]
  }),
  articles: [symptomArticles[incident.headline.kind], firstStepsArticle].map(articleRecord),
  hint_tier: 0,
  hint: null,
  evidence: readings(incident),
})

/**
 * All readings out of the ordinary before others, those of what has symptoms before others, then by name: without what they
 * mean and which of them weighs most.
 */
function readings({ causes, symptoms }: Incident): IncidentRecord['evidence'] {
  const read = causes.flatMap(({ target, observations }) => {
    const isOwn = symptoms.values().some(({ subject }) => isSameSubject(subject, target))
    return observations.map(({ label, value, likelihood }) => ({
      rank: 2 * Number(likelihood > 1) + Number(isOwn),
      record: evidenceRecord({ label, value: withoutMarkup(value), detail: '' }, false),
    }))
  })
  const byLabel = Map.groupBy(
    read.toSorted((a, b) => b.rank - a.rank || (a.record.label_plain < b.record.label_plain ? -1 : 1)),
    ({ record }) => record.label_plain,
  )
  const shown = Array.from(byLabel.values(), ([first]) => first)
  return shown.filter(({ rank }, index) => rank > 1 || index < evidenceMax).map(({ record }) => record)
}

/** Work of the team, upkeep and onboarding. */
export const isShownOrder = (order: WorkOrder): boolean => !isOfOperators(order)

/** Incidents list orders that are shown. */
export function hideOrders({ incidents, resolvedIncidents, workOrders }: Collections): void {
  const shown = new Set(workOrders.map(({ id }) => id))
  for (const record of [...incidents, ...resolvedIncidents])
    record.work_order_ids = record.work_order_ids.filter((id) => shown.has(id))
}

/** Marks of faults that no instrument has. */
export function hideMarks({ switches, cables }: Collections): void {
  for (const record of switches) record.broadcast_storm = false
  for (const record of cables) record.is_failed = false
}

export function hideDiagnoses(diagnostics: DiagnosticsRecord): void {
  diagnostics.counts.cables_failed = 0
  diagnostics.root_kinds_confirmed = []
  diagnostics.root_kinds_confirmed_total = 0
}
