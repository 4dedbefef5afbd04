import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeNames, routes } from '../../src/contract/routes.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { TestService } from './test-service.ts'
import { connected, exchangeRaw, rawResponses, sendRaw } from './raw-connection.ts'

let ready: TestService
let starting: TestService

beforeAll(async () => {
  ready = await TestService.start({ allowedHosts: ['mirror.lan'], cadenceMs: 3_600_000 })
  starting = await TestService.start({ world: null })
})
afterAll(async () => {
  await Promise.all([ready.stop(), starting.stop()])
})

const detailOf = (body: string): string => (JSON.parse(body) as { detail: string }).detail
const expectFresh = (headers: { get(name: string): string | undefined }, body: string) => {
  const { meta } = JSON.parse(body) as { meta: { age_ms: number; publish_seq: number } }
  expect(headers.get('x-sim-age-ms')).toBe(String(meta.age_ms))
  expect(headers.get('x-sim-publish-seq')).toBe(String(meta.publish_seq))
}

const paths = [
  ...routeNames.map((name) => routes[name].path.replace('{id}', '7')),
  '/nowhere',
  '/api/v1',
  '/api/v1/hosts/1/2',
]
const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE', 'PROPFIND', 'QUERY']
const unknownMethods = ['BREW', 'get', 'GETS', 'G3T', 'X-Y', 'M-SEARCHES', 'CONNECT']

