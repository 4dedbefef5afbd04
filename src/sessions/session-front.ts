import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../contract/clock.ts'
import { routes } from '../contract/routes.ts'
import { sessionParameter } from '../contract/session.ts'
import { HttpListener } from '../http/http-listener.ts'
import { noSuchSession, requestedSession } from '../http/requests/requested-session.ts'
import { originFormTarget, rejectRequest } from '../http/requests/request-guard.ts'
import { probeRepresentation } from '../http/resources/probe.ts'
import { htmlMediaType, jsonMediaType } from '../http/responses/media-types.ts'
import { Problem } from '../http/responses/problems.ts'
import type { Representation } from '../http/responses/representation.ts'
import { Responder } from '../http/responses/responder.ts'
import type { Exchange } from '../http/responses/responder.ts'
import type { FrameReader } from '../http/responses/response-writer.ts'
import { Forwarding, loopback } from './forwarding.ts'

/** A session whose mirror listens on the loopback. */
interface RoutedSession {
  readonly name: string
  /** Null while the mirror does not listen, or hangs. */
  readonly port: number | null
}

interface SessionHealth {
  readonly name: string
  readonly status: string
  readonly reason: string
}

const healthTimeoutMs = 1_000
/** In ascending order: the overall status is that of the worst session. */
const statuses = ['down', 'stale', 'starting', 'idle', 'ok']
/** Alerts link to their runbooks, which all sessions share. */
const runbookPath = /^\/runbooks(?:\/|$)/
const withoutWorld: ReadonlySet<string> = new Set(['down', 'starting'])

/** The front itself has no snapshot. */
const noFrames: FrameReader = {
  read: () => null,
  readParts: () => null,
  ageMs: () => 0,
  hold: () => () => {},
}

const notRunning = (name: string): Problem =>
  new Problem('NoWorldYet', `The mirror of session ${name} does not answer. Ask again in a second.`)

interface SessionFrontOptions {
  readonly sessions: readonly RoutedSession[]
  readonly allowedHosts: readonly string[]
  readonly connectionsMax?: number | undefined
  readonly clock: Clock
  readonly log: (line: string) => void
}

/** One address for several sessions: forwards each request to the mirror of its session. */
export class SessionFront {
  readonly #sessions: ReadonlyMap<string, RoutedSession>
  readonly #responder: Responder
  readonly #listener: HttpListener
  readonly #server: Server
  readonly #forwarding: Forwarding
  /** The current health check, which concurrent requests share. */
  #health: Promise<readonly SessionHealth[]> | null = null

  constructor({ sessions, allowedHosts, connectionsMax, clock, log }: SessionFrontOptions) {
    this.#sessions = new Map(sessions.map((session) => [session.name, session]))
    this.#forwarding = new Forwarding(clock)
    const responder = new Responder({ mirror: noFrames, clock, bootId: '', onResponse: () => {}, log })
    this.#responder = responder
    this.#listener = new HttpListener({
      responder,
      allowedHosts,
      // Each request takes a client's connection and a mirror's.
      connectionsMax: connectionsMax === undefined ? undefined : Math.floor(connectionsMax / 2),
      clock,
      log,
    })
    this.#server = this.#listener.createServer((request, response) => void this.#respond(request, response))
    this.#server.on('clientError', (error, socket) => this.#listener.onClientError(error, socket as Socket))
  }

  /** Starts to listen, and returns the address. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject).listen(port, host, resolve)
    await promise
    return this.#server.address() as AddressInfo
  }

  async close(): Promise<void> {
    await this.#listener.close()
    this.#forwarding.close()
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = this.#responder.begin(request, response)
    try {
      const refusal = rejectRequest(request, request.url!, this.#listener.hostNames)
      if (refusal !== null) throw refusal
      await this.#answer(exchange, originFormTarget(request.url!))
    } catch (error) {
      this.#responder.respondWithError(exchange, error)
    }
  }

  async #answer(exchange: Exchange, target: string): Promise<void> {
    const name = requestedSession(target)
    if (name instanceof Problem) throw name
    const [path] = target.split('?', 1)
    if (name !== '') this.#forward(exchange, target, name)
    else if (path === '/health') await this.#responder.respond(exchange, await this.#healthOfAll())
    else if (path === routes.healthy.path)
      await this.#responder.respond(exchange, probeRepresentation('healthy'))
    else if (path === routes.ready.path) await this.#responder.respond(exchange, await this.#readiness())
    else if (path === '/') await this.#responder.respond(exchange, this.#index())
    else if (runbookPath.test(path)) this.#forwardToAny(exchange, target)
    else {
      const expected = `expected ${this.#names.join(' or ')}, such as ${path}?${sessionParameter}=${this.#names[0]}`
      throw new Problem('MalformedParameter', `${sessionParameter}: is missing, ${expected}.`)
    }
  }

  #forward(exchange: Exchange, target: string, name: string): void {
    const session = this.#sessions.get(name)
    if (session === undefined) throw noSuchSession(name, this.#names, '--sessions')
    if (session.port === null) throw notRunning(name)
    this.#forwarding.forward(exchange, target, session.port, () =>
      this.#responder.respondWithProblem(exchange, notRunning(name)),
    )
  }

  /** Forwards to the first mirror that listens, as all of them answer the same. */
  #forwardToAny(exchange: Exchange, target: string): void {
    const { name } = [...this.#sessions.values()].find(({ port }) => port !== null) ?? {
      name: this.#names[0],
    }
    const query = `${sessionParameter}=${encodeURIComponent(name)}`
    this.#forward(exchange, `${target}${target.includes('?') ? '&' : '?'}${query}`, name)
  }

  async #healthOfEach(): Promise<readonly SessionHealth[]> {
    this.#health ??= Promise.all([...this.#sessions.values()].map(healthOf))
    const sessions = await this.#health
    this.#health = null
    return sessions
  }

  /** One session with a world is enough: another that is not there must not take it away. */
  async #readiness(): Promise<Representation> {
    const sessions = await this.#healthOfEach()
    if (sessions.some(({ status }) => !withoutWorld.has(status))) return probeRepresentation('ready')
    throw new Problem(
      'NoWorldYet',
      'No session has a world yet; /health has the status of each. Ask again in a second.',
    )
  }

  async #healthOfAll(): Promise<Representation> {
    const sessions = await this.#healthOfEach()
    const worst = Math.min(...sessions.map(({ status }) => Math.max(0, statuses.indexOf(status))))
    const body = JSON.stringify({ status: statuses[worst], sessions })
    return {
      name: null,
      mediaType: jsonMediaType,
      head: (published, ageMs) => `${published.meta(ageMs)},${body.slice(1)}`,
      slices: [],
      tail: '',
    }
  }

  #index(): Representation {
    const items = this.#names.map((name) => `<li><a href="?${sessionParameter}=${name}">${name}</a></li>`)
    const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>dcsim-mirror</title></head>
<body>
<h1>dcsim-mirror</h1>
<p>Every path takes the parameter <code>${sessionParameter}</code>. <a href="health">Health</a> shows the status of all:</p>
<ul>${items.join('\n')}</ul>
</body>
</html>
`
    return {
      name: null,
      mediaType: htmlMediaType,
      head: () => body,
      slices: [],
      tail: '',
      headers: ['Content-Security-Policy', "default-src 'none'"],
    }
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
