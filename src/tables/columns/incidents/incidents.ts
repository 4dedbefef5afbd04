import { lengthOf } from '../../../contract/records/unknown.ts'
import type { IncidentRecord, WorkOrderRecord } from '../../../contract/collections.ts'
import { int, nullable, num, oneOf, str } from '../../../contract/fields.ts'
import { bands } from '../../../contract/vocabularies.ts'
import {
  causeState,
  incidentCause,
  incidentHeadline,
  likeliestCause,
  symptomAtWorst,
  workSummary,
} from '../../../words/incidents.ts'
import { isoTime, momentOrder, relativeTime, secondsBetween, spanText } from '../../../words/moments.ts'
import { listed } from '../../../words/phrases.ts'
import { bandRank, causeWords } from '../../../words/vocabulary.ts'
import {
  amountOrNone,
  idColumn,
  momentColumn,
  relativeColumn,
  severityColumn,
  someText,
  wordsOrNone,
} from '../../engine/columns.ts'
import { devicesOfIncident } from '../mentions.ts'
import { placesFilters, rackColumns, zoneColumns } from '../places.ts'
import { byGravity, idOrNull, idText } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable, each, oneOfFilter } from '../../engine/table.ts'
import type { Filters } from '../../engine/table.ts'
import { graphFrom, graphFromColumn } from './graph-range.ts'
import { hostIdsOf, incidentPlace, incidentZone, placesOfIncident } from './place.ts'

/** Active incidents, the gravest first, then the resolved ones, the latest first. */
export const incidentsInOrder = ({ records }: TableWorld): readonly IncidentRecord[] => [
  ...records.all('incidents').toSorted(byGravity),
  ...records
    .all('resolvedIncidents')
    .toSorted((one, other) => momentOrder(other.resolved_at_ns, one.resolved_at_ns)),
]

export const isActive = ({ resolved_at_ns }: IncidentRecord): boolean => resolved_at_ns === null

const incidentStates = ['active', 'resolved'] as const

const stateOf = (incident: IncidentRecord): (typeof incidentStates)[number] =>
  isActive(incident) ? 'active' : 'resolved'

/** The customer in the symptom comes first, even if none of its services fails. */
export function hitText(
  { symptom_customer_id: named, affected_customer_ids }: IncidentRecord,
  world: TableWorld,
): string {
  const others = affected_customer_ids.filter((id) => String(id) !== String(named))
  const names = world.customerNames(named === null ? others : [named, ...others])
  return names.length === 0 ? 'no customer' : listed(names, 1)
}

/** Filters of every table whose rows belong to an incident. */
export const incidentFilters: Filters<IncidentRecord> = {
  incident: { meaning: 'Id of an incident.', values: ({ id }) => [id] },
  band: oneOfFilter(bands, ({ band }) => [band]),
  state: oneOfFilter(incidentStates, (incident) => [stateOf(incident)]),
  customer: {
    meaning: 'Id or name of an affected customer.',
    values: (incident, world) => [
      incident.symptom_customer_id,
      ...incident.affected_customer_ids.flatMap((id) => [id, world.customerName(id)]),
    ],
  },
  host: {
    meaning: 'Id or name of a host that is affected, or that its symptom or its cause names.',
    values: (incident, world) => hostIdsOf(incident, world).flatMap((id) => [id, world.hostName(id)]),
  },
  device: {
    meaning:
      'Name of an affected host, or of a device that its symptom or a cause that is not ruled out names.',
    values: (incident, world) => [
      ...devicesOfIncident(incident),
      ...hostIdsOf(incident, world).map((id) => world.hostName(id)),
    ],
  },
  ...placesFilters(placesOfIncident),
}

const secondsOpen = ({ started_at_ns, resolved_at_ns }: IncidentRecord, { nowNs }: TableWorld): number =>
  secondsBetween(started_at_ns, resolved_at_ns ?? nowNs)

const openOrders = ({ records }: TableWorld): ReadonlyMap<string | null, WorkOrderRecord[]> =>
  Map.groupBy(
    records.all('workOrders').filter(({ resolved_at_ns }) => resolved_at_ns === null),
    ({ incident_id }) => idOrNull(incident_id),
  )

export const ordersOf = ({ id }: IncidentRecord, world: TableWorld): readonly WorkOrderRecord[] =>
  world.derived(openOrders).get(idText(id)) ?? []

