/** The guard of the stack: what passes to Prometheus, Alertmanager and the long-term store, and how. */
import { createServer, request } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HostNames } from '../../src/http/requests/host-names.ts'
import { guardServer } from '../../deploy/stack/guard.ts'
import { guardedServers, findRefusal } from '../../deploy/stack/guarded-requests.ts'

const names = new HostNames(['dc.lan'])
type Name = keyof typeof guardedServers

/** The reason for refusing a request line such as `GET /api/v1/query`; null if it passes. */
function refused(name: Name, line: string, headers: Readonly<Record<string, string>> = {}): string | null {
  const [method, target] = line.split(' ')
  const asked = { method, target, headers: { host: '127.0.0.1:9090', ...headers } }
  return findRefusal(guardedServers[name], names, asked)?.reason ?? null
}

describe('people', () => {
  test.each<[Name, string]>([
    ['prometheus', 'GET /'],
    ['prometheus', 'GET /query?g0.expr=up'],
    ['prometheus', 'GET /api/v1/status/config'],
    ['prometheus', 'POST /api/v1/query_range'],
    ['prometheus', 'HEAD /metrics'],
    ['alertmanager', 'GET /'],
    ['alertmanager', 'POST /api/v2/silences'],
    ['alertmanager', 'DELETE /api/v2/silence/5d1de8cd-f486-40df-9420-74f4ef49929d'],
  ])('may ask %s: %s', (name, line) => {
    expect(refused(name, line)).toBeNull()
  })

  test.each<[Name, string]>([
    ['prometheus', 'POST /-/reload'],
    ['prometheus', 'PUT /-/quit'],
    ['prometheus', 'POST /api/v1/admin/tsdb/delete_series?match[]=up'],
    ['prometheus', 'POST /api/v1/write'],
    ['prometheus', 'DELETE /api/v1/series'],
    ['alertmanager', 'POST /-/reload'],
    ['alertmanager', 'POST /api/v2/alerts'],
    ['alertmanager', 'POST /api/v2/silences/../alerts'],
    ['alertmanager', 'OPTIONS /api/v2/silences'],
    ['longTermStore', 'GET /api/v1/query?query=up'],
  ])('may not ask %s: %s', (name, line) => {
    expect(refused(name, line)).toContain('is none of the requests that pass here.')
  })
})

describe('Grafana', () => {
  const grafana = { host: 'guard:9090' }

  test.each<[Name, string]>([
    ['prometheus', 'POST /api/v1/query'],
    ['prometheus', 'GET /api/v1/label/__name__/values'],
    ['longTermStore', 'GET /api/v1/query_range?query=up'],
    ['longTermStore', 'GET /api/v1/export?match[]=up'],
    ['alertmanager', 'GET /api/v2/alerts?active=true'],
    ['alertmanager', 'GET /api/v2/silences'],
  ])('may ask %s: %s', (name, line) => {
    expect(refused(name, line, grafana)).toBeNull()
  })

  test.each<[Name, string]>([
    ['prometheus', 'GET /api/v1/status/flags'],
    ['prometheus', 'GET /debug/pprof/cmdline'],
    ['longTermStore', 'GET /api/v1/admin/tsdb/delete_series?match[]=up'],
    ['longTermStore', 'POST /api/v1/query/../admin/tsdb/delete_series'],
    ['longTermStore', 'GET /api/v1/label/../admin/tsdb/delete_series/values'],
    ['longTermStore', 'GET /api/v1/label/x%2F..%2Fsnapshot/values'],
    ['longTermStore', 'GET /prometheus/api/v1/admin/tsdb/delete_series'],
    ['longTermStore', 'GET //api/v1/admin/tsdb/delete_series'],
    ['longTermStore', 'POST /api/v1/import/prometheus'],
    ['longTermStore', 'GET /snapshot/create'],
    ['longTermStore', 'GET /internal/force_merge'],
    ['alertmanager', 'POST /api/v2/silences'],
    ['alertmanager', 'DELETE /api/v2/silence/1'],
    ['alertmanager', 'GET /debug/pprof/heap'],
  ])('may not ask %s: %s', (name, line) => {
    expect(refused(name, line, grafana)).toContain('is none of the requests that pass here.')
  })
})

describe('names', () => {
  test.each(['127.0.0.1:9093', 'localhost', '[::1]:9093', 'dc.lan:9093', '192.168.1.20:9093', '[fd00::20]'])(
    '%s is answered',
    (host) => {
      expect(refused('alertmanager', 'GET /', { host })).toBeNull()
    },
  )

  test.each(['evil.example:9093', 'evil.example', '127.0.0.1.evil.example', 'guard.evil.example', ''])(
    '%j is not',
    (host) => {
      expect(refused('alertmanager', 'GET /', { host })).toBe(
        `Host: got ${JSON.stringify(host)}, expected an address of this stack.`,
      )
    },
  )
})

