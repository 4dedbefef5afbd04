import { fastify } from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { routeNames, routes } from '../contract/routes.ts'
import type { RouteName } from '../contract/routes.ts'
import { closestMatch } from '../text/closest-match.ts'
import { limits } from './limits.ts'
import { prefersPage, waitingPage } from './landing/waiting-page.ts'
import type { HostNames } from './requests/host-names.ts'
import { parameterValidator, parseQuery } from './requests/parameters.ts'
import { partsReadBy } from './requests/read-parts.ts'
import type { ParameterPart, ParameterValues } from './requests/parameters.ts'
import { foreignSession } from './requests/requested-session.ts'
import { originFormTarget, rejectRequest } from './requests/request-guard.ts'
import { resources } from './resources/resources.ts'
import type { Resource, ResourceContext } from './resources/resources.ts'
import { quoted } from '../text/quoted.ts'
import { Problem } from './responses/problems.ts'
import type { Exchange, Responder } from './responses/responder.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

interface AppOptions {
  readonly responder: Responder
  readonly hostNames: HostNames
  readonly context: ResourceContext
  readonly serverFactory: NonNullable<FastifyServerOptions['serverFactory']>
  readonly clientErrorHandler: NonNullable<FastifyServerOptions['clientErrorHandler']>
}

const noWorldYet = new Problem(
  'NoWorldYet',
  'No world has been published yet; /health says how far it is. Ask again in a second.',
)

const segmentsMax = 8
const routePaths: ReadonlySet<string> = new Set(routeNames.map((name) => routes[name].path))

/** The route with the same ending as a path, which often lacks a prefix, or has a slash or a capital too many. */
function likelyRoute(target: string): string | null {
  const [path] = target.toLowerCase().split('?', 1)
  const segments = path.split('/').filter((segment) => segment !== '')
  const known = segments.slice(-segmentsMax).map((segment) => (/^\d+$/.test(segment) ? '{id}' : segment))
  for (let from = 0; from < known.length && known[from] !== '{id}'; from++) {
    const end = `/${known.slice(from).join('/')}`
    const found = routeNames.find((name) => routes[name].path.endsWith(end))
    if (found !== undefined) return routes[found].path
  }
  return null
}

/** The route that differs from a path in the spelling of one segment: a plural for a singular, for example. */
function similarRoute(target: string): string | null {
  const [path] = target.toLowerCase().split('?', 1)
  const segments = path.split('/').map((segment) => (/^\d+$/.test(segment) ? '{id}' : segment))
  if (segments.length > segmentsMax) return null
  for (const [index, segment] of segments.entries()) {
    const known = (spelling: string): string => segments.with(index, spelling).join('/')
    const spellings = routeNames
      .map((name) => routes[name].path.split('/')[index] ?? '')
      .filter((spelling) => routePaths.has(known(spelling)) && !spelling.startsWith('{'))
    const similar = closestMatch(segment, spellings)
    if (similar !== null) return known(similar)
  }
  return null
}

function missingRoute(target: string): string {
  const likely = likelyRoute(target) ?? similarRoute(target)
  return likely === null
    ? `There is no route ${quoted(target)}, expected one that /openapi.json lists.`
    : `There is no route ${quoted(target)}; did you mean ${likely}? /openapi.json lists all routes.`
}

/** Binds every route of the contract. */
function bindRoute(app: FastifyInstance, name: RouteName, { responder, context }: AppOptions): void {
  const { path, beforeWorld } = routes[name]
  const representationOf = resources[name] as Resource<RouteName>
  const parts = partsReadBy(name)
  app.route<{ Params: Partial<ParameterValues>; Querystring: Partial<ParameterValues> }>({
    method: 'GET',
    url: path.replace(/\{(\w+)\}/, ':$1'),
    // Fastify calls a validator only for a part that has a schema.
    schema: { params: {}, querystring: {} },
    validatorCompiler: ({ httpPart }) => parameterValidator(name, httpPart as ParameterPart),
    preValidation({ exchange }, _reply, done) {
      exchange.route = name
      if (exchange.published.frame === null && !beforeWorld) done(noWorldYet)
      else done()
    },
    handler({ exchange, params, query }) {
      const parameters = { ...query, ...params } as ParameterValues
      const { accept } = exchange.request.headers
      const respond = (): void | Promise<void> => {
        const representation = representationOf(exchange.published.frame!, parameters, context, accept)
        return representation instanceof Promise
          ? responder.respondLater(exchange, representation)
          : responder.respond(exchange, representation)
      }
      const awaited = responder.parts(exchange, parts)
      return awaited === null ? respond() : awaited.then(respond)
    },
  })
}

/** The routes of the contract with the checks of every request: admission, the world's existence, errors. */
export function createApp(options: AppOptions): FastifyInstance {
  const { responder, hostNames, context, serverFactory, clientErrorHandler } = options
  const begin = (request: FastifyRequest, reply: FastifyReply): Problem | null => {
    request.exchange = responder.begin(request.raw, reply.raw)
    const { raw, originalUrl } = request
    const refused = rejectRequest(raw, originalUrl, hostNames)
    // A table may be of a session that this mirror had earlier: it checks the name itself.
    if (refused !== null || originalUrl.startsWith('/tables/')) return refused
    return foreignSession(originalUrl, context.session)
  }
  const respondWaiting = (exchange: Exchange): void =>
    responder.respondWithProblem(exchange, noWorldYet, waitingPage(context.mirrorStatus().reason))
  const app = fastify({
    serverFactory,
    clientErrorHandler,
    rewriteUrl: ({ url }) => originFormTarget(url!),
    // Fastify runs no hooks for a path that cannot be decoded.
    frameworkErrors(_error, request, reply) {
      const detail = `The path ${quoted(request.raw.url!)} has broken percent-encoding, expected two hexadecimal digits after each %.`
      const problem = begin(request, reply) ?? new Problem('MalformedRequest', detail)
      responder.respondWithProblem(request.exchange, problem)
    },
    routerOptions: { maxParamLength: limits.targetMax, querystringParser: parseQuery },
    // Requests that arrive while the server closes are answered normally: Fastify's own 503 would not be a
    // problem document.
    return503OnClosing: false,
  })
  app.decorateRequest('exchange')
  app.addHook('onRequest', (request, reply, done) => done(begin(request, reply) ?? undefined))
  app.setErrorHandler((error, { exchange }) => {
    const { route, request } = exchange
    if (error === noWorldYet && route === 'landing' && prefersPage(request.headers.accept))
      respondWaiting(exchange)
    else responder.respondWithError(exchange, error)
  })
  app.setNotFoundHandler(({ raw }) => {
    throw new Problem('NoSuchRoute', missingRoute(raw.url!))
  })
  for (const name of routeNames) bindRoute(app, name, options)
  return app
}
