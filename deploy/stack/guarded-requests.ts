/** Which requests the guard of the stack lets pass to the servers behind it. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { HostNames } from '../../src/http/requests/host-names.ts'

/** The name of the guard in the network of the stack: Grafana asks by it. */
const ownName = 'guard'

/** Paths that each method may have; a method that is not named has none. */
type Allowed = Readonly<Partial<Record<string, RegExp>>>

/** A server behind the guard: the requests of Grafana and other services, which only query, and those of its own pages. */
export interface GuardedServer {
  readonly port: number
  readonly queries: Allowed
  readonly pages: Allowed
}

const everything = /^\//

const reading = (paths: RegExp): Allowed => ({ GET: paths, HEAD: paths })

const queryPaths =
  /^\/api\/v1\/(?:query|query_range|query_exemplars|series|labels|label\/\w+\/values|metadata|rules|alerts|format_query|parse_query|status\/buildinfo)$/
/** Long selectors come in the body of a POST, which changes nothing. */
const queries: Allowed = { ...reading(queryPaths), POST: queryPaths }

/** VictoriaMetrics deletes by GET, so even its readers have a list of paths. */
const storedPaths = new RegExp(`${queryPaths.source}|^/api/v1/export$`)

export const guardedServers = {
  prometheus: { port: 9090, queries, pages: { ...reading(everything), POST: queryPaths } },
  alertmanager: {
    port: 9093,
    queries: reading(/^\/api\/v2\/(?:alerts|alerts\/groups|silences|silence\/[\w-]+|receivers|status)$/),
    pages: {
      ...reading(everything),
      POST: /^\/api\/v2\/silences$/,
      DELETE: /^\/api\/v2\/silence\/[\w-]+$/,
    },
  },
  longTermStore: { port: 8428, queries: { ...queries, ...reading(storedPaths) }, pages: {} },
} as const satisfies Readonly<Record<string, GuardedServer>>

/** The parts of a request that decide whether it passes. */
interface AskedFor {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

interface Refusal {
  readonly status: number
  readonly reason: string
}

const withoutPort = (host: string): string => host.replace(/:\d*$/, '')

/** An address is no name that a foreign page could point at this machine. */
const isAddress = (host: string): boolean => isIP(withoutPort(host).replace(/^\[(.*)\]$/, '$1')) !== 0

/**
 * Whether a page of another origin sent the request. Browsers name the origin of every request that could change something,
 * and to addresses of the loopback the site of all requests. A link from elsewhere, as in a message, is not foreign.
 */
function isForeign({ method, headers }: AskedFor): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers
  if (origin !== undefined && URL.parse(origin)?.host !== host) return true
  const isLink = mode === 'navigate' && method === 'GET'
  return site !== 'none' && site !== 'same-origin' && !isLink
}

/** The reason for refusing a request to a server; null if it passes. `names` are those that people reach it by. */
export function findRefusal(server: GuardedServer, names: HostNames, asked: AskedFor): Refusal | null {
  const { method, target, headers } = asked
  const { host = '' } = headers
  const isOfStack = withoutPort(host) === ownName
  if (!isOfStack && !names.allows(host) && !isAddress(host))
    return { status: 403, reason: `Host: got ${JSON.stringify(host)}, expected an address of this stack.` }
  if (isForeign(asked)) return { status: 403, reason: 'A page of another origin may not ask here.' }
  const path = target.split('?', 1)[0]
  if ((isOfStack ? server.queries : server.pages)[method]?.test(path) === true) return null
  return { status: 403, reason: `${method} ${path} is none of the requests that pass here.` }
}
