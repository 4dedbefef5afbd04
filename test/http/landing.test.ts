import { createHash } from 'node:crypto'
import { renderSVG } from 'uqr'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardUids } from '../../dashboards/uids.ts'
import { routeNames, routes } from '../../src/contract/routes.ts'
import { landingRepresentation } from '../../src/http/landing/landing-representation.ts'
import type { ProgramLinks } from '../../src/http/landing/landing-representation.ts'
import { dashboardsOfTables } from '../../src/http/landing/picture-section.ts'
import { PublishedFrame } from '../../src/http/responses/published-frame.ts'
import { tables } from '../../src/tables/catalog.ts'
import { TestService } from './test-service.ts'

let service: TestService
let html: string
let policy: string

beforeAll(async () => {
  service = await TestService.start()
  const { text, headers } = await service.get('/')
  html = text
  policy = String(headers['content-security-policy'])
})
afterAll(() => service.stop())

test('it names every route but itself, and every link leads somewhere', async () => {
  for (const name of routeNames) {
    const { path } = routes[name]
    expect(path === '/' || html.includes(`<code>${path}`)).toBe(true)
  }
  const links = [...html.matchAll(/ (?:href|src|srcset)="((?!data:)[^"#][^"]*)"/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(20)
  // They are relative, so that a proxy may have the page below a prefix.
  for (const link of links) expect([link, (await service.get(`/${link}`)).status]).toEqual([link, 200])
})

const icon = '<link rel="icon" href="data:image/svg+xml,%3Csvg'

test('it needs nothing from elsewhere, and its policy allows nothing else', () => {
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect(html).toContain(icon)
  const hashOf = (element: string) => {
    const text = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)![1]
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${hashOf('style')}`,
    `script-src ${hashOf('script')}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(html).not.toMatch(/ style="| on[a-z]+="/)
})

test('each route of a single record has the id of a record to try', async () => {
  const ids = JSON.parse(/id="ids">([^<]+)/.exec(html)![1]) as Record<string, string>
  const examples = [...html.matchAll(/<a data-first="([^"]+)"><code>([^<]+)/g)]
  expect(examples).toHaveLength(routeNames.filter((name) => routes[name].answer.kind === 'detail').length)
  for (const [, names, path] of examples) {
    const id = names
      .split(' ')
      .map((name) => ids[name])
      .find((first) => first !== undefined)
    const example = path.replace('{id}', String(id))
    expect([example, (await service.get(example)).status]).toEqual([example, 200])
  }
})

function pageWith(links: Partial<ProgramLinks>, session = ''): string {
  const none = { mirror: null, image: null, grafana: null, prometheus: null, alertmanager: null }
  const { head, slices } = landingRepresentation(session, { ...none, ...links })
  return head(new PublishedFrame(null, 'test'), 0) + Buffer.from(slices[0].source).toString()
}

test('links to the programs whose addresses are known, and names the session', () => {
  expect(pageWith({}, 'evening "A"')).toContain('session evening &quot;A&quot;')
  expect(pageWith({ grafana: 'http://127.0.0.1:3000/?a="b"' })).toContain(
    '<a href="http://127.0.0.1:3000/?a=&quot;b&quot;">Grafana</a>',
  )
  expect(pageWith({})).not.toContain('>Grafana<')
  const prometheus = 'http://127.0.0.1:9090'
  expect(pageWith({ mirror: 'http://127.0.0.1:9740', prometheus })).toContain('>Prometheus</a>')
  expect(pageWith({ mirror: 'http://dc.lan:9740', prometheus })).not.toContain('>Prometheus</a>')
})

test('shows an address that others reach as a link and as a QR code, that of Grafana first', () => {
  const mirror = 'http://192.168.1.20:9740'
  const grafana = 'http://192.168.1.20:3000'
  expect(pageWith({ mirror })).toContain(
    `<p><a href="${mirror}">${mirror}</a></p>\n${renderSVG(mirror, { border: 2 })}`,
  )
  expect(pageWith({ mirror, grafana })).toContain(renderSVG(grafana, { border: 2 }))
  for (const own of ['http://127.0.0.1:9740', 'http://[::1]:9740', 'http://localhost:9740'])
    expect(pageWith({ mirror: own })).toMatch(/DCSIM_HOST(?![^]*<svg)/)
})

test('says how the rest is started from the image, unless Grafana is there', () => {
  const image = 'ghcr.io/example/mirror:1.2.3'
  const command = `docker run --rm ${image} cat docker-compose.yml &gt; docker-compose.yml\ndocker compose up`
  expect(pageWith({ image })).toContain(command)
  expect(pageWith({ image, grafana: 'http://127.0.0.1:3000' })).not.toMatch(/docker|id="rest"/)
  expect(pageWith({})).toMatch(/id="rest"[^]*In a checkout [^]*<code>docker compose up<\/code>/)
})

test('the picture leads to dashboards that exist', () => {
  for (const [uid] of Object.values(dashboardsOfTables)) expect(dashboardUids).toContain(uid)
  expect(Object.keys(dashboardsOfTables).filter((table) => !tables.has(table))).toEqual([])
})

test('a still of the floor is there without scripts, for dark and for light', () => {
  expect(html).toContain('srcset="pictures/floor.svg?theme=dark"><img src="pictures/floor.svg?theme=light"')
})

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('before the first publish, a browser gets a page that says how far the world is, and loads again', async () => {
  const starting = await TestService.start({ world: null })
  try {
    const { status, headers, text } = await starting.get('/?session=x', { accept: browserAccept })
    expect([status, headers['content-type'], headers['retry-after'], headers.vary]).toEqual([
      503,
      'text/html; charset=utf-8',
      '1',
      'Accept-Encoding, Accept',
    ])
    expect(text).toContain('<meta http-equiv="refresh" content="2">')
    expect(text).toContain(icon)
    const { reason } = await starting.json('/health')
    expect(text).toContain(`<p role="status">${String(reason)}</p>`)
    const hash = createHash('sha256').update(/<style>([^]*?)<\/style>/.exec(text)![1])
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+; img-src 'self' data:; /,
    )
    expect(headers['content-security-policy']).toContain(hash.digest('base64'))
  } finally {
    await starting.stop()
  }
})

test.each([
  ['/', {}],
  ['/', { accept: '*/*' }],
  ['/tables/hosts', { accept: browserAccept }],
])('before the first publish, %s with %j is a problem', async (path, headers: Record<string, string>) => {
  const starting = await TestService.start({ world: null })
  const answer = await starting.get(path, headers)
  await starting.stop()
  expect([answer.status, answer.headers['content-type']]).toEqual([503, 'application/problem+json'])
})

test('/llms.txt names every route and every table', async () => {
  const { text, headers } = await service.get('/llms.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(text.startsWith('# dcsim-mirror\n\n> ')).toBe(true)
  for (const name of routeNames) expect(text).toContain(`](${routes[name].path}): ${routes[name].summary}`)
  for (const name of tables.keys()) expect(text).toContain(`](/tables/${name}): `)
})

test('shows how fresh the mirror is', () => {
  expect(html).toMatch(/<span id="age">[0-9]+ ms<\/span>/)
  expect(html).toContain('<b id="sim">day 7, hour 0</b>')
})
