import type { IncidentRecord } from '../../../contract/collections.ts'
import {
  causeState,
  evidenceText,
  mainEvidence,
  incidentCause,
  incidentHeadline,
  likeliestCause,
  symptomAtWorst,
} from '../../../words/incidents.ts'
import { clockText, relativeTime, secondsBetween, spanText } from '../../../words/moments.ts'
import { capitalized, counted, dollarsText, listed, plain } from '../../../words/phrases.ts'
import { idColumn, wordsOrNone } from '../../engine/columns.ts'
import { defineFactTable, fact } from '../../engine/facts.ts'
import { idText } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column } from '../../engine/table.ts'
import { incidentFilters, incidentsInOrder, isActive, workText } from './incidents.ts'
import { incidentPlace } from './place.ts'
import { bandRank } from '../../../words/vocabulary.ts'

function causeText(incident: IncidentRecord): string {
  const state = causeState(incident)
  const likeliest = likeliestCause(incident)
  if (state === 'unknown' || likeliest === undefined) return incidentCause(incident)
  const certainty = state === 'confirmed' ? 'Confirmed' : `Suspected, ${plain(likeliest.confidence)} %`
  return `${certainty}: ${incidentCause(incident)}`
}

/** Readings and impact of a resolved incident are from the time when it was open. */
const asItWas = (incident: IncidentRecord, text: string): string =>
  isActive(incident) ? text : `While it was open: ${text}`

function timeText({ started_at_ns, resolved_at_ns }: IncidentRecord, { nowNs }: TableWorld): string {
  const opened = `Opened on ${clockText(started_at_ns)}, ${relativeTime(started_at_ns, nowNs)}`
  if (resolved_at_ns === null) return opened
  const lasted = spanText(secondsBetween(started_at_ns, resolved_at_ns))
  return `${opened}; resolved ${relativeTime(resolved_at_ns, nowNs)} after ${lasted}`
}

function costText(incident: IncidentRecord): string {
  const risk = incident.revenue_at_risk_per_hour_dollars
  const parts = [
    ...(risk > 0 ? [`${dollarsText(risk)} an hour at risk`] : []),
    ...(incident.compliance_at_risk === null ? [] : [`${incident.compliance_at_risk} compliance at risk`]),
    ...(incident.redundancy_promise_broken
      ? [
          incident.affected_customer_ids.length > 0
            ? 'a promise of redundancy is broken'
            : 'redundancy is lost',
        ]
      : []),
  ]
  return parts.length === 0 ? '' : asItWas(incident, capitalized(parts.join(', ')))
}

/** The customer in the symptom comes first. */
function customersText(
  { symptom_customer_id: named, affected_customer_ids: ids }: IncidentRecord,
  world: TableWorld,
) {
  const isNamed = (id: bigint | number): number => Number(String(id) === String(named))
  const names = world.customerNames(ids.toSorted((a, b) => isNamed(b) - isNamed(a)))
  return names.length === 0 ? 'None' : `${counted(names.length, 'customer')}: ${listed(names)}`
}

function hostsText(incident: IncidentRecord, world: TableWorld): string | null {
  const names = world.hostNames(incident.affected_host_ids)
  if (names.length === 0) return null
  return `${counted(incident.affected_host_total, 'host')}: ${listed(names)}`
}

export const incident = defineFactTable<IncidentRecord>({
  name: 'incident',
  meaning: 'Incidents as stories: what, why, where, who is affected, what it costs, what is being done.',
  row: ['IncidentFactRow', 'A fact about an incident.'],
  worldParts: ['incidents', 'workOrders'],
  entities: incidentsInOrder,
  archived: 'incident',
  identity: { incident_id: column(idColumn('incident'), ({ id }) => idText(id)) },
  filters: incidentFilters,
  facts: [
    fact('Incident', incidentHeadline, ({ band }) => bandRank(band)),
    fact('Symptom', symptomAtWorst),
    fact('Cause', causeText, (one) => (isActive(one) && !one.confirmed ? 2 : 0)),
    fact('Work', workText),
    fact('Next', (one) => (isActive(one) ? one.hint : null)),
    fact('Evidence', (one) => wordsOrNone(mainEvidence(one), (it) => asItWas(one, evidenceText(it)))),
    fact('Place', incidentPlace),
    fact('Customers', customersText),
    fact('Hosts', hostsText),
    fact('Cost', costText),
    fact('Time', timeText),
  ],
})
