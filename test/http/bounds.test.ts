/** Bounds of what the server reads, keeps and sends. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll } from 'vitest'
import { codings } from '../../src/http/content-coding/codings.ts'
import { segmentWithoutChecksum } from '../../src/http/content-coding/content-coding.ts'
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
  bytesWritten = 0
  destroy = (): boolean => (this.destroyed = true)
}

/** Connections with one that asks, whose answers wait for the test, and turns of the event loop. */
function asking(others = 0) {
  const soon: (() => void)[] = []
  const connections = new Connections((call) => soon.push(call))
  const [socket, ...rest] = Array.from({ length: 1 + others }, () => new OpenSocket())
  for (const one of [socket, ...rest]) connections.add(one as unknown as Socket)
  const unanswered: (() => void)[] = []
  const ask = (count: number): void => {
    for (; count > 0; count--) {
      const response = new EventEmitter()
      const wait = (): void => void unanswered.push(() => response.emit('close'))
      connections.enqueue({ socket } as unknown as IncomingMessage, response as ServerResponse, wait)
    }
  }
  const answer = (): void => unanswered.shift()!()
  const turn = (): void => soon.splice(0).forEach((call) => call())
  const isHeldBack = (): boolean => connections.isHeldBack(socket as unknown as Socket)
  return { socket, rest, ask, answer, turn, isHeldBack, unanswered }
}

/** How many of 201 connections wait to be read: with 255 requests of another one, with 256, and in the turns after. */
function pausedAfterBursts(): number[][] {
  const { rest, ask, answer, turn } = asking(201)
  const paused = (): number => rest.filter((socket) => socket.paused).length
  return upTo(2).map(() => {
    for (const _ of upTo(255)) {
      ask(1)
      answer()
    }
    const found = [paused()]
    ask(1)
    answer()
    for (const turns of [0, 1, 1, 150]) {
      for (const _ of upTo(turns)) turn()
      found.push(paused())
    }
    return found
  })
}

/** A client that has been sent so many bytes in a turn, and whether its next request is answered in the same turn. */
function isAnsweredAfter(bytes: number): boolean {
  const { socket, ask, answer, unanswered } = asking()
  ask(2)
  socket.bytesWritten = bytes
  answer()
  return unanswered.length > 0
}

function isClosedAt(waiting: number): boolean {
  const { socket, ask, answer } = asking()
  ask(50_001)
  answer()
  ask(waiting - 49_999)
  return socket.destroyed
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

/** Whether the first segment of a source is kept when this many were made of it, of a kilobyte each. */
async function isKeptWith(count: number): Promise<boolean> {
  const compress = async () => segmentWithoutChecksum(Buffer.alloc(1_024))
  const cache = new SegmentCache({ ...codings, zstd: { ...codings.zstd, compress } })
  const source = new Uint8Array(2_000)
  const segmentTo = (end: number) => cache.segmentOf('zstd', [{ source, start: 0, end }])
  const first = segmentTo(1)
  for (const end of upTo(count)) await segmentTo(end)
  return segmentTo(1) === first
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
    async () => {
      const { socket, ask, isHeldBack } = asking()
      const found = []
      for (const count of [32, 1]) {
        ask(count)
        await Promise.resolve()
        found.push(isHeldBack(), socket.paused)
      }
      return found
    },
    [false, false, true, true],
  ],
  ['requests of all connections that wait', () => [50_000, 50_001].map(isClosedAt), [false, true]],
  [
    'requests of a turn, and turns',
    pausedAfterBursts,
    [
      [0, 201, 198, 196, 0],
      [0, 201, 198, 196, 0],
    ],
  ],
  ['bytes of a turn', () => [2 ** 18, 2 ** 18 + 1].map(isAnsweredAfter), [true, false]],
  ['bytes that are sent with their headers', () => [16_384, 16_385].map(writesOf), [0, 1]],
  ['characters of what is no HTTP', () => [255, 256].map(blamedAt), ['HeadersTooLarge', 'TargetTooLong']],
  [
    'bytes of a body that is not compressed',
    () => Promise.all([1_023, 1_024].map(codingAt)),
    [undefined, 'gzip'],
  ],
  ['bytes of segments of a small source', () => Promise.all([1_025, 1_026].map(isKeptWith)), [true, false]],
])
