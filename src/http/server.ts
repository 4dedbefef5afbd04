import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../contract/clock.ts'
import { routeNames, routes } from '../contract/routes.ts'
import { refusalOf } from './admission.ts'
import { HostNames } from './host-names.ts'
import { limits } from './limits.ts'
import { Problem, quoted } from './problems.ts'
import { ignoreBody } from './request-body.ts'
import { Responder } from './responder.ts'
import type { ResponderOptions } from './responder.ts'
import { problemOf, UnreadableRequests } from './unreadable-requests.ts'
import type { ParserError } from './unreadable-requests.ts'

export interface HttpServerOptions extends ResponderOptions {
  /** Names that a Host header may have besides those of the loopback. */
  readonly allowedHosts: readonly string[]
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The service as its readers reach it. */
export class HttpServer {
  readonly #responder: Responder
  readonly #clock: Clock
  readonly #hostNames: HostNames
  readonly #unreadable: UnreadableRequests
  readonly #app: FastifyInstance
  /** One an address: a name such as localhost may have several. */
  readonly #servers: Server[] = []

  constructor({ allowedHosts, ...options }: HttpServerOptions) {
    this.#clock = options.clock
    this.#responder = new Responder(options)
    this.#hostNames = new HostNames(allowedHosts)
    this.#unreadable = new UnreadableRequests(this.#responder, this.#clock)
    this.#app = this.#bound()
  }

  /** Listens, and says where. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    await this.#app.listen({ host, port })
    return this.#app.server.address() as AddressInfo
  }

  /** Takes no more connections, lets responses end for a moment, then ends them. */
  async close(): Promise<void> {
    // Node's own way of closing would cut off responses that were handed over whole but are still on their way.
    for (const server of this.#servers) NetServer.prototype.close.call(server)
    const { promise: responsesEnded, resolve } = Promise.withResolvers<void>()
    const stopWaiting = this.#clock.after(limits.closeGraceMs, resolve)
    this.#responder.open.whenNone(resolve)
    await responsesEnded
    stopWaiting()
    for (const server of this.#servers) server.closeAllConnections()
    await this.#app.close()
  }

  /** Fastify routes what was admitted; the contract's list of routes is all that it knows. */
  #bound(): FastifyInstance {
    const app = fastify({
      serverFactory: (handler) => this.#nodeServer(handler),
      clientErrorHandler: (error, socket) => this.#clientError(error as unknown as ParserError, socket),
      frameworkErrors: (_error, request, reply) => {
        reply.hijack()
        const detail = `The path ${quoted(request.raw.url!)} has broken percent-encoding, expected it whole.`
        this.#responder.refuse(request.raw, reply.raw, new Problem('MalformedRequest', detail))
      },
      routerOptions: { maxParamLength: limits.targetMax, querystringParser: () => ({}) },
      exposeHeadRoutes: false,
      genReqId: () => '',
      return503OnClosing: false,
      forceCloseConnections: 'idle',
    })
    for (const name of routeNames) {
      app.route<{ Params: { id?: string } }>({
        method: ['GET', 'HEAD'],
        url: routes[name].path.replace('{id}', ':id'),
        handler: ({ raw, params }, reply) => {
          reply.hijack()
          this.#responder.answer(name, raw, reply.raw, params.id)
        },
      })
    }
    app.setNotFoundHandler(({ raw }, reply) => {
      reply.hijack()
      const detail = `There is no route ${quoted(raw.url!)}, expected one that /openapi.json lists.`
      this.#responder.refuse(raw, reply.raw, new Problem('NoSuchRoute', detail))
    })
    return app
  }

  #nodeServer(route: Handler): Server {
    const admit: Handler = (request, response) => {
      ignoreBody(request)
      const refusal = refusalOf(request, this.#hostNames)
      if (refusal === null) route(request, response)
      else this.#responder.refuse(request, response, refusal)
    }
    const server = createServer({
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      // The answer to a request without one has to carry what every answer does.
      requireHostHeader: false,
      // An upgrade that is not taken up is an ordinary request.
      shouldUpgradeCallback: () => false,
      noDelay: true,
    })
    // One more than the bound, so that its being passed can be seen: Node drops the rest.
    server.maxHeadersCount = limits.headerCountMax + 1
    server.maxConnections = limits.connectionsMax
    server.on('request', admit)
    server.on('checkContinue', admit)
    server.on('checkExpectation', admit)
    server.on('connect', (request, socket) => this.#refuseTunnel(request, socket as Socket))
    this.#servers.push(server)
    return server
  }

  #refuseTunnel(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    // A tunnel's target is a host, not a path, and no reason to read it as one.
    this.#unreadable.refuse(socket, refusalOf(request, this.#hostNames)!)
  }

  #clientError(error: ParserError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy()
    else this.#unreadable.refuse(socket, problemOf(error))
  }
}
