/** Columns that several tables share. */
import { int, nullable, num, str } from '../../contract/fields.ts'
import type { Field, Unit } from '../../contract/fields.ts'
import type { TableWorld } from './table-world.ts'
import { column } from './table.ts'
import type { Columns } from './table.ts'

export const idColumn = (noun: string): Field<string> => str(`Id of the ${noun}, as text.`)
export const idOrNone = (noun: string): Field<string | null> => nullable(idColumn(noun))

export const severityColumn = int(
  'For coloring: 0 in order, 1 worth knowing, 2 a warning, 3 serious, 4 critical.',
  'index',
)

/** A time for programs; `relativeColumn` has it for people. */
export const momentColumn = (meaning: string): Field<string> =>
  str(`${meaning} ISO 8601, in simulated time: the world begins on Monday, 2025-05-05T00:00:00Z.`)

export const relativeColumn = (meaning: string): Field<string> =>
  str(`${meaning} In words, relative to the simulated time of the snapshot.`)

export const amountOrNone = (meaning: string, unit: Unit): Field<number | null> =>
  nullable(num(meaning, unit))

/** A threshold in percent; records and rows have shares of 1. */
export const asPercent = (share: number): number => 100 * share

/** A share in percent, rounded for display; null if the whole is zero. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((1000 * part) / whole) / 10 : null

/** A list in words; null for an empty text. */
export const someText = (text: string): string | null => (text === '' ? null : text)

/** The words for a value; null if there is none. */
export const wordsOrNone = <V, W extends string | number>(
  value: V | null,
  words: (value: V) => W,
): W | null => (value === null ? null : words(value))

export const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0)

/** The worst condition of a row's subject. */
export interface RowState {
  readonly state: string
  readonly severity: number
}

export const inOrder: RowState = { state: 'in order', severity: 0 }

export const unknownState: RowState = { state: 'unknown', severity: 0 }

/** Whether a part counts as impaired. */
export const isTroubled = ({ severity }: RowState): boolean => severity >= 3

export const worstOf = (states: readonly RowState[]): RowState | undefined =>
  states.toSorted((one, other) => other.severity - one.severity)[0]

export const stateColumns = <Item>(
  stateOf: (item: Item, world: TableWorld) => RowState,
  meaning = 'The worst that can be said of it, in words.',
): Columns<Item> => ({
  severity: column(severityColumn, (item, world) => stateOf(item, world).severity),
  state: column(str(meaning), (item, world) => stateOf(item, world).state),
})

const severities: readonly string[] = ['0', '1', '2', '3', '4']

export const severityFilter = <Item>(
  stateOf: (item: Item, world: TableWorld) => Pick<RowState, 'severity'>,
) => ({
  severity: {
    meaning: 'Its severity, 0 to 4.',
    allowed: severities,
    values: (item: Item, world: TableWorld) => [stateOf(item, world).severity],
  },
})
