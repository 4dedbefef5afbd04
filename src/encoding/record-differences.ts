import type { Field, RecordType } from '../contract/fields.ts'
import { checkOfField } from '../contract/record-check.ts'
import { describe, expectations, isObject } from './record-reader.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * How the reader of records treats a value that the contract does not have: it refuses the record, takes the value for
 * unknown, or passes it on as it is.
 */
export type Effect = 'refused' | 'unknown' | 'passed'

/** A field that differs from the contract. */
export interface Difference {
  /** Such as `ports[].speed_gbps`. */
  readonly field: string
  readonly got: string
  readonly expected: string
  readonly effect: Effect
}

/** Every field in which a record differs from its type, with what `recordReader` makes of it. */
export function* recordDifferences(
  type: RecordType,
  json: Json,
  path = '',
  isWithinOpen = false,
): Generator<Difference> {
  const isOpen = isWithinOpen || type.isOpen === true
  const prefix = path === '' ? '' : `${path}.`
  for (const [name, field] of Object.entries(type.fields)) {
    if (Object.hasOwn(json, name)) yield* valueDifferences(field, json[name], `${prefix}${name}`, isOpen)
    else
      yield {
        field: `${prefix}${name}`,
        got: 'nothing',
        expected: expectations[field.kind],
        effect: isOpen ? 'unknown' : 'refused',
      }
  }
  for (const name of Object.keys(json)) {
    if (Object.hasOwn(type.fields, name)) continue
    yield {
      field: `${prefix}${name}`,
      got: describe(json[name]),
      expected: 'no such field',
      effect: 'passed',
    }
  }
}

function* valueDifferences(
  field: Field,
  value: unknown,
  path: string,
  isOpen: boolean,
): Generator<Difference> {
  const { kind, values, nullable } = field
  const isLoose = isOpen || field.recordType?.isOpen === true
  if (value === null) {
    if (!nullable) yield { field: path, got: 'null', expected: expectations[kind], effect: 'unknown' }
  } else if (kind === 'list' && Array.isArray(value)) {
    for (const item of value) yield* valueDifferences(field.of!, item, `${path}[]`, isLoose)
  } else if (kind === 'record' && isObject(value)) {
    yield* recordDifferences(field.recordType!, value, path, isLoose)
  } else if (kind === 'keyed' && isObject(value)) {
    yield* variantDifferences(field, value, path, isLoose)
  } else if (!isLeafOf(field, value)) {
    const effect = isLoose ? 'unknown' : 'refused'
    yield { field: path, got: describe(value), expected: expectations[kind], effect }
  } else if (values !== undefined && value !== '' && !values.includes(value as string)) {
    // An empty text is an unknown value.
    yield { field: path, got: describe(value), expected: `one of ${values.join(', ')}`, effect: 'passed' }
  }
}

function* variantDifferences(
  { variants }: Field,
  value: Json,
  path: string,
  isOpen: boolean,
): Generator<Difference> {
  for (const [key, member] of Object.entries(value)) {
    const variant = Object.hasOwn(variants!, key) ? variants![key] : null
    if (variant !== null) yield* valueDifferences(variant, member, `${path}.${key}`, isOpen)
    else {
      const expected = `one of ${Object.keys(variants!).join(', ')}`
      yield { field: `${path}.${key}`, got: describe(member), expected, effect: 'passed' }
    }
  }
}

/** A number of more digits than a double has is one all the same. */
const isLeafOf = (field: Field, value: unknown): boolean =>
  checkOfField(field)(typeof value === 'bigint' && field.kind !== 'int64' ? Number(value) : value)
