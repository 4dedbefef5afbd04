import { isUtf8 } from 'node:buffer'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../../contract/clock.ts'
import type { SourceFault } from '../../../contract/source-faults.ts'
import { SourceError, StatusError } from '../../source.ts'

/** More connections would only queue at the upstream. */
export const connectionsMax = 4

/** Upper bound of a response body, independent of the length that the upstream declares. */
export const bodyBytesMax = 64 * 2 ** 20

/** That of one record, or of the health. */
export const recordBytesMax = 2 ** 20

/** A response that takes longer is abandoned, even if it makes steady progress. */
const responseTimeoutMs = 10_000

const headerBytesMax = 16 * 1024

export interface HttpResponse {
  /** The subject of sentences about it: `The response to http://…`. */
  readonly name: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly receivedMs: number
  /** Whether the status is 404. */
  readonly isMissing: boolean
}

/** Answers requests for the routes of one upstream. */
export interface UpstreamClient {
  /** The subject of sentences about the upstream: `The upstream at http://…`. */
  readonly name: string
  /** The predicate of the sentence that it publishes nothing new. */
  readonly silence: string
  /** Throws a `SourceError` unless a complete response of status 200 arrives. */
  get(path: string, options?: RequestOptions): Promise<HttpResponse>
  close(): void
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Accepts status 404 as well as 200. */
  readonly mayBeMissing?: boolean
  readonly bodyBytesMax?: number
}

/** Connections to one upstream. */
interface Connections {
  request(
    request: Dispatcher.RequestOptions,
  ): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>>
  destroy(): Promise<void>
}

export type OpenConnections = (origin: string, options: Pool.Options) => Connections

export interface ConnectionOptions {
  /** The upstream's address, without a path, or the URL of a file in its place. */
  readonly origin: URL
  readonly clock: Clock
  /** Opens connections; by default over the network. */
  readonly open?: OpenConnections | undefined
}

/** The cause of a failed connection attempt, for the operator. */
const connectFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused, as nothing listens there',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  EACCES: 'permission denied by the system',
  UND_ERR_CONNECT_TIMEOUT: 'the connection attempt timed out',
}

const closedConnection: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

const openPool: OpenConnections = (origin, options) => new Pool(origin, options)

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Sends GET requests to one upstream. Each response arrives whole and within its bounds, or is refused with a reason.
 */
export class HttpClient implements UpstreamClient {
  readonly name: string
  readonly silence = 'responds, but publishes nothing new'
  readonly #origin: string
  readonly #clock: Clock
  readonly #connections: Connections

  constructor({ origin, clock, open = openPool }: ConnectionOptions) {
    // The timeout below bounds the whole response, so undici's timeouts of its parts are off.
    const options = {
      connections: connectionsMax,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: headerBytesMax,
      allowH2: false,
    }
    this.#origin = origin.origin
    this.name = `The upstream at ${origin.origin}`
    this.#clock = clock
    this.#connections = open(origin.origin, options)
  }

  async get(path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const { signal, timeoutMs = responseTimeoutMs } = options
    const name = `The response to ${this.#origin}${path}`
    const control = new AbortController()
    let hasTimedOut = false
    const stopTimer = this.#clock.after(timeoutMs, () => {
      hasTimedOut = true
      control.abort()
    })
    const signals = signal === undefined ? control.signal : AbortSignal.any([control.signal, signal])
    try {
      return await this.#receive(name, path, options, signals)
    } catch (error) {
      if (error instanceof SourceError) throw error
      const reason: Reason = hasTimedOut
        ? ['timed_out', `did not arrive within ${timeoutMs / 1000} s`]
        : reasonOf(error)
      throw responseError(name, ...reason)
    } finally {
      stopTimer()
      // Ends the connection of a response that was refused before its end.
      control.abort()
    }
  }

  close(): void {
    void this.#connections.destroy()
  }

  async #receive(
    name: string,
    path: string,
    options: RequestOptions,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { mayBeMissing = false, bodyBytesMax: bytesMax = bodyBytesMax } = options
    const { statusCode, headers, body } = await this.#send({
      path,
      method: 'GET',
      headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
      signal,
    })
    // A body that is refused before its end is destroyed, and emits an error.
    body.on('error', () => {})
    const isMissing = statusCode === 404 && mayBeMissing
    if (statusCode !== 200 && !isMissing)
      throw new StatusError(statusCode, `${name} has status ${statusCode}, expected 200.`)
    const coding = headers['content-encoding'] ?? 'identity'
    if (coding !== 'identity')
      throw responseError(name, 'not_json', `is compressed (${String(coding)}) without being asked to be`)
    const tooBig = responseError(
      name,
      'too_big',
      `exceeds the limit of ${Math.round(bytesMax / 2 ** 20)} MiB`,
    )
    if (Number(headers['content-length']) > bytesMax) throw tooBig
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bytesMax) throw tooBig
      chunks.push(chunk)
    }
    const bytes = Buffer.concat(chunks)
    if (!isUtf8(bytes)) throw responseError(name, 'not_json', 'is not valid UTF-8')
    return { name, headers, body: bytes, receivedMs: this.#clock.nowMs(), isMissing }
  }

  /** Repeats a request if its connection closed first: the upstream may close an idle one at any moment. */
  async #send(request: Dispatcher.RequestOptions): ReturnType<Connections['request']> {
    try {
      return await this.#connections.request(request)
    } catch (error) {
      if (!closedConnection.has(codeOf(error))) throw error
      return this.#connections.request(request)
    }
  }
}

type Reason = readonly [fault: SourceFault, what: string]

export const responseError = (name: string, fault: SourceFault, problem: string): SourceError =>
  new SourceError(fault, `${name} ${problem}.`)

function reasonOf(error: unknown): Reason {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const connectFault = connectFaults[code]
  if (connectFault !== undefined) return ['unreachable', `did not arrive: ${connectFault}`]
  // undici gives its parser's errors a code for some messages only.
  const isParserError = error instanceof Error && error.name === 'HTTPParserError'
  if (isParserError) return ['not_json', `is not valid HTTP (${message})`]
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['too_big', 'has too many header bytes']
  if (code === 'UND_ERR_ABORTED') return ['timed_out', 'was abandoned']
  const hint = code === 'UND_ERR_SOCKET' ? ', as if no HTTP server listened there' : ''
  return ['cut_off', `ended early (${code === '' ? message : code})${hint}`]
}
