/** The entities that records refer to by id: their names are kept, as the entities may go. */
import { collections } from '../../contract/collections.ts'
import type { CollectionName, EventRecord, IncidentRecord } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { entitiesIn } from '../../contract/messages/entities.ts'

export interface EntityId {
  readonly collection: CollectionName
  readonly id: bigint
}

const collectionOfKind: Readonly<Record<string, CollectionName>> = {
  Host: 'hosts',
  Switch: 'switches',
  Gateway: 'gateways',
  Appliance: 'appliances',
  Customer: 'customers',
}

/** Throws a RangeError where a double may have rounded the id. */
export function exactId(id: Int64): bigint {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw new RangeError(`${id} may be rounded`)
  return BigInt(id)
}

const entity = (collection: CollectionName, id: Int64 | null): EntityId[] =>
  id === null ? [] : [{ collection, id: exactId(id) }]

const inMessage = (messageArgs: IncidentRecord['symptom_msg_args']): EntityId[] =>
  entitiesIn(messageArgs).flatMap(({ kind, id }) =>
    kind in collectionOfKind ? [{ collection: collectionOfKind[kind], id }] : [],
  )

export const entitiesOfIncident = (incident: IncidentRecord): EntityId[] => [
  ...entity('customers', incident.symptom_customer_id),
  ...incident.affected_customer_ids.flatMap((id) => entity('customers', id)),
  ...incident.affected_host_ids.flatMap((id) => entity('hosts', id)),
  ...[
    incident.symptom_msg_args,
    incident.root_msg_args,
    ...incident.causes.map(({ msg_args }) => msg_args),
  ].flatMap(inMessage),
]

export const entitiesOfEvent = ({ entity_kind, entity_id, msg_args }: EventRecord): EntityId[] => [
  ...(Object.hasOwn(collectionOfKind, entity_kind) ? entity(collectionOfKind[entity_kind], entity_id) : []),
  ...inMessage(msg_args),
]

/** The fields of an entity that say what it is called and where it stands. */
const keptFields = new Set([
  'id',
  'name',
  'display_name',
  'display_name_plain',
  'az_id',
  'rack_id',
  'start_u',
  'feed',
])
/** Lists of a zone whose members have names of their own. */
const keptLists = ['racks', 'power_feeds', 'cooling_units'] as const

type Json = Readonly<Record<string, unknown>>

function keptOf(record: Json): Json {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) if (keptFields.has(name)) kept[name] = value
  for (const name of keptLists) {
    const list = record[name]
    if (Array.isArray(list)) kept[name] = list.map((member: Json) => keptOf(member))
  }
  return kept
}

/** The kept fields of an entity's record. Throws if it is not JSON of an object. */
export const keptJson = (json: string): string => JSON.stringify(keptOf(JSON.parse(json) as Json))

export const isCollection = (name: string): name is CollectionName => Object.hasOwn(collections, name)
