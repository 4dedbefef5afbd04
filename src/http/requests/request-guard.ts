import type { IncomingMessage } from 'node:http'
import { limits } from '../limits.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import type { HostNames } from './host-names.ts'

/** A target in absolute form, as clients send it to proxies. Its authority takes precedence over the Host header. */
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i

/** A target in origin form: the path and query. */
export function originFormTarget(target: string): string {
  if (target.startsWith('/')) return target
  const rest = absoluteForm.exec(target)?.[2]
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

function hostHeaders({ rawHeaders }: IncomingMessage): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name.length === 4 && name.toLowerCase() === 'host') values.push(rawHeaders[index + 1])
  }
  return values
}

const malformed = (detail: string): Problem => new Problem('MalformedRequest', detail)

/** The host of a request; null for an HTTP/1.0 request without one. */
function namedHost(request: IncomingMessage, target: string): string | null | Problem {
  const hosts = hostHeaders(request)
  if (hosts.length > 1) return malformed(`Host: given ${hosts.length} times, expected once.`)
  const authority = target.startsWith('/') ? undefined : absoluteForm.exec(target)?.[1]
  if (authority !== undefined) return authority
  if (hosts.length === 1) return hosts[0]
  const isOptional = request.httpVersion === '1.0'
  return isOptional ? null : malformed('Host: is missing, expected the name that the service was asked by.')
}

/**
 * The reason for rejecting a request regardless of its path, checked in this order: a target or headers beyond their
 * limits, a missing or repeated host, a foreign host, a method other than GET and HEAD. Null if the request is
 * accepted.
 */
export function rejectRequest(
  request: IncomingMessage,
  target: string,
  hostNames: HostNames,
): Problem | null {
  if (target.length > limits.targetMax) {
    const expected = `expected at most ${limits.targetMax}`
    return new Problem('TargetTooLong', `The request target has ${target.length} characters, ${expected}.`)
  }
  if (request.rawHeaders.length > 2 * limits.headerCountMax) {
    const detail = `More than ${limits.headerCountMax} header fields came, expected fewer.`
    return new Problem('HeadersTooLarge', detail)
  }
  const host = namedHost(request, target)
  if (host instanceof Problem) return host
  if (host !== null && !hostNames.allows(host)) {
    const expected =
      'expected localhost, 127.0.0.1, [::1] or a name given by --allow-host (DCSIM_ALLOW_HOST; in the stack, DCSIM_HOST)'
    return new Problem('ForeignHost', `Host: got ${quoted(host)}, ${expected}.`)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request.method!)
  return null
}

export const methodNotAllowed = (method: string): Problem =>
  new Problem('MethodNotAllowed', `The method is ${quoted(method)}, expected "GET" or "HEAD".`)
