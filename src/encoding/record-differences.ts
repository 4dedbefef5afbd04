import type { Field, Int64, RecordType } from '../contract/fields.ts'
import { checkOfField, isInt64 } from '../contract/record-check.ts'
import { describe, expectations, isObject } from './record-reader.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * How the reader of records treats a value that the contract does not have: it leaves out the record, takes the value
 * for unknown, or passes it on as it is.
 */
type Effect = 'left out' | 'unknown' | 'passed'

/** A field that differs from the contract. */
export interface Difference {
  /** Such as `ports[].speed_gbps`. */
  readonly field: string
  readonly got: string
  readonly expected: string
  readonly effect: Effect
}

/**
 * Every field in which a record differs from its type, with what a mirror makes of it. `keyField` is the field without
 * which there is no record; null if there is none.
 */
export function* recordDifferences(
  type: RecordType,
  json: Json,
  keyField: 'id' | 'at_ns' | null = null,
): Generator<Difference> {
  for (const difference of fieldDifferences(type, json, '')) {
    if (difference.field !== keyField) yield difference
  }
  if (keyField === null) return
  const key = Object.hasOwn(json, keyField) ? json[keyField] : undefined
  if (isInt64(key) && (key as Int64) >= 0) return
  yield { field: keyField, got: describe(key), expected: 'an integer from 0 to 2^63 - 1', effect: 'left out' }
}

function* fieldDifferences({ fields }: RecordType, json: Json, prefix: string): Generator<Difference> {
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(json, name) ? json[name] : undefined
    yield* valueDifferences(field, value, `${prefix}${name}`)
  }
  for (const name of Object.keys(json)) {
    if (Object.hasOwn(fields, name)) continue
    const got = describe(json[name])
    yield { field: `${prefix}${name}`, got, expected: 'no such field', effect: 'passed' }
  }
}

function* valueDifferences(field: Field, value: unknown, path: string): Generator<Difference> {
  const { kind, values, nullable } = field
  if (value === null && nullable) return
  if (kind === 'list' && Array.isArray(value)) {
    for (const item of value) yield* valueDifferences(field.of!, item, `${path}[]`)
  } else if (kind === 'record' && isObject(value)) {
    yield* fieldDifferences(field.recordType!, value, `${path}.`)
  } else if (kind === 'keyed' && isObject(value)) {
    yield* variantDifferences(field, value, path)
  } else if (!isLeafOf(field, value)) {
    const expected = values === undefined ? expectations[kind] : `one of ${values.join(', ')}`
    yield { field: path, got: describe(value), expected, effect: 'unknown' }
  } else if (values !== undefined && value !== '' && !values.includes(value as string)) {
    // An empty text is an unknown value.
    yield { field: path, got: describe(value), expected: `one of ${values.join(', ')}`, effect: 'passed' }
  }
}

function* variantDifferences({ variants }: Field, value: Json, path: string): Generator<Difference> {
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(variants!, key)) yield* valueDifferences(variants![key], member, `${path}.${key}`)
    else {
      const expected = `one of ${Object.keys(variants!).join(', ')}`
      yield { field: `${path}.${key}`, got: describe(member), expected, effect: 'passed' }
    }
  }
}

/** A number of more digits than a double has is one all the same. */
const isLeafOf = (field: Field, value: unknown): boolean =>
  checkOfField(field)(typeof value === 'bigint' && field.kind !== 'int64' ? Number(value) : value)
