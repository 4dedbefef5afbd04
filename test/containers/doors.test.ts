/// <reference lib="dom" />
/** A web page in a browser can do nothing to the stack. The same page succeeds against servers without the guard. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { until } from '../metrics/real-prometheus.ts'
import { hasGrafana, missing, RunningStack } from './running-stack.ts'
import { stack } from './stack-file.ts'

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const why = missing() || (existsSync(program) ? '' : `there is no ${program}`)
if (why !== '') console.warn(`The doors of the stack are not tried, as ${why}.`)
else if (!hasGrafana) console.warn('Grafana is not tried by web pages, as its image is not here.')

const silence = JSON.stringify({
  matchers: [{ name: 'alertname', value: '.+', isRegex: true }],
  startsAt: new Date().toISOString(),
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  createdBy: 'evil',
  comment: 'evil',
})
const alert = JSON.stringify([{ labels: { alertname: 'Injected' } }])
const everything = encodeURIComponent('{__name__!=""}')

/** A request that a page sends. Without `cors`, a browser sends it without asking the server first. */
interface Attempt {
  readonly path: string
  readonly method?: string
  readonly body?: string
  readonly type?: string
  readonly mode?: 'cors' | 'no-cors'
}

const json = 'application/json'
const plain = 'text/plain'

type Server = 'mirror' | 'prometheus' | 'alertmanager' | 'grafana' | 'store'

/** The attempts of the page at each server: to read, to change and to delete. */
const attempts: Readonly<Record<Server, readonly Attempt[]>> = {
  mirror: ['/health', '/metrics', '/tables/incidents', '/api/v1/hosts', '/'].map((path) => ({ path })),
  prometheus: [
    { path: '/api/v1/query?query=up' },
    { path: '/api/v1/query', method: 'POST', body: 'query=up', type: 'application/x-www-form-urlencoded' },
    { path: '/api/v1/status/config' },
    { path: '/-/reload', method: 'POST' },
    { path: `/api/v1/admin/tsdb/delete_series?match[]=${everything}`, method: 'POST' },
  ],
  alertmanager: [
    { path: '/api/v2/silences' },
    { path: '/api/v2/status' },
    { path: '/api/v2/silences', method: 'POST', body: silence, type: json },
    { path: '/api/v2/silences', method: 'POST', body: silence, type: plain, mode: 'no-cors' },
    { path: '/api/v2/alerts', method: 'POST', body: alert, type: json },
    { path: '/-/reload', method: 'POST', mode: 'no-cors' },
  ],
  grafana: [
    { path: '/api/search' },
    { path: '/api/datasources' },
    { path: '/api/datasources/proxy/uid/dcsim-prometheus/api/v1/query?query=up' },
    {
      path: `/api/datasources/proxy/uid/dcsim-longterm/api/v1/admin/tsdb/delete_series?match[]=${everything}`,
      mode: 'no-cors',
    },
  ],
  store: [
    { path: '/api/v1/query?query=up' },
    { path: '/api/v1/import/prometheus', method: 'POST', body: 'injected 1', type: plain, mode: 'no-cors' },
    { path: '/snapshot/create' },
    { path: `/api/v1/admin/tsdb/delete_series?match[]=${everything}`, mode: 'no-cors' },
  ],
}

/** Runs in the page: the paths that were answered with something that the page can read. */
async function readBy([base, list]: readonly [string, readonly Attempt[]]): Promise<string[]> {
  const read: string[] = []
  for (const { path, method = 'GET', body, type, mode = 'cors' } of list) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    try {
      // With credentials, the browser would ask its user for a password first.
      const init = { method, mode, headers, body: body ?? null, credentials: 'omit' } as const
      const response = await fetch(base + path, init)
      if (response.ok) read.push(`${method} ${path.split('?')[0]}`)
    } catch {
      // The browser lets the page neither send it nor read the answer.
    }
  }
  return read
}

const evil = 'evil.example'
const container = 'container.evil.example'

/** A container without the guard and a password, as it was in the stack once. */
class OpenDoor {
  readonly #id: string
  readonly port: number

  constructor(service: string, inner: number, port: number) {
    const words = ['--publish', `127.0.0.1:${port}:${inner}`, stack.services[service].image]
    this.#id = execFileSync('docker', ['run', '--detach', ...words], { encoding: 'utf8' }).trim()
    this.port = port
  }

