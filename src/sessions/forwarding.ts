import { Agent, request as sendRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Clock } from '../contract/clock.ts'
import { limits } from '../http/limits.ts'
import { awaitsContinue } from '../http/requests/request-body.ts'
import type { Exchange } from '../http/responses/responder.ts'

export const loopback = '127.0.0.1'

/** Idle connections to the mirror of one session that stay open. Those in use are as many as connections of clients. */
const idleConnectionsMax = 32

/** Deadline for the beginning of a mirror's response: the largest tables take some seconds. */
const answerTimeoutMs = 30_000

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
/** Headers of a request body, which is dropped. */
const bodyHeaders = ['expect', 'content-length']

/** Names of the headers that end at this connection: the fixed ones and those that `Connection` names. */
function hopByHopHeaders({ connection = '' }: IncomingHttpHeaders, more: readonly string[]): Set<string> {
  const namedHeaders = connection.split(',').map((name) => name.trim().toLowerCase())
  return new Set([...connectionHeaders, ...more, ...namedHeaders])
}

function forwardedRequestHeaders({ headers }: IncomingMessage, port: number): OutgoingHttpHeaders {
  const dropped = hopByHopHeaders(headers, bodyHeaders)
  const forwarded = Object.entries(headers).filter(([name]) => !dropped.has(name))
  return { ...Object.fromEntries(forwarded), host: `${loopback}:${port}` }
}

/** Alternating names and values. */
function forwardedResponseHeaders({ headers, rawHeaders }: IncomingMessage): string[] {
  const dropped = hopByHopHeaders(headers, [])
  return rawHeaders.filter((_, index) => !dropped.has(rawHeaders[index - (index % 2)].toLowerCase()))
}

/** Passes requests on to mirrors that listen on the loopback. */
export class Forwarding {
  readonly #clock: Clock
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: idleConnectionsMax })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Forwards a request to the mirror at a port. `onFailure` is called if no response begins in time. */
  forward(exchange: Exchange, path: string, port: number, onFailure: () => void): void {
    this.#send(exchange, path, port, (wasIdle) => {
      // The mirror may close an idle connection at the moment at which a request goes out on it.
      if (wasIdle) this.#send(exchange, path, port, onFailure)
      else onFailure()
    })
  }

  /** `onFailure` is called with whether the connection that failed was an idle one. */
  #send(
    { request, response }: Exchange,
    path: string,
    port: number,
    onFailure: (wasIdle: boolean) => void,
  ): void {
    const { method } = request
    const headers = forwardedRequestHeaders(request, port)
    const forwarded = sendRequest({ host: loopback, port, path, method, headers, agent: this.#agent })
    let hasTimedOut = false
    let stopWaiting = this.#clock.after(answerTimeoutMs, () => {
      hasTimedOut = true
      forwarded.destroy()
    })
    forwarded.on('response', (reply) => {
      stopWaiting()
      stopWaiting = this.#clock.after(limits.responseTimeoutMs, () => response.destroy())
      const responseHeaders = forwardedResponseHeaders(reply)
      if (awaitsContinue(request)) responseHeaders.push('Connection', 'close')
      response.writeHead(reply.statusCode!, responseHeaders)
      reply.on('error', () => response.destroy())
      reply.pipe(response)
    })
    forwarded.on('error', () => {
      stopWaiting()
      if (response.headersSent || response.destroyed) response.destroy()
      else onFailure(forwarded.reusedSocket && !hasTimedOut)
    })
    response.on('close', () => {
      stopWaiting()
      forwarded.destroy()
    })
    forwarded.end()
  }

  close(): void {
    this.#agent.destroy()
  }
}
