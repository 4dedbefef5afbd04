/** Bounds of what the server reads, keeps and sends. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll } from 'vitest'
import { SegmentCache } from '../../src/http/content-coding/segment-cache.ts'
import { HttpListener } from '../../src/http/http-listener.ts'
import { Connections } from '../../src/http/requests/connections.ts'
import { parserProblem } from '../../src/http/requests/malformed-requests.ts'
import { HostNames } from '../../src/http/requests/host-names.ts'
import { drainBody } from '../../src/http/requests/request-body.ts'
import { rejectRequest } from '../../src/http/requests/request-guard.ts'
import { ResponseBodyWriter } from '../../src/http/responses/response-writer.ts'
import { askBounds, upTo } from '../fixtures/bounds.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { exchangeRaw, sendRaw } from './raw-connection.ts'
import { TestService } from './test-service.ts'
import type { Served } from './test-service.ts'

const service = await TestService.start({ cadenceMs: 3_600_000 })
afterAll(() => service.stop())

class OpenSocket extends EventEmitter {
  paused = false
  isPaused = (): boolean => this.paused
  pause = (): boolean => (this.paused = true)
  resume = (): boolean => (this.paused = false)
  destroyed = false
  writable = true
  destroy = (): boolean => (this.destroyed = true)
}

/** Connections, each with requests that ask at once; answers wait for the test, and so do turns of the event loop. */
function asking(...requests: readonly number[]) {
  const soon: (() => void)[] = []
  const connections = new Connections((call) => soon.push(call))
  const unanswered: (() => void)[] = []
  const sockets = requests.map((count) => {
    const socket = new OpenSocket()
    for (const _ of upTo(count)) {
      const response = new EventEmitter()
      const wait = (): void => void unanswered.push(() => response.emit('close'))
      connections.enqueue({ socket } as unknown as IncomingMessage, response as ServerResponse, wait)
    }
    return socket
  })
  const answer = (): void => unanswered.splice(0).forEach((call) => call())
  const turn = (): void => soon.splice(0).forEach((call) => call())
  return { sockets, answer, turn, unanswered }
}

/** Whether a connection with so many requests is read on: with all of them, and with one less. */
async function isPausedWith(requests: number): Promise<boolean[]> {
  const { sockets, answer, turn } = asking(requests)
  await Promise.resolve()
  const found = [sockets[0].paused]
  answer()
  turn()
  return [...found, sockets[0].paused]
}

/** Whether the last of some connections is closed, by the requests of each. */
const isClosedBy = (...requests: readonly number[]): boolean => asking(...requests).sockets.at(-1)!.destroyed

/** How many requests of three pipelining connections are under way once the first are answered, and in later turns. */
function startedInTurns(): number[] {
  const { answer, turn, unanswered } = asking(3, 3, 3)
  answer()
  return upTo(3).map(() => {
    turn()
    return unanswered.length
  })
}

function isCutOff(bytes: number): boolean {
  const socket = new OpenSocket()
  const request = Object.assign(new EventEmitter(), { headers: { 'content-length': '9' }, socket })
  drainBody(request as unknown as IncomingMessage)
  request.emit('data', Buffer.alloc(bytes - 1))
  request.emit('data', Buffer.alloc(1))
  return socket.destroyed
}

function refusalOf(target: string, fields: number): string | undefined {
  const rawHeaders = upTo(fields).flatMap((nth) => (nth === 1 ? ['Host', 'localhost'] : ['X', 'y']))
  const request = { method: 'GET', httpVersion: '1.1', rawHeaders } as unknown as IncomingMessage
  return rejectRequest(request, target, new HostNames([]))?.kind
}

/** Writes of a body beside those of its headers. */
function writesOf(length: number): number {
  let written = 0
  const response = Object.assign(new EventEmitter(), {
    req: { method: 'GET', socket: new EventEmitter() },
    writableLength: 0,
    writeHead: () => {},
    write: () => written++,
    end: () => {},
  }) as unknown as ServerResponse
  const writer = new ResponseBodyWriter({ hold: () => () => {} }, new FakeClock())
  writer.send(response, 200, [], ['x'.repeat(length)], length)
  return written
}

