import type { IncidentRecord } from '../../contract/collections.ts'
import {
  causeState,
  evidenceText,
  incidentCause,
  incidentHeadline,
  likeliestCause,
  symptomSentence,
  workSummary,
} from '../../words/incidents.ts'
import { clockText, relativeTime, secondsBetween, spanText } from '../../words/moments.ts'
import { capitalized, counted, dollarsText, listed } from '../../words/phrases.ts'
import { factOf, factRow, factsOf } from '../facts.ts'
import type { Fact } from '../facts.ts'
import { bandRank, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import { incidentFilters, incidentsInOrder } from './incidents.ts'
import { incidentPlace } from './place.ts'

/** Names that are shown in full before the rest is counted. */
const namesMax = 10

function causeText(incident: IncidentRecord): string {
  const state = causeState(incident)
  const likeliest = likeliestCause(incident)
  if (state === 'unknown' || likeliest === undefined) return incidentCause(incident)
  const certainty = state === 'confirmed' ? 'Confirmed' : `Suspected, ${likeliest.confidence} %`
  return `${certainty}: ${incidentCause(incident)}`
}

function timeText({ started_at_ns, resolved_at_ns }: IncidentRecord, nowNs: bigint): string {
  const opened = `Opened on ${clockText(started_at_ns)}, ${relativeTime(started_at_ns, nowNs)}`
  if (resolved_at_ns === null) return opened
  const lasted = spanText(secondsBetween(started_at_ns, resolved_at_ns))
  return `${opened}; resolved ${relativeTime(resolved_at_ns, nowNs)} after ${lasted}`
}

function costText(incident: IncidentRecord): string | null {
  const risk = incident.revenue_at_risk_per_hour_dollars
  const parts = [
    ...(risk > 0 ? [`${dollarsText(risk)} an hour at risk`] : []),
    ...(incident.compliance_at_risk === null ? [] : [`${incident.compliance_at_risk} compliance at risk`]),
    ...(incident.redundancy_promise_broken ? ['a promise of redundancy is broken'] : []),
  ]
  return capitalized(parts.join(', '))
}

function customersText(incident: IncidentRecord, world: TableWorld): string {
  const names = incident.affected_customer_ids.map((id) => world.customerName(id)!)
  return names.length === 0 ? 'None' : `${counted(names.length, 'customer')}: ${listed(names, namesMax)}`
}

function hostsText(incident: IncidentRecord, world: TableWorld): string | null {
  const names = incident.affected_host_ids.map((id) => world.hostName(id)!)
  if (names.length === 0) return null
  return `${counted(incident.affected_host_total, 'host')}: ${listed(names, namesMax)}`
}

function factsOfIncident(incident: IncidentRecord, world: TableWorld): readonly (Fact | null)[] {
  const [strongest] = incident.evidence
  const active = incident.resolved_at_ns === null
  return [
    factOf('Incident', incidentHeadline(incident), bandRank(incident.band)),
    factOf('Symptom', symptomSentence(incident)),
    factOf('Cause', causeText(incident), active && !incident.confirmed ? 2 : 0),
    factOf('Evidence', strongest === undefined ? null : evidenceText(strongest)),
    factOf('Place', incidentPlace(incident, world)),
    factOf('Customers', customersText(incident, world)),
    factOf('Hosts', hostsText(incident, world)),
    factOf('Cost', costText(incident)),
    factOf('Time', timeText(incident, world.nowNs)),
    factOf('Work', workSummary(incident)),
    factOf('Next', active ? incident.hint : null),
  ]
}

export const incident = defineTable({
  name: 'incident',
  meaning: 'Incidents as stories: what, why, where, who is affected, what it costs, what is being done.',
  row: factRow('IncidentFactRow', 'an incident', 'incident_id'),
  reads: ['azs', 'gateways', 'switches', 'appliances', 'incidents', 'resolvedIncidents'],
  items: (world: TableWorld) => factsOf(incidentsInOrder(world), world, factsOfIncident),
  filters: filtersVia(incidentFilters, ({ thing }: { readonly thing: IncidentRecord }) => thing),
  toRow: ({ thing, rank, fact }) => ({ incident_id: idText(thing.id), rank, ...fact }),
})
