import { collections } from '../contract/collections.ts'
import type { CollectionName, Collections, EventRecord } from '../contract/collections.ts'
import type { Field, RecordValue, RecordType } from '../contract/fields.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'

function zeroOf(field: Field): unknown {
  if (field.nullable) return null
  if (field.recordType !== undefined) return zeroRecord(field.recordType)
  if (field.kind === 'list') return []
  if (field.kind === 'bool') return false
  return field.kind === 'str' ? '' : 0
}

/** A record whose fields are all zero, empty or null. */
export const zeroRecord = <R extends RecordType>(type: R): RecordValue<R> =>
  Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => [name, zeroOf(field)]),
  ) as RecordValue<R>

/** A record of a collection with some of its fields; all others are zero, empty or null. */
export const recordOf = <C extends CollectionName>(
  collection: C,
  fields: Partial<Collections[C][number]>,
): Collections[C][number] => ({ ...zeroRecord(collections[collection]), ...fields })

/** An event with some of its fields; all others are zero, empty or null. */
export const eventOf = (fields: Partial<EventRecord>): EventRecord => ({
  ...zeroRecord(EngineEventSchema),
  ...fields,
})
