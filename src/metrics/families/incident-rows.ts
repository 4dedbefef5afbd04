import type { Collections, IncidentRecord, Snapshot } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { entitiesIn } from '../../contract/messages/entities.ts'
import { zonesNamedIn, withDisplayName } from '../../words/foreign-messages.ts'
import {
  attackedZones,
  causeState,
  likeliestCause,
  ownHeadline,
  subjectOf,
  symptomPhrase,
} from '../../words/incidents.ts'
import { causeWords } from '../../words/vocabulary.ts'
import { derivedRows } from '../declaration/labeled-rows.ts'

/** Percent. Suspicions below it change within seconds, and would send people astray. */
const namedFrom = 50

const isNamed = (incident: IncidentRecord): boolean =>
  incident.confirmed || (likeliestCause(incident)?.confidence ?? 0) >= namedFrom

/** An active incident with the fields of other records that its labels need. */
interface Described {
  readonly incident: IncidentRecord
  readonly az: Int64 | null
  /** The place of the symptom, with the display name of the zone. */
  readonly place: string | null
}

type Arguments = IncidentRecord['symptom_msg_args']

/** The place in a message's arguments, such as `rack A-02 in Tallford A`; other worlds may use `tfd-a`. */
const placeIn = (messageArgs: Arguments): string | null =>
  messageArgs.find(({ key }) => key === 'place')?.text ?? null

const subject = ({ symptom_msg_args: symptom, root_msg_args: root }: IncidentRecord): string | null =>
  subjectOf(symptom) ?? subjectOf(root)

/** The zone of the faulty rack, confirmed or suspected; otherwise the zone of the symptom. */
function zoneOf(incident: IncidentRecord, { collections }: Snapshot): Int64 | null {
  const rack = incident.rack_id ?? likeliestCause(incident)?.rack_id ?? null
  if (rack === null) return zoneOfSymptom(incident, collections)
  return collections.azs.find(({ racks }) => racks.some(({ id }) => id === rack))?.id ?? null
}

const deviceCollections = {
  Host: 'hosts',
  Switch: 'switches',
  Gateway: 'gateways',
  Appliance: 'appliances',
} as const

function zoneOfSymptom({ symptom_msg_args: given }: IncidentRecord, collections: Collections): Int64 | null {
  const entities = entitiesIn(given)
  // A message without ids names its place in words: `rack A-02 in Tallford A`, `power feed B of Tallford A`.
  if (entities.length === 0) return zonesNamedIn(given, collections.azs)[0]?.id ?? null
  // A link may connect zones.
  if (entities.length > 1) return null
  const [{ kind, id }] = entities
  if (kind === 'Zone') return id
  return collections[deviceCollections[kind]].find((device) => BigInt(device.id) === id)?.az_id ?? null
}

/** The place of the symptom, with the display name of its zone. */
function displayPlace({ symptom_msg_args: given }: IncidentRecord, { collections }: Snapshot): string | null {
  const place = placeIn(given)
  return place === null ? null : withDisplayName(place, collections.azs)
}

const described = (snapshot: Snapshot): Described[] =>
  snapshot.collections.incidents.map((incident) => ({
    incident,
    az: zoneOf(incident, snapshot),
    place: displayPlace(incident, snapshot),
  }))

export const incidentInfo = derivedRows('incidents', 'incidents', described, {
  incident: ({ incident }) => incident.id,
  band: ({ incident }) => incident.band,
  root_kind: ({ incident }) => incident.root_kind,
  symptom_kind: ({ incident }) => incident.symptom_kind,
  customer: ({ incident }) => incident.symptom_customer_id,
  rack: ({ incident }) => incident.rack_id,
  max_sla_tier: ({ incident }) => incident.max_sla_tier,
  compliance_at_risk: ({ incident }) => incident.compliance_at_risk,
  az: ({ az }) => az,
  symptom: ({ incident }) => ownHeadline(incident) ?? symptomPhrase(incident),
  subject: ({ incident }) => (ownHeadline(incident) === null ? subject(incident) : null),
  place: ({ place }) => place,
  cause: ({ incident }) =>
    causeWords(isNamed(incident) ? (likeliestCause(incident)?.root_kind ?? incident.root_kind) : 'Unknown'),
  cause_state: ({ incident }) => (isNamed(incident) ? causeState(incident) : 'unknown'),
})

/** An entity that an incident concerns, as the label that identifies it in series and alerts. */
interface Concern {
  readonly incident: IncidentRecord
  readonly az?: Int64
  readonly subject?: string
  readonly customer?: Int64
  readonly tier?: string
  readonly class?: string
  readonly host?: Int64
}

/**
 * The maximum number of customers and of hosts listed for one incident, so that one fault does not make thousands of
 * series.
 */
const concernedMax = 50

function concernsOf({ incident, az }: Described, { collections }: Snapshot): Concern[] {
  const names = new Set([
    subject(incident),
    // A cable shows at the devices at its ends.
    ...incident.causes
      .filter(({ cleared }) => !cleared)
      .flatMap(({ msg_args: given }) => [subjectOf(given)].concat(entitiesIn(given).map(({ name }) => name))),
  ])
  const affected = new Set(incident.affected_customer_ids)
  const customers = collections.customers.filter(({ id }) => affected.has(id))
  const victim = collections.customers.find(({ id }) => id === incident.symptom_customer_id)
  const attack = victim?.attack_class ?? null
  const attacked = attackedZones(attack, collections.gateways)
  const zones = new Map([...(az === null ? [] : [az]), ...attacked].map((zone) => [String(zone), zone]))
  return [
    ...[...zones.values()].map((zone) => ({ incident, az: zone })),
    ...[...names].filter((name) => name !== null).map((name) => ({ incident, subject: name })),
    ...[...new Set(customers.map(({ tier }) => tier))].map((tier) => ({ incident, tier })),
    ...(attack === null ? [] : [{ incident, class: attack }]),
    ...incident.affected_customer_ids.slice(0, concernedMax).map((customer) => ({ incident, customer })),
    ...incident.affected_host_ids.slice(0, concernedMax).map((host) => ({ incident, host })),
  ]
}

export const incidentScope = derivedRows(
  'incidents',
  'incidents',
  (snapshot): Concern[] => described(snapshot).flatMap((one) => concernsOf(one, snapshot)),
  {
    incident: ({ incident }) => incident.id,
    band: ({ incident }) => incident.band,
    az: ({ az }) => az ?? null,
    subject: ({ subject }) => subject ?? null,
    customer: ({ customer }) => customer ?? null,
    tier: ({ tier }) => tier ?? null,
    class: (concern) => concern.class ?? null,
    host: ({ host }) => host ?? null,
  },
)
