/** Active incidents as one looks at them: alike ones of a zone are one. */
import type { IncidentRecord } from '../../../contract/collections.ts'
import { int, nullable, num, oneOf, str } from '../../../contract/fields.ts'
import { numberText } from '../../../contract/messages/catalog.ts'
import { severalSymptoms } from '../../../contract/messages/incident-symptoms.ts'
import { bands } from '../../../contract/vocabularies.ts'
import { impactText, incidentHeadline, subjectOf, symptomSentence } from '../../../words/incidents.ts'
import { momentOrder } from '../../../words/moments.ts'
import { capitalized, listed, listedMax, withoutStop } from '../../../words/phrases.ts'
import { nameOfZone } from '../../../words/places.ts'
import { severityFilter, sumOf } from '../../engine/columns.ts'
import { merged, placesFilters } from '../places.ts'
import { byGravity } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable, each, oneOfFilter } from '../../engine/table.ts'
import type { Columns, TableColumn } from '../../engine/table.ts'
import { hitText, incidents } from './incidents.ts'
import { incidentPlace, incidentZone, placesOfIncident } from './place.ts'
import { bandRank } from '../../../words/vocabulary.ts'

/** Incidents of one band with one symptom in one zone, the gravest first; or a single one. */
interface IncidentGroup {
  readonly gravest: IncidentRecord
  readonly all: readonly IncidentRecord[]
}

function keyOf(incident: IncidentRecord, world: TableWorld): string {
  const { id, band, symptom_msg_key: symptom } = incident
  const zone = severalSymptoms.has(symptom) ? incidentZone(incident, world) : undefined
  return zone === undefined ? `${id}` : `${band} ${symptom} ${zone.id}`
}

function groupsOf(world: TableWorld): readonly IncidentGroup[] {
  const active = world.records.all('incidents').toSorted(byGravity)
  const byKey = Map.groupBy(active, (incident) => keyOf(incident, world))
  return Array.from(byKey.values(), (all) => ({ gravest: all[0], all }))
}

const idsIn = (
  all: readonly IncidentRecord[],
  read: (one: IncidentRecord) => readonly (bigint | number)[],
) => [...new Map(all.flatMap(read).map((id) => [String(id), id])).values()]

/** The group as one incident: who is hit by any of them, and what all of them cost. */
function asOne({ gravest, all }: IncidentGroup): IncidentRecord {
  if (all.length === 1) return gravest
  const named = all.flatMap(({ symptom_customer_id: id }) => (id === null ? [] : [id]))
  const affected = idsIn(all, ({ affected_customer_ids: ids }) => ids)
  return {
    ...gravest,
    affected_customer_ids: idsIn(all, () => [...named, ...affected]),
    affected_host_ids: idsIn(all, ({ affected_host_ids: ids }) => ids),
    affected_host_total: sumOf(all, (one) => one.affected_host_total),
    revenue_at_risk_per_hour_dollars: sumOf(all, (one) => one.revenue_at_risk_per_hour_dollars),
    redundancy_promise_broken: all.some((one) => one.redundancy_promise_broken),
  }
}

function whatOf({ gravest, all }: IncidentGroup): string {
  if (all.length === 1) return symptomSentence(gravest)
  const names = all.flatMap(({ symptom_msg_args: given }) => subjectOf(given) ?? [])
  const sentence = `${numberText(all.length)} ${severalSymptoms.get(gravest.symptom_msg_key)}`
  return names.length > listedMax || names.length === 0 ? `${sentence}.` : `${sentence}: ${listed(names)}.`
}

/** The racks of a group, or its zone if one of it has no rack. */
function placeOf({ gravest, all }: IncidentGroup, world: TableWorld): string | null {
  if (all.length === 1) return incidentPlace(gravest, world)
  const zone = incidentZone(gravest, world)
  const names = new Set(all.map(({ rack_id }) => world.rackName(rack_id)))
  const racks = [...names].filter((name) => name !== null).toSorted()
  const inRacks = names.has(null) ? '' : `${racks.length === 1 ? 'rack' : 'racks'} ${listed(racks)}`
  return capitalized([inRacks, zone === undefined ? '' : nameOfZone(zone)].filter(Boolean).join(', '))
}

