import type { RecordType, RecordValue } from '../../contract/fields.ts'
import { zeroRecord } from '../../contract/fields.ts'

/** Records of one kind. List and records stay the same objects and are updated in place. */
export interface RecordList<R> {
  readonly records: R[]
  readonly update: () => void
}

/** Fields that hold records: every record needs its own nested records, created with it. */
type FieldOfRecords<V> = {
  [K in keyof V]: V[K] extends readonly object[]
    ? K
    : V[K] extends readonly unknown[]
      ? never
      : V[K] extends object
        ? K
        : never
}[keyof V]

/** The constant fields of a record. */
type Constants<V> = Partial<V> & Pick<V, FieldOfRecords<V>>

/**
 * Creates records of a type from their constant fields. All other fields are zero, empty or null until the first
 * update, the only place that sets them.
 */
export function recordFactory<R extends RecordType>(
  type: R,
): (constants: Constants<RecordValue<R>>) => RecordValue<R> {
  // JSON.parse lays fields out inside the object, as a literal does: copies of such an object are as fast to read and
  // write.
  const zero = JSON.parse(JSON.stringify(zeroRecord(type))) as RecordValue<R>
  return (constants) => ({ ...zero, ...constants })
}

/** All rows of a table that no row is ever removed from. */
export const allRows = ({ count }: { readonly count: number }): Iterable<number> => Array(count).keys()

/** Records by row, each created once and updated by a function of its row. */
export function createRecordList<R>(
  rows: Iterable<number>,
  create: (row: number) => R,
  update: (record: R, row: number) => void,
): RecordList<R> {
  const ordered = [...rows]
  const records = ordered.map(create)
  return {
    records,
    update: () => {
      for (let index = 0; index < records.length; index++) update(records[index], ordered[index])
    },
  }
}

/** The records of several lists, by name. */
export const recordsOf = <L extends Readonly<Record<string, RecordList<unknown>>>>(lists: L) =>
  Object.fromEntries(Object.entries(lists).map(([name, { records }]) => [name, records])) as {
    [N in keyof L]: L[N]['records']
  }
