import type { Field, Fields, Int64, RecordType } from '../contract/fields.ts'
import { unknownValue } from '../contract/records/unknown.ts'
import { parseLossless } from './lossless-json.ts'
import { isInt64, isInteger, recordCheck } from '../contract/record-check.ts'
import { shortened } from '../text/quoted.ts'

/** JSON that is no record. */
export class DecodeError extends Error {
  override readonly name: string = 'DecodeError'
}

type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Makes records of a type from parsed JSON. Most pass one check as they are. Others are rebuilt: the specification
 * leaves open which fields may be null or absent, so what is missing, null or of another type is unknown.
 */
export function recordMaker(type: RecordType): (value: unknown) => object {
  const check = recordCheck(type)
  return (value) => {
    if (check(value)) return value as object
    if (isObject(value)) return readFields(type, value)
    throw new DecodeError(`got ${describe(value)}, expected an object`)
  }
}

/** Reads records of a type from JSON. */
export function recordReader(type: RecordType): (text: string) => object {
  const make = recordMaker(type)
  return (text) => {
    let value: unknown
    try {
      value = parseLossless(text)
    } catch (error) {
      throw new DecodeError(`is not JSON: ${(error as Error).message}`)
    }
    return make(value)
  }
}

/** A value for error messages, truncated to a recognizable length. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === Infinity) return 'a number too large'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return shortened(text)
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

function readFields(type: RecordType, json: JsonObject): JsonObject {
  const record = mapFields(type.fields, (field, name) => readValue(field, ownValue(json, name)))
  const known = mapFields(
    type.fields,
    (field, name) => record[name] || (standInOf(field, record) ?? record[name]),
  )
  const extras = (type.extras ?? []).filter((name) => typeof ownValue(json, name) === 'string')
  return extras.length === 0
    ? known
    : { ...known, ...Object.fromEntries(extras.map((name) => [name, json[name]])) }
}

const ownValue = (json: JsonObject, name: string): unknown =>
  Object.hasOwn(json, name) ? json[name] : undefined

/** The substitute for a name that is not given; null if the field is no name, or the record has no id. */
function standInOf({ standIn }: Field, record: JsonObject): string | null {
  if (standIn === undefined) return null
  const other = standIn.fields.map((name) => record[name]).find((name) => name !== '')
  if (other !== undefined) return other as string
  const id = record['id'] as Int64 | null | undefined
  return id === null || id === undefined ? null : `${standIn.noun} ${id}`
}

function readValue(field: Field, value: unknown): unknown {
  const { kind } = field
  if (kind === 'list' && Array.isArray(value)) return readList(field.of!, value)
  if (kind === 'record' && isObject(value)) return readFields(field.recordType!, value)
  if (kind === 'keyed' && isObject(value)) return readUnion(field, value)
  if (kind === 'bool' && typeof value === 'boolean') return value
  if (kind === 'str' && typeof value === 'string') return value
  if (kind === 'int64' && isInt64(value)) return value
  const number = typeof value === 'bigint' ? Number(value) : value
  if (kind === 'int' && isInteger(number)) return number
  if (kind === 'num' && Number.isFinite(number)) return number
  return unknownValue(field)
}

/** An item of another type tells nothing. */
const readList = (of: Field, items: readonly unknown[]): unknown[] =>
  items.filter((item) => isOfKind(of, item)).map((item) => readValue(of, item))

function isOfKind({ kind }: Field, item: unknown): boolean {
  if (kind === 'record' || kind === 'keyed') return isObject(item)
  if (kind === 'str') return typeof item === 'string'
  return kind === 'int64' ? isInt64(item) : true
}

/** Variants that the contract does not list pass as they are. */
const readUnion = ({ variants }: Field, json: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      Object.hasOwn(variants!, key) ? readValue(variants![key], value) : value,
    ]),
  )

const mapFields = (fields: Fields, make: (field: Field, name: string) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field, name)]))
