/**
 * Links of pages and pictures to addresses of this service. Behind one address there may be several sessions, so each
 * link names its own. Pages are written without it: it is added to them when they are done.
 */
import { sessionParameter } from '../../contract/session.ts'

/** The query that leads to a session, and to a world of its archive; empty for a mirror without a name. */
export function sessionQuery(session: string, world: number | null = null): string {
  const names = session === '' ? '' : `${sessionParameter}=${encodeURIComponent(session)}`
  return [names, world === null ? '' : `world=${world}`].filter((part) => part !== '').join('&')
}

/** An attribute whose value is an address of this service: a path, or relative. */
const ownLink = /( (?:href|src|srcset)=(["'])(?![a-z][a-z+.-]*:|\/\/|#)[^"']*)\2/gi

/** Markup whose links to this service have a query. */
export const withQuery = (markup: string, query: string): string =>
  query === ''
    ? markup
    : markup.replaceAll(ownLink, (_, link: string, quote: string) => {
        const separator = link.includes('?') ? '&amp;' : '?'
        return `${link}${separator}${query.replaceAll('&', '&amp;')}${quote}`
      })
