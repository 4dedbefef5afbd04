import type { Field, Fields, RecordType } from '../../contract/fields.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

const typeNames: Readonly<Record<Field['kind'], string>> = {
  int: 'integer',
  int64: 'integer',
  num: 'number',
  bool: 'boolean',
  str: 'string',
  list: 'array',
  record: 'object',
  keyed: 'object',
}

const quantities: ReadonlySet<Field['kind']> = new Set(['int', 'int64', 'num'])

function description(field: Field): string {
  if (!quantities.has(field.kind) || field.unit === 'none') return field.meaning
  const unit = field.unit === 'as_stated' ? 'as stated in `unit`' : field.unit
  return `${field.meaning} Unit: ${unit}.`
}

export const schemaReference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

const variant = (key: string, field: Field): JsonObject => ({
  type: 'object',
  properties: { [key]: fieldSchema(field) },
  required: [key],
})

/** Null is a second type, or an alternative where the value's schema is a reference. */
export function fieldSchema(field: Field): JsonObject {
  const about = { description: description(field) }
  const type = typeNames[field.kind]
  if (field.recordType !== undefined) {
    const record = schemaReference(field.recordType.name)
    return field.nullable ? { anyOf: [record, { type: 'null' }], ...about } : { ...record, ...about }
  }
  if (field.variants !== undefined) {
    const alternatives = Object.entries(field.variants).map(([key, value]) => variant(key, value))
    return { oneOf: alternatives, ...about }
  }
  return {
    type: field.nullable ? [type, 'null'] : type,
    ...(field.kind === 'int64' ? { format: 'int64' } : {}),
    ...(field.unit === 'id' ? { minimum: 0 } : {}),
    ...(field.values === undefined ? {} : { enum: [...field.values, ...(field.nullable ? [null] : [])] }),
    ...(field.of === undefined ? {} : { items: fieldSchema(field.of) }),
    ...about,
  }
}

const propertiesOf = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]))

export const recordSchema = (record: RecordType): JsonObject => ({
  type: 'object',
  description: record.meaning,
  properties: propertiesOf(record.fields),
  required: Object.keys(record.fields),
})

/** All records nested in a record, at any depth. */
function* recordsWithin(field: Field): Generator<RecordType> {
  if (field.recordType !== undefined) yield* nestedRecords(field.recordType)
  if (field.of !== undefined) yield* recordsWithin(field.of)
  for (const variant of Object.values(field.variants ?? {})) yield* recordsWithin(variant)
}

export function* nestedRecords(record: RecordType): Generator<RecordType> {
  yield record
  for (const field of Object.values(record.fields)) yield* recordsWithin(field)
}
