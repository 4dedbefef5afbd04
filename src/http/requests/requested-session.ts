import { sessionParameter } from '../../contract/session.ts'
import { Problem, quoteForDetail } from '../responses/problems.ts'
import { decodeFormText, parseQuery } from './parameters.ts'

/** The session that a request names; empty if it names none. */
export function requestedSession(target: string): string | Problem {
  const queryStart = target.indexOf('?')
  // Most queries name none; a name may be percent-encoded.
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

/**
 * Why a request for another session is refused: its answer would be taken for that session's. A mirror without a name
 * answers every request.
 */
export function foreignSession(target: string, own: string): Problem | null {
  const session = requestedSession(target)
  if (session instanceof Problem) return session
  if (session === '' || own === '' || session === own) return null
  return noSuchSession(session, [own])
}

export const noSuchSession = (session: string, names: readonly string[]): Problem =>
  new Problem(
    'NoSuchSession',
    `${sessionParameter}: got ${quoteForDetail(session)}, expected ${names.map(quoteForDetail).join(' or ')}. To rename a session, start its mirror with --session.`,
  )
