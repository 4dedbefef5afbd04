import { routes } from '../../contract/routes.ts'
import type { Route, RouteName } from '../../contract/routes.ts'
import { partsReadBy } from '../requests/read-parts.ts'
import { problemMediaType } from './media-types.ts'
import type { Representation } from './representation.ts'

/** Every kind of problem that the service reports. */
export const problemCatalog = {
  MalformedRequest: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request is not HTTP/1.1 (RFC 9112), or its target cannot be decoded.',
  },
  MalformedParameter: {
    status: 400,
    title: 'Malformed parameter',
    meaning: 'A parameter is missing, repeated or not of its type.',
  },
  ForeignHost: {
    status: 403,
    title: 'Foreign host',
    meaning:
      'The Host header names neither this machine nor an allowed host: the request may come from a page of ' +
      'another site (DNS rebinding).',
  },
  NoSuchRoute: { status: 404, title: 'No such route', meaning: 'Nothing is served at this path.' },
  NoSuchSession: {
    status: 404,
    title: 'No such session',
    meaning: 'The request names another session than this service has.',
  },
  NoSuchEntity: {
    status: 404,
    title: 'No such entity',
    meaning: 'No entity with this id exists in the current snapshot.',
  },
  NoSuchMetricPath: {
    status: 404,
    title: 'No such metric path',
    meaning: 'No history is kept under this path.',
  },
  NoSuchTable: {
    status: 404,
    title: 'No such table',
    meaning: 'There is no table of this name; /tables lists them.',
  },
  NoSuchPicture: {
    status: 404,
    title: 'No such picture',
    meaning: 'There is no picture of this name; /pictures lists them.',
  },
  NoSuchRunbook: {
    status: 404,
    title: 'No such runbook',
    meaning: 'There is no alert of this name; /runbooks lists them.',
  },
  MethodNotAllowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The service is read-only: every path supports GET and HEAD alone.',
  },
  RequestTimeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive completely in time.',
  },
  TargetTooLong: { status: 414, title: 'Target too long', meaning: 'The request target is too long.' },
  HeadersTooLarge: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The header section is too large or has too many fields.',
  },
  InternalError: {
    status: 500,
    title: 'Internal error',
    meaning: 'A bug of the service; its log has the details.',
  },
  HistoryUnavailable: {
    status: 503,
    title: 'History unavailable',
    meaning: 'The upstream that keeps the history does not answer.',
  },
  ArchiveUnavailable: {
    status: 503,
    title: 'Archive unavailable',
    meaning: 'The archive does not answer in time, cannot be read, or this mirror has none.',
  },
  TooManyTables: {
    status: 503,
    title: 'Too many tables',
    meaning:
      'Too many different tables or pictures are being made for other requests. Ask again in a moment.',
  },
  TablesUnavailable: {
    status: 503,
    title: 'Tables unavailable',
    meaning:
      'The thread that makes tables and pictures has stopped, and starts again. Ask again in a moment.',
  },
  RecordsUnavailable: {
    status: 503,
    title: 'Records unavailable',
    meaning: 'Records that no client had read for a while were not made in time. Ask again in a moment.',
  },
  NoWorldYet: {
    status: 503,
    title: 'No world yet',
    meaning: 'The first snapshot has not been published. Ask again in a moment.',
  },
} as const satisfies Record<string, { status: number; title: string; meaning: string }>

export type ProblemKind = keyof typeof problemCatalog
export const problemKinds = Object.keys(problemCatalog) as ProblemKind[]

/** A request that cannot be served: the kind is the reason, the detail gives the received and the expected value. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, detail: string) {
    super(detail)
    this.kind = kind
  }

  get title(): string {
    return problemCatalog[this.kind].title
  }

  get status(): number {
    return problemCatalog[this.kind].status
  }
}

/** Headers of a kind of problem, alternating names and values. */
export function problemHeaders(kind: ProblemKind): readonly string[] {
  if (kind === 'MethodNotAllowed') return ['Allow', 'GET, HEAD']
  return problemCatalog[kind].status === 503 ? ['Retry-After', '1'] : []
}

/** The `type` of a problem points at its description. */
const problemType = (kind: ProblemKind): string => `/openapi.json#/components/responses/${kind}`

/** A problem in the form of RFC 9457, with `meta` first. */
export function problemRepresentation({ kind, title, status, message }: Problem): Representation {
  const members = { type: problemType(kind), title, status, detail: message }
  return {
    name: null,
    mediaType: problemMediaType,
    head: (published, ageMs) => `${published.meta(ageMs)},${JSON.stringify(members).slice(1)}`,
    slices: [],
    tail: '',
    headers: problemHeaders(kind),
  }
}

/** The kinds of problem that any request may cause. */
const universalProblems: readonly ProblemKind[] = [
  'MalformedRequest',
  'ForeignHost',
  'MethodNotAllowed',
  'NoSuchSession',
  'RequestTimeout',
  'TargetTooLong',
  'HeadersTooLarge',
  'InternalError',
]

/** The kinds of problem that a route may cause. */
export function problemsOf(name: RouteName): readonly ProblemKind[] {
  const route: Route = routes[name]
  const kinds = [...universalProblems]
  if (route.parameters.length > 0) kinds.push('MalformedParameter')
  if (route.answer.kind === 'detail') kinds.push('NoSuchEntity')
  if (name === 'metricSeries') kinds.push('NoSuchMetricPath')
  if (name === 'table') kinds.push('NoSuchTable', 'TooManyTables', 'TablesUnavailable', 'ArchiveUnavailable')
  if (name === 'picture') kinds.push('NoSuchPicture', 'TooManyTables', 'TablesUnavailable')
  if (name === 'runbook') kinds.push('NoSuchRunbook')
  if (name === 'metricSeries' || name === 'metricPaths' || name === 'table') kinds.push('HistoryUnavailable')
  if (name !== 'metrics' && partsReadBy(name).length > 0) kinds.push('RecordsUnavailable')
  if (!route.beforeWorld) kinds.push('NoWorldYet')
  return kinds
}