  ask = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${this.port}${path}`)).text().catch(() => '')

  remove(): void {
    execFileSync('docker', ['rm', '--force', '--volumes', this.#id])
  }
}

describe.skipIf(why !== '')(`a web page${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  let up: RunningStack
  let browser: Browser
  const opened: Browser[] = []

  /** A browser for which the attacker's name is an address, as after a rebinding. */
  async function browserWhere(name: string, address: string): Promise<Browser> {
    const args = [
      '--no-sandbox',
      `--host-resolver-rules=MAP ${name} ${address}`,
      // Of pages from elsewhere, Chromium keeps some itself from addresses of this machine. Other browsers do not.
      '--disable-features=LocalNetworkAccessChecks',
    ]
    const found = await chromium.launch({ executablePath: program, args })
    opened.push(found)
    return found
  }

  /** A page of the attacker at an origin, which the attacker's own server sent before. */
  async function pageAt(origin: string, inside = browser): Promise<Page> {
    const page = await inside.newPage()
    await page.route(`${origin}/attack`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>attack</title>' }),
    )
    await page.goto(`${origin}/attack`)
    return page
  }

  async function read(origin: string, base: string, server: Server, inside = browser): Promise<string[]> {
    const page = await pageAt(origin, inside)
    const found = await page.evaluate(readBy, [base, attempts[server]] as const)
    await page.close()
    return found
  }

  const silences = (): Promise<object[]> => up.get('alertmanager', '/api/v2/silences')
  const storedNames = (): Promise<string> => up.getInside('http://guard:8428/api/v1/label/__name__/values')

  beforeAll(async () => {
    up = await RunningStack.prepare({ DCSIM_SCALE: 'small', DCSIM_WARMUP: '10m' })
    await up.build()
    const services = ['mirror', 'prometheus', 'alertmanager', 'guard', 'victoria-metrics']
    const all = [...services, ...(hasGrafana ? ['grafana'] : [])]
    await up.compose('--profile', 'longterm', 'up', '--detach', '--wait', ...all)
    browser = await browserWhere(evil, '127.0.0.1')
    await until('the store has samples', async () => (await storedNames()).includes('"up"'))
  }, 600_000)

  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()))
    await up.compose('--profile', '*', 'down', '--volumes', '--timeout', '5')
  }, 120_000)

  const published = [
    'mirror',
    'prometheus',
    'alertmanager',
    ...(hasGrafana ? (['grafana'] as const) : []),
  ] as const

  /** Nothing was silenced, told, written or deleted. */
  async function expectUnchanged(): Promise<void> {
    expect(await silences()).toEqual([])
    expect(await up.get('alertmanager', '/api/v2/alerts?filter=alertname=Injected')).toEqual([])
    expect(await storedNames()).toContain('"up"')
    expect(await storedNames()).not.toContain('injected')
  }

  test.each(published)(
    'of another origin neither reads nor changes anything at the port of %s',
    async (name) => {
      expect(await read('http://elsewhere.test', `http://127.0.0.1:${up.ports[name]}`, name)).toEqual([])
      await expectUnchanged()
    },
  )

  test.each(published)('neither reads nor changes anything of %s through a name of its own', async (name) => {
    const origin = `http://${evil}:${up.ports[name]}`
    expect(await read(origin, origin, name)).toEqual([])
    await expectUnchanged()
  })

  const inner = { mirror: 9740, prometheus: 9090, alertmanager: 9093, 'victoria-metrics': 8428 } as const

  test.each(Object.entries(inner))(
    'neither reads nor changes anything at the address of the container of %s, by a name or without',
    async (name, port) => {
      const server = name === 'victoria-metrics' ? 'store' : (name as Server)
      const address = await up.addressOf(name)
      expect(await read('http://elsewhere.test', `http://${address}:${port}`, server)).toEqual([])
      const rebound = await browserWhere(container, address)
      const origin = `http://${container}:${port}`
      expect(await read(origin, origin, server, rebound)).toEqual([])
      await expectUnchanged()
    },
  )

  test('is not shown Alertmanager in a frame', async () => {
    const page = await pageAt('http://elsewhere.test')
    const url = `http://127.0.0.1:${up.ports.alertmanager}/`
    const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, url)
    expect((await blocked).text()).toContain(url)
  })

  test('of their own may query Prometheus, and silence in Alertmanager, as before', async () => {
    const [prometheus, alertmanager] = [up.ports.prometheus, up.ports.alertmanager]
    const own = (port: number): string => `http://127.0.0.1:${port}`
    expect(await read(own(prometheus), own(prometheus), 'prometheus')).toEqual([
      'GET /api/v1/query',
      'POST /api/v1/query',
      'GET /api/v1/status/config',
    ])
    expect(await read(own(alertmanager), own(alertmanager), 'alertmanager')).toEqual([
      'GET /api/v2/silences',
      'GET /api/v2/status',
      'POST /api/v2/silences',
    ])
    expect(await silences()).toMatchObject([{ comment: 'evil' }])
  })

  describe('where a server has neither guard nor password', () => {
    const doors: OpenDoor[] = []

    async function open(service: string, port: number, ready: string): Promise<OpenDoor> {
      const door = new OpenDoor(service, port, await freePort())
      doors.push(door)
      await until(
        `${service} is ready`,
        async () => (await fetch(`http://127.0.0.1:${door.port}${ready}`)).ok,
      )
      return door
    }
    afterAll(() => {
      for (const door of doors) door.remove()
    })

    test('reads Prometheus, also from another origin', async () => {
      const { port } = await open('prometheus', 9090, '/-/ready')
      const origin = `http://${evil}:${port}`
      expect(await read('http://elsewhere.test', `http://127.0.0.1:${port}`, 'prometheus')).toContain(
        'GET /api/v1/query',
      )
      expect(await read(origin, origin, 'prometheus')).toContain('GET /api/v1/status/config')
    })

    test('silences every alert, and raises its own', async () => {
      const door = await open('alertmanager', 9093, '/-/ready')
      const origin = `http://${evil}:${door.port}`
      const done = await read(origin, origin, 'alertmanager')
      expect(done).toEqual(expect.arrayContaining(['POST /api/v2/silences', 'POST /api/v2/alerts']))
      expect(await door.ask('/api/v2/silences')).toContain('"comment":"evil"')
      expect(await door.ask('/api/v2/alerts')).toContain('Injected')
    })

    test('writes to the store and empties it, without reading an answer', async () => {
      const door = await open('victoria-metrics', 8428, '/health')
      const base = `http://127.0.0.1:${door.port}`
      const [reading, writing, , deleting] = attempts.store
      const page = await pageAt('http://elsewhere.test')
      await page.evaluate(readBy, [base, [reading, writing]] as const)
      const stored = (): Promise<string> => door.ask('/api/v1/export?match[]=injected')
      await expect.poll(stored, { timeout: 60_000 }).toContain('injected')
      await page.evaluate(readBy, [base, [deleting]] as const)
      await expect.poll(stored, { timeout: 60_000 }).toBe('')
    })
  })
})
