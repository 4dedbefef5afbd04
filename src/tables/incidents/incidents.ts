import type { IncidentRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import {
  causeState,
  evidenceText,
  incidentCause,
  incidentHeadline,
  likeliestCause,
  subjectOf,
  symptomSentence,
  workSummary,
} from '../../words/incidents.ts'
import { isoTime, relativeTime, secondsBetween, spanText } from '../../words/moments.ts'
import { listed } from '../../words/phrases.ts'
import { causeWords, symptomWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  momentColumn,
  placeColumns,
  relativeColumn,
  severityColumn,
  someText,
} from '../columns.ts'
import { devicesOfIncident } from '../mentions.ts'
import { bandRank, byGravity, idOrNull, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { Filter, FilterValues } from '../table.ts'
import { graphFrom, graphFromColumn } from './graph-range.ts'
import { incidentPlace, incidentZone } from './place.ts'

/** Active incidents, the gravest first, then the resolved ones, the latest first. */
export const incidentsInOrder = ({ records }: TableWorld): readonly IncidentRecord[] => [
  ...records.all('incidents').toSorted(byGravity),
  ...records
    .all('resolvedIncidents')
    .toSorted((one, other) => Number(BigInt(other.resolved_at_ns ?? 0) - BigInt(one.resolved_at_ns ?? 0))),
]

const stateOf = ({ resolved_at_ns }: IncidentRecord): 'active' | 'resolved' =>
  resolved_at_ns === null ? 'active' : 'resolved'

/** A customer that the symptom names stands first, even while nothing of it fails. */
function hitText({ symptom_customer_id: named, affected_customer_ids }: IncidentRecord, world: TableWorld) {
  const ids = new Set([...(named === null ? [] : [named]), ...affected_customer_ids].map(idText))
  const names = [...ids].map((id) => world.customerName(BigInt(id))!)
  return names.length === 0 ? 'no customer' : listed(names, 2)
}

/** Filters of every table whose rows belong to an incident. */
export const incidentFilters = {
  incident: { meaning: 'Id of an incident.', values: ({ id }) => [id] },
  band: { meaning: 'Watch, Minor, Major or Critical.', values: ({ band }) => [band] },
  state: { meaning: 'active or resolved.', values: (incident) => [stateOf(incident)] },
  customer: {
    meaning: 'Id or name of an affected customer.',
    values: (incident, world): FilterValues => [
      incident.symptom_customer_id,
      ...incident.affected_customer_ids.flatMap((id) => [id, world.customerName(id)]),
    ],
  },
  host: {
    meaning: 'Id or name of an affected host.',
    values: (incident, world) => incident.affected_host_ids.flatMap((id) => [id, world.hostName(id)]),
  },
  device: {
    meaning: 'Name of a device that its symptom names, or a cause that is not ruled out.',
    values: (incident) => devicesOfIncident(incident),
  },
  rack: {
    meaning: 'Id or name of the rack that it is in.',
    values: ({ rack_id }, world) => [rack_id, world.rackName(rack_id)],
  },
  zone: {
    meaning: 'Id or name of the zone that it is in.',
    values: (incident, world) => {
      const zone = incidentZone(incident, world)
      return [zone?.id, zone?.name, zone?.display_name]
    },
  },
} satisfies Record<string, Filter<IncidentRecord>>

const row = defineRecord('IncidentRow', 'An incident, active or recently resolved.', {
  incident_id: idColumn('incident'),
  severity: severityColumn,
  band: str('Band; of a resolved incident the highest.'),
  state: oneOf(['active', 'resolved'], 'Whether it is over.'),
  headline: str('Band, number, symptom, subject and what is at stake, in one line.'),
  symptom: str('What monitoring noticed, as a sentence.'),
  symptom_kind: str('Kind of symptom, in words.'),
  subject: nullable(str('What the symptom was seen at, by name.')),
  cause: str('The confirmed or most likely cause, as a sentence.'),
  cause_kind: str('Kind of that cause, in words.'),
  cause_state: oneOf(['confirmed', 'suspected', 'unknown'], 'How far the cause is known.'),
  confidence_pct: amountOrNone('Confidence in that cause.', 'pct'),
  evidence: nullable(str('The strongest evidence.')),
  work: nullable(str('What is being done about it.')),
  hint: nullable(str('What to look at next.')),
  ...placeColumns,
  place: nullable(
    str(
      'Where it is, in words: rack, zone, the gateways that an attack comes through, or the zones of the customer.',
    ),
  ),
  customers: int('Affected customers; of a resolved incident at its worst.'),
  customer_names: nullable(str('Their names, the first three.')),
  hit: str('Who is hit, by name: the customer that the symptom names first; or that no customer is.'),
  hosts: int('Affected hosts.'),
  revenue_at_risk_dollars_per_hour: amount(
    'Revenue at risk; of a resolved incident at its worst.',
    'dollars_per_hour',
  ),
  plan: nullable(str('Highest plan among the affected customers.')),
  compliance: nullable(str('Strictest compliance standard at risk.')),
  redundancy_lost: bool('Whether a promise of redundancy is broken.'),
  opened_at: momentColumn('When it was opened.'),
  opened: relativeColumn('When it was opened.'),
  changed: relativeColumn('When it last changed.'),
  resolved_at: nullable(momentColumn('When it was resolved.')),
  resolved: nullable(relativeColumn('When it was resolved.')),
  resolved_seconds_ago: amountOrNone('Simulated time since it was resolved.', 's'),
  lasted_seconds: amount('Simulated time from its opening to its resolution, or to now.', 's'),
  lasted: str('The same, in words.'),
  graph_from: graphFromColumn,
})

export const incidents = defineTable({
  name: 'incidents',
  meaning: 'Incidents: the active ones, the gravest first, then the resolved ones, the latest first.',
  row,
  reads: ['azs', 'gateways', 'switches', 'appliances', 'incidents', 'resolvedIncidents'],
  items: incidentsInOrder,
  filters: incidentFilters,
  toRow(incident, world) {
    const { nowNs } = world
    const end = incident.resolved_at_ns
    const zone = incidentZone(incident, world)
    const cause = likeliestCause(incident)
    const [strongest] = incident.evidence
    const lasted = secondsBetween(incident.started_at_ns, end ?? nowNs)
    return {
      incident_id: idText(incident.id),
      severity: bandRank(incident.band),
      band: incident.band,
      state: stateOf(incident),
      headline: incidentHeadline(incident),
      symptom: symptomSentence(incident),
      symptom_kind: symptomWords(incident.symptom_kind),
      subject: subjectOf(incident.symptom_msg_args),
      cause: incidentCause(incident),
      cause_kind: causeWords(
        incident.confirmed ? incident.root_kind : (cause?.root_kind ?? incident.root_kind),
      ),
      cause_state: causeState(incident),
      confidence_pct: cause?.confidence ?? null,
      evidence: strongest === undefined ? null : evidenceText(strongest),
      work: workSummary(incident),
      hint: incident.hint,
      zone_id: idOrNull(zone?.id),
      zone: world.zoneName(zone?.id ?? null),
      rack_id: idOrNull(incident.rack_id),
      rack: world.rackName(incident.rack_id),
      place: incidentPlace(incident, world),
      customers: incident.affected_customer_ids.length,
      customer_names: someText(listed(incident.affected_customer_ids.map((id) => world.customerName(id)!))),
      hit: hitText(incident, world),
      hosts: incident.affected_host_total,
      revenue_at_risk_dollars_per_hour: incident.revenue_at_risk_per_hour_dollars,
      plan: incident.max_sla_tier,
      compliance: incident.compliance_at_risk,
      redundancy_lost: incident.redundancy_promise_broken,
      opened_at: isoTime(incident.started_at_ns),
      opened: relativeTime(incident.started_at_ns, nowNs),
      changed: relativeTime(incident.last_changed_at_ns, nowNs),
      resolved_at: end === null ? null : isoTime(end),
      resolved: end === null ? null : relativeTime(end, nowNs),
      resolved_seconds_ago: end === null ? null : secondsBetween(end, nowNs),
      lasted_seconds: lasted,
      lasted: spanText(lasted),
      graph_from: graphFrom(incident, world),
    }
  },
})
