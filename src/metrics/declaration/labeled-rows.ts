import type { CollectionName, Collections, Snapshot } from '../../contract/collections.ts'
import type { CollectorName } from './collectors.ts'
import type { LabelValue, RowBatch } from '../../codegen/rows.ts'
import type { WorldPart } from '../../contract/collections.ts'
import type { LabeledRows } from './family.ts'

type LabelReaders<R, P, L extends string> = Readonly<Record<L, (row: R, parent: P) => LabelValue>>

const none: readonly never[] = []

function withReaders<R, P, L extends string>(
  readers: LabelReaders<R, P, L>,
): Pick<LabeledRows<R, P, L>, 'labels' | 'readers'> {
  const labels = Object.keys(readers) as L[]
  return { labels, readers: labels.map((label) => readers[label]) }
}

/** A row for every record of a collection. */
export function rowPerRecord<C extends CollectionName, L extends string>(
  collector: CollectorName,
  collection: C,
  readers: LabelReaders<Collections[C][number], undefined, L>,
): LabeledRows<Collections[C][number], undefined, L> {
  return derivedRows(collector, collection, ({ collections }) => collections[collection], readers)
}

/** A row for every element of a list in each record of a collection. */
export function rowPerPart<C extends CollectionName, R, L extends string>(
  collector: CollectorName,
  collection: C,
  parts: (record: Collections[C][number]) => readonly R[],
  readers: LabelReaders<R, Collections[C][number], L>,
): LabeledRows<R, Collections[C][number], L> {
  const rows = ({ collections }: Snapshot): RowBatch<R, Collections[C][number]> => {
    const items: R[] = []
    const parents: Collections[C][number][] = []
    for (const record of collections[collection] as Collections[C][number][]) {
      for (const part of parts(record)) {
        items.push(part)
        parents.push(record)
      }
    }
    return { items, parents }
  }
  return derivedParts(collector, collection, rows, readers)
}

/** Rows with parents, computed from the snapshot. */
export const derivedParts = <R, P, L extends string>(
  collector: CollectorName,
  part: WorldPart | null,
  rows: (snapshot: Snapshot) => RowBatch<R, P>,
  readers: LabelReaders<R, P, L>,
): LabeledRows<R, P, L> => ({ collector, part, ...withReaders(readers), rows })

/** Rows computed from the snapshot. */
export function derivedRows<R, L extends string>(
  collector: CollectorName,
  part: WorldPart | null,
  items: (snapshot: Snapshot) => readonly R[],
  readers: LabelReaders<R, undefined, L>,
): LabeledRows<R, undefined, L> {
  return derivedParts(collector, part, (snapshot) => ({ items: items(snapshot), parents: none }), readers)
}

/** The world as a whole: one row without labels. */
export const singleRow = <R>(
  collector: CollectorName,
  pick: (snapshot: Snapshot) => R,
): LabeledRows<R, undefined, never> => derivedRows(collector, null, (snapshot) => [pick(snapshot)], {})

/** The same rows with other labels. */
export const relabel = <R, P, L extends string>(
  subject: LabeledRows<R, P>,
  readers: LabelReaders<R, P, L>,
): LabeledRows<R, P, L> =>
  derivedParts(subject.collector, subject.part, (snapshot) => subject.rows(snapshot), readers)

interface StateRow<R> {
  readonly record: R
  readonly state: string
  readonly holds: boolean
}

/**
 * A row for each state that a record can have, exactly one of which is active. A state outside the closed set, which
 * an upstream may send, gets a row of its own; an unknown one has none.
 */
export function rowPerState<C extends CollectionName, L extends string>(
  collector: CollectorName,
  collection: C,
  states: readonly string[],
  read: (record: Collections[C][number]) => string,
  readers: LabelReaders<Collections[C][number], undefined, L>,
): LabeledRows<StateRow<Collections[C][number]>, undefined, L | 'state'> {
  type Row = StateRow<Collections[C][number]>
  const entries = Object.entries(readers) as [
    L,
    (record: Collections[C][number], none: undefined) => LabelValue,
  ][]
  const ofRecord = entries.map(([label, reader]) => [label, ({ record }: Row) => reader(record, undefined)])
  const withState = Object.fromEntries([...ofRecord, ['state', ({ state }: Row) => state]])
  return derivedRows(
    collector,
    collection,
    ({ collections }) =>
      (collections[collection] as Collections[C][number][]).flatMap((record): Row[] => {
        const present = read(record)
        if (present === '') return []
        const all = states.includes(present) ? states : [...states, present]
        return all.map((state) => ({ record, state, holds: state === present }))
      }),
    withState as LabelReaders<Row, undefined, L | 'state'>,
  )
}
