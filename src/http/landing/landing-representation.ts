import type { CollectionName } from '../../contract/collections.ts'
import { routeNames, routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/routes.ts'
import { isOfThisMachine } from '../requests/host-names.ts'
import { htmlMediaType } from '../responses/media-types.ts'
import type { PublishedFrame } from '../responses/published-frame.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { sessionQuery, withQuery } from '../../tables/engine/own-links.ts'
import { otherDevicesSection } from './other-devices-section.ts'
import { contentSecurityPolicy, pageHead } from './page-head.ts'
import { pictureSection } from './picture-section.ts'
import { script } from './script.ts'
import { xmlText } from '../../pictures/svg.ts'

/** Addresses of the programs around the mirror, and under which people reach it; null if unknown. */
export interface ProgramLinks {
  readonly mirror: string | null
  readonly grafana: string | null
  readonly prometheus: string | null
  readonly alertmanager: string | null
  /** The image that the mirror runs from. */
  readonly image: string | null
}

const noLinks: ProgramLinks = {
  mirror: null,
  grafana: null,
  prometheus: null,
  alertmanager: null,
  image: null,
}

/** Links of this page, which stands at the root, relative to it: a proxy may have it below a prefix. */
const linked = (html: string, session: string): string =>
  withQuery(html.replaceAll(/(?<= (?:href|src|srcset)=")\/(?!\/)/g, ''), sessionQuery(session))

/** An example request for each route that needs more than its path. */
const examples: Readonly<Record<string, string>> = {
  [routes.table.path]: '/tables/hosts.csv?limit=5',
  [routes.picture.path]: '/pictures/floor.svg',
  [routes.runbook.path]: '/runbooks/DcsimIncidentCritical',
  [routes.metricSeries.path]: `${routes.metricSeries.path}?path=fleet/hosts_online/10s`,
  [routes.metricPaths.path]: `${routes.metricPaths.path}?prefix=fleet/`,
  [routes.events.path]: `${routes.events.path}?limit=5`,
}

/** Marks a link whose id the script fills in with that of a collection's first record. */
function exampleOf({ path, answer }: Route): { readonly href: string; readonly collection: string } {
  if (answer.kind === 'detail') return { href: path, collection: answer.collections.join(' ') }
  const paged = answer.kind === 'page' ? `${path}?limit=5` : path
  return { href: examples[path] ?? paged, collection: '' }
}

function routeItem(route: Route): string {
  const { href, collection } = exampleOf(route)
  const data = collection === '' ? '' : ` data-first="${collection}"`
  const code = `<code>${xmlText(route.path)}</code>`
  const link = collection === '' ? `<a href="${xmlText(href)}">${code}</a>` : `<a${data}>${code}</a>`
  return `<li>${link}<small>${xmlText(route.summary)}</small></li>`
}

function routeLists(): string {
  const all: Route[] = routeNames.map((name) => routes[name]).filter(({ path }) => path !== '/')
  const groups: Record<string, Route[]> = {
    'For people and programs': all.filter(({ path }) => !path.startsWith('/api/')),
    Collections: all.filter(({ answer }) => answer.kind === 'page'),
    'A single record': all.filter(({ answer }) => answer.kind === 'detail'),
    'World, events, history': all.filter(
      ({ path, answer }) => path.startsWith('/api/') && answer.kind !== 'page' && answer.kind !== 'detail',
    ),
  }
  return Object.entries(groups)
    .map(([title, group]) => `<h3>${title}</h3>\n<ul class="routes">${group.map(routeItem).join('\n')}</ul>`)
    .join('\n')
}

/** The parts that a mirror alone is without, and the way to them. */
function wholeStack({ grafana, image }: ProgramLinks): string {
  if (grafana !== null) return ''
  const way =
    image === null
      ? '<p>In a checkout of its repository, <code>docker compose up</code> starts it all.</p>'
      : `<p>The image brings it all. Stop this mirror, then, in an empty folder:</p>
<pre tabindex="0">docker run --rm ${xmlText(image)} cat docker-compose.yml &gt; docker-compose.yml
docker compose up</pre>`
  return `<h2 id="rest">Dashboards and alerts</h2>
<p>This page is the mirror alone. There is more:</p>
<ul>
<li>Dashboards in Grafana: from the session at a glance to each rack, host, customer and incident, with days of graphs from the start</li>
<li>Alerts on the phone or in a channel: what is broken, where, and what it costs, with a picture and a <a href="/runbooks">runbook</a> for each</li>
<li>Game days: break something, or have a scenario do it, and see how you and your alerts did</li>
</ul>
${way}
`
}

/** On other machines an address of the loopback leads nowhere. */
function programList({ mirror, grafana, prometheus, alertmanager }: ProgramLinks): string {
  const isForOthers = mirror !== null && !isOfThisMachine(mirror)
  const programs = [
    ['Grafana', grafana, 'dashboards'],
    ['Prometheus', prometheus, 'queries and alert rules'],
    ['Alertmanager', alertmanager, 'firing alerts, silences'],
  ] as const
  const items = programs.flatMap(([name, address, purpose]) =>
    address === null || (isForOthers && isOfThisMachine(address))
      ? []
      : [`<li><a href="${xmlText(address)}">${name}</a><small>${purpose}</small></li>`],
  )
  return items.length === 0
    ? ''
    : `<nav aria-label="Programs"><ul class="programs">${items.join('')}</ul></nav>\n`
}

const section = (id: string, title: string, table: string): string =>
  `<section aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <a class="all" href="/tables/${table}">all</a></h2><div id="${id}"><p class="soft">Shown if scripts may run.</p></div></section>`

/** The state of the mirror is small: the large word is the state of the world. */
const opening = (session: string, ageMs: number): string => `${pageHead()}<body>
<header><p><b>dcsim-mirror</b>${session === '' ? '' : ` · session ${xmlText(session)}`} · <b id="status">ok</b>, <span id="age">${ageMs} ms</span> old</p>
<nav><a href="/tables">Tables</a> · <a href="/pictures">Pictures</a> · <a href="/runbooks">Runbooks</a> · <a href="#routes">Routes</a></nav></header>
<main>
<p id="reason" role="status"></p>
`

const figure = (id: string, label: string, value: string): string =>
  `<li><b id="${id}">${value}</b><small>${label}</small></li>`

/** The id of the first record of each collection that has one, for links to examples. */
function firstIds({ frame }: PublishedFrame): string {
  const collections = frame === null ? [] : Object.entries(frame.collections)
  const ids = collections.flatMap(([name, list]) => (list.ids.length === 0 ? [] : [[name, `${list.ids[0]}`]]))
  return JSON.stringify(Object.fromEntries(ids) satisfies Partial<Record<CollectionName, string>>)
}

/** The landing page: the world's state, which its script updates, what to do next, and every route with an example. */
export function landingRepresentation(session = '', links: ProgramLinks = noLinks): Representation {
  const rest = [
    `<div class="now">
<section aria-label="Open incidents" id="incidents"><p class="soft"><a href="/tables/incidents">Incidents</a></p></section>`,
    `${pictureSection(session, links.grafana)}</div>`,
    programList(links),
    section('events', 'What happened last', 'events'),
    section('zones', 'Zones', 'zones'),
    wholeStack(links),
    otherDevicesSection(links),
    `<h2 id="routes">Routes</h2>\n<p class="soft">Each link is an example that can be tried. Everything is a GET.</p>`,
    routeLists(),
    `</main>\n<script>${script}</script>\n</body>\n</html>\n`,
  ].join('\n')
  return {
    name: 'landing',
    mediaType: htmlMediaType,
    head(published, ageMs) {
      const hours = Number((published.frame?.simTimeNs ?? 0n) / 3_600_000_000_000n)
      const figures = [
        figure('risk', 'at risk', '–'),
        figure('revenue', 'revenue', '–'),
        figure('customers', 'customers', '–'),
        figure('hosts', 'hosts online', '–'),
        figure('sim', 'simulated time', `day ${Math.floor(hours / 24)}, hour ${hours % 24}`),
      ]
      const ids = `<script type="application/json" id="ids">${firstIds(published)}</script>`
      return `${linked(opening(session, ageMs), session)}<div class="world"><div><h1 id="state">The world</h1><p id="summary"></p></div>
<ul class="figures">${figures.join('')}</ul></div>\n${ids}\n`
    },
    slices: [wholeSlice(Buffer.from(linked(rest, session)))],
    tail: '',
    headers: ['Content-Security-Policy', contentSecurityPolicy(script)],
  }
}
