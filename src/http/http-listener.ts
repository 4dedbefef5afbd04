import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Socket } from 'node:net'
import type { Clock } from '../contract/clock.ts'
import { limits } from './limits.ts'
import { Connections } from './requests/connections.ts'
import { HostNames } from './requests/host-names.ts'
import { MalformedRequestHandler, parserProblem } from './requests/malformed-requests.ts'
import type { ParserError } from './requests/malformed-requests.ts'
import { drainBody } from './requests/request-body.ts'
import { rejectRequest } from './requests/request-guard.ts'
import type { Responder } from './responses/responder.ts'

interface HttpListenerOptions {
  readonly responder: Responder
  /** Allowed values of the Host header besides loopback names. */
  readonly allowedHosts: readonly string[]
  /** The process's own limit of connections, if it is lower than the server's. */
  readonly connectionsMax?: number | undefined
  readonly clock: Clock
  readonly log: (line: string) => void
}

/**
 * Node's HTTP server, with bounds on the resources that clients can use. Requests of a connection are answered in turn.
 */
export class HttpListener {
  readonly hostNames: HostNames
  readonly #connections = new Connections()
  readonly #malformedRequests: MalformedRequestHandler
  readonly #options: HttpListenerOptions
  readonly #connectionsMax: number
  /** One server for each address: a name such as localhost may have several. */
  readonly #servers: Server[] = []

  constructor(options: HttpListenerOptions) {
    const { responder, allowedHosts, connectionsMax = Infinity, clock } = options
    this.hostNames = new HostNames(allowedHosts)
    this.#options = options
    this.#connectionsMax = Math.min(connectionsMax, limits.connectionsMax)
    this.#malformedRequests = new MalformedRequestHandler(responder, this.#connections, clock)
  }

  /** A server whose requests go to the listener. Its `clientError` events belong to `onClientError`. */
  createServer(listener: RequestListener): Server {
    const server = createServer({
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      // Node's own response to a request without a Host header would lack the freshness headers.
      requireHostHeader: false,
      // Upgrades are not supported: such a request is an ordinary one.
      shouldUpgradeCallback: () => false,
      noDelay: true,
    })
    server.maxConnections = this.#connectionsMax
    server.on('drop', () =>
      this.#options.log(`Refused a connection: ${this.#connectionsMax} are open, the most allowed.`),
    )
    const enqueue: RequestListener = (request, response) => {
      drainBody(request)
      this.#connections.enqueue(request, response, listener)
    }
    server.on('request', enqueue)
    server.on('checkContinue', enqueue)
    server.on('checkExpectation', enqueue)
    server.on('connect', (request, socket) => this.#refuseTunnel(request, socket as Socket))
    this.#servers.push(server)
    return server
  }

  readonly onClientError = (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy()
    else this.#malformedRequests.refuse(socket, parserProblem(error))
  }

  /** Accepts no more connections, waits up to the grace period for responses to end, then closes their connections. */
  async close(): Promise<void> {
    // Node's own close() would cut off responses that are complete but still being sent.
    for (const server of this.#servers) NetServer.prototype.close.call(server)
    const { promise: responsesEnded, resolve } = Promise.withResolvers<void>()
    const stopWaiting = this.#options.clock.after(limits.closeGraceMs, resolve)
    this.#connections.whenIdle(resolve)
    await responsesEnded
    stopWaiting()
    for (const server of this.#servers) server.closeAllConnections()
  }

  #refuseTunnel(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    // Node detaches the socket of a tunnel from the response to the request before, which may be larger than its buffer.
    socket.on('drain', () => this.#connections.drained(socket))
    // The target of a CONNECT is a host, which the guard recognizes as neither path nor authority.
    this.#malformedRequests.refuse(socket, rejectRequest(request, request.url!, this.hostNames)!)
  }
}
