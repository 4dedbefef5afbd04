import { collections } from '../contract/collections.ts'
import type { CollectionName, Collections, EventRecord } from '../contract/collections.ts'
import type { Field, RecordOf, RecordType } from '../contract/fields.ts'
import { EngineEvent } from '../contract/records/operations.ts'

function zeroOf(field: Field): unknown {
  if (field.nullable) return null
  if (field.record !== undefined) return zeroRecord(field.record)
  if (field.kind === 'list') return []
  if (field.kind === 'bool') return false
  return field.kind === 'str' ? '' : 0
}

/** A record in which nothing is going on. */
export const zeroRecord = <R extends RecordType>(type: R): RecordOf<R> =>
  Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, zeroOf(field)])) as RecordOf<R>

/** A record of a collection with what is known of it; all other fields are zero, empty or null. */
export const recordOf = <C extends CollectionName>(
  collection: C,
  known: Partial<Collections[C][number]>,
): Collections[C][number] => ({ ...zeroRecord(collections[collection]), ...known })

/** An event with what is known of it. */
export const eventOf = (known: Partial<EventRecord>): EventRecord => ({
  ...zeroRecord(EngineEvent),
  ...known,
})
