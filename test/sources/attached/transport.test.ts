/** Connections, HTTP and the framing of bodies: what a client reads, and what it refuses with which fault. */
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceFault } from '../../../src/contract/source-faults.ts'
import { processClock as clock } from '../../../src/process/clock.ts'
import { HttpClient } from '../../../src/sources/attached/http/http-client.ts'
import type { RequestOptions } from '../../../src/sources/attached/http/http-client.ts'
import { JsonResponse } from '../../../src/sources/attached/http/json-response.ts'
import { FakeUpstream } from './fake-upstream.ts'
import type { Reply, ReplyFilter } from './fake-upstream.ts'

type Cases = readonly (readonly [name: string, send: ReplyFilter])[]

const text = JSON.stringify({ items: Array.from({ length: 500 }, (_, id) => ({ id, label: 'Zürich' })) })
const length = `Content-Length: ${Buffer.byteLength(text)}\r\n`
const okLine = 'HTTP/1.1 200 OK\r\n'

let upstream: FakeUpstream
let client: HttpClient
beforeAll(async () => {
  upstream = await FakeUpstream.start(null)
})
beforeEach(() => {
  client = new HttpClient({ origin: new URL(upstream.origin), clock })
  return () => client.close()
})
afterAll(() => upstream.close())

async function textFrom(send: ReplyFilter, options: RequestOptions = {}): Promise<string> {
  upstream.filter = ({ headers }, request, response) =>
    send({ status: 200, body: text, headers }, request, response)
  const response = await client.get('/health', options)
  return new JsonResponse(response).response.body.toString()
}

const reply =
  (change: Partial<Reply>): ReplyFilter =>
  (sound) => ({ ...sound, ...change })
const withHeaders = (headers: Record<string, string>): ReplyFilter => reply({ headers })

/** Sends any bytes; then the connection ends. */
const says =
  (bytes: string | Buffer): ReplyFilter =>
  (_reply, { socket }) => {
    socket.end(bytes)
    return null
  }
/** With more lines before the length, or in place of it. */
const withLine = (line: string): ReplyFilter => says(`${okLine}${line}${length}\r\n${text}`)
const withoutLength = (line: string): ReplyFilter => says(`${okLine}${line}\r\n\r\n${text}`)

/** Announces the whole body and sends a part of it. */
const part =
  (ratio: number, then: 'end' | 'resetAndDestroy' | 'ref'): ReplyFilter =>
  (_reply, { socket }, response) => {
    const whole = Buffer.from(text)
    response.writeHead(200, { 'Content-Length': whole.length })
    response.write(whole.subarray(0, Math.floor(whole.length * ratio)), () => socket[then]())
    return null
  }

/** Writes endlessly until the connection closes. */
const endless =
  (head: string, piece: string): ReplyFilter =>
  (_reply, { socket }) => {
    socket.write(head)
    const writing = setInterval(() => socket.write(piece), 1)
    socket.on('close', () => clearInterval(writing))
    return null
  }

const encoded =
  (coding: string, bytes: Buffer): ReplyFilter =>
  (_reply, _request, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(bytes)
    return null
  }

const chunked = 'Transfer-Encoding: chunked\r\n'
const chunksOf = (size: number): string => {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
  return `${pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('')}0\r\n`
}
const inChunks = (chunks: string): ReplyFilter => says(`${okLine}${chunked}\r\n${chunks}`)

