import { routes } from '../contract/routes.ts'
import type { Route, RouteName } from '../contract/routes.ts'
import { problemMediaType } from './media-types.ts'
import type { Representation } from './representation.ts'

/** Every kind of error that the service answers, in one catalogue. */
export const problems = {
  MalformedRequest: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request is not HTTP as RFC 9112 has it, or its target cannot be read.',
  },
  MalformedParameter: {
    status: 400,
    title: 'Malformed parameter',
    meaning: 'A parameter is missing, given twice, or not what it has to be.',
  },
  ForeignHost: {
    status: 403,
    title: 'Foreign host',
    meaning:
      'The Host header names neither this machine nor a host that was allowed, so the request may come from a ' +
      'page that pretends to be on this machine.',
  },
  NoSuchRoute: { status: 404, title: 'No such route', meaning: 'Nothing is served at this path.' },
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
  MethodNotAllowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The service is read-only: it answers GET and HEAD, whatever the path.',
  },
  RequestTimeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request was not received whole in time.',
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
    meaning: 'A fault of the service itself; it is in the log.',
  },
  HistoryUnavailable: {
    status: 503,
    title: 'History unavailable',
    meaning: 'The server that this mirror reads keeps the history, and does not answer.',
  },
  NoWorldYet: {
    status: 503,
    title: 'No world yet',
    meaning: 'The first snapshot has not been published. Ask again in a moment.',
  },
} as const satisfies Record<string, { status: number; title: string; meaning: string }>

export type ProblemKind = keyof typeof problems
export const problemKinds = Object.keys(problems) as ProblemKind[]

/** An error as an answer: the kind says what happened, the detail says what came and what was expected. */
export class Problem {
  readonly kind: ProblemKind
  readonly detail: string

  get title(): string {
    return problems[this.kind].title
  }

  constructor(kind: ProblemKind, detail: string) {
    this.kind = kind
    this.detail = detail
  }
}

/** Headers that a kind of problem brings along, names and values in turn. */
export const problemHeaders: Readonly<Partial<Record<ProblemKind, readonly string[]>>> = {
  MethodNotAllowed: ['Allow', 'GET, HEAD'],
  HistoryUnavailable: ['Retry-After', '1'],
  NoWorldYet: ['Retry-After', '1'],
}

/** The `type` of a problem is where the service's own description of it stands. */
export const problemType = (kind: ProblemKind): string => `/openapi.json#/components/responses/${kind}`

export const statusOf = ({ kind }: Problem): number => problems[kind].status

/** The body of a problem, after RFC 9457, with `meta` as every body has it. */
export function problemRepresentation({ kind, title, detail }: Problem): Representation {
  const members = { type: problemType(kind), title, status: problems[kind].status, detail }
  return {
    name: null,
    mediaType: problemMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs)},${JSON.stringify(members).slice(1)}`,
    slices: [],
    tail: '',
    headers: problemHeaders[kind] ?? [],
  }
}

/** How much of what came is quoted back. */
export const quotedMax = 64

/** What came, safe to print: cut to a bound, control characters and quotes escaped. */
export const quoted = (text: string): string =>
  text.length <= quotedMax ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, quotedMax))}…`

/** The kinds of problem that a route may answer, besides what any request may meet. */
export function problemsOf(name: RouteName): readonly ProblemKind[] {
  const route: Route = routes[name]
  const found: ProblemKind[] = ['ForeignHost', 'MethodNotAllowed']
  if (route.parameters.length > 0) found.push('MalformedParameter')
  if (route.answer.kind === 'detail') found.push('NoSuchEntity')
  if (name === 'metricSeries') found.push('NoSuchMetricPath')
  if (name === 'metricSeries' || name === 'metricPaths') found.push('HistoryUnavailable')
  if (!route.beforeWorld) found.push('NoWorldYet')
  return found
}
