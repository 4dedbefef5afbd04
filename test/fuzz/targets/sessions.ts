/** The front of several sessions: no request gets the response of another session, with any mirrors and clients. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { processClock } from '../../../src/process/clock.ts'
import { SessionFront } from '../../../src/sessions/session-front.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { hostileBytes } from '../../http/hostile-requests.ts'
import { sendRaw } from '../../http/raw-connection.ts'
import type { OpenTarget } from '../target.ts'
import { listening } from '../../fixtures/listening.ts'

const silenceMs = 60_000
/** How much sooner the front gives up on mirrors: after 15 s, which a busy machine may need. */
const haste = 2

/** The behaviors of a mirror, by the names in `/NAME/NUMBER`. */
const behaviors: Readonly<Record<string, (response: ServerResponse, body: string) => void>> = {
  prompt: (response, body) => response.writeHead(200, { 'Content-Length': body.length }).end(body),
  chunked: (response, body) => {
    response.writeHead(200, ['Connection', 'keep-alive, X-Hop', 'X-Hop', 'private'])
    response.write(body.slice(0, 3))
    response.end(body.slice(3))
  },
  large: (response, body) => response.end('x'.repeat(300_000) + body),
  slow: (response, body) => setTimeout(() => response.end(body), 5),
  reset: (response) => response.destroy(),
  garbage: (response) => response.socket?.end('HTTP/9.9 what\r\nA: \0\r\n\r\n'),
  torn: (response, body) => {
    response.writeHead(200, { 'Content-Length': body.length + 100 }).write(body)
    setTimeout(() => response.destroy(), 2)
  },
  hang: () => {},
  /** Ends all connections of its session, as the death of its process does. */
  death: (response) => {
    for (const socket of socketsOf.get((response.socket as unknown as { server: Server }).server) ?? [])
      socket.destroy()
  },
}
const socketsOf = new WeakMap<Server, Set<Socket>>()

/** Responds with its session, the number of the request, and headers that should not have reached it. */
async function startMirror(session: string): Promise<{ name: string; port: number; server: Server }> {
  const sockets = new Set<Socket>()
  const server = createServer((request: IncomingMessage, response) => {
    const [, name, number = ''] = /^\/(\w+)\/(\d+)\?/.exec(request.url!) ?? []
    const leaks = ['x-private', 'te', 'content-length', 'expect'].filter(
      (header) => header in request.headers,
    )
    const body = `<<${[session, number, ...leaks].join(':')}>>`
    if (name !== undefined && Object.hasOwn(behaviors, name)) behaviors[name](response, body)
    else response.writeHead(404, { 'X-Sim-Age-Ms': '0' }).end(body)
  })
  socketsOf.set(server, sockets)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return { name: session, port: await listening(server), server }
}

/** A request and the tokens of its answer: its status and, of one that was passed on, session and number. */
interface Asked {
  readonly text: string
  readonly tokens: readonly string[]
  /** Whether no answer follows on this connection. */
  readonly isLast: boolean
  /** Whether the session may just have died. */
  readonly mayFail: boolean
}

const privateHeaders = [
  'Connection: X-Private\r\nX-Private: 1\r\n',
  'TE: trailers\r\nConnection: TE\r\n',
  'Keep-Alive: timeout=5\r\n',
  'Content-Length: 31\r\n',
  '',
]
const smuggled = 'GET /prompt/999?session=b HTTP/1'

function ask(random: SeededRandom, number: number): Asked {
  const session = random.pick(['a', 'a', 'b', 'b', 'c', 'c', 'd', ''])
  const names = Object.keys(behaviors).filter((name) => name !== 'death' && name !== 'hang')
  const behavior =
    session === 'c' && random.oneIn(8) ? 'death' : random.oneIn(5_000) ? 'hang' : random.pick(names)
  const spelt = random.oneIn(5)
    ? session.replace(/./, (char) => `%${char.charCodeAt(0).toString(16)}`)
    : session
  const query = session === '' ? '' : `?session=${spelt}`
  const headers = random.pick(privateHeaders)
  const body = headers.startsWith('Content-Length') ? smuggled.slice(0, 31) : ''
  const text = `GET /${behavior}/${number}${query} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`
  const whole = { text, isLast: false, mayFail: session === 'c' }
  if (session === '') return { ...whole, tokens: ['400'] }
  if (session === 'd') return { ...whole, tokens: ['404'] }
  if (['reset', 'garbage', 'hang', 'death'].includes(behavior)) return { ...whole, tokens: ['503'] }
  return { ...whole, tokens: ['200', `${session}:${number}`], isLast: behavior === 'torn' }
}

/** Holds the answers of a connection against its requests, in their order. */
function answerFaults(text: string, asked: readonly Asked[]): string[] {
  const unchunked = text.replaceAll(/(?<!\r\n)\r\n[0-9a-f]+\r\n/g, '')
  const tokens = Array.from(
    unchunked.matchAll(/HTTP\/1\.1 (\d{3}) |<<([^>]*)>>/g),
    ([, status, body]) => status ?? body,
  )
  let at = 0
  for (const { tokens: expected, isLast, mayFail, text: request } of asked) {
    const found = tokens.slice(at, at + expected.length)
    const hasFailed = mayFail && tokens[at] === '503'
    const hasEnded = (mayFail || isLast) && at + found.length === tokens.length
    const isPart = found.every((token, index) => token === expected[index])
    if (!hasFailed && !(isPart && (hasEnded || found.length === expected.length)))
      return [`expected ${expected.join(' ')}, got ${found.join(' ')} for ${JSON.stringify(request)}`]
    if (!hasFailed && hasEnded) return []
    at += hasFailed ? 1 : expected.length
    if (isLast && !hasFailed) return []
  }
  // The rest is the response to trailing bytes.
  return tokens.slice(at).some((token) => /^[abc]:\d/.test(token)) ? ['an answer that was not asked for'] : []
}

export const openSessions: OpenTarget = async (_seed, observe) => {
  const mirrors = await Promise.all(['a', 'b', 'c'].map(startMirror))
  const front = new SessionFront({
    sessions: mirrors,
    allowedHosts: [],
    clock: { ...processClock, after: (delayMs, call) => processClock.after(delayMs / haste, call) },
    log: () => {},
  })
  const { port } = await front.listen('127.0.0.1', 0)
  return {
    lanes: 16,
    async run({ number, random }) {
      const asked = Array.from({ length: 1 + random.below(6) }, (_, index) =>
        ask(random, number * 10 + index),
      )
      const rest = random.oneIn(3) ? hostileBytes(random).bytes : Buffer.alloc(0)
      const requests = asked.map(({ text }) => text)
      // After its answer the connection ends.
      requests.push(requests.pop()!.replace('Host:', 'Connection: close\r\nHost:'))
      const received = await sendRaw(port, Buffer.concat([Buffer.from(requests.join('')), rest]), silenceMs)
      const text = observe(received.toString('latin1'))
      const leaked = /^X-Hop:/im.test(text) ? ['a header of one connection was passed on'] : []
      return [...answerFaults(text, asked), ...leaked]
    },
    close: async () => {
      await front.close()
      for (const { server } of mirrors) server.close().closeAllConnections()
    },
  }
}
