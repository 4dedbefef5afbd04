import { collections, eventWindow } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import {
  HealthSimTimeField,
  MetaSchema,
  ProblemSchema,
  SeriesMetaSchema,
} from '../../contract/records/service.ts'
import { pageLimitMax, routes } from '../../contract/routes.ts'
import type { Route, RouteName } from '../../contract/routes.ts'
import type { AnyTable } from '../../tables/engine/table.ts'
import {
  csvMediaType,
  expositionMediaType,
  htmlMediaType,
  svgMediaType,
  plainTextMediaType,
  jsonMediaType,
} from '../responses/media-types.ts'
import { fieldSchema, schemaReference } from './schemas.ts'
import type { JsonObject } from './schemas.ts'

const count = (meaning: string): JsonObject => ({ type: 'integer', minimum: 0, description: meaning })
const moment = (meaning: string): JsonObject => ({ type: 'integer', format: 'int64', description: meaning })

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const meta = schemaReference(MetaSchema.name)

const page = (record: RecordType): JsonObject =>
  object({
    meta,
    items: {
      type: 'array',
      items: schemaReference(record.name),
      maxItems: pageLimitMax,
      description: 'The returned slice of the collection.',
    },
    total: count('Size of the whole collection.'),
    offset: count('Index of the first returned item: the offset asked for, clamped to the collection.'),
    count: count('Number of items in this response.'),
  })

const events = (record: RecordType): JsonObject =>
  object({
    meta,
    items: {
      type: 'array',
      items: schemaReference(record.name),
      description: `Events newer than since_ns, oldest first. The newest ${eventWindow} are retained.`,
    },
    next_since_ns: moment(
      'The cursor for the next poll: at_ns of the last item; without items the since_ns of the request, or 0.',
    ),
    oldest_retained_ns: moment('at_ns of the oldest retained event; 0 if there is none.'),
    possible_gap: {
      type: 'boolean',
      description:
        'True exactly if the request has a since_ns and an event newer than it is no longer retained. A quiet ' +
        'period never sets it.',
    },
    count: count('Number of items in this response.'),
  })

/** A record with `meta` before its own members. The schema stays open: an upstream's record may have more fields. */
const recordWithMeta = (
  record: RecordType,
  metaName = MetaSchema.name,
  more: JsonObject = {},
): JsonObject => ({
  allOf: [
    { type: 'object', properties: { meta: schemaReference(metaName), ...more }, required: ['meta'] },
    schemaReference(record.name),
  ],
})

/** The schema of a record that the service produces, and which so can be closed. */
const closed = (schema: JsonObject): JsonObject => ({ ...schema, unevaluatedProperties: false })

export const problemSchema = (): JsonObject => closed(recordWithMeta(ProblemSchema))

const text = (description: string): JsonObject => ({ type: 'string', description })

const htmlPageContent: ResponseContent = {
  mediaType: htmlMediaType,
  schema: text('The same as a page.'),
}

/** A table's rows. The service produces them, so that the schema can be closed. */
const rows = (table: AnyTable): JsonObject => ({
  type: 'array',
  items: schemaReference(table.row.name),
  description: table.meaning,
})

export const tableContents = (table: AnyTable): readonly ResponseContent[] => [
  json(rows(table)),
  {
    mediaType: csvMediaType,
    schema: text('The same with a header line (RFC 4180).'),
  },
  htmlPageContent,
]

const tableList: JsonObject = {
  type: 'array',
  items: object({
    table: text('Name of the table.'),
    path: text('Where it is served.'),
    meaning: text('What it shows.'),
    columns: text('Names of its columns, separated by commas.'),
    filters: text('Names of its filters, separated by commas.'),
    unknown: {
      type: ['string', 'null'],
      description:
        'What it needs of the world that the source does not report, and why; null if all is known.',
    },
  }),
}

const pictureList: JsonObject = {
  type: 'array',
  items: object({
    picture: text('Name of the picture.'),
    path: text('Where it is served.'),
    meaning: text('What it shows.'),
  }),
}

export interface ResponseContent {
  readonly mediaType: string
  readonly schema: JsonObject
}

const json = (schema: JsonObject): ResponseContent => ({ mediaType: jsonMediaType, schema })

function recordBody(name: RouteName, record: RecordType): JsonObject {
  if (name === 'health')
    return closed(recordWithMeta(record, MetaSchema.name, { sim_time_ns: fieldSchema(HealthSimTimeField) }))
  if (name === 'diagnostics') return recordWithMeta(record)
  return closed(recordWithMeta(record, name === 'metricSeries' ? SeriesMetaSchema.name : MetaSchema.name))
}

const textMediaTypes = {
  metrics: expositionMediaType,
  landing: htmlMediaType,
  llms: plainTextMediaType,
  probe: plainTextMediaType,
  runbook: htmlMediaType,
  table: htmlMediaType,
  picture: svgMediaType,
} as const

/** The media types and schemas of a route's 200 responses. */
export function responseContents(name: RouteName): readonly ResponseContent[] {
  const { answer }: Route = routes[name]
  if (answer.kind === 'table-list') return [json(tableList), htmlPageContent]
  if (answer.kind === 'picture-list') return [json(pictureList), htmlPageContent]
  return [soleContent(name, answer)]
}

function soleContent(
  name: RouteName,
  answer: Exclude<Route['answer'], { kind: 'table-list' | 'picture-list' }>,
): ResponseContent {
  if (answer.kind === 'page') return json(page(collections[answer.collection]))
  if (answer.kind === 'detail') return json(recordWithMeta(collections[answer.collections[0]]))
  if (answer.kind === 'events') return json(events(answer.record))
  if ('record' in answer)
    return json(answer.kind === 'page-of' ? page(answer.record) : recordBody(name, answer.record))
  if (answer.kind === 'openapi') return json({ type: 'object', description: 'An OpenAPI 3.1.0 description.' })
  return { mediaType: textMediaTypes[answer.kind], schema: { type: 'string' } }
}
