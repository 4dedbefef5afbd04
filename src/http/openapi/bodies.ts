import { collections, eventWindow } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { HealthSimTime, Meta, SeriesMeta } from '../../contract/records/service.ts'
import { pageLimitMax, routes } from '../../contract/routes.ts'
import type { Route, RouteName } from '../../contract/routes.ts'
import { expositionMediaType, htmlMediaType, jsonMediaType } from '../media-types.ts'
import { fieldSchema, reference } from './schemas.ts'
import type { JsonObject } from './schemas.ts'

const count = (meaning: string): JsonObject => ({ type: 'integer', minimum: 0, description: meaning })
const moment = (meaning: string): JsonObject => ({ type: 'integer', format: 'int64', description: meaning })

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const meta = reference(Meta.name)

const page = (record: RecordType): JsonObject =>
  object({
    meta,
    items: {
      type: 'array',
      items: reference(record.name),
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
      items: reference(record.name),
      description: `Events newer than since_ns, oldest first. The newest ${eventWindow} are kept.`,
    },
    next_since_ns: moment(
      'The cursor for the next poll: at_ns of the last item; without items the since_ns given, or 0.',
    ),
    oldest_retained_ns: moment('at_ns of the oldest event that is still kept; 0 where none is.'),
    possible_gap: {
      type: 'boolean',
      description:
        'True exactly when since_ns was given and an event newer than it is no longer kept. A quiet period ' +
        'never sets it.',
    },
    count: count('Number of items in this response.'),
  })

/** A record with `meta` before its own members, and nothing else. */
export const withMeta = (record: RecordType, metaName = Meta.name): JsonObject => ({
  allOf: [
    { type: 'object', properties: { meta: reference(metaName) }, required: ['meta'] },
    reference(record.name),
  ],
  unevaluatedProperties: false,
})

/** The simulated time is told again beside the record's own members, once there is one. */
const health = (record: RecordType): JsonObject => ({
  allOf: [
    {
      type: 'object',
      properties: { meta, sim_time_ns: fieldSchema(HealthSimTime) },
      required: ['meta'],
    },
    reference(record.name),
  ],
  unevaluatedProperties: false,
})

export interface Body {
  readonly mediaType: string
  readonly schema: JsonObject
}

const json = (schema: JsonObject): Body => ({ mediaType: jsonMediaType, schema })

function recordBody(name: RouteName, record: RecordType): JsonObject {
  if (name === 'health') return health(record)
  return withMeta(record, name === 'metricSeries' ? SeriesMeta.name : Meta.name)
}

/** The media type and schema of what a route answers with 200. */
export function bodyOf(name: RouteName): Body {
  const { answer }: Route = routes[name]
  if (answer.kind === 'page') return json(page(collections[answer.collection]))
  if (answer.kind === 'detail') return json(withMeta(collections[answer.collections[0]]))
  if (answer.kind === 'events') return json(events(answer.record))
  if ('record' in answer) {
    return json(answer.kind === 'page-of' ? page(answer.record) : recordBody(name, answer.record))
  }
  if (answer.kind === 'openapi') return json({ type: 'object', description: 'An OpenAPI 3.1.0 description.' })
  const mediaType = answer.kind === 'metrics' ? expositionMediaType : htmlMediaType
  return { mediaType, schema: { type: 'string' } }
}
