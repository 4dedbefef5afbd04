import type { Field, Fields, RecordType } from '../contract/fields.ts'
import { parseLossless } from './lossless-json.ts'
import { isInt64, isInteger, recordCheck } from '../contract/record-check.ts'

/** JSON that does not match the contract; the message names the field, the value found and the expected type. */
export class DecodeError extends Error {
  override readonly name: string = 'DecodeError'
}

/** A field with a value of another type. Where the contract leaves the shape open, such a value counts as unknown. */
class FieldMismatch extends DecodeError {
  override readonly name = 'FieldMismatch'
}

type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads records of a type from JSON. Most records pass one check as they are parsed; those with null where the
 * contract has none, or with an open shape, are rebuilt.
 */
export function recordReader(type: RecordType): (text: string) => object {
  const check = recordCheck(type)
  return (text) => {
    let value: unknown
    try {
      value = parseLossless(text)
    } catch (error) {
      throw new DecodeError(`is not JSON: ${(error as Error).message}`)
    }
    if (check(value)) return value as object
    if (isObject(value)) return readFields(type, value, '', false)
    throw new FieldMismatch(`got ${describe(value)}, expected an object`)
  }
}

const shownLengthMax = 60

/** A value for error messages, truncated to a recognizable length. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === Infinity) return 'a number too large'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text
}

export const expectations: Readonly<Record<Field['kind'], string>> = {
  int: 'an integer',
  int64: 'an integer within 64 bits',
  num: 'a finite number',
  bool: 'true or false',
  str: 'a string',
  list: 'a list',
  record: 'an object',
  keyed: 'an object',
}

function readFields(type: RecordType, json: JsonObject, path: string, isWithinOpen: boolean): JsonObject {
  const isOpen = isWithinOpen || type.isOpen === true
  const prefix = path === '' ? '' : `${path}.`
  return mapFields(type.fields, (field, name) => {
    const fieldPath = `${prefix}${name}`
    if (Object.hasOwn(json, name)) return readValue(field, json[name], fieldPath, isOpen)
    if (isOpen) return unknownValue(field)
    throw new FieldMismatch(`${fieldPath}: is missing, expected ${expectations[field.kind]}`)
  })
}

/** The specification leaves open which fields may be null: null anywhere means an unknown value. */
function readValue(field: Field, value: unknown, path: string, isOpen: boolean): unknown {
  if (value === null) return unknownValue(field)
  if (!isOpen && field.recordType?.isOpen !== true) return readPresent(field, value, path, false)
  try {
    return readPresent(field, value, path, true)
  } catch (error) {
    if (error instanceof FieldMismatch) return unknownValue(field)
    throw error
  }
}

function readPresent(field: Field, value: unknown, path: string, isOpen: boolean): unknown {
  const { kind } = field
  if (kind === 'list' && Array.isArray(value)) {
    return value.map((item, index) => readValue(field.of!, item, `${path}[${index}]`, isOpen))
  }
  if (kind === 'record' && isObject(value)) return readFields(field.recordType!, value, path, isOpen)
  if (kind === 'keyed' && isObject(value)) return readUnion(field, value, path, isOpen)
  if (kind === 'bool' && typeof value === 'boolean') return value
  if (kind === 'str' && typeof value === 'string') return value
  if (kind === 'int64' && isInt64(value)) return value
  const number = typeof value === 'bigint' ? Number(value) : value
  if (kind === 'int' && isInteger(number)) return number
  if (kind === 'num' && Number.isFinite(number)) return number
  throw new FieldMismatch(`${path}: got ${describe(value)}, expected ${expectations[kind]}`)
}

/** Variants that the contract does not list pass as they are. */
const readUnion = ({ variants }: Field, json: JsonObject, path: string, isOpen: boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const isKnown = Object.hasOwn(variants!, key)
      return [key, isKnown ? readValue(variants![key], value, `${path}.${key}`, isOpen) : value]
    }),
  )

/** The representation of an unknown value: it makes no sample, and counts for nothing. */
function unknownValue({ kind, nullable, recordType }: Field): unknown {
  if (nullable || kind === 'int64' || kind === 'keyed') return null
  if (kind === 'int' || kind === 'num') return Number.NaN
  if (kind === 'bool') return false
  if (kind === 'str') return ''
  return kind === 'list' ? [] : mapFields(recordType!.fields, unknownValue)
}

const mapFields = (fields: Fields, make: (field: Field, name: string) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field, name)]))
