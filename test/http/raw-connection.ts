import { connect } from 'node:net'
import type { Socket } from 'node:net'

interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Splits a server's bytes into responses, by their Content-Length. */
export function rawResponses(
  bytes: Buffer,
  bodiless: (index: number, status: number) => boolean = () => false,
) {
  const found: RawResponse[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0)
      throw new Error(`No end of headers in ${JSON.stringify(bytes.toString('latin1', at, at + 200))}`)
    const [statusLine, ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const [, code] = /^HTTP\/1\.1 ([0-9]{3}) /.exec(statusLine) ?? []
    if (code === undefined) throw new Error(`Not a status line: ${JSON.stringify(statusLine)}`)
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const status = Number(code)
    const none = status === 304 || bodiless(found.length, status)
    const length = none ? 0 : Number(headers.get('content-length') ?? 0)
    const bodyAt = end + 4
    if (bodyAt + length > bytes.length) throw new Error('The last body is cut short.')
    found.push({ status, headers, body: bytes.toString('utf8', bodyAt, bodyAt + length) })
    at = bodyAt + length
  }
  return found
}

export function connected(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect(port, '127.0.0.1', () => resolve(socket))
  socket.once('error', reject)
  return promise
}

/** All bytes until the server closes the connection, or has been silent for a while. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  silenceMs = 1_000,
  { thenEnd = false } = {},
): Promise<Buffer> {
  const socket = await connected(port)
  const { promise, resolve } = Promise.withResolvers<void>()
  const chunks: Buffer[] = []
  socket.setTimeout(silenceMs, resolve)
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => resolve())
  socket.on('close', () => resolve())
  // A client that closes its sending side gets the pending responses, then the server closes the connection.
  if (thenEnd) socket.end(bytes)
  else socket.write(bytes)
  await promise
  socket.destroy()
  return Buffer.concat(chunks)
}

const longestMs = 10_000

/** The only response to the bytes. */
export async function exchangeRaw(port: number, bytes: string | Buffer): Promise<RawResponse> {
  const responses = rawResponses(await sendRaw(port, bytes, longestMs, { thenEnd: true }))
  if (responses.length !== 1) throw new Error(`Expected one response, got ${responses.length}.`)
  return responses[0]
}