describe('pages', () => {
  const own = { origin: 'http://127.0.0.1:9090' }

  test.each([
    ['of its own', 'POST', own],
    ['of its own, with the site', 'POST', { ...own, 'sec-fetch-site': 'same-origin' }],
    ['of its own behind TLS', 'POST', { host: 'dc.lan', origin: 'https://dc.lan' }],
    ['none, as for amtool', 'POST', {}],
    ['elsewhere with a link here', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['nowhere, as for an address that is typed', 'GET', { 'sec-fetch-site': 'none' }],
  ])('%s: %s passes', (_, method, headers) => {
    expect(refused('alertmanager', `${method} /api/v2/silences`, headers)).toBeNull()
  })

  test.each([
    ['of another site', 'POST', { origin: 'http://evil.example' }],
    ['of another port', 'POST', { origin: 'http://127.0.0.1:3000' }],
    ['without an origin of its own, such as a frame', 'POST', { origin: 'null' }],
    ['that only reads', 'GET', { origin: 'http://evil.example' }],
    ['with an image', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['of a port beside', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['with a form', 'POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ])('%s: %s is refused', (_, method, headers) => {
    expect(refused('alertmanager', `${method} /api/v2/silences`, headers)).toBe(
      'A page of another origin may not ask here.',
    )
  })
})

describe('what passes', () => {
  const got: { head: string; headers: IncomingMessage['headers']; body: string }[] = []
  let upstream: Server
  let guard: Server
  let isReady = true

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    got.push({ head: `${request.method} ${request.url}`, headers: request.headers, body })
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('www-authenticate', 'Basic')
    response.writeHead(207, { 'content-type': 'text/x', etag: '"1"' }).end('yes')
  }

  const portOf = (server: Server): number => (server.address() as AddressInfo).port

  beforeAll(async () => {
    upstream = createServer((asked, response) => {
      // A body that is too long is cut off.
      answer(asked, response).catch(() => response.destroy())
    }).listen(0)
    guard = guardServer(guardedServers.alertmanager, names, () => {
      if (!isReady) throw new Error('The password is not there yet.')
      return { url: new URL(`http://127.0.0.1:${portOf(upstream)}/below`), auth: 'stack:secret' }
    }).listen(0)
    await Promise.all(
      [upstream, guard].map((server) => new Promise((done) => server.once('listening', done))),
    )
  })
  afterAll(() => {
    for (const server of [upstream, guard]) server.close().closeAllConnections()
  })

  const url = (path: string): string => `http://127.0.0.1:${portOf(guard)}${path}`

  test('has the password of the stack, and nothing of the browser that concerns others', async () => {
    const response = await fetch(url('/api/v2/silences?a=%20b'), {
      method: 'POST',
      headers: {
        cookie: 'grafana_session=1',
        authorization: 'Basic eDp5',
        'content-type': 'application/json',
      },
      body: '{"comment":"ä"}',
    })
    const { head, headers, body } = got.at(-1)!
    expect([head, body]).toEqual(['POST /below/api/v2/silences?a=%20b', '{"comment":"ä"}'])
    expect(headers).toMatchObject({
      host: `127.0.0.1:${portOf(upstream)}`,
      authorization: 'Basic c3RhY2s6c2VjcmV0',
      'content-type': 'application/json',
    })
    expect(headers.cookie).toBeUndefined()
    expect([response.status, await response.text()]).toEqual([207, 'yes'])
  })

  test('is answered without what opens a server to foreign pages, or asks for a password', async () => {
    const { headers } = await fetch(url('/'))
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/x',
      etag: '"1"',
      'content-security-policy': "frame-ancestors 'self'",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('www-authenticate')).toBeNull()
  })

  test('has a body of a megabyte at most', async () => {
    const sent = fetch(url('/api/v2/silences'), { method: 'POST', body: Buffer.alloc(1024 * 1024 + 1) })
    const status = await sent.then(
      (response) => response.status,
      () => 'cut off',
    )
    expect([413, 'cut off']).toContain(status)
    expect(got.at(-1)!.head).toBe('GET /below/')
  })

  test('is a 502 while its server does not answer, or cannot be asked yet, and the guard lives on', async () => {
    isReady = false
    const early = await fetch(url('/'))
    expect([early.status, await early.text()]).toEqual([502, 'The password is not there yet.\n'])
    isReady = true
    const gone = guardServer(guardedServers.alertmanager, names, () => ({
      url: new URL('http://127.0.0.1:1'),
    })).listen(0)
    await new Promise((done) => gone.once('listening', done))
    const late = await fetch(`http://127.0.0.1:${portOf(gone)}/`)
    gone.close().closeAllConnections()
    expect([late.status, await late.text()]).toEqual([502, expect.stringContaining('does not answer')])
    expect((await fetch(url('/'))).status).toBe(207)
  })

  test('is no target in absolute form, which names a server of its own', async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const path = 'http://evil.example/api/v2/silences'
    request({ port: portOf(guard), path, method: 'POST' }, ({ statusCode }) => resolve(statusCode!)).end()
    expect(await promise).toBe(403)
  })
})
