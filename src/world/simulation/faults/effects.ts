import type { CauseKind } from '../../../contract/vocabularies.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Fault } from './model.ts'
import type { Condition } from './condition.ts'

/** Derives a column of the condition of a row from the active faults of one kind at it. */
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

/** Where the first of them happened. */
export const placeOfFirst =
  (column: ColumnOf<Float64Array>): Effect =>
  (condition, row, [first]) => {
    condition[column][row] = first?.place ?? 0
  }

/** The number of faults that are total, and of those that are not. */
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

export const both =
  (one: Effect, other: Effect): Effect =>
  (condition, row, faults) => {
    one(condition, row, faults)
    other(condition, row, faults)
  }

/** The shares that faults take which are not total. */
export const combinePartialShares =
  (column: ColumnOf<Float64Array>): Effect =>
  (condition, row, faults) =>
    combineShares(column)(
      condition,
      row,
      faults.filter((fault) => !isTotal(fault)),
    )

/** Each fault takes its share of what the others leave. */
export const combineShares =
  (column: ColumnOf<Float64Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = 1 - faults.reduce((left, { magnitude }) => left * (1 - magnitude), 1)
  }

/** Magnitudes are bits: 1 the supply on feed A, 2 that on feed B. */
export const combineSupplies =
  (column: ColumnOf<Uint8Array>): Effect =>
  (condition, row, faults) => {
    condition[column][row] = faults.reduce(
      (bits, { magnitude }) => bits | Math.min(3, Math.max(1, magnitude)),
      0,
    )
  }

/**
 * Derives the condition of a target from all faults that are active at it, whenever one begins or ends, so that
 * overlapping faults neither leave nor lose a mark.
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
