import { collectionNames, collections } from '../contract/collections.ts'
import type { CollectionName, Collections, EventRecord } from '../contract/collections.ts'
import { zeroRecord } from '../contract/fields.ts'
import type { RecordType } from '../contract/fields.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'
import { closestMatch } from '../text/closest-match.ts'

function refuseUnknown(kind: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const match = closestMatch(unknown, known)
  const hint = match === null ? `expected one of ${known.join(', ')}` : `did you mean "${match}"?`
  throw new RangeError(`unknown ${kind} "${unknown}"; ${hint}`)
}

/** Throws a RangeError that names an unknown collection, or a field that a record lacks. */
export function checkCollections(given: Partial<Collections>): void {
  refuseUnknown('collection', Object.keys(given), collectionNames)
  for (const name of collectionNames) {
    // Records are made alike; the encoder refuses what is missing in others.
    const record = given[name]?.[0] as Readonly<Record<string, unknown>> | undefined
    const missing =
      record && Object.keys(collections[name].fields).find((field) => record[field] === undefined)
    if (missing !== undefined)
      throw new RangeError(`${name}: the first record has no ${missing}; recordOf fills what is left out`)
  }
}

/** A device has power, and one name in both forms, unless its fields say otherwise. */
function usual(type: RecordType, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { display_name: name = fields['display_name_plain'], display_name_plain: plain = name } = fields
  const values = {
    powered: true,
    ...(name === undefined ? {} : { display_name: name, display_name_plain: plain }),
  }
  return Object.fromEntries(Object.entries(values).filter(([field]) => Object.hasOwn(type.fields, field)))
}

function recordFrom<R>(type: RecordType, fields: Partial<R>): R {
  if (type.isOpen !== true)
    refuseUnknown(`field of ${type.name}`, Object.keys(fields), Object.keys(type.fields))
  return { ...zeroRecord(type), ...usual(type, fields), ...fields } as R
}

/** A record of a collection with some of its fields; all others are zero, empty or null, but a device has power. */
export function recordOf<C extends CollectionName>(
  collection: C,
  fields: Partial<Collections[C][number]>,
): Collections[C][number] {
  refuseUnknown('collection', [collection], collectionNames)
  return recordFrom(collections[collection], fields)
}

/** An event with some of its fields; all others are zero, empty or null. */
export const eventOf = (fields: Partial<EventRecord>): EventRecord => recordFrom(EngineEventSchema, fields)
