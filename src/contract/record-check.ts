import type { Field, RecordType } from './fields.ts'

/** Whether a parsed JSON value matches the contract exactly. */
type RecordCheck = (value: unknown) => boolean

export const integerMax = 2 ** 63

/** Whether a value is an `int` that a double holds exactly. */
export const isInteger = (value: unknown): boolean =>
  Number.isInteger(value) && Math.abs(value as number) <= integerMax

/** Whether a value is an `int64`. Digits that a double rounded away leave a number that is not safe. */
export const isInt64 = (value: unknown): boolean =>
  Number.isSafeInteger(value) || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value)

const checks = new Map<RecordType, RecordCheck>()

/** The check of a record type. Fields that the contract does not know are ignored. */
export function recordCheck(type: RecordType): RecordCheck {
  const known = checks.get(type)
  if (known !== undefined) return known
  const fields = Object.entries(type.fields).map(([name, field]) => ({
    name,
    isNullable: field.nullable,
    check: fieldCheck(field),
  }))
  const check: RecordCheck = (value) => {
    if (typeof value !== 'object' || value === null) return false
    for (const { name, isNullable, check } of fields) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      if (!(check(member) || (isNullable && member === null))) return false
    }
    return true
  }
  checks.set(type, check)
  return check
}

/** The check of a value that may be null if the field may. */
export function checkOfField(field: Field): RecordCheck {
  const check = fieldCheck(field)
  return field.nullable ? (value) => value === null || check(value) : check
}

function fieldCheck({ kind, recordType, of, variants }: Field): RecordCheck {
  if (kind === 'int') return isInteger
  if (kind === 'int64') return isInt64
  if (kind === 'num') return Number.isFinite
  if (kind === 'bool') return (value) => typeof value === 'boolean'
  if (kind === 'str') return (value) => typeof value === 'string'
  if (kind === 'record') return recordCheck(recordType!)
  return kind === 'list' ? listCheck(of!) : unionCheck(variants!)
}

function listCheck(of: Field): RecordCheck {
  const check = fieldCheck(of)
  return (value) =>
    Array.isArray(value) && value.every((item) => check(item) || (of.nullable && item === null))
}

/** Tagged unions are open: variants that are not listed pass. */
function unionCheck(variants: Readonly<Record<string, Field>>): RecordCheck {
  const checks = new Map(Object.entries(variants).map(([key, field]) => [key, fieldCheck(field)]))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.entries(value).every(([key, member]) => checks.get(key)?.(member) ?? true)
  }
}
