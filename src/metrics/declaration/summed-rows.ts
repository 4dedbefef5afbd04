import type { Snapshot } from '../../contract/collections.ts'
import type { WorldPart } from '../../contract/collections.ts'
import { isKnown } from '../../contract/records/unknown.ts'
import type { CollectorName } from './collectors.ts'
import type { BaseUnit } from './base-units.ts'
import { deriveFamily } from './family.ts'
import type { Family, LabeledRows } from './family.ts'
import { derivedRows } from './labeled-rows.ts'

/** An amount with its label values. */
interface Sum {
  readonly values: readonly string[]
  amount: number
}

type Add = (amount: number, ...values: readonly string[]) => void

/** The Cartesian product of the lists, the last list fastest. */
const combinations = (lists: readonly (readonly string[])[]): string[][] =>
  lists.reduce<string[][]>(
    (all, list) => all.flatMap((values) => list.map((value) => [...values, value])),
    [[]],
  )

/**
 * Amounts summed by label values. Every combination of the given values has a row, whose sum may be zero; other values
 * follow in order of appearance. Where a value is not told, it may be any of those whose sum would be zero: they have no
 * row.
 */
export function summedRows<L extends string>(
  collector: CollectorName,
  part: WorldPart,
  labels: Readonly<Record<L, readonly string[]>>,
  addAll: (add: Add, snapshot: Snapshot) => void,
): LabeledRows<Sum, undefined, L> {
  const always = combinations(Object.values<readonly string[]>(labels))
  const readers = Object.keys(labels).map((label, at) => [label, ({ values }: Sum) => values[at]])
  return derivedRows(
    collector,
    part,
    (snapshot) => {
      const rows = new Map<string, Sum>(always.map((values) => [values.join('\n'), { values, amount: 0 }]))
      let areValuesKnown = true
      addAll((amount, ...values) => {
        areValuesKnown &&= values.every(isKnown)
        const key = values.join('\n')
        const known = rows.get(key)
        if (known === undefined) rows.set(key, { values, amount })
        else known.amount += amount
      }, snapshot)
      return [...rows.values()].filter(({ amount }) => areValuesKnown || amount !== 0)
    },
    Object.fromEntries(readers) as Record<L, (row: Sum) => string>,
  )
}

/** A family of such sums. */
export const summedFamily = <L extends string>(
  subject: LabeledRows<Sum, undefined, L>,
  type: 'gauge' | 'counter',
  help: string,
  unit: BaseUnit = '',
): Family<L> => deriveFamily(subject, type, { unit, help, value: ({ amount }) => amount })
