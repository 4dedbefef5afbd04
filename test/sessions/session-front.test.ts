import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { processClock as realClock } from '../../src/process/clock.ts'
import type { Clock } from '../../src/contract/clock.ts'
import { SessionFront } from '../../src/sessions/session-front.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { listening } from '../fixtures/listening.ts'
import { connected, rawResponses, sendRaw } from '../http/raw-connection.ts'
import { TestService } from '../http/test-service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A fake mirror with the test's responses. */
async function mirror(answer: RequestListener): Promise<Server & { port: number }> {
  const server = createServer(answer)
  const port = await listening(server)
  closing.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  return Object.assign(server, { port })
}

/** The front of sessions, each with the port of its mirror. Returns the front's own port. */
async function front(ports: Record<string, number | null>, clock: Clock = realClock): Promise<number> {
  const server = new SessionFront({
    sessions: Object.entries(ports).map(([name, port]) => ({ name, port })),
    allowedHosts: [],
    clock,
    log: () => {},
  })
  const { port } = await server.listen('127.0.0.1', 0)
  closing.push(async () => {
    const closed = server.close()
    if (clock instanceof FakeClock) clock.advanceTo(clock.nowMs() + 10_000)
    await closed
  })
  return port
}

const silenceMs = 20_000

const requestFor = (target: string, ...headers: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

/** The response to a request that asks to close the connection. */
async function ask(port: number, target: string, ...headers: readonly string[]) {
  const bytes = await sendRaw(port, requestFor(target, ...headers, 'Connection: close'), silenceMs)
  return rawResponses(bytes)[0]
}

const until = (condition: () => boolean) => vi.waitUntil(condition, 60_000)

describe('the front of several sessions', () => {
  test('asks for the requests of a client connection one after the other', async () => {
    let connections = 0
    let unanswered = 0
    let unansweredMax = 0
    const slow = await mirror((_request, response) => {
      unansweredMax = Math.max(unansweredMax, ++unanswered)
      setTimeout(() => {
        unanswered--
        response.end('ok')
      }, 1)
    })
    slow.on('connection', () => connections++)
    const port = await front({ a: slow.port })
    const last = requestFor('/x?session=a', 'Connection: close')
    const answers = await sendRaw(port, requestFor('/x?session=a').repeat(199) + last, silenceMs)
    expect(answers.toString().match(/HTTP\/1\.1 200/g)).toHaveLength(200)
    expect(unansweredMax).toBe(1)
    expect(connections).toBe(1)
  })

  test('answers 503 for a mirror that hangs, and meanwhile answers for the others', async () => {
    let asked = 0
    const hanging = await mirror(() => asked++)
    const other = await mirror((_request, response) => response.end('ok'))
    const clock = new FakeClock()
    const port = await front({ a: hanging.port, b: other.port }, clock)
    const answer = ask(port, '/health?session=a')
    await until(() => asked === 1)
    clock.advanceTo(29_999)
    expect((await ask(port, '/health?session=b')).status).toBe(200)
    clock.advanceTo(30_000)
    const { status, headers, body } = await answer
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(JSON.parse(body)).toMatchObject({
      title: 'No world yet',
      detail: 'The mirror of session a does not answer. Ask again in a second.',
    })
  })

  test('asks again, once, where the mirror has closed an idle connection', async () => {
    let asked = 0
    // Answers the first request of a connection, and closes the connection at the second.
    const closing = await mirror((request, response) => {
      asked++
      if (Object.hasOwn(request.socket, 'isUsed')) request.socket.destroy()
      else response.end('ok')
      Object.assign(request.socket, { isUsed: true })
    })
    const port = await front({ a: closing.port })
    expect((await ask(port, '/?session=a')).status).toBe(200)
    expect((await ask(port, '/?session=a')).status).toBe(200)
    expect(asked).toBe(3)
  })

  test('sends a large response whole where a tunnel is asked for behind it', async () => {
    const body = 'x'.repeat(5_000_000)
    const large = await mirror((_request, response) => response.end(body))
    const port = await front({ a: large.port })
    const tunnel = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const received = await sendRaw(port, requestFor('/?session=a') + tunnel, 5_000)
    expect(received.length).toBeGreaterThan(body.length)
    expect(received.toString('latin1')).toContain('HTTP/1.1 405')
  })

  test('ends a connection on which a response stalls', async () => {
    const stalling = await mirror((_request, response) => response.write('the beginning'))
    const clock = new FakeClock()
    const port = await front({ a: stalling.port }, clock)
    const socket = await connected(port)
    let received = ''
    let isClosed = false
    socket.on('data', (chunk) => (received += String(chunk)))
    socket.on('close', () => (isClosed = true))
    socket.write(requestFor('/metrics?session=a'))
    await until(() => received.includes('the beginning'))
    clock.advanceTo(59_999)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(isClosed).toBe(false)
    clock.advanceTo(60_000)
    await until(() => isClosed)
  })

  test('lets requests for the health of all share one question to each mirror', async () => {
    let asked = 0
    const idle = await mirror((_request, response) => {
      asked++
      setTimeout(() => response.end('{"status":"idle","reason":"paused"}'), 500)
    })
    const port = await front({ a: idle.port })
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(port, '/health')))
    expect(asked).toBe(1)
    expect(JSON.parse(all[19].body)).toMatchObject({
      status: 'idle',
      sessions: [{ name: 'a', status: 'idle', reason: 'paused' }],
    })
  })

  test('is healthy without a mirror, and ready with the first session that has a world', async () => {
    const states = ['starting', 'starting']
    const mirrors = await Promise.all(
      states.map((_, index) =>
        mirror((_request, response) => response.end(`{"status":"${states[index]}","reason":""}`)),
      ),
    )
    const port = await front({ a: null, b: mirrors[0].port, c: mirrors[1].port })
    const probe = async (path: string) => {
      const { status, body } = await ask(port, path)
      return [status, status === 200 ? body : (JSON.parse(body) as { detail: string }).detail]
    }
    expect(await probe('/-/healthy')).toStrictEqual([200, 'dcsim-mirror is healthy.\n'])
    const waiting = 'No session has a world yet; /health has the status of each. Ask again in a second.'
    expect(await probe('/-/ready')).toStrictEqual([503, waiting])
    for (const state of ['idle', 'stale', 'ok']) {
      states[1] = state
      expect(await probe('/-/ready')).toStrictEqual([200, 'dcsim-mirror is ready.\n'])
    }
    states[1] = 'down'
    expect(await probe('/-/ready')).toStrictEqual([503, waiting])
  })

  test('leaves headers behind that concern one connection, also those that Connection names', async () => {
    let seen: Record<string, unknown> = {}
    const echo = await mirror((request, response) => {
      seen = request.headers
      response
        .writeHead(200, [
          'Connection',
          'keep-alive, X-Hop',
          'X-Hop',
          '1',
          'X-End',
          '2',
          'Content-Length',
          '2',
        ])
        .end('ok')
    })
    const port = await front({ a: echo.port })
    const { headers } = await ask(port, '/?session=a', 'Connection: X-Private', 'X-Private: 1', 'X-End: 2')
    expect(seen).toStrictEqual({ host: `127.0.0.1:${echo.port}`, connection: 'keep-alive', 'x-end': '2' })
    expect(headers.has('x-hop')).toBe(false)
    expect(headers.get('x-end')).toBe('2')
  })
})

