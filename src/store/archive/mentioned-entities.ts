/** The entities that records refer to by id: their names are kept, as the entities may go. */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { collections } from '../../contract/collections.ts'
import type { CollectionName, EventRecord, IncidentRecord } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { entitiesIn } from '../../contract/messages/entities.ts'
import { statementOf } from '../statements.ts'

export interface EntityId {
  readonly collection: CollectionName
  readonly id: bigint
}

/** An entity's record as of the current snapshot; null if it is gone. */
export interface FoundEntity extends EntityId {
  readonly json: string | null
}

/** Entities that are asked for at a time. */
const askedMax = 100

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

/**
 * Notes what a record mentions on a simulated day. An entity goes with the last record that does. Returns whether a name
 * may have to be learned.
 */
export function mention(
  database: DatabaseSync,
  world: number,
  day: number,
  entities: readonly EntityId[],
): boolean {
  const note = statementOf(
    database,
    `INSERT INTO entity VALUES (?, ?, ?, '', 0, ?)
     ON CONFLICT DO UPDATE SET day = excluded.day WHERE day <> excluded.day`,
  )
  const isNew = entities.map(({ collection, id }) => Number(note.run(world, collection, id, day).changes) > 0)
  return isNew.includes(true)
}

/** The next entities whose names are to be learned. */
export const unnamedEntities = (database: DatabaseSync, world: number): EntityId[] =>
  statementOf(
    database,
    `SELECT collection, number AS id FROM entity WHERE world = ? AND json = '' LIMIT ${askedMax}`,
  ).all(world) as unknown as EntityId[]

/** Stores names. Zones come without being asked for. One that is gone is asked for when it is mentioned again. */
export function learnNames(database: DatabaseSync, world: number, found: readonly FoundEntity[]): void {
  const set = statementOf(
    database,
    `INSERT INTO entity VALUES (?, ?, ?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET json = excluded.json, sum = excluded.sum`,
  )
  const remove = statementOf(
    database,
    `DELETE FROM entity WHERE world = ? AND collection = ? AND number = ? AND json = ''`,
  )
  for (const { collection, id, json } of found) {
    const kept = json === null ? null : keptJson(json)
    if (kept === null) remove.run(world, collection, id)
    else set.run(world, collection, id, kept, crc32(kept))
  }
}

/** The kept fields of an entity's record; null if it is not JSON of an object. */
function keptJson(json: string): string | null {
  try {
    return JSON.stringify(keptOf(JSON.parse(json) as Json))
  } catch {
    return null
  }
}

export const isCollection = (name: string): name is CollectionName => Object.hasOwn(collections, name)
