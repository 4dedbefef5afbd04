/** The world as a picture at the top of the landing page: a still without scripts, alive and with links with them. */

/** The dashboard for each table that a picture leads to: its address in Grafana, and its variable. */
export const dashboardsOfTables: Readonly<Record<string, readonly [uid: string, variable: string]>> = {
  zones: ['dcsim-floor', 'zone'],
  rack: ['dcsim-rack', 'rack'],
  host: ['dcsim-host', 'host'],
  device: ['dcsim-device', 'device'],
  incident: ['dcsim-incident', 'incident'],
}

const shown = [
  ['floor', 'Floor', 'Zones, their racks and devices'],
  ['network', 'Network', 'Tiers of the network, zone by zone'],
] as const

export function pictureSection(session: string, grafana: string | null): string {
  const address = (name: string, theme: string): string => `/pictures/${name}.svg?theme=${theme}`
  const [[first, , alternative]] = shown
  const choices = shown
    .map(([name, title]) => {
      const current = name === first ? ' aria-current="true"' : ''
      return `<a data-picture="${name}" href="${address(name, 'light')}"${current}>${title}</a>`
    })
    .join(' ')
  const facts = { grafana: grafana?.replace(/\/+$/, '') ?? null, session, dashboards: dashboardsOfTables }
  return `<section class="picture" aria-labelledby="picture-title"><h2 id="picture-title" class="choices">${choices}</h2>
<div id="picture" tabindex="-1"><picture><source media="(prefers-color-scheme: dark)" srcset="${address(first, 'dark')}"><img src="${address(first, 'light')}" alt="${alternative}"></picture></div>
<script type="application/json" id="leads">${JSON.stringify(facts).replaceAll('<', String.raw`\u003c`)}</script></section>`
}

export const pictureStyle = `
.choices { display: flex; gap: 1rem; margin-top: 0; }
.choices a { color: var(--soft); } .choices a[aria-current] { color: var(--ink); border-bottom: 2px solid var(--accent); }
#picture { overflow-x: auto; overscroll-behavior-x: contain; }
#picture svg, #picture img { display: block; max-width: 100%; height: auto; }
#picture img { max-height: 32rem; width: auto; max-width: 100%; }
#picture a:hover { opacity: .8; } #picture a:focus-visible { outline-offset: -2px; }
`

/** Part of the page's script: replaces the still by the picture itself, and renews it in place. */
export const pictureScript = `
const leads = JSON.parse(place('leads').textContent)
const dark = matchMedia('(prefers-color-scheme: dark)')
let chosen = 'floor'
let drawn = ''
function lead(link) {
  const [, table, query] = /^\\.\\.\\/tables\\/([\\w-]+)\\?(.*)$/.exec(link.getAttribute('href')) ?? []
  const [uid, variable] = leads.dashboards[table] ?? []
  if (table === 'zones') link.dataset.zone = new URLSearchParams(query).get('zone')
  if (leads.grafana && uid) {
    const values = new URLSearchParams({ ['var-' + variable]: new URLSearchParams(query).values().next().value })
    if (leads.session) values.set('var-session', leads.session)
    link.setAttribute('href', leads.grafana + '/d/' + uid + '?' + values)
  } else link.setAttribute('href', link.getAttribute('href').slice(3))
  // Hundreds of devices would stand between a keyboard and the rest of the page.
  if (table !== 'zones') link.setAttribute('tabindex', '-1')
}
const pictureOf = (name, choice = '') =>
  'pictures/' + name + '.svg?theme=' + (dark.matches ? 'dark' : 'light') + choice + location.search.replace('?', '&')
/** About as large as it is drawn: its texts are legible on a phone, and a single zone leaves room for the rest. */
function fit(picture) {
  const { width } = picture.viewBox.baseVal
  picture.style.width = 1.15 * width + 'px'
  picture.style.minWidth = .9 * width + 'px'
}
/** A screen that does not hold all zones shows the gravest one first, once; scrolling stays with the viewer. */
let gravestZone = null
let revealed = ''
function reveal() {
  const box = place('picture')
  const zone = gravestZone && box.querySelector('[data-zone="' + CSS.escape(gravestZone) + '"]')
  if (!zone || revealed === chosen + gravestZone) return
  revealed = chosen + gravestZone
  box.scrollLeft += zone.getBoundingClientRect().left - box.getBoundingClientRect().left - 8
}
async function showPicture() {
  const name = chosen
  const response = await request(pictureOf(name))
  const text = await response.text()
  if (!response.ok || name !== chosen || text === drawn) return
  // The policy of this page allows no style but its own.
  const { documentElement: picture } = new DOMParser().parseFromString(text.replace(/ style='.*?'/, ''), 'image/svg+xml')
  if (picture.nodeName !== 'svg') return
  drawn = text
  fit(picture)
  for (const link of picture.querySelectorAll('a')) lead(link)
  replaceContent('picture', document.importNode(picture, true))
  reveal()
}
for (const choice of document.querySelectorAll('[data-picture]')) {
  choice.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    for (const other of document.querySelectorAll('[data-picture]')) other.removeAttribute('aria-current')
    choice.setAttribute('aria-current', 'true')
    chosen = choice.dataset.picture
    void showPicture()
  })
}
dark.addEventListener('change', () => void showPicture())
`
