import type { Snapshot } from '../../contract/collections.ts'
import type { CollectorName } from '../declaration/collectors.ts'
import type { Family, LabeledRows } from '../declaration/family.ts'
import { families } from '../families/all.ts'
import { createLabelText } from './label-text.ts'
import { SampleColumns } from './sample-columns.ts'

/** The current values of families that share their rows. Valid until the next sample. */
export interface SampledRows {
  readonly collector: CollectorName
  /** Names of the families, in the order of the columns. */
  readonly families: readonly string[]
  /** The labels of each row, as they follow the name of a family: `{host="3",az="1"}`. */
  readonly labels: readonly string[]
  /** May be longer than there are rows. NaN where a row has no sample. */
  readonly columns: readonly Float64Array[]
}

/** Reads a snapshot as numbers: the same series as the exposition, without their text. */
type Sampler = (snapshot: Snapshot) => readonly SampledRows[]

export function createSampler(isSampled: (name: string, family: Family) => boolean = () => true): Sampler {
  const declared: readonly (readonly [string, Family])[] = Object.entries(families)
  const chosen = declared.filter(([name, family]) => isSampled(name, family))
  const bySubject = Map.groupBy(chosen, ([, { subject }]) => subject)
  const readers = Array.from(bySubject, ([subject, members]) => rowReader(subject, members))
  return (snapshot) => readers.map((read) => read(snapshot))
}

function rowReader(
  subject: LabeledRows<never, never>,
  members: readonly (readonly [string, Family])[],
): (snapshot: Snapshot) => SampledRows {
  const text = createLabelText(subject)
  const columns = new SampleColumns(members.map(([, family]) => family))
  const names = members.map(([name]) => name)
  const labels: string[] = []
  return (snapshot) => {
    const rows = subject.rows(snapshot)
    labels.length = Math.min(labels.length, text.update(rows))
    for (let row = labels.length; row < rows.items.length; row++)
      labels.push(decoder.decode(text.bytes.subarray(text.starts[row], text.starts[row + 1] - 1)))
    columns.update(rows)
    return { collector: subject.collector, families: names, labels, columns: columns.columns }
  }
}

const decoder = new TextDecoder()
