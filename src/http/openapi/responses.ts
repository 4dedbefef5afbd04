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

const header = (description: string, more: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...more },
})
const freshness = (description: string): JsonObject => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
})

export const componentHeaders: JsonObject = {
  [ignoredParametersHeader]: header(
    'Of a table: names of parameters that it does not have, percent-encoded, at most five. They have no effect.',
  ),
  [unknownHeader]: header(
    'Parts that the response lacks because the source does not report them, each with the reason.',
  ),
  'X-Sim-Age-Ms': freshness(
    'Age of the snapshot in milliseconds when the response was written; as `meta.age_ms`.',
  ),
  'X-Sim-Publish-Seq': freshness('Number of the publish that the response is from; as `meta.publish_seq`.'),
  ETag: header('Weak tag of this representation. /metrics, and /health in some states, have none.'),
  Vary: header('`Accept-Encoding`; of a table `Accept` too.'),
  ...Object.fromEntries(
    Object.entries(constantHeaders).map(([name, value]) => [name, header(`Always \`${value}\`.`)]),
  ),
  Allow: header('The methods that are answered.', { const: 'GET, HEAD' }),
  'Retry-After': header('Seconds to wait.', { const: '1' }),
}

const successHeaderNames = [
  'X-Sim-Age-Ms',
  'X-Sim-Publish-Seq',
  'ETag',
  'Vary',
  ...Object.keys(constantHeaders),
]
const problemHeaderNames = successHeaderNames.filter((name) => name !== 'ETag')

const headerReferences = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function problemResponse(kind: ProblemKind): JsonObject {
  const { status, title, meaning } = problemCatalog[kind]
  const own = problemHeaders(kind).filter((_, index) => index % 2 === 0)
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
  if (name === 'table') return [ignoredParametersHeader, unknownHeader]
  const lacksParts = answer.kind === 'page' || answer.kind === 'events' || name === 'diagnostics'
  return lacksParts ? [unknownHeader] : []
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