function causeOf({ gravest }: IncidentGroup, world: TableWorld): string {
  const [kind, state, likely] = ['cause_kind', 'cause_state', 'confidence_pct'].map((name) =>
    incidents.columns[name].cell(gravest, world),
  )
  return state === 'suspected' && Number.isFinite(likely) ? `${kind} (${likely} %)` : String(kind)
}

function headlineOf(group: IncidentGroup): string {
  const { gravest, all } = group
  if (all.length === 1) return incidentHeadline(gravest)
  const impact = impactText(asOne(group))
  return `${gravest.band}: ${withoutStop(whatOf(group))}${impact === '' ? '' : ` (${impact})`}`
}

const oldestOf = ({ all }: IncidentGroup): IncidentRecord =>
  all.reduce((oldest, one) => (momentOrder(one.started_at_ns, oldest.started_at_ns) < 0 ? one : oldest))

/** A column of the gravest incident, as `incidents` has it. */
const ofGravest = (name: string): TableColumn<IncidentGroup> => {
  const { field, cell } = incidents.columns[name]
  return { field, cell: ({ gravest }, world) => cell(gravest, world) }
}
/** The same of all of them as one, or of the oldest. */
const ofAll = (name: string): TableColumn<IncidentGroup> => ({
  ...ofGravest(name),
  cell: (group, world) => incidents.columns[name].cell(asOne(group), world),
})
const ofOldest = (name: string): TableColumn<IncidentGroup> => ({
  ...ofGravest(name),
  cell: (group, world) => incidents.columns[name].cell(oldestOf(group), world),
})

const columns: Columns<IncidentGroup> = {
  incident_id: ofGravest('incident_id'),
  incidents: column(int('How many there are.'), ({ all }) => all.length),
  severity: ofGravest('severity'),
  band: ofGravest('band'),
  headline: column(str('What it is and what is at stake, in one line.'), headlineOf),
  what: column(str('What monitoring noticed, as a sentence.'), whatOf),
  cause_kind: column(str('Kind of the cause, in words; of a suspect, with how likely it is.'), causeOf),
  cause_state: ofGravest('cause_state'),
  hint: ofGravest('hint'),
  place: column(nullable(str('Where it is, in words: racks, or as incidents have it.')), placeOf),
  customers: ofAll('customers'),
  hit: column(str('Who is hit, by name; or that no customer is.'), (group, world) =>
    hitText(asOne(group), world),
  ),
  revenue_at_risk_dollars_per_hour: column(
    num('Revenue at risk of all of them.', 'dollars_per_hour'),
    (group) => Math.round(100 * asOne(group).revenue_at_risk_per_hour_dollars) / 100,
  ),
  opened: ofOldest('opened'),
  graph_from: ofOldest('graph_from'),
  leads_to: column(oneOf(['incident', 'incidents'], 'What shows more of it.'), ({ all }) =>
    all.length === 1 ? 'incident' : 'incidents',
  ),
}

export const incidentGroups = defineTable<IncidentGroup>({
  name: 'incident-groups',
  meaning:
    'What is wrong: active incidents, the gravest first; of one band and one zone, alike ones in one row.',
  row: [
    'IncidentGroupRow',
    'An active incident, or several that are alike; what is not said of all is of the gravest.',
  ],
  worldParts: ['incidents'],
  ...each((world) => world.derived(groupsOf)),
  filters: {
    band: oneOfFilter(bands, ({ gravest }) => [gravest.band]),
    ...severityFilter<IncidentGroup>(({ gravest }) => ({ severity: bandRank(gravest.band) })),
    ...placesFilters(({ all }: IncidentGroup, world) =>
      merged(all.map((incident) => placesOfIncident(incident, world))),
    ),
  },
  columns,
})
