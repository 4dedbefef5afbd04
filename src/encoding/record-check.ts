import type { Field, RecordType } from '../contract/fields.ts'

/** Whether a value that JSON.parse made is exactly what the contract says, without a look at the bytes. */
export type Check = (value: unknown) => boolean

/** Whether integers of 64 bits come as doubles alone, or as bigint where a double is too narrow. */
export type Width = 'plain' | 'wide'

const int64Conditions: Readonly<Record<Width, string>> = {
  // Digits that a double rounded away leave one that is not safe.
  plain: 'Number.isSafeInteger(v)',
  wide: "Number.isSafeInteger(v) || (typeof v === 'bigint' && BigInt.asIntN(64, v) === v)",
}

/** The condition on a variable that a scalar field puts, as source text; null for what needs a function. */
function scalarCondition({ kind }: Field, width: Width): string | null {
  if (kind === 'int') return 'Number.isInteger(v)'
  if (kind === 'int64') return int64Conditions[width]
  // 1e999 reads as infinite.
  if (kind === 'num') return "typeof v === 'number' && v - v === 0"
  if (kind === 'bool') return "typeof v === 'boolean'"
  return kind === 'str' ? "typeof v === 'string'" : null
}

/** An object of whose keys those that are known hold what they should. */
function checkOfKeyed(variants: Readonly<Record<string, Field>>, width: Width): Check {
  const checks = new Map(Object.entries(variants).map(([key, field]) => [key, checkOf(field, width)]))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.entries(value).every(([key, held]) => checks.get(key)?.(held) ?? true)
  }
}

/** The check of a value that may be null where the field may. */
export function fieldCheck(field: Field, width: Width): Check {
  const check = checkOf(field, width)
  return field.nullable ? (value) => value === null || check(value) : check
}

function checkOf(field: Field, width: Width): Check {
  if (field.kind === 'record') return compileCheck(field.record!, width)
  if (field.kind === 'keyed') return checkOfKeyed(field.variants!, width)
  if (field.kind === 'list') {
    const item = checkOf(field.of!, width)
    const mayBeNull = field.of!.nullable
    return (value) => {
      if (!Array.isArray(value)) return false
      for (const one of value) if (!((mayBeNull && one === null) || item(one))) return false
      return true
    }
  }
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return new Function('v', `return ${scalarCondition(field, width)}`) as Check
}

const compiled = { plain: new Map<RecordType, Check>(), wide: new Map<RecordType, Check>() }

/**
 * Compiles the check of a record type. It looks at each field by its name in one function, as the records of a
 * type have one shape. The names in it are the contract's own; nothing in it comes from outside.
 */
export function compileCheck(type: RecordType, width: Width): Check {
  const known = compiled[width].get(type)
  if (known !== undefined) return known
  const nested: Check[] = []
  const lines = Object.entries(type.fields).map(([name, field]) => {
    const condition = scalarCondition(field, width) ?? `n${nested.push(checkOf(field, width)) - 1}(v)`
    const orNull = field.nullable ? 'v !== null && ' : ''
    return `v = r[${JSON.stringify(name)}]; if (${orNull}!(${condition})) return false`
  })
  const names = nested.map((_, index) => `n${index}`).join(', ')
  const body = `
  const [${names}] = nested
  return (r) => {
    if (typeof r !== 'object' || r === null) return false
    let v
    ${lines.join('\n    ')}
    return true
  }`
  // oxlint-disable-next-line no-new-func, no-implied-eval
  const check = (new Function('nested', body) as (nested: readonly Check[]) => Check)(nested)
  compiled[width].set(type, check)
  return check
}
