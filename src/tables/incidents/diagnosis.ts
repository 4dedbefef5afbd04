/** Tables of what an incident consists of: its possible causes, the evidence, its timeline. */
import type { IncidentRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { causeSentence, evidenceText, subjectOf } from '../../words/incidents.ts'
import { isoTime, relativeTime, secondsBetween, spanText } from '../../words/moments.ts'
import { capitalized, listed } from '../../words/phrases.ts'
import { causeWords, plainWords } from '../../words/vocabulary.ts'
import { amount, idColumn, momentColumn, relativeColumn, someText } from '../columns.ts'
import { idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import { incidentFilters, incidentsInOrder } from './incidents.ts'

/** Something that belongs to an incident, with its rank among its like, from 1. */
interface Part<T> {
  readonly incident: IncidentRecord
  readonly part: T
  readonly rank: number
}

const partsOf = <T>(
  world: TableWorld,
  pick: (incident: IncidentRecord) => readonly T[],
): readonly Part<T>[] =>
  incidentsInOrder(world).flatMap((incident) =>
    pick(incident).map((part, index) => ({ incident, part, rank: index + 1 })),
  )

const filters = filtersVia(incidentFilters, ({ incident }: Part<unknown>) => incident)

const reads = ['azs', 'incidents', 'resolvedIncidents'] as const

export const causes = defineTable({
  name: 'causes',
  meaning: 'Causes that are considered for incidents, of each the most likely first.',
  row: defineRecord('CauseRow', 'A cause that is considered for an incident.', {
    incident_id: idColumn('incident'),
    rank: int('Place among the causes of its incident, from 1.', 'index'),
    cause: str('The cause, as a sentence.'),
    cause_kind: str('Kind of cause, in words.'),
    subject: nullable(str('What would be at fault, by name.')),
    rack: nullable(str('Name of the rack that it stands in.')),
    state: oneOf(['confirmed', 'ruled out', 'possible'], 'What diagnosis says of it.'),
    confidence_pct: amount('Confidence in it.', 'pct'),
    articles: nullable(str('Titles of articles that help with it.')),
  }),
  reads,
  items: (world: TableWorld) => partsOf(world, (incident) => incident.causes),
  filters,
  toRow: ({ incident, part, rank }, world) => ({
    incident_id: idText(incident.id),
    rank,
    cause: causeSentence(part),
    cause_kind: causeWords(part.root_kind),
    subject: subjectOf(part.msg_args),
    rack: world.rackName(part.rack_id),
    state: causeStateOf(part),
    confidence_pct: part.confidence,
    articles: someText(listed(part.articles.map(({ title_plain }) => title_plain))),
  }),
})

function causeStateOf({
  confirmed,
  cleared,
}: IncidentRecord['causes'][number]): 'confirmed' | 'ruled out' | 'possible' {
  if (confirmed) return 'confirmed'
  return cleared ? 'ruled out' : 'possible'
}

export const evidence = defineTable({
  name: 'evidence',
  meaning: 'Evidence about the causes of incidents, of each the strongest first.',
  row: defineRecord('EvidenceRow', 'An observation about an incident.', {
    incident_id: idColumn('incident'),
    rank: int('Place among the evidence of its incident, from 1.', 'index'),
    evidence: str('What was observed and its reading, in one line.'),
    observed: str('What was observed.'),
    reading: str('The reading.'),
    meaning: str('What it means, as a sentence.'),
    leading: bool('Whether it is the strongest observation.'),
  }),
  reads,
  items: (world: TableWorld) => partsOf(world, (incident) => incident.evidence),
  filters,
  toRow: ({ incident, part, rank }) => ({
    incident_id: idText(incident.id),
    rank,
    evidence: evidenceText(part),
    observed: part.label_plain,
    reading: part.value_plain,
    meaning: part.detail_plain,
    leading: part.leading,
  }),
})

export const timeline = defineTable({
  name: 'timeline',
  meaning: 'What happened to incidents, of each the latest first.',
  row: defineRecord('TimelineRow', 'Something that happened to an incident.', {
    incident_id: idColumn('incident'),
    at: momentColumn('When.'),
    when: relativeColumn('When.'),
    seconds_ago: amount('Simulated time since then.', 's'),
    after_seconds: amount('Simulated time from the opening of the incident.', 's'),
    after: str('The same, in words.'),
    kind: str('What kind of thing, in words.'),
    what: str('What happened, as a sentence.'),
  }),
  reads,
  items: (world: TableWorld) => partsOf(world, (incident) => incident.timeline.toReversed()),
  filters,
  toRow({ incident, part }, { nowNs }) {
    const after = secondsBetween(incident.started_at_ns, part.at_ns)
    return {
      incident_id: idText(incident.id),
      at: isoTime(part.at_ns),
      when: relativeTime(part.at_ns, nowNs),
      seconds_ago: secondsBetween(part.at_ns, nowNs),
      after_seconds: after,
      after: spanText(after),
      kind: plainWords(part.kind),
      what: capitalized(part.detail),
    }
  },
})