export const workText = (incident: IncidentRecord, world: TableWorld): string | null =>
  workSummary(incident, ordersOf(incident, world))

/** The kind of the confirmed cause, or of the most likely one. */
function causeKind(incident: IncidentRecord): string {
  const likeliest = incident.confirmed ? undefined : likeliestCause(incident)
  return causeWords(likeliest?.root_kind ?? incident.root_kind)
}

export const incidents = defineTable<IncidentRecord>({
  name: 'incidents',
  meaning: 'Incidents: the active ones, the gravest first, then the resolved ones, the latest first.',
  row: ['IncidentRow', 'An incident, active or recently resolved.'],
  worldParts: ['incidents', 'workOrders'],
  ...each(incidentsInOrder),
  archived: 'incident',
  filters: {
    ...incidentFilters,
    changed_since: {
      meaning: 'Those that changed later than this time: the latest changed_at that a client has seen.',
      isCursor: true,
      values: ({ last_changed_at_ns }) => [isoTime(last_changed_at_ns)],
    },
  },
  columns: {
    incident_id: column(idColumn('incident'), ({ id }) => idText(id)),
    severity: column(severityColumn, ({ band }) => bandRank(band)),
    band: column(str('Band; of a resolved incident, and in a past range, the highest.'), 'band'),
    state: column(oneOf(incidentStates, 'Whether it is over.'), stateOf),
    headline: column(
      str('Band, number, symptom, subject and what is at stake, in one line.'),
      incidentHeadline,
    ),
    symptom: column(str('What monitoring noticed, as a sentence.'), symptomAtWorst),
    cause: column(str('The confirmed or most likely cause, as a sentence.'), incidentCause),
    cause_kind: column(str('Kind of that cause, in words.'), causeKind),
    cause_state: column(
      oneOf(['confirmed', 'suspected', 'unknown'], 'How far the cause is known.'),
      causeState,
    ),
    confidence_pct: column(
      amountOrNone('Confidence in that cause.', 'pct'),
      (incident) => likeliestCause(incident)?.confidence ?? null,
    ),
    work: column(nullable(str('What is being done about it.')), workText),
    hint: column(nullable(str('What to look at next.')), 'hint'),
    ...zoneColumns(incidentZone),
    ...rackColumns((incident: IncidentRecord) => incident),
    place: column(
      nullable(
        str(
          'Where it is, in words: rack, zone, the gateways that an attack comes through, or the zones of the customer.',
        ),
      ),
      incidentPlace,
    ),
    customers: column(
      int('Affected customers; of a resolved incident at its worst.'),
      ({ affected_customer_ids }) => lengthOf(affected_customer_ids),
    ),
    customer_names: column(
      nullable(str('Their names, the first three.')),
      ({ affected_customer_ids }, world) => someText(listed(world.customerNames(affected_customer_ids))),
    ),
    hit: column(
      str('Who is hit, by name: the customer that the symptom names first; or that no customer is.'),
      hitText,
    ),
    hosts: column(int('Affected hosts.'), 'affected_host_total'),
    revenue_at_risk_dollars_per_hour: column(
      num('Revenue at risk; of a resolved incident at its worst.', 'dollars_per_hour'),
      'revenue_at_risk_per_hour_dollars',
    ),
    opened_at: column(momentColumn('When it was opened.'), ({ started_at_ns }) => isoTime(started_at_ns)),
    opened: column(relativeColumn('When it was opened.'), ({ started_at_ns }, { nowNs }) =>
      relativeTime(started_at_ns, nowNs),
    ),
    changed_at: column(momentColumn('When it last changed.'), ({ last_changed_at_ns }) =>
      isoTime(last_changed_at_ns),
    ),
    resolved_at: column(nullable(momentColumn('When it was resolved.')), ({ resolved_at_ns }) =>
      wordsOrNone(resolved_at_ns, isoTime),
    ),
    resolved: column(nullable(relativeColumn('When it was resolved.')), ({ resolved_at_ns }, { nowNs }) =>
      wordsOrNone(resolved_at_ns, (ns) => relativeTime(ns, nowNs)),
    ),
    lasted: column(str('The same, in words.'), (incident, world) => spanText(secondsOpen(incident, world))),
    graph_from: column(graphFromColumn, graphFrom),
  },
})