describe('methods', () => {
  test.each(methods)('%s gets a 405', async (method) => {
    // Every path refuses every method in the same way.
    for (const path of method === 'POST' ? paths : paths.slice(-3)) {
      for (const service of [ready, starting]) {
        const { status, headers, text } = await service.get(path, {}, { method })
        expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD'])
        expectFresh(new Map(Object.entries(headers)) as Map<string, string>, text)
        expect(detailOf(text)).toBe(`The method is "${method}", expected "GET" or "HEAD".`)
      }
    }
  })

  test.each(unknownMethods)('%s, which the parser does not know, gets a 405 as well', async (method) => {
    const request = `${method} /health HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { status, headers, body } = await exchangeRaw(ready.port, request)
    const told = [status, headers.get('allow'), headers.get('content-type')]
    expect(told).toEqual([405, 'GET, HEAD', 'application/problem+json'])
    expectFresh(headers, body)
    expect(headers.get('date')).toBeDefined()
  })

  test('a method that comes in two packets gets a 405 too', async () => {
    const socket = await connected(ready.port)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const closed = once(socket, 'close')
    socket.setNoDelay(true)
    socket.write('BR')
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.write('EW / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await closed
    expect(rawResponses(Buffer.concat(chunks)).map(({ status }) => status)).toEqual([405])
  })

  test('HEAD has the headers of GET and no body', async () => {
    for (const name of routeNames) {
      const path =
        routes[name].path.replace('{id}', '7') +
        (name === 'metricSeries' ? '?path=fleet/hosts_online/10s' : '')
      for (const coding of ['identity', 'gzip']) {
        const get = await ready.get(path, { 'accept-encoding': coding })
        const head = await ready.get(path, { 'accept-encoding': coding }, { method: 'HEAD' })
        expect(head.bytes.length).toBe(0)
        expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
        const names = (headers: object) => Object.keys(headers).filter((name) => name !== 'date')
        expect(names(head.headers)).toEqual(names(get.headers))
        expect(head.status).toBe(get.status)
        expect(head.headers.etag).toBe(get.headers.etag)
      }
    }
  })
})

describe('hosts', () => {
  test.each(
    [
      'localhost localhost:9740 LOCALHOST localhost. 127.0.0.1 127.0.0.1:80 127.8.9.10:1 [::1]',
      '[::1]:9740 mirror.lan Mirror.LAN:8080',
    ].flatMap((line) => line.split(' ')),
  )('%s is answered', async (host) => {
    expect((await ready.get('/health', { host })).status).toBe(200)
  })

  test.each(
    [
      'example.org localhost.example.org 127.0.0.1.example.org 128.0.0.1 localhost@example.org',
      '[::2] [::1 localhost:port 0.0.0.0 10.0.0.1:9740 xn--localhost mirror.lan.evil',
    ].flatMap((line) => line.split(' ')),
  )('%j is foreign', async (host) => {
    const { status, headers, text } = await ready.get('/nowhere', { host }, { method: 'POST' })
    expect([status, headers['content-type']]).toEqual([403, 'application/problem+json'])
    expect(detailOf(text)).toBe(
      `Host: got "${host}", expected localhost, 127.0.0.1, [::1] or a name given by --allow-host (DCSIM_ALLOW_HOST; in the stack, DCSIM_HOST).`,
    )
  })

  test('an HTTP/1.0 client can keep the connection', async () => {
    const request = 'GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'
    const answers = rawResponses(await sendRaw(ready.port, request + request, 1_000))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('two are a 400', async () => {
    const { status, body } = await exchangeRaw(
      ready.port,
      'GET / HTTP/1.1\r\nHost: localhost\r\nHost: x\r\n\r\n',
    )
    expect([status, detailOf(body)]).toEqual([400, 'Host: given 2 times, expected once.'])
  })

  test('the authority of an absolute target stands for the header', async () => {
    const ask = (target: string, host: string) =>
      exchangeRaw(ready.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect((await ask('http://localhost:9740/health', 'localhost')).status).toBe(200)
    expect((await ask('http://localhost', 'localhost')).status).toBe(200)
    expect((await ask('http://example.org/health', 'localhost')).status).toBe(403)
  })
})

test.each([
  ['a foreign host before a wrong method', () => ready, '/health', { host: 'evil' }, 'POST', 403],
  ['a wrong method before an unknown route', () => ready, '/nowhere', {}, 'POST', 405],
  ['an unknown route before there being no world', () => starting, '/nowhere', {}, 'GET', 404],
  ['there being no world before a malformed id', () => starting, '/api/v1/hosts/abc', {}, 'GET', 503],
  ['before a malformed limit', () => starting, '/api/v1/hosts?limit=abc', {}, 'GET', 503],
  ['and before an unknown id', () => starting, '/api/v1/hosts/999', {}, 'GET', 503],
])('checks %s', async (_, service, path, headers: Record<string, string>, method, status) => {
  expect((await service().get(path, headers, { method })).status).toBe(status)
})

const local = 'Host: localhost'
test.each<[string, string, readonly string[], number, string?]>([
  ['no host', 'GET /health HTTP/1.1', [], 400],
  ['an empty host', 'GET /health HTTP/1.1', ['Host:'], 403],
  ['no host of an older client, whose connection closes', 'GET /health HTTP/1.0', [], 200, 'close'],
  [
    'an upgrade, which is not taken up',
    'GET /health HTTP/1.1',
    [local, 'Connection: Upgrade', 'Upgrade: a'],
    200,
  ],
  ['an upgrade of a POST', 'POST /health HTTP/1.1', [local, 'Connection: Upgrade', 'Upgrade: a'], 405],
  [
    'a wait for a 100 Continue',
    'POST / HTTP/1.1',
    [local, 'Expect: 100-continue', 'Content-Length: 9'],
    405,
    'close',
  ],
  ['an unknown expectation', 'GET /health HTTP/1.1', [local, 'Expect: tea'], 200],
  ['headers beyond 16 KiB', 'GET /health HTTP/1.1', [local, `X: ${'y'.repeat(20_000)}`], 431, 'close'],
  [
    'more than 100 headers',
    'GET /health HTTP/1.1',
    [local, ...Array.from({ length: 150 }, () => 'X: y')],
    431,
  ],
])('%s', async (_, line, headers, status, connection) => {
  const answer = await exchangeRaw(ready.port, `${[line, ...headers].join('\r\n')}\r\n\r\n`)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('connection')).toBe(connection ?? answer.headers.get('connection'))
  expectFresh(answer.headers, answer.body)
})

describe('limits', () => {
  const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`

  test('a target beyond 8 KiB is a 414', async () => {
    const long = await exchangeRaw(ready.port, get(`/api/v1/hosts?x=${'y'.repeat(9_000)}`))
    const longer = await exchangeRaw(ready.port, get(`/api/v1/hosts?x=${'y'.repeat(40_000)}`))
    expect([long.status, longer.status]).toEqual([414, 414])
    expectFresh(longer.headers, longer.body)
  })

  test.each([
    '\x16\x03\x01\x02\x00\x01',
    'hello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET\r\n\r\n',
    '\0\0\0\0',
    'GET /\x01 HTTP/1.1\r\n\r\n',
  ])('%j is a 400', async (bytes) => {
    const { status, headers, body } = await exchangeRaw(ready.port, Buffer.from(bytes, 'latin1'))
    expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    expectFresh(headers, body)
  })

  test('broken percent-encoding in the path is a 400', async () => {
    const { status, text } = await ready.get('/api/v1/hosts/%zz')
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({
      detail:
        'The path "/api/v1/hosts/%zz" has broken percent-encoding, expected two hexadecimal digits after each %.',
    })
    expect((await starting.get('/api/v1/hosts/%')).status).toBe(400)
  })
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

describe('addresses', () => {
  test('a name that stands for several addresses is listened to on each of them', async () => {
    const service = await TestService.start({ listenHost: 'localhost' })
    const { address } = await lookup('localhost')
    const addresses = await lookup('localhost', { all: true })
    expect(addresses.map((one) => one.address)).toContain(address)
    for (const one of addresses) {
      const host = one.family === 6 ? `[${one.address}]` : one.address
      const answer = await fetch(`http://${host}:${service.port}/health`)
      expect([one.address, answer.status]).toEqual([one.address, 200])
    }
    await service.stop()
    await expect(fetch(`http://localhost:${service.port}/health`)).rejects.toThrow('fetch failed')
  })

  test.skipIf(!hasIpv6)('an IPv6 address, where the machine has one', async () => {
    const service = await TestService.start({ listenHost: '::1' })
    const answer = await fetch(`http://[::1]:${service.port}/health`)
    expect(answer.status).toBe(200)
    await answer.text()
    await service.stop()
  })
})

describe('bodies and pipelines', () => {
  test('a body of a GET is ignored and the next request is read right', async () => {
    const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello'
    const chunked =
      'GET /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
    const answers = rawResponses(await sendRaw(ready.port, request + chunked + request, 1_000))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('a large body of a POST is refused without breaking the answer', async () => {
    const body = 'x'.repeat(500_000)
    const post = `POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const answers = rawResponses(
      await sendRaw(ready.port, `${post}GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`, 1_000),
    )
    expect(answers.map(({ status }) => status)).toEqual([405, 200])
  })

  test('pipelined requests are answered in order, compressed or not, up to an unreadable one', async () => {
    const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
    const sent = [
      get('/api/v1/hosts?limit=100', 'Accept-Encoding: gzip\r\n'),
      get('/health'),
      get('/api/v1/hosts?limit=150'),
      get('/nowhere'),
      get('/metrics'),
      get('/api/v1/hosts/abc'),
      'BREW / HTTP/1.1\r\n\r\n',
    ]
    const answers = rawResponses(await sendRaw(ready.port, sent.join('')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200, 400, 405])
  })
})

test('none of this was a fault of the service', () => {
  expect([...ready.faults, ...starting.faults]).toEqual([])
})

test('what is no HTTP gets the date of the wall clock, which may jump', async () => {
  const clock = new FakeClock()
  const service = await TestService.start({ clock, cadenceMs: 1_000 })
  for (const wallMs of [Date.UTC(2026, 0, 1, 12), Date.UTC(2026, 0, 1, 9)]) {
    clock.wallOffsetMs = wallMs - clock.nowMs()
    const { headers } = await exchangeRaw(service.port, 'no HTTP\r\n\r\n')
    expect([headers.get('date'), headers.get('x-sim-age-ms')]).toEqual([new Date(wallMs).toUTCString(), '0'])
  }
  const stopping = service.stop()
  clock.advanceTo(10_000)
  await stopping
})
