import { parameters } from '../../contract/routes.ts'
import type { Parameter, ParameterName } from '../../contract/routes.ts'
import type { JsonObject } from './schemas.ts'

const optional = (name: string, value: number | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value }

/**
 * A range to which values are clamped is no bound: the schema must not make a client reject a value that the service
 * accepts.
 */
function parameterSchema(parameter: Parameter): JsonObject {
  const { type } = parameter
  if (type === 'string') return { type, ...optional('minLength', parameter.minLength) }
  const { range } = parameter
  const bounds = range.outside === 'clamp' ? {} : { format: 'int64', minimum: Number(range.min) }
  return { type, ...bounds, ...optional('default', parameter.default) }
}

function valueSchema(name: ParameterName): JsonObject {
  const schema = parameterSchema(parameters[name])
  return name === 'familyNames' ? { type: 'array', items: schema } : schema
}

function rangeText(parameter: Parameter): string {
  if (parameter.type === 'string') return ''
  const { min, max, outside } = parameter.range
  const consequence = outside === 'clamp' ? 'are moved to the nearer end' : 'get a 400'
  return ` Values outside ${min} … ${max} ${consequence}.`
}

export function parameterObject(name: ParameterName): JsonObject {
  const parameter: Parameter = parameters[name]
  return {
    name: parameters[name].name,
    in: parameter.in,
    required: parameter.required,
    description: parameter.meaning + rangeText(parameter),
    schema: valueSchema(name),
    ...(name === 'familyNames' ? { style: 'form', explode: true } : {}),
  }
}

/** The columns by which a table can be sorted, in either order. */
export const sortObject = (columns: readonly string[]): JsonObject => ({
  ...parameterObject('sort'),
  schema: { type: 'string', enum: columns.flatMap((name) => [name, `-${name}`]) },
})

/** A filter of a table. It may be given several times; a row matches one of the values. */
export const filterObject = (name: string, meaning: string): JsonObject => ({
  name,
  in: 'query',
  required: false,
  description: `${meaning} Several are separated by commas, or the parameter is given again.`,
  schema: { type: 'array', items: { type: 'string' } },
  style: 'form',
  explode: true,
})

/** A parameter by which a table reaches into the archive. */
export const archiveParameterObject = ([name, description]: readonly [string, string]): JsonObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string' },
})