const refused: readonly [name: string, sent: string, status: number, allow?: string][] = [
  ['a bare line feed', 'GET / HTTP/1.1\nHost: localhost\n\n\x01', 400],
  ['raw bytes', '\x16\x03\x01\x02', 400],
  ['a method that does not exist', 'FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'GET, HEAD'],
  [
    'a method that writes',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n',
    405,
    'GET, HEAD',
  ],
  ['a tunnel', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'GET, HEAD'],
  ['too many bytes of headers', requestFor('/', `X-Long: ${'x'.repeat(17_000)}`), 431],
  ['too long a target', requestFor(`/${'x'.repeat(9_000)}`), 414],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a foreign host', 'GET / HTTP/1.1\r\nHost: example.org\r\n\r\n', 403],
  [
    'a length and an encoding of its body',
    requestFor('/', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    400,
  ],
]

test.each(refused)(
  'the front refuses %s with a problem, as a mirror does',
  async (_name, sent, status, allow) => {
    const service = await TestService.start({ world: null })
    closing.push(() => service.stop())
    const port = await front({ a: service.port })
    for (const [response] of [
      rawResponses(await sendRaw(port, sent, silenceMs, { thenEnd: true })),
      rawResponses(await sendRaw(service.port, sent, silenceMs, { thenEnd: true })),
    ]) {
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.headers.get('x-sim-age-ms')).toBe('0')
      expect(response.headers.get('x-sim-publish-seq')).toBe('0')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('allow')).toBe(allow)
      expect(JSON.parse(response.body)).toMatchObject({ status })
    }
  },
)

test('the front passes on requests that expect to be continued', async () => {
  const service = await TestService.start()
  closing.push(() => service.stop())
  const port = await front({ a: service.port })
  const { status, headers } = await ask(port, '/health?session=a', 'Expect: 100-continue')
  expect(status).toBe(200)
  expect(headers.get('connection')).toBe('close')
})

test('the runbook of an alert, whose link names no session, is that of a mirror that listens', async () => {
  const { port: mirrorPort } = await mirror(({ url }, response) => response.end(url))
  const port = await front({ down: null, 'a b': mirrorPort })
  const bodyOf = async (target: string) => (await ask(port, target)).body
  expect(await bodyOf('/runbooks/DcsimHostDown')).toBe('/runbooks/DcsimHostDown?session=a%20b')
  expect(await bodyOf('/runbooks?x=1')).toBe('/runbooks?x=1&session=a%20b')
  expect((await ask(port, '/runbooksy')).status).toBe(400)
  expect((await ask(await front({ down: null }), '/runbooks')).status).toBe(503)
})

test('says which flag names the sessions', async () => {
  const port = await front({ a: null, b: null })
  const answer = await (await fetch(`http://127.0.0.1:${port}/health?session=c`)).json()
  expect(answer).toMatchObject({
    status: 404,
    detail: 'session: got "c", expected "a" or "b". To rename a session, start its mirror with --sessions.',
  })
})

test('a session is named the same with percent-encoding', async () => {
  const service = await TestService.start({ session: 'a' })
  closing.push(() => service.stop())
  const port = await front({ a: service.port, b: null })
  for (const at of [port, service.port]) {
    expect((await ask(at, '/health?sess%69on=%61')).status).toBe(200)
    expect((await ask(at, '/health?sess%69on=c')).status).toBe(404)
  }
  expect((await ask(port, '/health?sess%69on=b')).status).toBe(503)
})
