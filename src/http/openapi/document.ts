import { collections } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { Diagnostics } from '../../contract/records/diagnostics.ts'
import { EngineEvent } from '../../contract/records/operations.ts'
import {
  DeclaredMetric,
  Health,
  Meta,
  MetricPaths,
  MetricSeries,
  Problem,
  SeriesMeta,
} from '../../contract/records/service.ts'
import { apiVersion, parameters, parameterSpelling, routeNames, routes } from '../../contract/routes.ts'
import type { Parameter, ParameterName, Route, RouteName } from '../../contract/routes.ts'
import { withMeta } from './bodies.ts'
import { overview } from './decisions.ts'
import { componentHeaders, componentResponses, responsesOf } from './responses.ts'
import { recordSchema, withParts } from './schemas.ts'
import type { JsonObject } from './schemas.ts'

const topRecords: readonly RecordType[] = [
  ...Object.values(collections),
  EngineEvent,
  Diagnostics,
  Health,
  MetricPaths,
  MetricSeries,
  DeclaredMetric,
  Meta,
  SeriesMeta,
  Problem,
]

function componentSchemas(): JsonObject {
  const records = new Map<string, RecordType>()
  for (const top of topRecords) {
    for (const record of withParts(top)) {
      const known = records.get(record.name)
      if (known !== undefined && known !== record) throw new Error(`Two records are called ${record.name}.`)
      records.set(record.name, record)
    }
  }
  const schemas = [...records].map(([name, record]) => [name, recordSchema(record)])
  return { ...Object.fromEntries(schemas), [`${Problem.name}Body`]: withMeta(Problem) }
}

/** A range that is clamped to is advice, not a bound: the schema must not have a client refuse what is served. */
function parameterSchema({ type, range, fallback }: Parameter): JsonObject {
  if (type === 'str') return { type: 'string' }
  const bounds = range === undefined || range.outside === 'clamp' ? {} : { minimum: Number(range.min) }
  return {
    type: 'integer',
    format: 'int64',
    ...bounds,
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

function rangeText({ range }: Parameter): string {
  if (range === undefined) return ''
  if (range.outside === 'clamp')
    return ` Values outside ${range.min} … ${range.max} are moved to the nearer end.`
  return ` Values outside ${range.min} … ${range.max} get a 400.`
}

function parameterObject(name: ParameterName): JsonObject {
  const parameter: Parameter = parameters[name]
  const repeated = name === 'familyNames'
  const schema = parameterSchema(parameter)
  return {
    name: parameterSpelling[name],
    in: parameter.in,
    required: parameter.required,
    description: parameter.meaning + rangeText(parameter),
    schema: repeated ? { type: 'array', items: schema } : schema,
    ...(repeated ? { style: 'form', explode: true } : {}),
  }
}

const tagOf = ({ path }: Route): string => /^\/api\/v1\/([^/]+)/.exec(path)?.[1] ?? 'service'

function operation(name: RouteName): JsonObject {
  const route: Route = routes[name]
  return {
    operationId: name,
    summary: route.summary,
    tags: [tagOf(route)],
    parameters: route.parameters.map((parameter) => ({ $ref: `#/components/parameters/${parameter}` })),
    responses: responsesOf(name),
  }
}

/** The OpenAPI description of the service, all of it read off the contract. */
export function openApiDocument(): JsonObject {
  const tags = [...new Set(routeNames.map((name) => tagOf(routes[name])))]
  const parameterNames = Object.keys(parameters) as ParameterName[]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Read-only simulation status service',
      version: apiVersion,
      description: overview,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this description comes from.' }],
    tags: tags.map((name) => ({ name })),
    security: [],
    paths: Object.fromEntries(routeNames.map((name) => [routes[name].path, { get: operation(name) }])),
    components: {
      schemas: componentSchemas(),
      parameters: Object.fromEntries(parameterNames.map((name) => [name, parameterObject(name)])),
      headers: componentHeaders,
      responses: componentResponses,
    },
  }
}
