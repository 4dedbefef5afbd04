/**
 * The guard of the stack: the only way to Prometheus and Alertmanager for people, and to them and the long-term store for
 * Grafana. None of these checks the names of hosts, or tells its own page from a foreign one.
 *
 *   node deploy/stack/guard.ts PASSWORD
 *
 * PASSWORD is the file with what they ask for. PROMETHEUS_HOST and ALERTMANAGER_HOST are names that people reach them by,
 * LONGTERM_QUERY_URL is a store other than the one of the stack; LONGTERM_IN_STACK says that it asks for the password too.
 */
import { readFileSync } from 'node:fs'
import { createServer, request as requestHttp } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions, Server, ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { HostNames } from '../../src/http/requests/host-names.ts'
import { guardedServers, findRefusal } from './guarded-requests.ts'
import type { GuardedServer } from './guarded-requests.ts'
import { sayWhenUp } from './ready.ts'

/** Far above any query or silence. */
const bodyMax = 1024 * 1024
/** Prometheus ends a query after two minutes. */
const silenceMs = 150_000
const connectionsMax = 512

/** Where the requests of a server go. */
interface Upstream {
  readonly url: URL
  /** User and password, if it asks for them. */
  readonly auth?: string
}

/**
 * Dropped are headers of one connection, those that are set here, cookies (browsers send Grafana's to every port), and those
 * that open a server to foreign pages or have the browser ask for a password.
 */
const isKept = (name: string): boolean =>
  !/^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|origin|cookie|.*auth.*|access-control-.*)$/.test(
    name,
  )

const keptHeaders = (headers: IncomingMessage['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)))

/** A foreign page can neither frame a page, for clicks on its buttons, nor embed a response. */
const ownHeaders = {
  'content-security-policy': "frame-ancestors 'self'",
  'cross-origin-resource-policy': 'same-origin',
} as const

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent || response.destroyed) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain', ...ownHeaders }).end(`${reason}\n`)
}

function forward(request: IncomingMessage, response: ServerResponse, { url, auth }: Upstream): void {
  const options: RequestOptions = {
    method: request.method,
    path: `${url.pathname.replace(/\/$/, '')}${request.url}`,
    headers: keptHeaders(request.headers),
    timeout: silenceMs,
    agent: false,
    ...(auth !== undefined && { auth }),
  }
  const ask = url.protocol === 'https:' ? requestHttps : requestHttp
  const forwarded = ask(url, options, (answer) => {
    response.writeHead(answer.statusCode!, { ...keptHeaders(answer.headers), ...ownHeaders })
    answer.on('error', () => response.destroy()).pipe(response)
  })
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= bodyMax) return
    refuse(response, 413, `The body has more than ${bodyMax} bytes.`)
    forwarded.destroy()
  })
  forwarded.on('timeout', () => forwarded.destroy(new Error(`no byte for ${silenceMs / 1000} s`)))
  forwarded.on('error', ({ message }) => refuse(response, 502, `${url.host} does not answer: ${message}`))
  response.on('close', () => forwarded.destroy())
  request.pipe(forwarded)
}

/** A server that passes on to another one what is allowed there. */
export function guardServer(server: GuardedServer, names: HostNames, upstream: () => Upstream): Server {
  const guard = createServer((request, response) => {
    const { method = '', url: target = '', headers } = request
    const refusal = findRefusal(server, names, { method, target, headers })
    if (refusal !== null) return refuse(response, refusal.status, refusal.reason)
    try {
      forward(request, response, upstream())
    } catch (error) {
      // Its password is not there yet.
      refuse(response, 502, error instanceof Error ? error.message : String(error))
    }
  })
  guard.maxConnections = connectionsMax
  return guard
}

function main(environment: NodeJS.ProcessEnv, passwordFile: string): void {
  const { PROMETHEUS_HOST = '', ALERTMANAGER_HOST = '', LONGTERM_QUERY_URL, LONGTERM_IN_STACK } = environment
  const own = (address: string): Upstream => ({
    url: new URL(address),
    auth: `stack:${readFileSync(passwordFile, 'utf8')}`,
  })
  const store = (): Upstream =>
    LONGTERM_QUERY_URL && !LONGTERM_IN_STACK
      ? { url: new URL(LONGTERM_QUERY_URL) }
      : own(LONGTERM_QUERY_URL || 'http://victoria-metrics:8428')
  const { prometheus, alertmanager, longTermStore } = guardedServers
  const guards = [
    [prometheus, PROMETHEUS_HOST, () => own('http://prometheus:9090')],
    [alertmanager, ALERTMANAGER_HOST, () => own('http://alertmanager:9093')],
    [longTermStore, '', store],
  ] as const
  for (const [server, host, upstream] of guards) {
    const guard = guardServer(server, new HostNames(host === '' ? [] : [host]), upstream)
    guard.listen(server.port)
    process.on('SIGTERM', () => guard.close().closeAllConnections())
  }
  void sayWhenUp(environment)
}

if (import.meta.main) {
  // Node would open its inspector.
  process.on('SIGUSR1', () => undefined)
  main(process.env, process.argv[2])
}
