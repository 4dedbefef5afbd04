/** Tables of an incident's details: its possible causes, the evidence, its timeline. */
import type { IncidentRecord } from '../../../contract/collections.ts'
import { nullable, num, oneOf, str } from '../../../contract/fields.ts'
import { causeSentence, isResolved } from '../../../words/incidents.ts'
import { isoTime, relativeTime } from '../../../words/moments.ts'
import { capitalized, listed } from '../../../words/phrases.ts'
import { idColumn, momentColumn, relativeColumn, someText } from '../../engine/columns.ts'
import { idText } from '../../engine/table-world.ts'
import { column, defineTable } from '../../engine/table.ts'
import type { AnyTable, Columns } from '../../engine/table.ts'
import { incidentFilters, incidentsInOrder } from './incidents.ts'

/** A part of an incident. */
interface Part<T> {
  readonly incident: IncidentRecord
  readonly part: T
}

type Cause = IncidentRecord['causes'][number]
type Evidence = IncidentRecord['evidence'][number]
type TimelineEntry = IncidentRecord['timeline'][number]

interface PartTable<T> {
  readonly name: string
  readonly meaning: string
  readonly row: readonly [name: string, meaning: string]
  readonly parts: (incident: IncidentRecord) => readonly T[]
  readonly columns: Columns<Part<T>>
}

const tableOfParts = <T>({ parts, columns, ...text }: PartTable<T>): AnyTable =>
  defineTable<Part<T>, IncidentRecord>({
    ...text,
    worldParts: ['incidents'],
    entities: incidentsInOrder,
    archived: 'incident',
    itemsOf: (incident) => parts(incident).map((part) => ({ incident, part })),
    entityFilters: incidentFilters,
    columns: { incident_id: column(idColumn('incident'), ({ incident }) => idText(incident.id)), ...columns },
  })

function causeStateOf({ confirmed, cleared }: Cause): 'confirmed' | 'ruled out' | 'possible' {
  if (confirmed) return 'confirmed'
  return cleared ? 'ruled out' : 'possible'
}

export const causes = tableOfParts<Cause>({
  name: 'causes',
  meaning: 'Causes that are considered for incidents, of each the most likely first.',
  row: ['CauseRow', 'A cause that is considered for an incident.'],
  parts: (incident) => incident.causes,
  columns: {
    cause: column(str('The cause, as a sentence.'), ({ part, incident }) =>
      causeSentence(part, isResolved(incident)),
    ),
    state: column(oneOf(['confirmed', 'ruled out', 'possible'], 'What diagnosis says of it.'), ({ part }) =>
      causeStateOf(part),
    ),
    confidence_pct: column(num('Confidence in it.', 'pct'), ({ part }) => part.confidence),
    articles: column(nullable(str('Titles of articles that help with it.')), ({ part }) =>
      someText(listed(part.articles.map(({ title_plain }) => title_plain))),
    ),
  },
})

export const evidence = tableOfParts<Evidence>({
  name: 'evidence',
  meaning: 'Evidence about the causes of incidents, of each the strongest first.',
  row: ['EvidenceRow', 'An observation about an incident.'],
  parts: (incident) => incident.evidence,
  columns: {
    observed: column(str('What was observed.'), ({ part }) => part.label_plain),
    reading: column(str('The reading.'), ({ part }) => part.value_plain),
    meaning: column(str('What it means, as a sentence.'), ({ part }) => part.detail_plain),
  },
})

export const timeline = tableOfParts<TimelineEntry>({
  name: 'timeline',
  meaning: 'What happened to incidents, of each the latest first.',
  row: ['TimelineRow', 'Something that happened to an incident.'],
  parts: (incident) => incident.timeline.toReversed(),
  columns: {
    at: column(momentColumn('When.'), ({ part }) => isoTime(part.at_ns)),
    when: column(relativeColumn('When.'), ({ part }, { nowNs }) => relativeTime(part.at_ns, nowNs)),
    what: column(str('What happened, as a sentence.'), ({ part }) => capitalized(part.detail)),
  },
})
