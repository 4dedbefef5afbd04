/**
 * The schema language of records. A field is declared once: type, unit, meaning, nullability and values. TypeScript
 * types, encoders, validation and the OpenAPI document derive from it.
 */

/** A JSON integer that may need all of 64 bits. A `number` here is always a safe integer. */
export type Int64 = number | bigint

/** Units, each with the number of decimals to which the built-in world rounds a `num` of that unit. */
export const units = {
  none: 3,
  text: 0,
  id: 0,
  index: 0,
  count: 0,
  ns: 0,
  ms: 1,
  s: 1,
  hours: 0,
  bytes: 0,
  gbps: 4,
  pct: 2,
  ratio: 4,
  dollars: 2,
  dollars_per_hour: 2,
  dollars_per_month: 2,
  per_second: 2,
  vcpu: 0,
  millivcpu: 0,
  mb: 0,
  gb: 0,
  iops: 0,
  kw: 2,
  celsius: 1,
  m: 2,
  rack_units: 0,
  bitmask: 0,
  /** The unit is the value of the sibling field `unit`. */
  as_stated: 3,
} as const

export type Unit = keyof typeof units

/** A `dollars_per_month` divided by this is a `dollars_per_hour`: a twelfth of a year of 8,760 hours. */
export const hoursPerMonth = 730

type Kind = 'int' | 'int64' | 'num' | 'bool' | 'str' | 'list' | 'record' | 'keyed'

export interface Field<T = unknown> {
  readonly kind: Kind
  readonly meaning: string
  readonly unit: Unit
  readonly nullable: boolean
  /** The closed set of values of a string. */
  readonly values?: readonly string[]
  /** The type of a list's items. */
  readonly of?: Field
  /** The type of a nested record. */
  readonly recordType?: RecordType
  /** The substitute for a name that is not given. */
  readonly standIn?: StandIn
  /** The variants of an object with exactly one key. */
  readonly variants?: Readonly<Record<string, Field>>
  /** Carries the TypeScript type; never present at run time. */
  readonly type?: T
}

/** Other names of the same record, the best first, and the noun that an id makes a name of: `host 17`. */
interface StandIn {
  readonly fields: readonly string[]
  readonly noun: string
}

export type Fields = Readonly<Record<string, Field>>

export interface RecordType<F extends Fields = Fields> {
  readonly name: string
  readonly meaning: string
  readonly fields: F
  /** Whether the specification leaves the shape open: an upstream may send other fields instead. */
  readonly isOpen?: true
  /** Texts that the specification does not have, and that readers use where an upstream sends them. */
  readonly extras?: readonly string[]
}

export type FieldValue<F> = F extends Field<infer T> ? T : never

/** The TypeScript type of a record. Mutable: a source updates its records in place. */
export type RecordValue<R> = R extends RecordType<infer F> ? { [K in keyof F]: FieldValue<F[K]> } : never

export function defineRecord<F extends Fields>(name: string, meaning: string, fields: F): RecordType<F> {
  return { name, meaning, fields }
}

/** A record whose shape the specification leaves open. */
export const defineOpenRecord = <F extends Fields>(
  name: string,
  meaning: string,
  fields: F,
): RecordType<F> => ({
  ...defineRecord(name, meaning, fields),
  isOpen: true,
})

const fieldOf = <T>(kind: Kind, meaning: string, unit: Unit): Field<T> => ({
  kind,
  meaning,
  unit,
  nullable: false,
})

/** An integer that a double holds exactly: counts, sizes, positions. */
export const int = (meaning: string, unit: Unit = 'count'): Field<number> => fieldOf('int', meaning, unit)

/** A number that may have a fraction. */
export const num = (meaning: string, unit: Unit): Field<number> => fieldOf('num', meaning, unit)

const int64 = (meaning: string, unit: Unit): Field<Int64> => fieldOf('int64', meaning, unit)

/** The id of an entity: a non-negative 64-bit integer. */
export const id = (meaning: string): Field<Int64> => int64(meaning, 'id')

/** An instant or a duration of simulated time in nanoseconds. */
export const ns = (meaning: string): Field<Int64> => int64(meaning, 'ns')

/** A counter that may exceed 2^53. */
export const total = (meaning: string, unit: Unit = 'count'): Field<Int64> => int64(meaning, unit)

export const bool = (meaning: string): Field<boolean> => fieldOf('bool', meaning, 'none')

export const str = (meaning: string): Field<string> => fieldOf('str', meaning, 'text')

/** A name. An upstream may leave it out: another name of the record stands in, or the noun and the record's id. */
export const nameField = (noun: string, meaning: string, ...fields: readonly string[]): Field<string> => ({
  ...str(meaning),
  standIn: { noun, fields },
})

/** A string with a closed set of values. */
export const oneOf = <const V extends readonly string[]>(values: V, meaning: string): Field<V[number]> => ({
  ...fieldOf<V[number]>('str', meaning, 'text'),
  values,
})

/**
 * A list. Sources replace a list of scalars when it changes and never write into it; a list of records changes in
 * place.
 */
export const list = <T>(of: Field<T>, meaning: string): Field<T[]> => ({
  ...fieldOf<T[]>('list', meaning, of.unit),
  of,
})

export const nested = <F extends Fields>(
  type: RecordType<F>,
  meaning: string,
): Field<RecordValue<RecordType<F>>> => ({
  ...fieldOf<RecordValue<RecordType<F>>>('record', meaning, 'none'),
  recordType: type,
})

export const listOf = <F extends Fields>(
  type: RecordType<F>,
  meaning: string,
): Field<RecordValue<RecordType<F>>[]> => list(nested(type, type.meaning), meaning)

type Keyed<V> = { [K in keyof V]: { [P in K]: FieldValue<V[K]> } }[keyof V]

/** An object with exactly one key, which names the variant. */
export const taggedUnion = <const V extends Readonly<Record<string, Field>>>(
  variants: V,
  meaning: string,
): Field<Keyed<V>> => ({ ...fieldOf<Keyed<V>>('keyed', meaning, 'none'), variants })

/** Null means "does not apply" or "not yet". */
export const nullable = <T>(field: Field<T>): Field<T | null> => ({
  ...(field as Field<T | null>),
  nullable: true,
})

function zeroOf(field: Field): unknown {
  if (field.nullable) return null
  if (field.recordType !== undefined) return zeroRecord(field.recordType)
  if (field.kind === 'list') return []
  if (field.kind === 'bool') return false
  return field.kind === 'str' ? '' : 0
}

/** A record whose fields are all zero, empty or null. */
export const zeroRecord = <R extends RecordType>(type: R): RecordValue<R> =>
  Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => [name, zeroOf(field)]),
  ) as RecordValue<R>
