import { collections } from '../contract/collections.ts'
import type { CollectionName, Collections, EventRecord } from '../contract/collections.ts'
import { zeroRecord } from '../contract/fields.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'

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
