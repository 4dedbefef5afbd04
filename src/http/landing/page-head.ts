import { createHash } from 'node:crypto'
import { palette, themes } from '../../pictures/palette.ts'
import { htmlMediaType } from '../responses/media-types.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { style } from './style.ts'
import { xmlText } from '../../pictures/svg.ts'
import { sessionQuery, withQuery } from '../../tables/engine/own-links.ts'

const { cabinet } = themes.neutral
const bars = [palette.sky, palette.green, palette.green, palette.orange].map(
  (color, index) => `<rect x="4" y="${3 + index * 3}" width="8" height="2" fill="${color}"/>`,
)
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" width="12" height="16" rx="1" fill="${cabinet}"/>${bars.join('')}</svg>`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows a page the style and the pictures of this service, and its own script if it has one. */
export const contentSecurityPolicy = (script: string | null = null): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === null ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The beginning of every page, with a rack as its icon. */
export const pageHead = (title = 'dcsim-mirror', extra = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${extra}<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<title>${xmlText(title)}</title>
<style>${style}</style>
</head>
`

interface Page {
  readonly name: string | null
  readonly title: string
  readonly opening: string
  /** Bytes have their links already. */
  readonly content: string | Uint8Array
  /** The session that links lead to. */
  readonly session: string
  readonly headers?: readonly string[]
}

/** A page without scripts: an opening, and content that may be long. */
export function htmlPage({ name, title, opening, content, session, headers = [] }: Page): Representation {
  const linked = (markup: string): string => withQuery(markup, sessionQuery(session))
  const start = linked(opening)
  return {
    name,
    mediaType: htmlMediaType,
    head: () => `${pageHead(title)}<body>\n${start}\n`,
    slices: [wholeSlice(typeof content === 'string' ? Buffer.from(linked(content)) : content)],
    tail: '\n</body>\n</html>\n',
    headers: ['Content-Security-Policy', contentSecurityPolicy(), ...headers],
  }
}
