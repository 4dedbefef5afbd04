import type { CollectionName, Collections, Snapshot } from '../contract/collections.ts'
import type { CollectorName } from './collectors.ts'
import type { LabelValue, Rows, Subject } from './family.ts'

type LabelReaders<R, P, L extends string> = Readonly<Record<L, (row: R, parent: P) => LabelValue>>

const none: readonly never[] = []

function labelled<R, P, L extends string>(
  readers: LabelReaders<R, P, L>,
): Pick<Subject<R, P, L>, 'labels' | 'readers'> {
  const labels = Object.keys(readers) as L[]
  return { labels, readers: labels.map((label) => readers[label]) }
}

/** Every record of a collection. */
export function everyRecord<C extends CollectionName, L extends string>(
  collector: CollectorName,
  collection: C,
  readers: LabelReaders<Collections[C][number], undefined, L>,
): Subject<Collections[C][number], undefined, L> {
  return {
    collector,
    ...labelled(readers),
    rows: ({ collections }) => ({ items: collections[collection], parents: none }),
  }
}

/** What each record of a collection holds a list of. */
export function everyPart<C extends CollectionName, R, L extends string>(
  collector: CollectorName,
  collection: C,
  parts: (record: Collections[C][number]) => readonly R[],
  readers: LabelReaders<R, Collections[C][number], L>,
): Subject<R, Collections[C][number], L> {
  return {
    collector,
    ...labelled(readers),
    rows({ collections }) {
      const items: R[] = []
      const parents: Collections[C][number][] = []
      for (const record of collections[collection] as Collections[C][number][]) {
        for (const part of parts(record)) {
          items.push(part)
          parents.push(record)
        }
      }
      return { items, parents }
    },
  }
}

/** Rows with parents that are worked out from the snapshot. */
export const workedParts = <R, P, L extends string>(
  collector: CollectorName,
  rows: (snapshot: Snapshot) => Rows<R, P>,
  readers: LabelReaders<R, P, L>,
): Subject<R, P, L> => ({ collector, ...labelled(readers), rows })

/** Rows that are worked out from the snapshot. */
export function worked<R, L extends string>(
  collector: CollectorName,
  items: (snapshot: Snapshot) => readonly R[],
  readers: LabelReaders<R, undefined, L>,
): Subject<R, undefined, L> {
  return { collector, ...labelled(readers), rows: (snapshot) => ({ items: items(snapshot), parents: none }) }
}

/** The world as a whole: one row without labels. */
export const theWorld = <R>(
  collector: CollectorName,
  pick: (snapshot: Snapshot) => R,
): Subject<R, undefined, never> => worked(collector, (snapshot) => [pick(snapshot)], {})

/** The same rows with other labels. */
export const relabelled = <R, P, L extends string>(
  subject: Subject<R, P>,
  readers: LabelReaders<R, P, L>,
): Subject<R, P, L> => ({
  collector: subject.collector,
  ...labelled(readers),
  rows: (snapshot) => subject.rows(snapshot),
})

export interface StateRow<R> {
  readonly record: R
  readonly state: string
  readonly holds: boolean
}

/**
 * A row for each state that a record may be in, of which one holds. A state that is not in the closed set, as
 * another server may send it, gets a row of its own.
 */
export function everyState<C extends CollectionName, L extends string>(
  collector: CollectorName,
  collection: C,
  states: readonly string[],
  read: (record: Collections[C][number]) => string,
  readers: LabelReaders<Collections[C][number], undefined, L>,
): Subject<StateRow<Collections[C][number]>, undefined, L | 'state'> {
  type Row = StateRow<Collections[C][number]>
  const entries = Object.entries(readers) as [
    L,
    (record: Collections[C][number], none: undefined) => LabelValue,
  ][]
  const ofRecord = entries.map(([label, reader]) => [label, ({ record }: Row) => reader(record, undefined)])
  const withState = Object.fromEntries([...ofRecord, ['state', ({ state }: Row) => state]])
  return worked(
    collector,
    ({ collections }) =>
      (collections[collection] as Collections[C][number][]).flatMap((record): Row[] => {
        const present = read(record)
        const all = states.includes(present) ? states : [...states, present]
        return all.map((state) => ({ record, state, holds: state === present }))
      }),
    withState as LabelReaders<Row, undefined, L | 'state'>,
  )
}
