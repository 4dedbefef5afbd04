import type { Field, Fields, RecordType } from '../contract/fields.ts'
import { int64Max } from '../contract/routes.ts'
import { compileCheck } from './record-check.ts'

/** What came is no record of the contract: which field it is about, what came, what was expected. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

type Plain = Readonly<Record<string, unknown>>

const int64Min = -int64Max - 1n

/** Any string, to pass over it, or an integer that a double may round and that may still be one of 64 bits. */
const stringOrWide = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,20}(?![\d.eE])/g
const anyWide = /\d{16}/
const firstMark = 0xe000

/** A character that occurs nowhere in a text, neither as it is nor escaped. */
function absentFrom(text: string): string {
  for (let code = firstMark; ; code++) {
    const mark = String.fromCharCode(code)
    const escape = new RegExp(`\\\\u${code.toString(16)}`, 'i')
    if (!text.includes(mark) && !escape.test(text)) return mark
  }
}

/** Puts integers in the place of the strings that they were parsed as. */
function restoreWide(within: Record<string, unknown> | unknown[], mark: string): void {
  const holder = within as Record<string, unknown>
  for (const key of Object.keys(holder)) {
    const value = holder[key]
    if (typeof value === 'string') {
      if (value.startsWith(mark)) holder[key] = BigInt(value.slice(1))
    } else if (typeof value === 'object' && value !== null) {
      restoreWide(value as Record<string, unknown>, mark)
    }
  }
}

/**
 * JSON with every digit of its integers. The wide ones are parsed as strings that are marked: that is many times
 * faster than a reviver, which looks at every value there is.
 */
function parseExactly(text: string): unknown {
  if (!anyWide.test(text)) return JSON.parse(text)
  const mark = absentFrom(text)
  const marked = text.replace(stringOrWide, (found) => (found.startsWith('"') ? found : `"${mark}${found}"`))
  const whole = [JSON.parse(marked)]
  restoreWide(whole, mark)
  return whole[0]
}

const quotedMax = 60

/** What came, for people: its kind, and as much of it as tells which it is. */
function described(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === Infinity) return 'a number too large'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text
}

const expectations: Readonly<Record<Field['kind'], string>> = {
  int: 'an integer',
  int64: 'an integer within 64 bits',
  num: 'a finite number',
  bool: 'true or false',
  str: 'a string',
  list: 'a list',
  record: 'an object',
  keyed: 'an object',
}

/** A field that came as something else; where its shape is left open it counts as not known. */
class Mismatch extends Refusal {}

const refuse = (field: Field, value: unknown, path: string): never => {
  throw new Mismatch(`${path}: got ${described(value)}, expected ${expectations[field.kind]}`)
}

const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands for a value that is not known: no sample is made of it, and it counts for nothing. */
function unknownOf({ kind, nullable, record }: Field): unknown {
  if (nullable || kind === 'int64' || kind === 'keyed') return null
  if (kind === 'int' || kind === 'num') return Number.NaN
  if (kind === 'bool') return false
  if (kind === 'str') return ''
  return kind === 'list' ? [] : mapFields(record!.fields, unknownOf)
}

const mapFields = (fields: Fields, make: (field: Field, name: string) => unknown): Plain =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field, name)]))

const isNumber = (kind: Field['kind']): boolean => kind === 'int' || kind === 'int64' || kind === 'num'

function numberOf(field: Field, value: unknown, path: string): unknown {
  if (field.kind === 'int64') {
    const isWide = typeof value === 'bigint' && value >= int64Min && value <= int64Max
    return isWide || Number.isSafeInteger(value) ? value : refuse(field, value, path)
  }
  const number = typeof value === 'bigint' ? Number(value) : value
  const isFit = field.kind === 'int' ? Number.isInteger(number) : Number.isFinite(number)
  return isFit ? number : refuse(field, value, path)
}

/** Not all variants are listed: others are let pass. */
const keyedOf = ({ variants }: Field, came: Plain, path: string, isOpen: boolean): Plain =>
  Object.fromEntries(
    Object.entries(came).map(([key, value]) => {
      const isKnown = Object.hasOwn(variants!, key)
      return [key, isKnown ? valueOf(variants![key], value, `${path}.${key}`, isOpen) : value]
    }),
  )

function presentOf(field: Field, value: unknown, path: string, isOpen: boolean): unknown {
  const { kind } = field
  if (kind === 'list' && Array.isArray(value)) {
    return value.map((item, index) => valueOf(field.of!, item, `${path}[${index}]`, isOpen))
  }
  if (kind === 'record' && isObject(value)) return fieldsOf(field.record!, value, path, isOpen)
  if (kind === 'keyed' && isObject(value)) return keyedOf(field, value, path, isOpen)
  if (kind === 'bool' && typeof value === 'boolean') return value
  if (kind === 'str' && typeof value === 'string') return value
  return isNumber(kind) ? numberOf(field, value, path) : refuse(field, value, path)
}

/** Which fields may be null is open too, so null is no mistake: it says that there is no value. */
function valueOf(field: Field, value: unknown, path: string, isOpen: boolean): unknown {
  if (value === null) return unknownOf(field)
  if (!isOpen && field.record?.isOpen !== true) return presentOf(field, value, path, false)
  try {
    return presentOf(field, value, path, true)
  } catch (error) {
    if (error instanceof Mismatch) return unknownOf(field)
    throw error
  }
}

function fieldsOf(type: RecordType, came: Plain, path: string, within: boolean): Plain {
  const isOpen = within || type.isOpen === true
  const opening = path === '' ? '' : `${path}.`
  return mapFields(type.fields, (field, name) => {
    const place = `${opening}${name}`
    if (Object.hasOwn(came, name)) return valueOf(field, came[name], place, isOpen)
    if (isOpen) return unknownOf(field)
    throw new Mismatch(`${place}: is missing, expected ${expectations[field.kind]}`)
  })
}

/**
 * Reads what the compiled check does not pass: records with integers beyond a double and, more slowly, such as have
 * null where our own world has none, or an open shape. Refuses what is no record.
 */
export function exactReader(type: RecordType): (text: string) => object {
  const check = compileCheck(type, 'wide')
  return (text) => {
    const value = parseExactly(text)
    if (check(value)) return value as object
    if (isObject(value)) return fieldsOf(type, value, '', false)
    throw new Mismatch(`got ${described(value)}, expected an object`)
  }
}
