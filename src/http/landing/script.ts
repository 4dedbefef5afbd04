import { otherDevicesScript } from './other-devices-section.ts'
import { pictureScript } from './picture-section.ts'

/**
 * Runs in the browser: while the page is visible, shows the state of the world, the address of the page, and an example
 * for each route. Links keep the session.
 */
export const script = `
'use strict'
const place = (id) => document.getElementById(id)
const text = (id, value) => { place(id).textContent = value }
const element = (name, content, className) => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...[content].flat())
  return made
}
const replaceContent = (id, content) => {
  const focused = place(id).contains(document.activeElement) && document.activeElement.getAttribute('href')
  place(id).replaceChildren(content)
  if (focused) place(id).querySelector('a[href="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true })
}
const list = (id, items, empty) => {
  replaceContent(id, items.length === 0 ? element('p', empty, 'soft') : element('ul', items, 'cards'))
}
const parts = (...texts) => texts.filter(Boolean).join(' · ')
const counted = (n, one) => n + ' ' + one + (n === 1 ? '' : 's')
/** The next refresh waits for this one, so no answer may take forever. */
const request = (address) => fetch(address, { signal: AbortSignal.timeout(10000) })
/** The rows of a table, and what they lack because the game does not report it. */
const read = async (path) => {
  const response = await request(path + (path.includes('?') ? location.search.replace('?', '&') : location.search))
  return [await response.json(), response.headers.get('X-Sim-Unknown')]
}

const incident = (row) => {
  const headline = element('a', row.headline)
  headline.setAttribute('href', '../tables/incident?incident=' + row.incident_id)
  if (leads.grafana) lead(headline)
  else headline.href = pictureOf('incident', '&incident=' + row.incident_id)
  return element('li', [
    element('b', headline),
    element('span', parts(row.what, row.place)),
    element('small', parts('opened ' + row.opened, row.cause_state === 'unknown' ? 'cause unknown' : row.cause_state + ': ' + row.cause_kind)),
    element('span', row.hint ? 'Next: ' + row.hint : ''),
  ], 'severity' + row.severity)
}
const zone = (row) => element('li', [
  element('b', row.zone), element('span', row.trouble ?? row.state),
  element('small', parts(
    row.hosts !== null && row.hosts_online !== null && row.hosts_online + ' of ' + counted(row.hosts, 'host') + ' online',
    row.power_pct !== null && Math.round(row.power_pct) + ' % of power',
    row.inlet_celsius !== null && 'inlet ' + row.inlet_celsius.toFixed(1) + '\u00A0°C')),
], 'severity' + row.severity)
const event = (row) => element('li', [element('span', row.what), element('small', row.clock + ' · ' + row.when)], 'event')

const dollars = (value) => '$' + Math.round(value).toLocaleString('en-US') + '/h'
const known = (value, write) => value === null ? '–' : write(value)
async function showFigures() {
  const [[world]] = await read('tables/world')
  const { severity } = world
  const [word, ...more] = world.state.split('. ')
  text('state', word)
  place('state').className = severity === null ? '' : 'severity' + severity
  document.title = word + ' – dcsim-mirror'
  text('summary', [...more.map((sentence) => sentence + '.'), world.next].join(' '))
  text('risk', known(world.revenue_at_risk_dollars_per_hour, dollars))
  text('revenue', known(world.revenue_dollars_per_hour, dollars))
  text('customers', known(world.customers, String))
  text('hosts', known(world.hosts, (hosts) => known(world.hosts_online, String) + ' / ' + hosts))
  text('sim', world.clock)
}
async function showList(id, path, itemOf, empty, shown = Number.MAX_VALUE) {
  const [rows, unknown] = await read(path)
  const more = rows.length > shown ? [element('li', 'and ' + (rows.length - shown) + ' more', 'event')] : []
  list(id, [...rows.slice(0, shown).map(itemOf), ...more], unknown ? 'Not reported by this game.' : empty)
  return rows
}
async function showZones() {
  const rows = await showList('zones', 'tables/zones', zone, 'No zones.')
  const [gravest] = rows.toSorted((one, other) => other.severity - one.severity)
  gravestZone = gravest?.severity > 0 ? gravest.zone_id : null
  reveal()
}
/** Each part stands alone: what a game does not report takes nothing else away. */
const showWorld = () => Promise.allSettled([
  showFigures(),
  showList('incidents', 'tables/incident-groups', incident, '', 4),
  showZones(),
  showList('events', 'tables/events?limit=5', event, 'Nothing yet.'),
])
${pictureScript}${otherDevicesScript}
async function showHealth() {
  const [health] = await read('health')
  place('status').className = health.status
  text('status', health.status)
  text('reason', health.reason)
  text('age', health.age_ms < 10000 ? health.age_ms + ' ms' : Math.round(health.age_ms / 1000) + ' s')
  return health.status !== 'starting'
}
let turn = 0
async function refresh() {
  if (document.hidden) return
  try {
    const hasWorld = await showHealth()
    if (hasWorld && turn++ % 5 === 0) await Promise.all([showWorld(), showPicture()])
  } catch {
    place('status').className = 'stale'
    text('status', 'gone')
    text('reason', 'The service does not answer.')
  }
}
const ids = JSON.parse(place('ids').textContent)
for (const link of document.querySelectorAll('a[data-first]')) {
  const id = link.dataset.first.split(' ').map((name) => ids[name]).find(Boolean)
  if (id) link.href = link.textContent.slice(1).replace('{id}', id) + location.search
}
const keepFresh = () => refresh().finally(() => setTimeout(keepFresh, 1000))
void keepFresh()
`