const connectionsOf = (connectionsMax: number | undefined): number => {
  const given = { responder: {} as never, allowedHosts: [], clock: new FakeClock(), log: () => {} }
  return new HttpListener({ ...given, connectionsMax }).createServer(() => {}).maxConnections
}

/** The problem of a request that Node stops to read, whose target ends there. */
function blamedAt(end: number): string {
  const rawPacket = Buffer.from(`${'GET /'.padEnd(end, 'x')} HTTP/1.1\r\nX: y`)
  return parserProblem(Object.assign(new Error(''), { code: 'HPE_HEADER_OVERFLOW', rawPacket })).kind
}

/** The coding of a body of this length. */
async function codingAt(length: number): Promise<string | undefined> {
  const scraped = await TestService.start({ exposition: [], cadenceMs: 60 })
  const own = (await scraped.get('/metrics')).text.length
  scraped.supply.exposition = [{ family: 'dcsim_x', bytes: Buffer.alloc(length - own, '#') }]
  let answer: Served
  do answer = await scraped.get('/metrics', { 'accept-encoding': 'gzip' })
  while (answer.text.length === own)
  await scraped.stop()
  return answer.headers['content-encoding']
}

/** Whether the first segment of a source is kept when this many more were made of it, of a kilobyte each. */
async function isKeptWith(count: number): Promise<boolean> {
  const cache = new SegmentCache()
  const source = new Uint8Array(count + 1_025)
  const segmentAt = (start: number) => cache.segmentOf('zstd', [{ source, start, end: start + 1_024 }])
  const first = await segmentAt(0)
  for (const start of upTo(count)) await segmentAt(start)
  return (await segmentAt(0)) === first
}

/** Responses to two requests in a packet, the first with a body. */
async function answersBehind(bytes: number): Promise<number> {
  const head = 'GET /health HTTP/1.1\r\nHost: localhost\r\n'
  const sent = `${head}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}${head}\r\n`
  return (await sendRaw(service.port, sent)).toString('latin1').match(/HTTP\/1\.1 200/g)?.length ?? 0
}

/** The status of a request whose target, names and values have this many bytes. */
async function statusWith(bytes: number): Promise<number> {
  const value = 'y'.repeat(bytes - '/health'.length - 'Hostlocalhost'.length - 'X'.length)
  const sent = `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${value}\r\n\r\n`
  return (await exchangeRaw(service.port, sent)).status
}

askBounds([
  [
    'characters of a target',
    () => [8_191, 8_192].map((more) => refusalOf(`/${'x'.repeat(more)}`, 1)),
    [undefined, 'TargetTooLong'],
  ],
  ['header fields', () => [100, 101].map((fields) => refusalOf('/', fields)), [undefined, 'HeadersTooLarge']],
  ['bytes of headers', () => Promise.all([16_383, 16_384].map(statusWith)), [200, 431]],
  ['an ignored body', () => [2 ** 20, 2 ** 20 + 1].map(isCutOff), [false, true]],
  ['a body behind which no request is answered', async () => (await answersBehind(2 ** 21)) < 2, true],
  ['open connections', () => [undefined, 10_001, 9].map(connectionsOf), [10_000, 10_000, 9]],
  [
    'requests of a connection that wait',
    () => Promise.all([32, 33, 34].map(isPausedWith)),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  ],
  [
    'requests of all connections that wait',
    () => [1, 2].map((last) => isClosedBy(...upTo(500).map(() => 101), last)),
    [false, true],
  ],
  ['pipelined requests that start in a turn', startedInTurns, [1, 2, 3]],
  ['bytes that are sent with their headers', () => [16_384, 16_385].map(writesOf), [0, 1]],
  ['characters of what is no HTTP', () => [255, 256].map(blamedAt), ['HeadersTooLarge', 'TargetTooLong']],
  [
    'bytes of a body that is not compressed',
    () => Promise.all([1_023, 1_024].map(codingAt)),
    [undefined, 'gzip'],
  ],
  ['bytes of segments of a small source', () => Promise.all([6_144, 6_145].map(isKeptWith)), [true, false]],
])
