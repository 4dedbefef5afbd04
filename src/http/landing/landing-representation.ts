import { createHash } from 'node:crypto'
import { routeNames, routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/routes.ts'
import { htmlMediaType } from '../responses/media-types.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Whether a route cannot be followed as a link. */
const isTemplate = ({ path, answer }: Route): boolean => path.includes('{') || answer.kind === 'landing'

function routeItem(route: Route): string {
  const path = route.path === '/api/v1/metrics/series' ? `${route.path}?path=…` : route.path
  const code = `<code>${escaped(path)}</code>`
  const linked = isTemplate(route) || path !== route.path ? code : `<a href="${route.path}">${code}</a>`
  return `<li>${linked}<small>${escaped(route.summary)}</small></li>`
}

function routeLists(): string {
  const all: Route[] = routeNames.map((name) => routes[name])
  const groups: Record<string, Route[]> = {
    'For people and programs': all.filter(({ path }) => !path.startsWith('/api/') && path !== '/'),
    Collections: all.filter(({ answer }) => answer.kind === 'page'),
    'One of them': all.filter(({ answer }) => answer.kind === 'detail'),
    'World, events, history': all.filter(
      ({ path, answer }) => path.startsWith('/api/') && answer.kind !== 'page' && answer.kind !== 'detail',
    ),
  }
  return Object.entries(groups)
    .map(([title, group]) => `<h2>${title}</h2>\n<ul class="routes">${group.map(routeItem).join('\n')}</ul>`)
    .join('\n')
}

const origin = '<span class="origin">http://localhost:9740</span>'

const examples = `<h2>From a terminal</h2>
<pre>curl ${origin}/health
curl '${origin}/api/v1/incidents?limit=5'
curl '${origin}/api/v1/events?since_ns=0'
curl --compressed ${origin}/metrics</pre>`

const opening = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dcsim-mirror</title>
<style>${style}</style>
</head>
<body>
<h1>dcsim-mirror</h1>
<p>A read-only mirror of one running data-center simulation, for dashboards, exporters and tools. Everything here is
a GET. <a href="/openapi.json">Its OpenAPI description</a> says what every field means.</p>
`

const figure = (id: string, label: string, value: string): string =>
  `<li><b id="${id}">${value}</b><small>${label}</small></li>`

/** Allows the page its own script and style, and requests to the service alone. */
function contentSecurityPolicy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The landing page. It shows how fresh the mirror is, and updates that if scripts may run. */
export function landingRepresentation(): Representation {
  const rest = `${routeLists()}\n${examples}\n<script>${script}</script>\n</body>\n</html>\n`
  return {
    name: 'landing',
    mediaType: htmlMediaType,
    head(published, ageMs) {
      const hours = Number((published.frame?.simTimeNs ?? 0n) / 3_600_000_000_000n)
      const figures = [
        figure('status', 'status', 'ok'),
        figure('age', 'age of the snapshot', `${ageMs} ms`),
        figure('seq', 'publishes so far', published.publishSeq),
        figure('sim', 'simulated time', `day ${Math.floor(hours / 24)}, hour ${hours % 24}`),
      ]
      return `${opening}<ul class="figures">${figures.join('')}</ul>\n<p class="soft" id="reason"></p>\n`
    },
    slices: [wholeSlice(Buffer.from(rest))],
    tail: '',
    headers: ['Content-Security-Policy', contentSecurityPolicy()],
  }
}
