import type { CauseKind } from '../../../contract/vocabularies.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Fault } from './model.ts'
import type { Condition } from './condition.ts'

/** Adds a row's active faults of one kind to columns of the condition, where kinds of the same effect add up. */
interface Effect {
  /** The first is above 0 for what is broken by it. */
  readonly columns: readonly (keyof Columns)[]
  readonly add: (condition: Condition, row: number, faults: readonly Fault[]) => void
}
type Columns = { [Name in keyof Condition as Condition[Name] extends number ? never : Name]: true }

/** The effects of a fault kind, by the kind of target. */
export type Effects = { readonly [Kind in FaultTarget['kind']]?: Effect }

type ColumnOf<Column> = {
  [Name in keyof Condition]: Condition[Name] extends Column ? Name : never
}[keyof Condition]

const count =
  (isCounted: (fault: Fault) => boolean) =>
  (...columns: ColumnOf<Uint8Array>[]): Effect => ({
    columns,
    add(condition, row, faults) {
      for (const column of columns) condition[column][row] += faults.filter(isCounted).length
    },
  })

const isTotal = ({ magnitude }: Fault): boolean => magnitude >= 1
const isPartial = (fault: Fault): boolean => !isTotal(fault)

export const countFaults = count(() => true)
/** Counts the total faults, of magnitude 1; `countPartial` counts the others. */
export const countTotal = count(isTotal)
export const countPartial = count(isPartial)

/** A value of the first fault. */
export const valueOfFirst = (column: ColumnOf<Float64Array>, valueOf: (fault: Fault) => number): Effect => ({
  columns: [column],
  add(condition, row, [first]) {
    if (first !== undefined) condition[column][row] = valueOf(first)
  },
})

export const combine = (one: Effect, other: Effect): Effect => ({
  columns: [...one.columns, ...other.columns],
  add(condition, row, faults) {
    one.add(condition, row, faults)
    other.add(condition, row, faults)
  },
})

/** Each fault takes its share of the remainder left by the others. */
export const combineShares = (column: ColumnOf<Float64Array>): Effect => ({
  columns: [column],
  add(condition, row, faults) {
    const left = faults.reduce((rest, { magnitude }) => rest * (1 - magnitude), 1 - condition[column][row])
    condition[column][row] = 1 - left
  },
})

/** Combines the shares of the partial faults. */
export function combinePartialShares(column: ColumnOf<Float64Array>): Effect {
  const { columns, add } = combineShares(column)
  return { columns, add: (condition, row, faults) => add(condition, row, faults.filter(isPartial)) }
}

/** Magnitudes are bit masks of feeds: 1 for A, 2 for B. */
export const combineSupplies = (column: ColumnOf<Uint8Array>): Effect => ({
  columns: [column],
  add(condition, row, faults) {
    for (const { magnitude } of faults) condition[column][row] |= Math.min(3, Math.max(1, magnitude))
  },
})

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
  const { kind, row } = target
  const faults = active.filter((fault) => !fault.isDormant && sameTarget(fault.target, target))
  for (const { effects } of Object.values(kinds))
    for (const column of effects[kind]?.columns ?? []) condition[column][row] = 0
  for (const [name, { effects }] of Object.entries(kinds))
    effects[kind]?.add(
      condition,
      row,
      faults.filter((fault) => fault.kind === name),
    )
}