const whole: Cases = [
  ['closes the connection after each answer', withHeaders({ Connection: 'close' })],
  ['announces a keep-alive of no time', withHeaders({ 'Keep-Alive': 'timeout=0, max=1' })],
  ['answers in HTTP/1.0', says(`HTTP/1.0 200 OK\r\n${length}\r\n${text}`)],
  [
    'sends early hints first',
    says(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${okLine}${length}\r\n${text}`),
  ],
  [
    'sends a hundred interim answers first',
    says(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)}${okLine}${length}\r\n${text}`),
  ],
  [
    'sends a second answer unasked',
    says(`${okLine}${length}\r\n${text}${okLine}Content-Length: 2\r\n\r\n{}`),
  ],
  ['puts blanks before the status line', says(`\r\n\r\n${okLine}${length}\r\n${text}`)],
  ['frames a body in an unknown way', withoutLength('Transfer-Encoding: rot13')],
  ['says that JSON is HTML in UTF-16', withHeaders({ 'Content-Type': 'text/html; charset=utf-16' })],
  ['sets cookies', withHeaders({ 'Set-Cookie': 'a=b; Path=/; HttpOnly' })],
  ['asks for authentication', withHeaders({ 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Basic' })],
  ['asks to retry in a year', withHeaders({ 'Retry-After': '31536000' })],
  ['names the coding that is none', withHeaders({ 'Content-Encoding': 'identity' })],
  ['sends chunks', inChunks(`${chunksOf(1000)}\r\n`)],
  ['sends chunks of one byte', inChunks(`${chunksOf(1)}\r\n`)],
  ['sends trailers', says(`${okLine}${chunked}Trailer: X-End\r\n\r\n${chunksOf(9999)}X-End: 1\r\n\r\n`)],
  ['ends bodies with the connection', withoutLength('Connection: close')],
]

const cutOff: Cases = [
  ['resets the connection', (_reply, { socket }) => (socket.resetAndDestroy(), null)],
  ['closes the connection without an answer', says('')],
  ['ends a body in the middle', part(0.5, 'end')],
  ['resets in the middle of a body', part(0.5, 'resetAndDestroy')],
  ['ends a body before its last bytes', part(0.999, 'end')],
  ['resets after the headers', part(0, 'resetAndDestroy')],
  ['sends two lengths', withLine('Content-Length: 3\r\n')],
  ['sends status 000', says(`HTTP/1.1 000 No\r\n${length}\r\n${text}`)],
  ['ends before the last chunk', inChunks(chunksOf(999).slice(0, -3))],
  ['switches protocols unasked', says('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')],
  ['sends a length of 2^70', withoutLength('Content-Length: 1180591620717411303424')],
]

const timedOut: Cases = [
  ['stops in the middle of a body and keeps the connection', part(0.5, 'ref')],
  ['never answers', () => null],
  ['sends interim answers without end', endless('', 'HTTP/1.1 102 Processing\r\n\r\n')],
]

const noHttp: Cases = [
  ['speaks SMTP', says('220 mail.example ESMTP\r\n')],
  ['speaks SSH', says('SSH-2.0-OpenSSH_9.6\r\n')],
  ['speaks TLS', says(Buffer.from([21, 3, 1, 0, 2, 2, 40]))],
  ['sends noise', says(Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 97) % 256)))],
  ['sends JSON without HTTP', says(text)],
  ['sends a version that is none', says(`HTTP/9.x 200 OK\r\n${length}\r\n${text}`)],
  ['sends a status that is no number', says(`HTTP/1.1 abc OK\r\n${length}\r\n${text}`)],
  ['ends lines with a line feed alone', says(`${okLine}${length}\r\n`.replaceAll('\r\n', '\n') + text)],
  ['sends a NUL in a header', withLine('X-Nul: a\0b\r\n')],
  ['sends a header without a name', withLine(': x\r\n')],
  ['sends a negative length', withoutLength('Content-Length: -5')],
  ['sends a length that is no number', withoutLength('Content-Length: many')],
  ['frames a body twice', withLine(chunked)],
  ['sends a body longer than announced', withoutLength('Content-Length: 10')],
  ['sends a chunk size that is no number', inChunks('xyz\r\n{}\r\n0\r\n\r\n')],
  ['sends a chunk size of 2^64', inChunks('FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n')],
  ['sends a negative chunk size', inChunks('-1\r\n{}\r\n0\r\n\r\n')],
  ['sends a chunk extension of 1 MB', inChunks(`2;${'x'.repeat(1 << 20)}\r\n${text}`)],
]

const noJson: Cases = [
  ['compresses with gzip, unasked', encoded('gzip', gzipSync(text))],
  ['compresses with brotli, unasked', encoded('br', brotliCompressSync(text))],
  ['compresses with zstd, unasked', encoded('zstd', zstdCompressSync(text))],
  ['sends a gzip bomb', encoded('gzip', gzipSync(Buffer.alloc(1 << 24)))],
  ['says that a plain body has an unknown coding', withHeaders({ 'Content-Encoding': 'x-secret' })],
  [
    'sends bytes that are no UTF-8',
    says(Buffer.concat([Buffer.from(`${okLine}\r\n{"a":"`), Buffer.of(0xff, 34, 125)])),
  ],
  ['sends UTF-16', says(Buffer.concat([Buffer.from(`${okLine}\r\n`), Buffer.from(text, 'utf16le')]))],
  ['sends a byte order mark', reply({ body: `\ufeff${text}` })],
  ['sends empty bodies', reply({ body: '' })],
  ['sends HTML', reply({ body: '<!doctype html><title>Log in</title>' })],
]

const tooBig: Cases = [
  ['sends a header of 20 kB', withHeaders({ 'X-Long': 'x'.repeat(20_000) })],
  ['sends 5,000 headers', withLine('X-Many: 1\r\n'.repeat(5_000))],
  ['sends headers without end', endless(okLine, `X-Endless: ${'x'.repeat(500)}\r\n`)],
  ['announces a terabyte', withoutLength('Content-Length: 1000000000000')],
  ['sends a body without end', endless(`${okLine}\r\n{"items":[`, '{"id":1},'.repeat(1_000_000))],
]

const redirect = (status: number, to: string): ReplyFilter => reply({ status, headers: { Location: to } })
const codes = [
  201, 202, 204, 206, 300, 304, 400, 401, 403, 404, 407, 410, 418, 429, 500, 501, 502, 504, 599, 999,
]
const badStatus: Cases = [
  ...codes.map((status) => [`answers with status ${status}`, reply({ status })] as const),
  ['redirects to itself', redirect(302, '/health')],
  ['redirects to another host', redirect(307, 'http://127.0.0.1:1/')],
  ['redirects to a file', redirect(308, 'file:///etc/passwd')],
]

test.each(whole)('an upstream that %s is read whole', async (_, send) => {
  expect(await textFrom(send)).toBe(text)
})

const refused: Partial<Record<SourceFault, Cases>> = {
  cut_off: cutOff,
  timed_out: timedOut,
  not_json: [...noHttp, ...noJson],
  too_big: tooBig,
  bad_status: badStatus,
  no_world: [['answers with status 503', reply({ status: 503 })]],
}
describe.each(Object.entries(refused))('refused with the fault %s is an upstream that', (fault, cases) => {
  test.each(cases)('%s', async (_, send) => {
    const options = fault === 'timed_out' ? { timeoutMs: 200 } : {}
    await expect(textFrom(send, options)).rejects.toMatchObject({ fault })
    // The client is left sound.
    expect(await textFrom(reply({}))).toBe(text)
  })
})
