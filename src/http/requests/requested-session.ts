import { sessionParameter } from '../../contract/session.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import { decodeFormText, parseQuery } from './parameters.ts'

/** The session that a request names; empty if it names none. */
export function requestedSession(target: string): string | Problem {
  const queryStart = target.indexOf('?')
  // Fast path: most queries do not name a session. A percent-encoded name is decoded below.
  const mayName =
    queryStart >= 0 && (target.includes(sessionParameter, queryStart) || target.includes('%', queryStart))
  if (!mayName) return ''
  const values = parseQuery(target.slice(queryStart + 1))[sessionParameter] ?? []
  if (values.length > 1)
    return new Problem(
      'MalformedParameter',
      `${sessionParameter}: given ${values.length} times, expected once.`,
    )
  const [encoded = ''] = values
  return decodeFormText(encoded) ?? encoded
}

/** Whether a request that names this session is accepted: one without a name, or of a mirror without a name, is. */
export const isOwnSession = (session: string, own: string): boolean =>
  session === '' || own === '' || session === own

/**
 * The problem of a request for another session, whose client would take the answer for that session's. Null if the
 * request is accepted.
 */
export function foreignSession(target: string, own: string): Problem | null {
  const session = requestedSession(target)
  if (session instanceof Problem) return session
  if (isOwnSession(session, own)) return null
  return noSuchSession(session, [own])
}

/** `flag` is the one that names the sessions of this service. */
export const noSuchSession = (session: string, names: readonly string[], flag = '--session'): Problem =>
  new Problem(
    'NoSuchSession',
    `${sessionParameter}: got ${quoted(session)}, expected ${names.map(quoted).join(' or ')}. To rename a session, start its mirror with ${flag}.`,
  )
