/** Columns that many tables have, stated once. */
import { int, nullable, num, str } from '../contract/fields.ts'
import type { Field, Unit } from '../contract/fields.ts'

export const idColumn = (what: string): Field<string> => str(`Id of the ${what}, as text.`)
export const idOrNone = (what: string): Field<string | null> => nullable(idColumn(what))

export const severityColumn = int(
  'For coloring: 0 in order, 1 worth knowing, 2 a warning, 3 serious, 4 critical.',
  'index',
)

/** A moment, as two columns: for programs and for people. */
export const momentColumn = (what: string): Field<string> =>
  str(`${what} ISO 8601, in simulated time: the world begins on Monday, 2001-01-01T00:00:00Z.`)
export const relativeColumn = (what: string): Field<string> =>
  str(`${what} In words, relative to the simulated time of the snapshot.`)

export const amount = (meaning: string, unit: Unit): Field<number> => num(meaning, unit)
export const amountOrNone = (meaning: string, unit: Unit): Field<number | null> =>
  nullable(num(meaning, unit))

/** A threshold, which is a share of 1, as records and rows have shares. */
export const asPercent = (share: number): number => 100 * share

/** A share in asPercent, rounded to what people read; null of nothing. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((1000 * part) / whole) / 10 : null

/** The zone and the rack that something stands in. */
export const placeColumns = {
  zone_id: idOrNone('zone'),
  zone: nullable(str('Name of the zone.')),
  rack_id: idOrNone('rack'),
  rack: nullable(str('Name of the rack.')),
}

/** A list in words; null where it names nothing. */
export const someText = (text: string): string | null => (text === '' ? null : text)
