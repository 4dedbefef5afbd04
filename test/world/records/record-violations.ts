import { units } from '../../../src/contract/fields.ts'
import type { Field, RecordType } from '../../../src/contract/fields.ts'

/**
 * Violations of a record's declaration: a missing or extra field, a wrong type, null in a required field, a word
 * outside its closed set, a number out of its unit's range or with more decimals than the unit has.
 */
export function recordViolations(type: RecordType, value: unknown, path = type.name): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`]
  const given = value as Record<string, unknown>
  const wrong = Object.keys(given)
    .filter((name) => !(name in type.fields))
    .map((name) => `${path}.${name} is not declared`)
  for (const [name, field] of Object.entries(type.fields)) {
    if (name in given) wrong.push(...fieldViolations(field, given[name], `${path}.${name}`))
    else wrong.push(`${path}.${name} is missing`)
  }
  return wrong
}

function fieldViolations(field: Field, value: unknown, path: string): string[] {
  if (value === null) return field.nullable ? [] : [`${path} is null`]
  const shown = typeof value === 'string' || typeof value === 'number' ? `${value}` : typeof value
  switch (field.kind) {
    case 'int':
      return Number.isSafeInteger(value)
        ? rangeViolations(field, value as number, path)
        : [`${path} is ${shown}, no integer`]
    case 'int64':
      if (typeof value === 'bigint') return value >= 0n ? [] : [`${path} is ${shown}`]
      return Number.isSafeInteger(value) && (value as number) >= 0
        ? []
        : [`${path} is ${shown}, no exact integer`]
    case 'num':
      return Number.isFinite(value)
        ? rangeViolations(field, value as number, path)
        : [`${path} is ${shown}, no number`]
    case 'bool':
      return typeof value === 'boolean' ? [] : [`${path} is ${shown}, neither true nor false`]
    case 'str':
      if (typeof value !== 'string') return [`${path} is ${shown}, no text`]
      return field.values === undefined || field.values.includes(value) ? [] : [`${path} may not be ${shown}`]
    case 'list': {
      if (!Array.isArray(value)) return [`${path} is no list`]
      return value.flatMap((item, index) => fieldViolations(field.of as Field, item, `${path}[${index}]`))
    }
    case 'record':
      return recordViolations(field.recordType as RecordType, value, path)
    case 'keyed':
      return keyedViolations(field, value, path)
    default:
      return [`${path} is of no known kind`]
  }
}

function keyedViolations(field: Field, value: unknown, path: string): string[] {
  const entries = Object.entries(value as Record<string, unknown>)
  const variant = field.variants?.[entries[0]?.[0] ?? '']
  if (entries.length !== 1 || variant === undefined) return [`${path} is not one of its variants`]
  return fieldViolations(variant, entries[0]?.[1], path)
}

function rangeViolations(field: Field, value: number, path: string): string[] {
  const wrong: string[] = []
  if (Object.is(value, -0)) wrong.push(`${path} is minus zero`)
  if (field.unit === 'pct' && (value < 0 || value > 100)) wrong.push(`${path} is ${value} %`)
  if (field.unit === 'ratio' && (value < 0 || value > 1)) wrong.push(`${path} is ${value}, no share`)
  const signless = 'gbps count hours mb gb iops kw vcpu millivcpu per_second rack_units'.split(' ')
  if (signless.includes(field.unit) && value < 0) wrong.push(`${path} is ${value}, less than nothing`)
  const scale = 10 ** units[field.unit]
  if (field.kind === 'num' && Math.round(value * scale) / scale !== value) {
    wrong.push(`${path} is ${value}, with more than ${units[field.unit]} decimals`)
  }
  return wrong
}
