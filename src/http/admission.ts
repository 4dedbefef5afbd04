import type { IncomingMessage } from 'node:http'
import type { HostNames } from './host-names.ts'
import { limits } from './limits.ts'
import { Problem, quoted } from './problems.ts'

/** A target as a proxy is sent it. Its authority stands for the Host header. */
const absoluteTarget = /^https?:\/\/([^/?#]*)(.*)$/i

function hostHeaders({ rawHeaders }: IncomingMessage): string[] {
  const found: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name.length === 4 && name.toLowerCase() === 'host') found.push(rawHeaders[i + 1])
  }
  return found
}

const malformed = (detail: string): Problem => new Problem('MalformedRequest', detail)

/** Takes the authority out of a target that has one; null where it has none. */
function takenAuthority(request: IncomingMessage): string | null {
  const [, authority, rest = ''] = absoluteTarget.exec(request.url!) ?? []
  if (authority === undefined) return null
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  return authority
}

/** The host that the request names, and its target from the path on. */
function namedHost(request: IncomingMessage): string | null | Problem {
  const hosts = hostHeaders(request)
  if (hosts.length > 1) return malformed(`Host: given ${hosts.length} times, expected once.`)
  const authority = request.url!.startsWith('/') ? null : takenAuthority(request)
  if (authority !== null) return authority
  if (hosts.length === 1) return hosts[0]
  const mayBeLeftOut = request.httpVersion === '1.0'
  return mayBeLeftOut ? null : malformed('Host: is missing, expected the name that the service was asked by.')
}

/**
 * What is wrong with a request whatever it asks for, in this order: a target or headers beyond their bounds, no
 * host, a foreign host, a method that changes things. Null admits it. Its target is left beginning with the path.
 */
export function refusalOf(request: IncomingMessage, hostNames: HostNames): Problem | null {
  const targetLength = request.url!.length
  if (targetLength > limits.targetMax) {
    const expected = `expected at most ${limits.targetMax}`
    return new Problem('TargetTooLong', `The request target has ${targetLength} characters, ${expected}.`)
  }
  if (request.rawHeaders.length > 2 * limits.headerCountMax) {
    return new Problem(
      'HeadersTooLarge',
      `More than ${limits.headerCountMax} header fields came, expected fewer.`,
    )
  }
  const host = namedHost(request)
  if (host instanceof Problem) return host
  if (host !== null && !hostNames.allows(host)) {
    const expected = 'expected localhost, 127.0.0.1, [::1] or a name given by --allow-host'
    return new Problem('ForeignHost', `Host: got ${quoted(host)}, ${expected}.`)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request.method!)
  return null
}

export const methodNotAllowed = (method: string): Problem =>
  new Problem('MethodNotAllowed', `The method is ${quoted(method)}, expected "GET" or "HEAD".`)
