import { ProblemSchema } from '../../contract/records/service.ts'
import { routes } from '../../contract/routes.ts'
import type { Route, RouteName } from '../../contract/routes.ts'
import { constantHeaders } from '../responses/constant-headers.ts'
import { ignoredParametersHeader, unknownHeader } from '../responses/unknown-parts.ts'
import { problemMediaType } from '../responses/media-types.ts'
import { problemHeaders, problemKinds, problemCatalog, problemsOf } from '../responses/problems.ts'
import type { ProblemKind } from '../responses/problems.ts'
import { responseContents } from './bodies.ts'
import type { ResponseContent } from './bodies.ts'
import type { Json, JsonObject } from './schemas.ts'

const freshnessHeaders: JsonObject = {
  'X-Sim-Age-Ms': {
    description: 'Age of the snapshot in milliseconds when the response was written; as `meta.age_ms`.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Sim-Publish-Seq': {
    description: 'Number of the publish that the response is from; as `meta.publish_seq`.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
}

const cachingHeaders: JsonObject = {
  ETag: {
    description: 'Weak tag of this representation. /metrics, and /health in some states, have none.',
    schema: { type: 'string' },
  },
}

const sameHeaders: JsonObject = {
  Vary: { description: '`Accept-Encoding`; of a table `Accept` too.', schema: { type: 'string' } },
  ...Object.fromEntries(
    Object.entries(constantHeaders).map(([name, value]) => [
      name,
      { description: `Always \`${value}\`.`, schema: { type: 'string' } },
    ]),
  ),
}

const ignoredHeaders: JsonObject = {
  [ignoredParametersHeader]: {
    description:
      'Of a table: names of parameters that it does not have, percent-encoded, at most five. They have no effect.',
    schema: { type: 'string' },
  },
}

const unknownPartHeaders: JsonObject = {
  [unknownHeader]: {
    description:
      'Parts that the response lacks because the source does not report them, each with the reason.',
    schema: { type: 'string' },
  },
}

const headers = {
  ...ignoredHeaders,
  ...unknownPartHeaders,
  ...freshnessHeaders,
  ...cachingHeaders,
  ...sameHeaders,
  Allow: { description: 'The methods that are answered.', schema: { type: 'string', const: 'GET, HEAD' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string', const: '1' } },
} satisfies JsonObject

const successHeaderNames = [freshnessHeaders, cachingHeaders, sameHeaders].flatMap(Object.keys)
const problemHeaderNames = [freshnessHeaders, sameHeaders].flatMap(Object.keys)

const headerReferences = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const componentHeaders: JsonObject = headers

function problemResponse(kind: ProblemKind): JsonObject {
  const { status, title, meaning } = problemCatalog[kind]
  const own = (problemHeaders[kind] ?? []).filter((_, index) => index % 2 === 0)
  return {
    description: `${title}. ${meaning}`,
    headers: headerReferences([...problemHeaderNames, ...own]),
    content: {
      [problemMediaType]: {
        schema: { $ref: `#/components/schemas/${ProblemSchema.name}Body` },
        example: {
          meta: { age_ms: 12, publish_seq: 345, sim_time_ns: 604_800_000_000_000 },
          type: `/openapi.json#/components/responses/${kind}`,
          title,
          status,
          detail: meaning,
        },
      },
    },
  }
}

export const componentResponses: JsonObject = {
  NotModified: {
    description: 'The representation is still the one that If-None-Match names.',
    headers: headerReferences(successHeaderNames),
  },
  ...Object.fromEntries(problemKinds.map((kind) => [kind, problemResponse(kind)])),
}

const responseReference = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` })

/** Kinds that share a status share an entry, which states their common meaning. */
function problemsByStatus(kinds: readonly ProblemKind[]): JsonObject {
  const byStatus = Map.groupBy(kinds, (kind) => String(problemCatalog[kind].status))
  const entries = [...byStatus].map(([status, sharing]): [string, Json] => {
    const [first, ...others] = sharing
    if (others.length === 0) return [status, responseReference(first)]
    const merged = problemResponse(first)
    return [
      status,
      { ...merged, description: sharing.map((kind) => problemCatalog[kind].meaning).join(' Or: ') },
    ]
  })
  return Object.fromEntries(entries)
}

/** Headers that some successful responses of a route have. */
function ownHeaderNames(name: RouteName, { answer }: Route): readonly string[] {
  if (name === 'table') return Object.keys({ ...ignoredHeaders, ...unknownPartHeaders })
  const lacksParts = answer.kind === 'page' || answer.kind === 'events' || name === 'diagnostics'
  return lacksParts ? Object.keys(unknownPartHeaders) : []
}

export function operationResponses(
  name: RouteName,
  contents: readonly ResponseContent[] = responseContents(name),
): JsonObject {
  const route: Route = routes[name]
  const conditional = route.answer.kind !== 'metrics'
  const ownHeaders = ownHeaderNames(name, route)
  const ok = {
    description: route.summary,
    headers: headerReferences([...successHeaderNames, ...ownHeaders]),
    content: Object.fromEntries(contents.map(({ mediaType, schema }) => [mediaType, { schema }])),
  }
  return {
    200: ok,
    ...(conditional ? { 304: responseReference('NotModified') } : {}),
    ...problemsByStatus(problemsOf(name)),
  }
}
