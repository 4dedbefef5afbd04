import type { CauseKind } from '../../../contract/vocabularies.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Fault } from './model.ts'
import type { Condition } from './condition.ts'

/** Derives a column of the condition at a row from the row's active faults of one kind. */
type Effect = (condition: Condition, row: number, faults: readonly Fault[]) => void

/** The effects of a fault kind, by the kind of target. */
export type Effects = { readonly [Kind in FaultTarget['kind']]?: Effect }

type ColumnOf<Column> = {
  [Name in keyof Condition]: Condition[Name] extends Column ? Name : never
}[keyof Condition]

export const countFaults =
  (column: ColumnOf<Uint8Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = faults.length
  }

/** The position of the first fault. */
export const placeOfFirst =
  (column: ColumnOf<Float64Array>): Effect =>
  (condition, row, [first]) => {
    condition[column][row] = first?.place ?? 0
  }

/** Counts the total faults, of magnitude 1; `countPartial` counts the others. */
export const countTotal =
  (column: ColumnOf<Uint8Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = faults.filter(isTotal).length
  }
export const countPartial =
  (column: ColumnOf<Uint8Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = faults.length - faults.filter(isTotal).length
  }

const isTotal = ({ magnitude }: Fault): boolean => magnitude >= 1

export const combine =
  (one: Effect, other: Effect): Effect =>
  (condition, row, faults) => {
    one(condition, row, faults)
    other(condition, row, faults)
  }

/** Combines the shares of the partial faults. */
export const combinePartialShares =
  (column: ColumnOf<Float64Array>): Effect =>
  (condition, row, faults) =>
    combineShares(column)(
      condition,
      row,
      faults.filter((fault) => !isTotal(fault)),
    )

/** Each fault takes its share of the remainder left by the others. */
export const combineShares =
  (column: ColumnOf<Float64Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = 1 - faults.reduce((left, { magnitude }) => left * (1 - magnitude), 1)
  }

/** Magnitudes are bit masks of feeds: 1 for A, 2 for B. */
export const combineSupplies =
  (column: ColumnOf<Uint8Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = faults.reduce(
      (bits, { magnitude }) => bits | Math.min(3, Math.max(1, magnitude)),
      0,
    )
  }

/**
 * Derives the condition of a target from all its active faults, whenever one begins or ends, so that the end of one
 * overlapping fault neither clears nor preserves the effects of another.
 */
export function applyEffects(
  kinds: Readonly<Record<CauseKind, { readonly effects: Effects }>>,
  condition: Condition,
  target: FaultTarget,
  active: readonly Fault[],
): void {
  condition.version++
  if (target.kind === 'Customer') return
  const faults = active.filter((fault) => !fault.isDormant && sameTarget(fault.target, target))
  for (const [kind, { effects }] of Object.entries(kinds)) {
    effects[target.kind]?.(
      condition,
      target.row,
      faults.filter((fault) => fault.kind === kind),
    )
  }
}
