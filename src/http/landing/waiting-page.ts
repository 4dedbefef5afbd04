import { preferredType } from '../requests/accepted-types.ts'
import { htmlMediaType } from '../responses/media-types.ts'
import type { Representation } from '../responses/representation.ts'
import { contentSecurityPolicy, pageHead } from './page-head.ts'
import { xmlText } from '../../pictures/svg.ts'

const reloadSeconds = 2

/** Whether a client prefers a page to data, as browsers do. */
export const prefersPage = (accept: string | undefined): boolean =>
  preferredType(accept, { problem: 'application/problem+json', page: 'text/html' }) === 'page'

/** How far the warm-up is, as a bar; none where a reason has no share. */
function progress(reason: string): string {
  const share = /\b(\d{1,3}) %/.exec(reason)?.[1]
  return share === undefined ? '' : `<progress max="100" value="${share}"></progress>`
}

/** Replaces the landing page until the first publish: shows the progress of the warm-up and reloads itself. */
export const waitingPage = (reason: string): Representation => ({
  name: null,
  mediaType: htmlMediaType,
  head: () => `${pageHead('dcsim-mirror', `<meta http-equiv="refresh" content="${reloadSeconds}">\n`)}<body>
<header><p><b>dcsim-mirror</b></p></header>
<main><h1>A world begins</h1><p role="status">${xmlText(reason)}</p>${progress(reason)}
<p class="soft">This page shows the world as soon as it is there: its state, money at risk, the floor, what happened last.</p></main>
</body>
</html>
`,
  slices: [],
  tail: '',
  headers: ['Vary', 'Accept', 'Retry-After', '1', 'Content-Security-Policy', contentSecurityPolicy()],
})
