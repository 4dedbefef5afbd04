/** Connections, HTTP and the framing of bodies. */
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { ReplyFilter } from '../../attached/fake-upstream.ts'
import { body, on, refused, silent, status, unaffected, wire, withHeaders, without } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const hosts = '/api/v1/hosts'
const okLine = 'HTTP/1.1 200 OK\r\n'
const lengthOf = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}\r\n`

const reset: ReplyFilter = (_reply, request) => {
  request.socket.resetAndDestroy()
  return null
}

/** Announces the whole body and sends a part of it. */
const part =
  (ratio: number, then: 'end' | 'reset' | 'wait'): ReplyFilter =>
  (reply, request, response) => {
    const whole = Buffer.from(reply.body)
    response.writeHead(200, { ...reply.headers, 'Content-Length': whole.length })
    response.write(whole.subarray(0, Math.floor(whole.length * ratio)), () => {
      if (then === 'end') request.socket.end()
      if (then === 'reset') request.socket.resetAndDestroy()
    })
    return null
  }

const silence: ReplyFilter = () => null

/** Writes endlessly until the connection closes. */
const endless =
  (head: string, piece: string, everyMs: number): ReplyFilter =>
  (_reply, request) => {
    request.socket.write(head)
    const writing = setInterval(() => request.socket.write(piece), everyMs)
    request.socket.on('close', () => clearInterval(writing))
    return null
  }

const encoded =
  (coding: string, bytesOf: (text: string) => Buffer): ReplyFilter =>
  (reply, _request, response) => {
    const bytes = bytesOf(reply.body)
    response.writeHead(200, { ...reply.headers, 'Content-Encoding': coding, 'Content-Length': bytes.length })
    response.end(bytes)
    return null
  }

const delayed =
  (ms: number): ReplyFilter =>
  async (reply) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return { ...reply, headers: { ...reply.headers } }
  }

const chunks = (text: string, size: number): string => {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size)
    pieces.push(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
  }
  return `${pieces.join('')}0\r\n`
}
const chunked = 'Transfer-Encoding: chunked\r\n'

/** With more lines before the length, or in place of it. */
const withLine = (line: string): ReplyFilter =>
  wire((text, own) => `${okLine}${own}${line}${lengthOf(text)}\r\n${text}`)
const withoutLength = (line: string): ReplyFilter =>
  wire((text, own) => `${okLine}${own}${line}\r\n\r\n${text}`)

const says = (text: string | Buffer): ReplyFilter => wire(() => text)

const connections: readonly Misbehavior[] = [
  refused('cut_off', 'resets every connection', reset),
  without('cut_off', 'resets connections that ask for hosts', on(hosts, reset)),
  refused('cut_off', 'closes every connection without an answer', says('')),
  refused('cut_off', 'ends bodies in the middle', part(0.5, 'end')),
  refused('cut_off', 'resets in the middle of bodies', part(0.5, 'reset')),
  refused('cut_off', 'ends a body one byte before its end', part(0.999, 'end')),
  refused('cut_off', 'resets after the headers', part(0, 'reset')),
  refused(
    ['timed_out', 'stale'],
    'stops in the middle of one body and keeps the connection',
    on(hosts, part(0.5, 'wait')),
  ),
  refused(['timed_out', 'stale'], 'never answers one route', on(hosts, silence)),
  silent('never answers anything', silence),
  unaffected('delays every answer', delayed(40)),
  unaffected('answers /health late', on('/health', delayed(400))),
  unaffected('closes the connection after each answer', withHeaders({ Connection: 'close' })),
  unaffected('announces a keep-alive of no time', withHeaders({ 'Keep-Alive': 'timeout=0, max=1' })),
]

const protocols: readonly Misbehavior[] = [
  refused('not_json', 'speaks SMTP', says('220 mail.example ESMTP\r\n')),
  refused('not_json', 'speaks SSH', says('SSH-2.0-OpenSSH_9.6\r\n')),
  refused('not_json', 'speaks TLS', says(Buffer.from([21, 3, 1, 0, 2, 2, 40]))),
  refused(
    'not_json',
    'sends noise',
    wire(() => Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 97) % 256))),
  ),
  refused(
    'not_json',
    'sends JSON without HTTP',
    wire((text) => text),
  ),
  refused(
    'not_json',
    'sends a version that is none',
    wire((text) => `HTTP/9.x 200 OK\r\n${lengthOf(text)}\r\n${text}`),
  ),
  refused(
    'not_json',
    'sends a status that is no number',
    wire((text) => `HTTP/1.1 abc OK\r\n${lengthOf(text)}\r\n${text}`),
  ),
  refused(
    ['not_json', 'bad_status', 'cut_off'],
    'sends status 000',
    wire((text) => `HTTP/1.1 000 No\r\n${lengthOf(text)}\r\n${text}`),
  ),
  refused(
    ['not_json', 'bad_status', 'cut_off'],
    'switches protocols unasked',
    says('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  ),
  unaffected(
    'answers in HTTP/1.0',
    wire((text, headers) => `HTTP/1.0 200 OK\r\n${headers}${lengthOf(text)}\r\n${text}`),
  ),
  unaffected(
    'sends early hints first',
    wire(
      (text, headers) =>
        `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${okLine}${headers}${lengthOf(text)}\r\n${text}`,
    ),
  ),
  unaffected(
    'sends a hundred interim answers first',
    wire(
      (text, headers) =>
        `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)}${okLine}${headers}${lengthOf(text)}\r\n${text}`,
    ),
  ),
  silent('sends interim answers without end', endless('', 'HTTP/1.1 102 Processing\r\n\r\n', 5)),
  unaffected(
    'sends a second answer unasked',
    wire(
      (text, headers) =>
        `${okLine}${headers}${lengthOf(text)}\r\n${text}${okLine}Content-Length: 2\r\n\r\n{}`,
      true,
    ),
  ),
  refused(
    'not_json',
    'ends lines with a line feed alone',
    wire((text, headers) => `${okLine}${headers}${lengthOf(text)}\r\n`.replaceAll('\r\n', '\n') + text),
  ),
  unaffected(
    'puts blanks before the status line',
    wire((text, headers) => `\r\n\r\n${okLine}${headers}${lengthOf(text)}\r\n${text}`),
  ),
]

const headers: readonly Misbehavior[] = [
  refused(['not_json', 'too_big'], 'sends a header of 20 kB', withHeaders({ 'X-Long': 'x'.repeat(20_000) })),
  refused(['not_json', 'too_big'], 'sends 5,000 headers', withLine('X-Many: 1\r\n'.repeat(5_000))),
  refused(
    ['not_json', 'too_big'],
    'sends headers without end',
    endless(okLine, `X-Endless: ${'x'.repeat(500)}\r\n`.repeat(8), 1),
  ),
  // Each response takes longer to fail than the mirror waits with its next request.
  refused(
    ['not_json', 'too_big'],
    'sends headers without end, slowly',
    endless(okLine, `X-Endless: ${'x'.repeat(4_000)}\r\n`, 30),
  ),
  refused('not_json', 'sends a NUL in a header', withLine('X-Nul: a\0b\r\n')),
  refused('not_json', 'sends a header without a name', withLine(': x\r\n')),
  refused(
    ['not_json', 'cut_off'],
    'sends two lengths',
    wire((text, own) => `${okLine}${own}${lengthOf(text)}Content-Length: 3\r\n\r\n${text}`),
  ),
  refused('not_json', 'sends a negative length', withoutLength('Content-Length: -5')),
  refused('not_json', 'sends a length that is no number', withoutLength('Content-Length: many')),
  refused(
    ['not_json', 'too_big', 'cut_off'],
    'sends a length of 2^70',
    withoutLength('Content-Length: 1180591620717411303424'),
  ),
  refused('too_big', 'announces a terabyte', withoutLength('Content-Length: 1000000000000')),
  refused(['not_json', 'cut_off'], 'frames a body twice', withLine(chunked)),
  unaffected('frames a body in an unknown way', withoutLength('Transfer-Encoding: rot13')),
  unaffected(
    'says that JSON is HTML in UTF-16',
    withHeaders({ 'Content-Type': 'text/html; charset=utf-16' }),
  ),
  unaffected('sets cookies', withHeaders({ 'Set-Cookie': 'a=b; Path=/; HttpOnly' })),
  unaffected(
    'forbids caching and asks for authentication',
    withHeaders({ 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Basic' }),
  ),
  unaffected('asks to retry in a year', withHeaders({ 'Retry-After': '31536000' })),
]

const bodies: readonly Misbehavior[] = [
  refused('not_json', 'compresses with gzip, unasked', encoded('gzip', gzipSync)),
  refused('not_json', 'compresses with brotli, unasked', encoded('br', brotliCompressSync)),
  refused('not_json', 'compresses with zstd, unasked', encoded('zstd', zstdCompressSync)),
  refused('not_json', 'says that a plain body is compressed', withHeaders({ 'Content-Encoding': 'gzip' })),
  refused(
    'not_json',
    'says that a body has an unknown coding',
    withHeaders({ 'Content-Encoding': 'x-secret' }),
  ),
  without(
    'not_json',
    'sends a gzip bomb',
    on(
      hosts,
      encoded('gzip', () => gzipSync(Buffer.alloc(1 << 24))),
    ),
  ),
  unaffected('names the coding that is none', withHeaders({ 'Content-Encoding': 'identity' })),
  unaffected(
    'sends bodies in chunks',
    wire((text, own) => `${okLine}${own}${chunked}\r\n${chunks(text, 1000)}\r\n`),
  ),
  unaffected(
    'sends small bodies in chunks of one byte',
    on(
      '/health',
      wire((text, own) => `${okLine}${own}${chunked}\r\n${chunks(text, 1)}\r\n`),
    ),
  ),
  unaffected(
    'sends trailers',
    wire(
      (text, own) => `${okLine}${own}${chunked}Trailer: X-End\r\n\r\n${chunks(text, 9999)}X-End: 1\r\n\r\n`,
    ),
  ),
  unaffected('ends bodies with the connection', withoutLength('Connection: close')),
  refused(
    ['not_json', 'cut_off'],
    'sends a chunk size that is no number',
    wire((_text, own) => `${okLine}${own}${chunked}\r\nxyz\r\n{}\r\n0\r\n\r\n`),
  ),
  refused(
    ['not_json', 'cut_off'],
    'sends a chunk size of 2^64',
    wire((_text, own) => `${okLine}${own}${chunked}\r\nFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`),
  ),
  refused(
    ['not_json', 'cut_off'],
    'sends a negative chunk size',
    wire((_text, own) => `${okLine}${own}${chunked}\r\n-1\r\n{}\r\n0\r\n\r\n`),
  ),
  refused(
    ['not_json', 'cut_off', 'too_big'],
    'sends a chunk extension of 1 MB',
    wire((text, own) => `${okLine}${own}${chunked}\r\n2;${'x'.repeat(1 << 20)}\r\n${text}`),
  ),
  refused(
    ['cut_off', 'not_json'],
    'ends before the last chunk',
    wire((text, own) => `${okLine}${own}${chunked}\r\n${chunks(text, 999).slice(0, -3)}`),
  ),
  without(
    ['too_big', 'timed_out'],
    'sends a body without end',
    on(hosts, endless(`${okLine}\r\n{"items":[`, '{"id":1},'.repeat(100_000), 1)),
  ),
  refused(
    'not_json',
    'sends bytes that are no UTF-8',
    wire((text, own) =>
      Buffer.concat([
        Buffer.from(`${okLine}${own}Content-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n`),
        Buffer.from([0xff]),
        Buffer.from(text),
      ]),
    ),
  ),
  refused(
    'not_json',
    'sends UTF-16',
    wire((text, own) =>
      Buffer.concat([
        Buffer.from(`${okLine}${own}Content-Length: ${text.length * 2}\r\n\r\n`),
        Buffer.from(text, 'utf16le'),
      ]),
    ),
  ),
  refused('not_json', 'sends a byte order mark', (reply) => ({ ...reply, body: `\ufeff${reply.body}` })),
  refused('not_json', 'sends empty bodies', body('')),
  refused(['not_json', 'cut_off'], 'sends a body longer than announced', withoutLength('Content-Length: 10')),
]

const redirect =
  (code: number, to: string): ReplyFilter =>
  (reply) => ({ ...reply, status: code, headers: { ...reply.headers, Location: to } })

const codes = [
  201, 202, 204, 206, 300, 304, 400, 401, 403, 404, 407, 410, 418, 429, 500, 501, 502, 504, 599, 999,
]
const statuses: readonly Misbehavior[] = [
  ...codes.map((code) => refused('bad_status', `answers with status ${code}`, status(code))),
  refused(['bad_status', 'no_world'], 'answers with status 503', status(503)),
  without('bad_status', 'answers one route with status 500', on(hosts, status(500, '<h1>oh no</h1>'))),
  refused('bad_status', 'redirects to itself', redirect(302, '/health')),
  refused('bad_status', 'redirects to another host', redirect(307, 'http://127.0.0.1:1/')),
  refused('bad_status', 'redirects to a file', redirect(308, 'file:///etc/passwd')),
]

export const transportCases: readonly Misbehavior[] = [
  ...connections,
  ...protocols,
  ...headers,
  ...bodies,
  ...statuses,
]
