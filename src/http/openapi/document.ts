import { collections } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import {
  DeclaredMetricSchema,
  HealthSchema,
  MetaSchema,
  MetricPathsSchema,
  MetricSeriesSchema,
  ProblemSchema,
  SeriesMetaSchema,
} from '../../contract/records/service.ts'
import { apiVersion, parameters, routeNames, routes } from '../../contract/routes.ts'
import type { ParameterName, Route, RouteName } from '../../contract/routes.ts'
import { tables } from '../../tables/catalog.ts'
import { archiveParameters } from '../../tables/engine/archive-range.ts'
import { pictureNames, pictures } from '../../tables/drawings/pictures.ts'
import type { AnyTable } from '../../tables/engine/table.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import { wholeBody, wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { problemSchema, tableContents } from './bodies.ts'
import { overview } from './description.ts'
import { filterObject, parameterObject, archiveParameterObject, sortObject } from './parameters.ts'
import { componentHeaders, componentResponses, operationResponses } from './responses.ts'
import { recordSchema, nestedRecords } from './schemas.ts'
import type { JsonObject } from './schemas.ts'

const topRecords: readonly RecordType[] = [
  ...Object.values(collections),
  EngineEventSchema,
  DiagnosticsSchema,
  HealthSchema,
  MetricPathsSchema,
  MetricSeriesSchema,
  DeclaredMetricSchema,
  MetaSchema,
  SeriesMetaSchema,
  ProblemSchema,
  ...new Set([...tables.values()].map(({ row }) => row)),
]

function componentSchemas(): JsonObject {
  const records = new Map<string, RecordType>()
  for (const top of topRecords) {
    for (const record of nestedRecords(top)) {
      const namesake = records.get(record.name) ?? record
      if (namesake !== record) throw new Error(`Two records are called ${record.name}.`)
      records.set(record.name, record)
    }
  }
  const schemas = [...records].map(([name, record]) => [name, recordSchema(record)])
  return { ...Object.fromEntries(schemas), [`${ProblemSchema.name}Body`]: problemSchema() }
}

const tagOf = ({ path }: Route): string => {
  if (path.startsWith('/tables')) return 'tables'
  return /^\/api\/v1\/([^/]+)/.exec(path)?.[1] ?? 'service'
}

function operation(name: RouteName): JsonObject {
  const route: Route = routes[name]
  return {
    operationId: name,
    summary: route.summary,
    tags: [tagOf(route)],
    parameters: route.parameters.map(parameterReference),
    responses: operationResponses(name),
  }
}

const parameterReference = (name: ParameterName): JsonObject => ({ $ref: `#/components/parameters/${name}` })

/** Each table is described at a path of its own, with its columns and its filters. */
function tableOperation(table: AnyTable): JsonObject {
  const shared = routes.table.parameters.filter((name) => !['table', 'sort', 'filters'].includes(name))
  return {
    operationId: `table-${table.name}`,
    summary: table.meaning,
    tags: ['tables'],
    parameters: [
      ...shared.map(parameterReference),
      sortObject(Object.keys(table.columns)),
      ...(table.archived === undefined ? [] : Object.entries(archiveParameters).map(archiveParameterObject)),
      ...Object.entries(table.filters).map(([name, { meaning }]) => filterObject(name, meaning)),
    ],
    responses: operationResponses('table', tableContents(table)),
  }
}

/** Each picture too. */
function pictureOperation(name: string): JsonObject {
  const filters = Object.entries(pictures.filters).filter(([filter]) => filter !== 'picture')
  return {
    operationId: `picture-${name}`,
    summary: `${routes.picture.summary} The ${name}.`,
    tags: ['tables'],
    parameters: filters.map(([filter, { meaning }]) => filterObject(filter, meaning)),
    responses: operationResponses('picture'),
  }
}

function pathsOf(name: RouteName): [path: string, item: JsonObject][] {
  if (name === 'picture')
    return pictureNames.map((picture) => [`/pictures/${picture}.svg`, { get: pictureOperation(picture) }])
  if (name !== 'table') return [[routes[name].path, { get: operation(name) }]]
  return [...tables.values()].map((table) => [`/tables/${table.name}`, { get: tableOperation(table) }])
}

/** The OpenAPI description of the service, generated from the contract. */
export function openApiDocument(productVersion: string): JsonObject {
  const tags = [...new Set(routeNames.map((name) => tagOf(routes[name])))]
  // The own paths of tables and pictures make the parameters for name, order and filters superfluous.
  const parameterNames = (Object.keys(parameters) as ParameterName[]).filter(
    (name) => !['table', 'picture', 'sort', 'filters'].includes(name),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: `dcsim-mirror ${productVersion}: read-only simulation status service`,
      // The version of the interface, which is not that of the program.
      version: apiVersion,
      description: overview,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this description comes from.' }],
    tags: tags.map((name) => ({ name })),
    security: [],
    paths: Object.fromEntries(routeNames.flatMap(pathsOf)),
    components: {
      schemas: componentSchemas(),
      parameters: Object.fromEntries(parameterNames.map((name) => [name, parameterObject(name)])),
      headers: componentHeaders,
      responses: componentResponses,
    },
  }
}

/** Has no `meta`: OpenAPI admits no foreign members. */
export const openApiRepresentation = (productVersion: string): Representation =>
  wholeBody('openapi', jsonMediaType, [
    wholeSlice(Buffer.from(JSON.stringify(openApiDocument(productVersion)))),
  ])
