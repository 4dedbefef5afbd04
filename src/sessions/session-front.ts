import { Agent, createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sessionParameter } from '../contract/session.ts'
import { limits } from '../http/limits.ts'
import { HostNames } from '../http/requests/host-names.ts'
import { noSuchSession, requestedSession } from '../http/requests/requested-session.ts'
import { drainBody } from '../http/requests/request-body.ts'
import { originFormTarget, rejectRequest } from '../http/requests/request-guard.ts'
import { constantHeaderPairs } from '../http/responses/constant-headers.ts'
import { htmlMediaType, jsonMediaType } from '../http/responses/media-types.ts'
import { Problem, problemRepresentation } from '../http/responses/problems.ts'
import { PublishedFrame } from '../http/responses/published-frame.ts'

/** A session whose mirror listens on the loopback. */
interface RoutedSession {
  readonly name: string
  /** Null while the mirror does not listen. */
  readonly port: number | null
}

interface SessionHealth {
  readonly name: string
  readonly status: string
  readonly reason: string
}

const loopback = '127.0.0.1'
const healthTimeoutMs = 1_000
/** From worst to best: the status of the whole is that of its worst session. */
const statuses = ['down', 'stale', 'starting', 'idle', 'ok']

/** Headers that concern one connection, and those of a request body, which is dropped. */
const notForwarded: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
])
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** The service itself has no snapshot. */
const unpublished = new PublishedFrame(null, '')

/** Names and values in turn, without the headers of a connection. */
const responseHeaders = (raw: readonly string[]): string[] =>
  raw.filter((_, index) => !connectionHeaders.has(raw[index - (index % 2)].toLowerCase()))

function requestHeaders({ headers }: IncomingMessage, port: number): OutgoingHttpHeaders {
  const forwarded = Object.entries(headers).filter(([name]) => !notForwarded.has(name))
  return { ...Object.fromEntries(forwarded), host: `${loopback}:${port}` }
}

const notRunning = (name: string): Problem =>
  new Problem('NoWorldYet', `The mirror of session ${name} does not answer. Ask again in a second.`)

/** One address for several sessions: passes each request on to the mirror of the session that it names. */
export class SessionFront {
  readonly #sessions: ReadonlyMap<string, RoutedSession>
  readonly #hostNames: HostNames
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })

  constructor(
    sessions: readonly RoutedSession[],
    allowedHosts: readonly string[],
    connectionsMax = Infinity,
  ) {
    this.#sessions = new Map(sessions.map((session) => [session.name, session]))
    this.#hostNames = new HostNames(allowedHosts)
    this.#server = createServer(
      {
        maxHeaderSize: limits.headerBytesMax,
        headersTimeout: limits.headersTimeoutMs,
        requestTimeout: limits.requestTimeoutMs,
        keepAliveTimeout: limits.keepAliveTimeoutMs,
        requireHostHeader: false,
      },
      (request, response) => void this.#respond(request, response),
    )
    // Each request takes a connection of a client and one of a mirror.
    this.#server.maxConnections = Math.min(Math.floor(connectionsMax / 2), limits.connectionsMax)
  }

  /** Listens, and returns the address. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject).listen(port, host, resolve)
    await promise
    return this.#server.address() as AddressInfo
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
    this.#agent.destroy()
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    drainBody(request)
    const target = originFormTarget(request.url!)
    const session = rejectRequest(request, request.url!, this.#hostNames) ?? requestedSession(target)
    if (session instanceof Problem) this.#sendProblem(response, session)
    else if (session === '') await this.#respondForAll(target, response)
    else this.#respondFor(session, target, request, response)
  }

  #respondFor(name: string, target: string, request: IncomingMessage, response: ServerResponse): void {
    const session = this.#sessions.get(name)
    if (session === undefined) this.#sendProblem(response, noSuchSession(name, this.#names))
    else if (session.port === null) this.#sendProblem(response, notRunning(name))
    else this.#forward(session.name, session.port, target, request, response)
  }

  async #respondForAll(target: string, response: ServerResponse): Promise<void> {
    const [path] = target.split('?', 1)
    if (path === '/health') await this.#sendHealth(response)
    else if (path === '/') this.#sendIndex(response)
    else {
      const expected = `expected ${this.#names.join(' or ')}, such as ${path}?${sessionParameter}=${this.#names[0]}`
      this.#sendProblem(
        response,
        new Problem('MalformedParameter', `${sessionParameter}: is missing, ${expected}.`),
      )
    }
  }

  #forward(
    name: string,
    port: number,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const headers = requestHeaders(request, port)
    const { method } = request
    const forwarded = sendRequest({ host: loopback, port, path, method, headers, agent: this.#agent })
    forwarded.on('response', (reply) => {
      response.writeHead(reply.statusCode!, responseHeaders(reply.rawHeaders))
      reply.on('error', () => response.destroy())
      reply.pipe(response)
    })
    forwarded.on('error', () => {
      if (response.headersSent || response.destroyed) response.destroy()
      else this.#sendProblem(response, notRunning(name))
    })
    response.on('close', () => forwarded.destroy())
    forwarded.end()
  }

  async #sendHealth(response: ServerResponse): Promise<void> {
    const sessions = await Promise.all([...this.#sessions.values()].map(healthOf))
    const worst = Math.min(...sessions.map(({ status }) => Math.max(0, statuses.indexOf(status))))
    const body = JSON.stringify({ status: statuses[worst], sessions })
    this.#send(response, 200, jsonMediaType, `${unpublished.meta(0)},${body.slice(1)}`)
  }

  #sendIndex(response: ServerResponse): void {
    const items = this.#names.map((name) => `<li><a href="/?${sessionParameter}=${name}">${name}</a></li>`)
    const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>dcsim-mirror</title></head>
<body>
<h1>dcsim-mirror</h1>
<p>Every path takes the parameter <code>${sessionParameter}</code>. <a href="/health">Health</a> shows the status of all:</p>
<ul>${items.join('\n')}</ul>
</body>
</html>
`
    this.#send(response, 200, htmlMediaType, body, ['Content-Security-Policy', "default-src 'none'"])
  }

  #sendProblem(response: ServerResponse, problem: Problem): void {
    const { mediaType, head, tail, headers } = problemRepresentation(problem)
    this.#send(response, problem.status, mediaType, head(unpublished, 0) + tail, headers)
  }

  #send(
    response: ServerResponse,
    status: number,
    mediaType: string,
    body: string,
    more: readonly string[] = [],
  ): void {
    // biome-ignore format: names and values in pairs
    const headers = [
      'Content-Type', mediaType,
      'Content-Length', String(Buffer.byteLength(body)),
      'X-Sim-Age-Ms', '0',
      'X-Sim-Publish-Seq', '0',
      ...constantHeaderPairs,
      ...more,
    ]
    response.writeHead(status, headers).end(body)
  }

  get #names(): string[] {
    return [...this.#sessions.keys()]
  }
}

async function healthOf({ name, port }: RoutedSession): Promise<SessionHealth> {
  if (port === null) return { name, status: 'down', reason: 'The mirror does not run.' }
  try {
    const signal = AbortSignal.timeout(healthTimeoutMs)
    const response = await fetch(`http://${loopback}:${port}/health`, { signal })
    const { status, reason } = (await response.json()) as SessionHealth
    return { name, status, reason }
  } catch {
    return { name, status: 'down', reason: 'The mirror does not answer.' }
  }
}
