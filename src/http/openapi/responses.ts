import { Problem } from '../../contract/records/service.ts'
import { routes } from '../../contract/routes.ts'
import type { Route, RouteName } from '../../contract/routes.ts'
import { problemMediaType } from '../media-types.ts'
import { problemHeaders, problemKinds, problems, problemsOf } from '../problems.ts'
import type { ProblemKind } from '../problems.ts'
import { bodyOf } from './bodies.ts'
import type { Json, JsonObject } from './schemas.ts'

export const freshnessHeaders: JsonObject = {
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
  'Cache-Control': { description: 'Always `no-cache`.', schema: { type: 'string' } },
  Vary: { description: 'Always `Accept-Encoding`.', schema: { type: 'string' } },
  ETag: {
    description: 'Weak tag of this representation. /metrics, and /health in some states, have none.',
    schema: { type: 'string' },
  },
}

const headers = {
  ...freshnessHeaders,
  ...cachingHeaders,
  Allow: { description: 'The methods that are answered.', schema: { type: 'string', const: 'GET, HEAD' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string', const: '1' } },
} satisfies JsonObject

const headerReferences = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const componentHeaders: JsonObject = headers

function problemResponse(kind: ProblemKind): JsonObject {
  const { status, title, meaning } = problems[kind]
  const own = (problemHeaders[kind] ?? []).filter((_, index) => index % 2 === 0)
  return {
    description: `${title}. ${meaning}`,
    headers: headerReferences([...Object.keys(freshnessHeaders), ...own]),
    content: {
      [problemMediaType]: {
        schema: { $ref: `#/components/schemas/${Problem.name}Body` },
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
    headers: headerReferences([...Object.keys(freshnessHeaders), ...Object.keys(cachingHeaders)]),
  },
  ...Object.fromEntries(problemKinds.map((kind) => [kind, problemResponse(kind)])),
}

const responseReference = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` })

/** Kinds that share a status share an entry, which then says what they have in common. */
function problemsByStatus(kinds: readonly ProblemKind[]): JsonObject {
  const byStatus = Map.groupBy(kinds, (kind) => String(problems[kind].status))
  const entries = [...byStatus].map(([status, sharing]): [string, Json] => {
    const [first, ...others] = sharing
    if (others.length === 0) return [status, responseReference(first)]
    const merged = problemResponse(first)
    return [status, { ...merged, description: sharing.map((kind) => problems[kind].meaning).join(' Or: ') }]
  })
  return Object.fromEntries(entries)
}

export function responsesOf(name: RouteName): JsonObject {
  const route: Route = routes[name]
  const { mediaType, schema } = bodyOf(name)
  const conditional = route.answer.kind !== 'metrics'
  const ok = {
    description: route.summary,
    headers: headerReferences([...Object.keys(freshnessHeaders), ...Object.keys(cachingHeaders)]),
    content: { [mediaType]: { schema } },
  }
  return {
    200: ok,
    ...(conditional ? { 304: responseReference('NotModified') } : {}),
    ...problemsByStatus(problemsOf(name)),
  }
}
