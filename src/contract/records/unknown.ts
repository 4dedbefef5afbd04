import type { Field, RecordType, RecordValue } from '../fields.ts'

/** Whether a truth value is known to be false: one that an upstream does not tell is null. */
export const isFalse = (value: boolean | null): boolean => value === false

/** Whether a text is known: one that an upstream does not tell is empty. */
export const isKnown = (text: string): boolean => text !== ''

/** A list whose length is unknown. It has no items, so that most readers need not know. */
export const unknownList: never[] = Object.freeze([]) as unknown as never[]

/** The length of a list; NaN if it is unknown. */
export const lengthOf = (list: readonly unknown[]): number =>
  list === unknownList ? Number.NaN : list.length

/**
 * The representation of an unknown value: it makes no sample, and counts for nothing. An unknown truth value is null,
 * which is neither `true` nor `false`.
 */
export function unknownValue({ kind, nullable, recordType }: Field): unknown {
  if (nullable || kind === 'int64' || kind === 'keyed' || kind === 'bool') return null
  if (kind === 'int' || kind === 'num') return Number.NaN
  if (kind === 'str') return ''
  return kind === 'list' ? unknownList : unknownFields(recordType!)
}

const unknownFields = ({ fields }: RecordType): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, unknownValue(field)]))

/** A record of which nothing is known. */
export const unknownRecord = <R extends RecordType>(type: R): RecordValue<R> =>
  unknownFields(type) as RecordValue<R>
